"""Linear algebra: norms, distances, products, determinants, decompositions, matrix parts."""

from __future__ import annotations

from nanlint.interval import INF, Interval, limits, mul, round_to, spread
from nanlint.ops.images import (
    always,
    at,
    group,
    grown,
    kept,
    leaves,
    length,
    nonnegative,
    number,
    products,
    range_of,
    setting,
    total,
    unknown,
    when,
    with_zero,
)
from nanlint.ops.spec import Bound, Break, Image, Op

BY_MAGNITUDE = "overflows by magnitude"
SUBNORMAL = "breaks in other ways: pivots that are subnormal"

# ---- norms -----------------------------------------------------------------------------------------


def exponent(b: Bound) -> float | None:
    """p of a norm; 2 for the default and "fro"; None for "nuc" and what is no constant."""
    p = setting(b, "p", 2.0)
    if p == "fro":
        return 2.0
    return float(p) if isinstance(p, (int, float)) and not isinstance(p, bool) else None


def _norm(b: Bound) -> Interval:
    return length(range_of(b, "input"), group(b), exponent(b), b.dtype)


def _euclidean(b: Bound) -> bool:
    """Norms whose second gradient at 0 is NaN: roots of sums of squares."""
    p = exponent(b)
    return p is not None and 1.0 < p < INF


NORM_SECOND = Break(
    "norm-zero", "input", when(_euclidean, at(0.0)), where="second", says="the second gradient of a norm at 0 is NaN (the first is 0)"
)
NORM_MARKS = frozenset({"norm"})


def _matrix_norm(b: Bound) -> Interval:
    return length(range_of(b, "input"), b.count(), 2.0 if setting(b, "p", "fro") == "fro" else None, b.dtype)


def eps_lost(default: float, arg: str = "input") -> Break:
    """A floor eps that is 0 in the dtype of the result, so that a zero vector is divided by 0."""

    def lost(b: Bound) -> bool:
        eps = number(b, "eps", default)
        return eps is not None and round_to(eps, b.dtype) == 0.0

    return Break("eps-lost", arg, when(lost, at(0.0)), where="precision", says="eps is 0 in this dtype, so a zero vector gives 0 / 0")


def _normalize(b: Bound) -> Interval:
    p = exponent(b)
    if p is None or p < 1.0:
        return unknown(b)
    lo, hi = (0.0 if range_of(b, "input").nonneg else -1.0), (0.0 if range_of(b, "input").hi <= 0.0 else 1.0)
    return grown(Interval(lo, hi), b.dtype, 64)


def _cosine(b: Bound) -> Interval:
    both = range_of(b, "input").nonneg and range_of(b, "other").nonneg
    return spread(Interval(0.0 if both else -1.0, 1.0), b.dtype, 4)


def _distance(name: str, count: str) -> Op:
    return Op(name, nonnegative, terms="opaque", dtype="float", count=count, marks=frozenset({"norm", "distance"}), note=BY_MAGNITUDE)


# ---- products --------------------------------------------------------------------------------------


def _product(b: Bound) -> Interval:
    """Sums of products: non-negative for a tensor with itself where rows meet themselves (dot)."""
    return products(range_of(b, "input"), range_of(b, "other"), b.dtype)


def _dot(b: Bound) -> Interval:
    return nonnegative(b) if b.same("input", "other") else _product(b)


def _outer(b: Bound) -> Interval:
    return mul(range_of(b, "input"), range_of(b, "other"), b.dtype)


def _added(b: Bound) -> Interval:
    """beta * input + alpha * (one @ other): only the sign is known, and only for the default factors."""
    parts = [range_of(b, name) for name in ("input", "one", "other")]
    plain = number(b, "beta", 1.0) == 1.0 and number(b, "alpha", 1.0) == 1.0
    return nonnegative(b) if plain and all(part.nonneg for part in parts) else unknown(b)


def _einsum(b: Bound) -> Interval:
    operands = [leaf for leaf in leaves(b.args["operands"]) if leaf.kind != "string"] if b.has("operands") else []
    return nonnegative(b) if operands and all(o.range.nonneg for o in operands) else unknown(b)


def _product_row(name: str, image: Image = _product, count: str = "any") -> Op:
    return Op(name, image, terms="product", count=count, marks=frozenset({"product"}), note=BY_MAGNITUDE)


# ---- decompositions --------------------------------------------------------------------------------

SINGULAR = Break(
    "determinant-zero", "input", always(), result="-inf",
    says="the log of the determinant of a singular matrix is -inf, of a negative one NaN"
)
EQUAL_VALUES = Break(
    "equal-values", "input", always(), where="gradient",
    says="the gradient of its vectors is NaN where two singular values or eigenvalues are equal"
)


def _some_vectors(b: Bound) -> bool:
    return setting(b, "compute_uv", True) is not False


def _trace(b: Bound) -> Interval:
    return total(range_of(b, "input"), Interval(1.0, max(1.0, b.count().hi)), b.dtype)


