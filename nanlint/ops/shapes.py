"""Shapes and indexing: the same elements in another form, some of them, or several tensors together."""

from __future__ import annotations

from collections.abc import Callable

from nanlint.interval import INF, Interval
from nanlint.ops.images import given, is_mask, kept, range_of, setting, total, unknown
from nanlint.ops.spec import Arg, Bound, Image, Op


def _same(name: str, terms: str = "keeps", count: str = "same") -> Op:
    return Op(name, kept(), terms=terms, count=count)


def _selecting(name: str, marking: bool = False, marks: frozenset[str] = frozenset(), returns: str = "tensor") -> Op:
    return Op(name, kept(), terms="selects", count="any", returns=returns, marks=marks, marking=_by_mask if marking else None)


# ---- selections ------------------------------------------------------------------------------------

SELECTION = frozenset({"selection"})
BY_MAGNITUDE = "overflows by magnitude"


def _indices(arg: Arg) -> tuple[Arg, ...]:
    """The parts of an index: x[a, b] has two."""
    return arg.items if arg.items is not None else (arg,)


def _by_mask(b: Bound) -> frozenset[str]:
    """x[mask] selects: it may have no element."""
    return SELECTION if b.has("index") and any(is_mask(part) for part in _indices(b.args["index"])) else frozenset()


def listing(name: str) -> Callable[[Bound], frozenset[str]]:
    """Of a list whose length is not known, of numbers: there may be one."""

    def marking(b: Bound) -> frozenset[str]:
        items = b.args[name].items if name in b.args else None
        numbers = bool(items) and all(i.kind in ("number", "tensor") and i.count.is_point and i.count.lo == 1.0 for i in items or ())
        return frozenset({"listed"}) if numbers and not b.count(name).is_point else frozenset()

    return marking


def _joined(lead: str, name: str) -> Image:
    """The elements of two arguments."""
    return lambda b: range_of(b, lead).join(range_of(b, name)) if given(b, name) else range_of(b, lead)


def _padded(b: Bound) -> Interval:
    """All sequences, and the padding of the shorter ones (0 if none is given)."""
    return range_of(b, "tensors").join(range_of(b, "padding_value") if given(b, "padding_value") else Interval(0.0, 0.0))


def _scatter_added(b: Bound) -> Interval:
    """input plus sums of some elements of src."""
    added = total(range_of(b, "src"), Interval(0.0, INF), b.dtype)
    return total(range_of(b, "input").join(added), Interval(1.0, 2.0), b.dtype)


def _scatter_reduced(b: Bound) -> Interval:
    both = range_of(b, "input").join(range_of(b, "src"))
    if setting(b, "reduce", None) in ("amax", "amin"):
        return both
    return _scatter_added(b) if setting(b, "reduce", None) == "sum" else Interval(0.0, unknown(b).hi) if both.nonneg else unknown(b)


def _unique_returns(b: Bound) -> str:
    extra = any(setting(b, name, False) is not False for name in ("return_inverse", "return_counts", "return_index"))
    return "pair" if extra else "tensor"


def _positions(b: Bound) -> Interval:
    return Interval(0.0, max(min(b.count().hi, 2.0**63) - 1.0, 0.0))


def _nonzero_returns(b: Bound) -> str:
    return "list" if setting(b, "as_tuple", False) is True else "tensor"


def _histogram_place(b: Bound) -> Interval:
    return Interval(0.0, min(b.count("boundaries").hi, 2.0**63))


ROWS: tuple[Op, ...] = (
    # the same elements
    _same("view"),
    _same("reshape"),
    _same("flatten"),
    _same("ravel"),
    _same("unflatten"),
    _same("squeeze"),
    _same("unsqueeze"),
    _same("expand", count="any"),
    _same("expand_as", count="any"),
    _same("broadcast_to", count="any"),
    _same("repeat", "opaque", count="any"),
    _same("repeat_interleave", "opaque", count="any"),
    _same("tile", "opaque", count="any"),
    _same("broadcast_tensors", "opaque", count="any"),
    _same("atleast"),
    _same("identity"),
    _same("as_strided", "opaque", count="any"),
    # in another order
    _same("transpose", "permutes"),
    _same("t", "permutes"),
    _same("T", "permutes"),
    _same("mT", "permutes"),
    _same("permute", "permutes"),
    _same("movedim", "permutes"),
    _same("roll", "permutes"),
    _same("flip", "permutes"),
    _same("rot90", "permutes"),
    # some of them
    _selecting("getitem", marking=True),
    _selecting("narrow"),
    _selecting("select"),
    _selecting("gather"),
    _selecting("take"),
    _selecting("index_select"),
    _selecting("unbind", returns="list"),
    _selecting("split", returns="list"),
    _selecting("chunk", returns="list"),
    _selecting("tensor_split", returns="list"),
    _selecting("delete"),
    Op("masked_select", kept(), terms="selects", count="any", marks=SELECTION),
    Op("unique", kept(), terms="selects", gradient="stops", count="any", returns=_unique_returns),
    Op("unique_consecutive", kept(), terms="selects", gradient="stops", count="any", returns=_unique_returns),
    Op("topk", kept(), terms="selects", count="any", returns="pair"),
    Op("kthvalue", kept(), terms="selects", count="any", returns="pair"),
    Op("sort", kept(), terms="permutes", returns="pair"),
    Op("sorted_values", kept(), terms="permutes"),
    Op("argsort", _positions, terms="opaque", gradient="cuts", dtype="int64", marks=frozenset({"index"})),
    Op("nonzero", lambda b: Interval(0.0, 2.0**31), terms="opaque", gradient="stops", dtype="int64", count="any", returns=_nonzero_returns,
       marks=frozenset({"selection", "index"})),
    Op("searchsorted", _histogram_place, terms="opaque", gradient="cuts", dtype="int64", count="any", lead="boundaries",
       marks=frozenset({"index"})),
    # written into
    Op("scatter", _joined("input", "src"), terms="opaque"),
    Op("scatter_add", _scatter_added, terms="opaque", note=BY_MAGNITUDE, marks=frozenset({"sum"})),
    Op("scatter_reduce", _scatter_reduced, terms="opaque", note=BY_MAGNITUDE),
    Op("index_add", _scatter_added, terms="opaque", note=BY_MAGNITUDE, marks=frozenset({"sum"})),
    Op("index_reduce", _scatter_reduced, terms="opaque", note=BY_MAGNITUDE),
    Op("index_fill", _joined("input", "value"), terms="opaque"),
    Op("index_copy", _joined("input", "src"), terms="opaque"),
    Op("index_put", lambda b: _joined("input", "value")(b) if not setting(b, "accumulate", False) else unknown(b), terms="opaque"),
    Op("masked_scatter", _joined("input", "src"), terms="opaque"),
    Op("fill_diagonal", _joined("input", "value"), terms="opaque"),
    # several together
    Op("cat", kept("tensors"), terms="joins", count="any", lead="tensors"),
    Op("stack", kept("tensors"), terms="joins", count="any", lead="tensors", marking=listing("tensors")),
    Op("column_stack", kept("tensors"), terms="joins", count="any", lead="tensors"),
    Op("dstack", kept("tensors"), terms="joins", count="any", lead="tensors"),
    Op("meshgrid", kept("tensors"), terms="opaque", count="any", lead="tensors", returns="list"),
    Op("cartesian_prod", kept("tensors"), terms="opaque", count="any", lead="tensors"),
    Op("pad_sequence", _padded, terms="opaque", count="any", lead="tensors"),
    Op("append", _joined("input", "value"), terms="joins", count="any"),
)
