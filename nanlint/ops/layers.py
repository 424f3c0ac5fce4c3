"""Layers: linear maps and convolutions, normalisation, dropout, pooling, attention, recurrent nets."""

from __future__ import annotations

from nanlint.interval import INF, Interval, div, limits
from nanlint.ops.images import (
    SIGNED_UNIT,
    ZERO,
    averaged,
    fixed,
    given,
    grown,
    kept,
    mean_of,
    nonnegative,
    number,
    range_of,
    setting,
    total,
    unknown,
)
from nanlint.ops.spec import Bound, Image, Op


def _embedding(b: Bound) -> Interval:
    return range_of(b, "weight") if given(b, "weight") else unknown(b)


def _glu(b: Bound) -> Interval:
    """One half times the sigmoid of the other."""
    return range_of(b, "input").join(ZERO)


LAYER = frozenset({"layer"})


# ---- dropout ---------------------------------------------------------------------------------------


def _dropout(b: Bound) -> Interval:
    """Zeros, and the kept elements over 1 - p."""
    a = range_of(b, "input")
    if setting(b, "training", True) is False:
        return a
    p = number(b, "p", 0.5)
    if p is None or not 0.0 <= p < 1.0:
        top = limits(b.dtype).max
        return Interval(0.0 if a.nonneg else -top, 0.0 if a.hi <= 0.0 else top)
    return grown(div(a, Interval.point(1.0 - p), b.dtype).join(a).join(ZERO), b.dtype, 2)


# ---- pooling ---------------------------------------------------------------------------------------


def _max_pool(b: Bound) -> Interval:
    return range_of(b, "input")


def _indices(b: Bound) -> str:
    return "pair" if setting(b, "return_indices", False) is True else "tensor"


def _avg_pool(b: Bound) -> Interval:
    """Means, with the zeros of the padding among them; another divisor gives other sums."""
    if given(b, "divisor_override"):
        return nonnegative(b) if range_of(b, "input").nonneg else unknown(b)
    mean = averaged(range_of(b, "input"), b.dtype)
    return mean if setting(b, "padding", 0) in (0, (0,), (0, 0), (0, 0, 0)) else mean.join(ZERO)


def _lp_pool(b: Bound) -> Interval:
    return nonnegative(b) if range_of(b, "input").nonneg else unknown(b)


def _interpolate(b: Bound) -> Interval:
    """Averages of neighbours; cubic ones overshoot by up to 0.45 of the width."""
    a = range_of(b, "input")
    mode = setting(b, "mode", "nearest")
    if mode in ("nearest", "nearest-exact"):
        return a
    return grown(a, b.dtype, 16) if mode in ("linear", "bilinear", "trilinear", "area") else _overshot(a, b.dtype)


def _overshot(a: Interval, dtype: str) -> Interval:
    top = limits(dtype).max
    over = min(0.45 * (a.hi - a.lo), top)
    return grown(Interval(max(a.lo - over, -top), min(a.hi + over, top)), dtype, 16)


def _grid_sample(b: Bound) -> Interval:
    """Interpolated values and the zeros outside."""
    a = range_of(b, "input")
    inside = grown(a, b.dtype, 16) if setting(b, "mode", "bilinear") in ("bilinear", "nearest") else _overshot(a, b.dtype)
    return inside.join(ZERO)


def _pad(b: Bound) -> Interval:
    a = range_of(b, "input")
    if setting(b, "mode", "constant") not in ("constant",):
        return a
    return a.join(range_of(b, "value") if given(b, "value") else ZERO)


def _unfold(b: Bound) -> Interval:
    a = range_of(b, "input")
    return a if setting(b, "padding", 0) == 0 else a.join(ZERO)


def _fold(b: Bound) -> Interval:
    """Sums of overlapping patches, zeros where there is none."""
    return total(range_of(b, "input"), Interval(0.0, INF), b.dtype)


# ---- attention and recurrence ----------------------------------------------------------------------


def _attention(b: Bound) -> Interval:
    """Averages of the values; 0 for a row that is masked everywhere (no NaN: facts/README.md 7)."""
    if not b.has("value") or number(b, "dropout_p", 0.0) != 0.0:
        return unknown(b)
    return averaged(range_of(b, "value"), b.dtype).join(ZERO)