def _cross(b: Bound) -> Interval:
    product = mul(range_of(b, "input"), range_of(b, "other"), b.dtype)
    width = product.hi - product.lo + 4 * limits(b.dtype).eps * product.ceiling  # products that cancel are rounded
    return grown(Interval(-min(width, limits(b.dtype).max), min(width, limits(b.dtype).max)), b.dtype, 16)


def _matrix(name: str) -> Op:
    """Finite for regular matrices; torch raises for singular ones."""
    return Op(name, unknown, terms="opaque", dtype="float", count="any", note=SUBNORMAL)


def _decomposition(name: str, *breaks: Break, parts: tuple[str, ...] = (), note: str = "") -> Op:
    return Op(name, unknown, breaks, terms="opaque", dtype="float", count="any", returns="list", parts=parts, note=note)


ROWS: tuple[Op, ...] = (
    Op("norm", _norm, (NORM_SECOND,), terms="reduces", dtype="float", count="reduces", marks=NORM_MARKS, note=BY_MAGNITUDE),
    Op("matrix_norm", _matrix_norm, terms="reduces", dtype="float", count="reduces", marks=NORM_MARKS, note=BY_MAGNITUDE),
    Op("normalize", _normalize, (NORM_SECOND, eps_lost(1e-12)), terms="opaque", dtype="float",
       marks=frozenset({"normalized"}), note=BY_MAGNITUDE),
    Op("cosine_similarity", _cosine, (eps_lost(1e-8), eps_lost(1e-8, "other")), terms="opaque", dtype="float",
       count="reduces", marks=frozenset({"cosine"}), note=BY_MAGNITUDE),
    _distance("dist", "one"),
    _distance("cdist", "any"),
    _distance("pdist", "any"),
    _distance("pairwise_distance", "any"),
    Op("renorm", unknown, terms="opaque"),
    _product_row("matmul"),
    _product_row("mm"),
    _product_row("bmm"),
    _product_row("mv"),
    _product_row("inner"),
    _product_row("tensordot"),
    _product_row("dot", _dot, "one"),
    _product_row("vecdot", _dot, "any"),
    _product_row("outer", _outer, "any"),
    _product_row("kron", _outer, "any"),
    Op("einsum", _einsum, terms="product", count="any", lead="operands", marks=frozenset({"product"}), note=BY_MAGNITUDE),
    *(Op(name, _added, terms="product", count="any", note=BY_MAGNITUDE) for name in ("addmm", "baddbmm", "addbmm", "addmv", "addr")),
    Op("cross", _cross, terms="opaque", count="any", marks=frozenset({"subtraction"}), note=BY_MAGNITUDE),
    Op("det", unknown, terms="opaque", dtype="float", count="any", marks=frozenset({"determinant"}), note=SUBNORMAL),
    Op("logdet", unknown, (SINGULAR,), terms="opaque", dtype="float", count="any", marks=frozenset({"log", "determinant"}),
       note="overflows by magnitude; not everywhere"),
    _decomposition("slogdet", note="breaks in other ways: the log of a singular matrix is -inf"),
    _matrix("inv"),
    _matrix("pinv"),
    _matrix("solve"),
    _matrix("lstsq"),
    _matrix("cholesky"),
    _matrix("matrix_exp"),
    _matrix("matrix_power"),
    _decomposition("qr", note="breaks in other ways: the gradient of a rank-deficient matrix is not finite"),
    _decomposition("lu", note="breaks in other ways: the gradient of a singular matrix is not finite"),
    Op("svd", unknown, (Break("equal-values", "input", when(_some_vectors, always()), where="gradient", says=EQUAL_VALUES.says),),
       terms="opaque", dtype="float", count="any", returns="list", parts=("", "svdvals", ""),
       note="overflows by magnitude; not everywhere"),
    Op("svdvals", nonnegative, terms="opaque", dtype="float", count="any", note=BY_MAGNITUDE),
    _decomposition("eigh", EQUAL_VALUES, parts=("eigvalsh", ""), note="overflows by magnitude; not everywhere"),
    Op("eigvalsh", unknown, terms="opaque", dtype="float", count="any", note=BY_MAGNITUDE),
    _decomposition("eig", EQUAL_VALUES, note="overflows by magnitude; not everywhere"),
    Op("eigvals", unknown, terms="opaque", dtype="float", count="any", note=BY_MAGNITUDE),
    Op("cond", nonnegative, terms="opaque", dtype="float", count="any", note="breaks in other ways: infinite for singular matrices"),
    Op("matrix_rank", nonnegative, terms="opaque", gradient="stops", dtype="int64", count="any"),
    Op("stft", unknown, terms="opaque", dtype="float", count="any", note=BY_MAGNITUDE),
    _product_row("convolve"),
    _product_row("correlate"),
    Op("trace", _trace, terms="opaque", dtype="sum", count="one", marks=frozenset({"sum"}), note=BY_MAGNITUDE),
    Op("diagonal", kept(), terms="selects", count="any"),
    Op("diag", with_zero(), terms="opaque", count="any"),
    Op("diag_embed", with_zero(), terms="opaque", count="any"),
    Op("block_diag", with_zero("tensors"), terms="opaque", count="any", lead="tensors"),
    Op("tril", with_zero(), terms="opaque"),
    Op("triu", with_zero(), terms="opaque"),
)
