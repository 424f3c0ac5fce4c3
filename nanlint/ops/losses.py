"""Losses. All are averaged or added up, so a range is that of one element times a count."""

from __future__ import annotations

from nanlint.interval import INF, Interval, absolute, limits, next_up, square, sub
from nanlint.ops.images import at, averaged, number, range_of, setting, total, unknown, when
from nanlint.ops.linalg import eps_lost
from nanlint.ops.spec import Bound, Break, Image, Op


def _reduced(element: Image) -> Image:
    """A loss of the elements as its reduction leaves it: "mean", "sum" or "none"."""

    def image(b: Bound) -> Interval:
        each = element(b)
        if setting(b, "reduction", "mean") in ("mean", "none"):
            return averaged(each, b.dtype)
        return total(each, Interval(0.0, b.count().hi), b.dtype)

    return image


def _nonnegative(b: Bound) -> Interval:
    return Interval(0.0, limits(b.dtype).max)


def _squared(b: Bound) -> Interval:
    return square(sub(b.r(), b.r("target"), b.dtype), b.dtype)


def _absolute(b: Bound) -> Interval:
    return absolute(sub(b.r(), b.r("target"), b.dtype), b.dtype)


def _cross_entropy(b: Bound) -> Interval:
    """Never negative: -log softmax, with weights and label smoothing; inf where a logit is -inf."""
    return Interval(0.0, INF if b.r().lo == -INF else limits(b.dtype).max)


def _bce(b: Bound) -> Interval:
    """Logs are cut at -100; weights scale. A target outside 0..1 gives either sign."""
    if not b.r("target").within(0.0, 1.0) and b.has("target") and b.args["target"].dtype is not None and b.r("target").ceiling < 100:
        return unknown(b)
    return Interval(0.0, 100.0) if setting(b, "weight", None) is None else _nonnegative(b)


def _soft(b: Bound) -> Interval:
    return _nonnegative(b)


def _count_any(name: str, image: Image, *breaks: Break) -> Op:
    return Op(name, image, breaks, terms="opaque", dtype="float", count="any", marks=frozenset({"loss"}))


# ---- breaks ----------------------------------------------------------------------------------------

#: Where exp overflows: log(max) rounded up in each dtype.
_EXP_LIMIT = {"float16": 11.1, "bfloat16": 89.0, "float32": 88.73, "float64": 709.79}


def _overflowing(b: Bound) -> Interval:
    start = _EXP_LIMIT.get(b.dtype, 88.73)
    return Interval(next_up(start, b.dtype), limits(b.dtype).max)


POISSON_EXP = Break(
    "exp-overflow", "input", when(lambda b: setting(b, "log_input", True) is True, _overflowing), result="inf",
    says="exp of the log rate overflows",
)
SOFT_MARGIN_EXP = Break("exp-overflow", "input", _overflowing, result="inf", says="exp overflows inside; softplus(-input * target) does not")
KL_TARGET = Break(
    "log-zero", "target", when(lambda b: setting(b, "log_target", False) is False, at(0.0)), where="gradient",
    says="the gradient to a target of 0 is 0 * log 0: NaN",
)


def _no_eps(b: Bound) -> bool:
    return number(b, "eps", 1e-6) == 0.0


GAUSSIAN_VAR = Break("divisor-zero", "var", when(_no_eps, at(0.0)), result="nan", says="a variance of 0 is divided by, with eps 0")


def _poisson(b: Bound) -> Interval:
    return unknown(b)


def _margin(b: Bound) -> Interval:
    return _nonnegative(b)


def _kl(b: Bound) -> Interval:
    return unknown(b)


ROWS: tuple[Op, ...] = (
    _count_any("mse_loss", _reduced(_squared)),
    _count_any("l1_loss", _reduced(_absolute)),
    _count_any("smooth_l1_loss", _nonnegative),
    _count_any("huber_loss", _nonnegative),
    _count_any("cross_entropy", _cross_entropy),
    _count_any("nll_loss", unknown),
    _count_any("binary_cross_entropy", _reduced(_bce)),
    _count_any("binary_cross_entropy_with_logits", unknown),
    _count_any("kl_div", _kl, KL_TARGET),
    _count_any("poisson_nll_loss", _poisson, POISSON_EXP),
    _count_any("gaussian_nll_loss", unknown, GAUSSIAN_VAR),
    _count_any("soft_margin_loss", _soft, SOFT_MARGIN_EXP),
    _count_any("multilabel_soft_margin_loss", unknown),
    _count_any("multilabel_margin_loss", _margin),
    _count_any("multi_margin_loss", _margin),
    _count_any("hinge_embedding_loss", unknown),
    _count_any("margin_ranking_loss", _margin),
    _count_any("cosine_embedding_loss", _margin, eps_lost(1e-12)),
    _count_any("triplet_margin_loss", _margin),
    _count_any("ctc_loss", unknown),
)