def _gated(b: Bound) -> Interval:
    """tanh and convex steps from the first hidden state."""
    return SIGNED_UNIT.join(range_of(b, "hx")) if given(b, "hx") else SIGNED_UNIT


def _rnn(b: Bound) -> Interval:
    if setting(b, "nonlinearity", "tanh") == "tanh":
        return SIGNED_UNIT
    return nonnegative(b)


def _layer(name: str) -> Op:
    """A linear map with weights of any sign."""
    return Op(name, unknown, terms="product", dtype="float", count="any", marks=LAYER, note="overflows by magnitude")


def _norm(name: str) -> Op:
    return Op(name, unknown, terms="opaque", dtype="float", marks=frozenset({"normalized", "layer"}), note="overflows by magnitude")


def _pool(name: str, image: Image) -> Op:
    return Op(name, image, terms="opaque", count="any", note="overflows by magnitude")


MAX_POOL = Op("max_pool", _max_pool, terms="selects", count="any", returns=_indices, marks=frozenset({"max"}))
TANH = frozenset({"tanh", "layer"})

ROWS: tuple[Op, ...] = (
    _layer("linear"),
    _layer("bilinear"),
    _layer("conv"),
    _layer("conv_transpose"),
    Op("embedding", _embedding, terms="opaque", dtype="created", count="any", marks=LAYER, note="rows of a learned table"),
    Op("embedding_bag", unknown, terms="opaque", dtype="created", count="any", marks=LAYER),
    _norm("layer_norm"),
    _norm("batch_norm"),
    _norm("group_norm"),
    _norm("instance_norm"),
    _norm("rms_norm"),
    _norm("local_response_norm"),
    Op("glu", _glu, terms="opaque", count="any", note="overflows by magnitude"),
    Op("dropout", _dropout, terms="random", marks=frozenset({"dropout"}), note="overflows by magnitude"),
    MAX_POOL,
    _pool("avg_pool", _avg_pool),
    _pool("adaptive_avg_pool", mean_of()),
    Op("adaptive_max_pool", kept(), terms="selects", count="any", returns=_indices, marks=frozenset({"max"})),
    _pool("lp_pool", _lp_pool),
    _pool("interpolate", _interpolate),
    _pool("grid_sample", _grid_sample),
    Op("affine_grid", unknown, terms="opaque", count="any", note="overflows by magnitude"),
    Op("pad", _pad, terms="opaque", count="any"),
    Op("unfold", _unfold, terms="opaque", count="any"),
    Op("fold", _fold, terms="opaque", count="any", marks=frozenset({"sum"}), note="overflows by magnitude"),
    Op("pixel_shuffle", kept(), terms="permutes"),
    Op("scaled_dot_product_attention", _attention, terms="opaque", count="any", lead="query", marks=LAYER),
    Op("multi_head_attention", unknown, terms="opaque", count="any", lead="query", returns="list",
       parts=("attention_output", "attention_weights")),
    Op("attention_output", unknown, terms="opaque", count="any", lead="query", marks=LAYER),
    Op("attention_weights", fixed(0, 1), terms="opaque", ground="closed", count="any", lead="query",
       marks=frozenset({"softmax", "probability"})),
    Op("lstm", unknown, terms="opaque", count="any", returns="list", parts=("lstm_output", "lstm_state")),
    Op("lstm_output", fixed(-1, 1), terms="opaque", count="any", marks=TANH),
    Op("lstm_state", unknown, terms="opaque", count="any", returns="list", marks=LAYER),
    Op("lstm_cell", unknown, terms="opaque", count="any", returns="list", parts=("lstm_output", "lstm_cell_state")),
    Op("lstm_cell_state", unknown, terms="opaque", count="any", marks=LAYER),
    Op("gru", _gated, terms="opaque", count="any", returns="list", marks=TANH),
    Op("gru_cell", _gated, terms="opaque", count="any", marks=TANH),
    Op("rnn", _rnn, terms="opaque", count="any", returns="list", marks=LAYER),
    Op("rnn_cell", _rnn, terms="opaque", count="any", marks=LAYER),
    Op("transformer", unknown, terms="opaque", count="any", marks=LAYER),
    Op("clip_grad_norm", nonnegative, terms="opaque", gradient="stops", lead="parameters", count="one", opaque=True,
       marks=frozenset({"norm"})),
    Op("clip_grad_value", unknown, terms="opaque", gradient="stops", lead="parameters", returns="none", opaque=True),
)
