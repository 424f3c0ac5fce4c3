"""What the identity of a computation says of its range: x - max(x), sums of exp, products with itself, counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from nanlint import ops
from nanlint.interp.matchers import core, dim_of, maximum_of, minuend, shifted_by_max
from nanlint.interp.telling import INDICES, TELLING_MASKS, tells
from nanlint.interp.values import NOTHING, Term, Value
from nanlint.interval import Interval
from nanlint.ops.spec import Bound, Op

INF = float("inf")
#: Reductions that are never below (above) any element they reduce.
LOWEST = frozenset({"min", "amin"})


class Known(NamedTuple):
    """What relations say of a result: its range, words of origin, whether both ends are ordinary."""

    range: Interval | None = None
    marks: frozenset[str] = NOTHING
    closed: bool = False
    drops: frozenset[str] = NOTHING


def of(op: Op, bound: Bound, term: Term | None) -> Known | None:
    """What relations between the arguments say of a result, or None."""
    rule = RULES.get(op.name)
    return rule(bound, term) if rule is not None and term is not None else None


def _big(bound: Bound) -> float:
    return Interval.everything(bound.dtype).hi


def _low(bound: Bound, name: str) -> float:
    return -INF if bound.r(name).lo == -INF else -_big(bound)


def _difference(bound: Bound, term: Term) -> Known | None:
    """x - max(x) <= 0, min(x) - x <= 0, max(x) - min(x) >= 0, x - mean(x), x - x elsewhere, E[x^2] - E[x]^2."""
    both = minuend(term)
    if both is None:
        return None
    one, other = core(both[0], cut=True), core(both[1], cut=True)
    if _is_top_of(both[1], one) or _reduces(one, LOWEST, other):
        return Known(Interval(_low(bound, "input"), 0.0), frozenset({"shifted"}), closed=True)
    if _is_top_of(both[0], other) or _reduces(other, LOWEST, one):
        return Known(Interval(0.0, _big(bound)), frozenset({"spread"}), closed=True)
    if _reduces(other, frozenset({"mean", "median"}), one):
        return Known(None, frozenset({"centred", "subtraction"}))
    if _is_spread(both[0], other):
        return Known(Interval(0.0, _big(bound)), frozenset({"spread"}), closed=True)
    if _is_gathered_top(other, one):
        return Known(None, frozenset({"shifted"}))
    if core(both[0]).const == 1 and core(both[1]).op == "pow":
        return Known(None, drops=_own_subtraction(bound))  # 1 - beta ** step
    if core(both[0]).const == 1 and bound.marks("other") & PROBABILITIES:
        return Known(None, frozenset({"complement"}), drops=_own_subtraction(bound))
    if _scaled_variance(one, other):
        return Known(Interval(0.0, _big(bound)), closed=True, drops=_own_subtraction(bound))
    if variance_by_subtraction(one, other) is not None or _pairwise_by_subtraction(one, other):
        return Known(None, frozenset({"cancel", "subtraction"}))
    if one is other or _pairs(one, other):
        return Known(None, frozenset({"selfdiff", "subtraction"}))
    if base_of(one) is base_of(other):
        return Known(None, frozenset({"extent"}), drops=_own_subtraction(bound))
    return None


def _own_subtraction(bound: Bound) -> frozenset[str]:
    """The word that this very difference would add."""
    return NOTHING if "subtraction" in bound.marks("input") | bound.marks("other") else frozenset({"subtraction"})


PROBABILITIES = frozenset({"sigmoid", "softmax", "probability"})


def _is_gathered_top(top: Term, of_term: Term) -> bool:
    """The maximum of a segment, gathered back: scatter(x, "amax")[index]."""
    found = base_of(top)
    scattered = found.op in ("index_reduce", "scatter_reduce", "segment_reduce") and "amax" in [v for _, v in found.named]
    return scattered and any(core(a, cut=True) is of_term for a in found.args)


def _pairs(one: Term, other: Term) -> bool:
    """x[i] - x[j] over all pairs, or over pairs of indices: an element may meet itself."""
    moved = {"transpose", "permute", "t", "T", "mT"}
    picked = one.op == other.op == "getitem" and len(one.args) > 1 and len(other.args) > 1
    return base_of(one) is base_of(other) and (one.op in moved or other.op in moved or picked)


def base_of(term: Term) -> Term:
    """The array that a term is indexed, gathered or transposed from."""
    term = core(term, cut=True)
    while term.op in PICKING and term.args:
        inner = core(term.args[0], cut=True)
        if term.op == "part" and any(map(_is_several, inner.args if inner.op == "join" else (inner,))):
            break
        term = inner
    return term


def _is_several(term: Term) -> bool:
    """Whether a term is a tuple of arrays of their own; what a call that nothing is known of returns may be."""
    return term.op in APART or term.op == "leaf" and str(term.get("key", "")).startswith("call")


#: Ops that return several arrays.
APART = frozenset({"broadcast_tensors", "meshgrid", "topk", "sort", "max", "min"})


def _is_top_of(top: Term, of_term: Term) -> bool:
    found = maximum_of(top)
    if found is None:
        top = core(top, cut=True)
        found = top if top.op == "logsumexp" and top.args else None
    return found is not None and core(found.args[0], cut=True) is of_term


def _reduces(reduction: Term, ops: frozenset[str], of_term: Term) -> bool:
    return reduction.op in ops and bool(reduction.args) and core(reduction.args[0], cut=True) is of_term


def _is_spread(high: Term, low: Term) -> bool:
    top = maximum_of(high)
    return top is not None and low.op in LOWEST and bool(low.args) and core(low.args[0], cut=True) is core(top.args[0], cut=True)


def variance_by_subtraction(one: Term, other: Term) -> Term | None:
    """x of mean(x * x) - mean(x) ** 2, also with weights, and with sums over a count in place of means."""
    root = squared(other)
    first, second = _mean(one), _mean(core(root)) if root is not None else None
    if first is None or second is None or first[1] is not second[1]:
        return None
    inner = core(second[0])
    whole = squared(core(first[0]))
    return inner if whole is not None and core(whole) is inner or _weighted_square(core(first[0]), inner) else None


def _mean(term: Term) -> tuple[Term, Term | None] | None:
    """(x, None) of mean(x), (x, n) of sum(x) / n."""
    if term.op == "mean" and term.args:
        return term.args[0], None
    total = core(term.args[0]) if term.op == "div" and len(term.args) == 2 else None
    return (total.args[0], core(term.args[1])) if total is not None and total.op == "sum" and total.args else None


def _weighted_square(whole: Term, part: Term) -> bool:
    """Whether whole is w * x * x and part w * x."""
    factors = sorted(id(f) for f in _factors(whole))
    return part.op == "mul" and any(sorted([id(core(x)), *(id(f) for f in _factors(part))]) == factors for x in part.args)


def _factors(term: Term, depth: int = 4) -> list[Term]:
    """The factors of a product, squares twice."""
    term = core(term)
    root = squared(term)
    if root is not None and depth:
        return 2 * _factors(root, depth - 1)
    return [f for a in term.args for f in _factors(a, depth - 1)] if term.op == "mul" and depth else [term]


def _scaled_variance(one: Term, other: Term) -> bool:
    """mean(x * x) - c * mean(x) ** 2 with c < 1 is not negative, and not by rounding either."""
    if other.op != "mul" or len(other.args) != 2:
        return False
    for factor, rest in (other.args, other.args[::-1]):
        const = core(factor).const
        scale = const if isinstance(const, (int, float)) else core(factor).get("default", 1)
        if isinstance(scale, (int, float)) and 0 <= scale < 0.99 and variance_by_subtraction(one, core(rest)) is not None:
            return True
    return False


def squared(term: Term) -> Term | None:
    if term.op == "square" and term.args:
        return term.args[0]
    if term.op == "pow" and term.args and term.get("exponent") == 2:
        return term.args[0]
    if term.op == "mul" and len(term.args) == 2 and term.args[0] is term.args[1]:
        return term.args[0]
    return None


def _pairwise_by_subtraction(one: Term, other: Term) -> bool:
    """|a|^2 + |b|^2 - 2 a b."""
    return one.op == "add" and _doubled_product(other)


def _doubled_product(term: Term, times: int = 2) -> bool:
    """2 * (a @ b), (2 * a) @ b."""
    if term.op == "mul":
        return any(core(a).const == times for a in term.args) and any(core(a).op in PRODUCTS for a in term.args)
    return term.op in PRODUCTS and any(core(a).op == "mul" and any(core(f).const == times for f in core(a).args) for a in term.args)


def _expanded_square(one: Term, other: Term) -> bool:
    """|a|^2 - 2 a b + |b|^2."""
    both = minuend(one)
    return both is not None and _doubled_product(core(both[1])) and _sum_of_squares(core(both[0])) and _sum_of_squares(other)


def _expanded_in_parts(term: Term) -> bool:
    """-2 a b + |a|^2 + |b|^2, in any order and over statements."""
    parts = _parts(term)
    products = [(sign, part) for sign, part in parts if _doubled_product(part) or _doubled_product(part, -2)]
    if len(parts) != 3 or len(products) != 1:
        return False
    sign, product = products[0]
    falls = sign < 0 if _doubled_product(product) else sign > 0
    return falls and all(sign > 0 and _sum_of_squares(part) for sign, part in parts if part is not product)


def _parts(term: Term, sign: int = 1) -> list[tuple[int, Term]]:
    """(sign, term) of the parts of a sum; no more than four are looked at."""
    term = core(term)
    both = minuend(term)
    if both is None and not (term.op == "add" and len(term.args) == 2):
        return [(sign, term)]
    left, right = both or term.args
    found = _parts(left, sign)
    return found + _parts(right, -sign if both is not None else sign) if len(found) < 4 else found


#: Rounding errors of ordinary values do not reach so far.
LARGE = 1e-2


def _is_large(const: object) -> bool:
    return isinstance(const, (int, float)) and const >= LARGE


def _sum_of_squares(term: Term) -> bool:
    """sum(x * x), norm(x) ** 2, the diagonal of x @ x.T, under reshapes and transpositions."""
    term = base_of(term)
    if term.op in ("diagonal", "diag") and term.args:
        return core(term.args[0]).op in PRODUCTS
    inner = core(term.args[0]) if term.op == "sum" and term.args else None
    root = squared(inner) if inner is not None else squared(term)
    return root is not None and (inner is not None or core(root).op in NORMS)


#: Ops that give elements of one array.
PICKING = frozenset({"getitem", "gather", "index_select", "transpose", "permute", "t", "T", "mT", "roll", "flip", "narrow", "part", "select",
                     "unbind", "split", "chunk", "movedim", "swapaxes"})
PRODUCTS = frozenset({"matmul", "mm", "bmm", "einsum", "dot"})


def _product(bound: Bound, term: Term) -> Known | None:
    if len(term.args) == 2 and (term.args[0] is term.args[1] or _conjugates(*map(core, term.args))):
        return Known(Interval(0.0, _big(bound)), frozenset({"square"}), closed=True)
    if all("normalized" in bound.marks(n) for n in ("input", "other")):
        return Known(None, frozenset({"unit-product"}))
    return None


def _conjugates(one: Term, other: Term) -> bool:
    """x * x.conj()"""
    return any(a.op in ("conj", "conj_physical") and bool(a.args) and core(a.args[0]) is b for a, b in ((one, other), (other, one)))


def _power(bound: Bound, term: Term) -> Known | None:
    """Even powers are squares; powers of a positive constant are positive."""
    exponent, base = bound.const("exponent"), bound.const("input")
    if isinstance(base, (int, float)) and base > 0 or bound.has("input") and bound.r("input").lo > 0:
        return Known(Interval(1e-45, _big(bound)))
    if isinstance(exponent, (int, float)) and exponent > 0 and exponent % 2 == 0:
        return Known(Interval(0.0, _big(bound)), frozenset({"square"}), closed=True)
    return None


#: A dot product of two unit vectors, with its rounding (n * 2^-24 for some thousand elements).
COSINE = Interval(-1.0 - 2.4e-4, 1.0 + 2.4e-4)


def _matmul(bound: Bound, term: Term) -> Known | None:
    """Rows of unit length have dot products in [-1, 1] and a little more; 1 is ordinary (a vector and itself)."""
    both = all("normalized" in bound.marks(n) for n in ("input", "other") if bound.has(n)) and bound.has("other")
    return Known(COSINE, frozenset({"cosine"}), closed=True) if both else None


def _sum(bound: Bound, term: Term) -> Known | None:
    """The exp of x - max(x, dim) holds a 1 along dim, so its sum along dim is at least 1."""
    inner = core(term.args[0]) if term.args else None
    if "unit-product" in bound.marks("input"):
        return Known(COSINE, frozenset({"cosine"}), closed=True)
    if inner is None or inner.op != "exp" or not inner.args:
        positive = bound.r("input").lo > 0 and "selection" not in bound.marks("input")
        return Known(Interval(1e-45, _big(bound))) if positive else None
    logits = _unscaled(inner.args[0])
    if shifted_by_max(logits, term) or (dim_of(term) is None or _is_pooled(logits)) and _shifted_somehow(logits):
        return Known(Interval(1.0 if term.op == "sum" else 1e-30, _big(bound)))
    return None


def _unscaled(term: Term) -> Term:
    """x of c * x and x / c with a setting c > 0."""
    inner = core(term)
    if inner.op not in ("mul", "div") or len(inner.args) != 2:
        return term
    for factor, rest in (inner.args[::-1], inner.args):
        scale = factor.const if isinstance(factor.const, (int, float)) else factor.get("default")
        if isinstance(scale, (int, float)) and scale > 0 and (inner.op == "mul" or factor is inner.args[1]):
            return rest
    return term


def _is_pooled(logits: Term) -> bool:
    """x - max over its windows."""
    both = minuend(core(logits))
    top = maximum_of(both[1]) if both is not None else None
    return top is not None and top.op == "adaptive_max_pool"


def _shifted_somehow(logits: Term) -> bool:
    both = minuend(core(logits))
    return both is not None and maximum_of(both[1]) is not None and _is_top_of(both[1], core(both[0], cut=True))


def _largest(bound: Bound, term: Term) -> Known | None:
    """max(|x|) is a norm."""
    inner = core(term.args[0]) if term.args else None
    return Known(None, frozenset({"norm"})) if inner is not None and inner.op == "abs" else None


def _added(bound: Bound, term: Term) -> Known | None:
    """x + (x == 0) * eps is above 0 where x is not below."""
    if not 2 <= len(term.args) <= 3:
        return None
    moved = minuend(core(term.args[1]))
    if moved is not None and core(moved[1]) is core(term.args[0]):
        between = bound.r("input").nonneg and squared(core(moved[0])) is not None
        return Known(Interval(0.0, _big(bound)) if between else None, drops=frozenset({"subtraction", "extent"}))  # x + a * (y - x) lies between them
    if len(term.args) != 2:
        return None
    if all("square" in bound.marks(n) and bound.r(n).lo == 0.0 for n in ("input", "other")):
        return Known(None, frozenset({"square", "squares"}), closed=True)
    if _expanded_square(core(term.args[0]), core(term.args[1])) or _expanded_in_parts(term):
        return Known(None, frozenset({"cancel", "subtraction"}))
    if "cancel" in bound.marks("input") | bound.marks("other") and any(_is_large(core(t).const) for t in term.args):
        return Known(None, drops=frozenset({"cancel", "subtraction"}))  # 1 + |a - b|^2
    if any(core(t).op in INVERSES for t in term.args):
        return Known(None, frozenset({"guarded"}))  # x + ~mask: moved where the mask does not hold
    if _mixes(core(term.args[0]), core(term.args[1])) or _mixes(core(term.args[1]), core(term.args[0])):
        return Known(None, drops=frozenset({"subtraction"}))
    for base, extra in (term.args, term.args[::-1]):
        if _marks_zeros_of(core(extra), core(base)) and bound.r("input").nonneg and bound.r("other").nonneg:
            return Known(Interval(1e-45, _big(bound)))
    if _chosen_by_label(core(term.args[0]), core(term.args[1])) and bound.marks("input") & PROBABILITIES:
        return Known(Interval(0.0, 1.0), frozenset({"probability"}), closed=True, drops=frozenset({"subtraction"}))
    return None


#: Ops that turn a mask round.
INVERSES = frozenset({"bitwise_not", "logical_not"})


def _mixes(one: Term, other: Term) -> bool:
    """(1 - a) * x + a * y, (1 - a) * x + a: what lies between x and y."""
    factors = [_complement(core(a)) for a in one.args] if one.op == "mul" else []
    weights = {id(core(a)) for a in other.args} | {id(other)} if other.op == "mul" else {id(other)}
    return any(f is not None and id(f) in weights for f in factors)


def _chosen_by_label(one: Term, other: Term) -> bool:
    """p * t + (1 - p) * (1 - t): the probability of the label."""
    if not (one.op == other.op == "mul" and len(one.args) == len(other.args) == 2):
        return False
    first = {id(core(a)) for a in one.args}
    second = [_complement(core(a)) for a in other.args]
    return None not in second and {id(t) for t in second} == first


def _complement(term: Term) -> Term | None:
    """p of 1 - p."""
    both = minuend(term)
    return core(both[1]) if both is not None and core(both[0]).const == 1 else None


def _marks_zeros_of(extra: Term, base: Term) -> bool:
    """(x == 0) * eps."""
    if extra.op != "mul":
        return False
    tests = [core(a) for a in extra.args]
    return any(t.op == "eq" and len(t.args) == 2 and core(t.args[0]) is base and core(t.args[1]).const == 0 for t in tests)


def _quotient(bound: Bound, term: Term) -> Known | None:
    """|x| / norm(x) and x / sum(x) of non-negatives stay within 1 (and a rounding)."""
    if len(term.args) != 2:
        return None
    if bound.r("input").lo > 0 and bound.r("other").lo > 0 and bound.r("other").hi > 1e30:
        return Known(Interval(1e-45, _big(bound)))  # 0 only by the size of its divisor
    one, other = core(term.args[0]), core(term.args[1])
    if not other.args or core(other.args[0]) is not one:
        return None
    if other.op in NORMS and other.get("p", 2) in (2, None, "fro"):
        return Known(Interval(-1.0 - 2.4e-7, 1.0 + 2.4e-7))
    if other.op == "sum" and bound.r("input").nonneg:
        return Known(Interval(0.0, 1.0 + 4e-7))
    return None


def _added_product(bound: Bound, term: Term) -> Known | None:
    """addcmul(x, y, z, value=-1) subtracts."""
    value = bound.const("value", 1)
    return Known(None, frozenset({"subtraction"})) if isinstance(value, (int, float)) and value < 0 else None


def _added_matrix(bound: Bound, term: Term) -> Known | None:
    """addmm(squares, a, b, alpha=-2): |a|^2 + |b|^2 - 2 a b."""
    return Known(None, frozenset({"cancel", "subtraction"})) if bound.const("alpha", 1) == -2 else None


def _scattered(bound: Bound, term: Term) -> Known | None:
    """Sums onto zeros by index: where no index points, 0 stays."""
    onto = bound.r("input")
    return Known(None, frozenset({"scattered"})) if onto.is_point and onto.lo == 0.0 else None


NORMS = frozenset({"norm", "vector_norm", "matrix_norm", "linalg_norm"})
RULES: dict[str, Callable[[Bound, Term], Known | None]] = {
    "add": _added, "amax": _largest, "max": _largest,
    "sub": _difference, "rsub": _difference, "mul": _product, "pow": _power, "sum": _sum, "mean": _sum, "div": _quotient,
    "addcmul": _added_product, "addmm": _added_matrix, "baddbmm": _added_matrix, "scatter_add": _scattered, "index_add": _scattered,
    "matmul": _matmul, "mm": _matmul, "bmm": _matmul, "dot": _matmul,
}


def counted(value: Value, facts: Mapping[Term, Interval]) -> Interval:
    """The number of a value's elements, with facts about its numel, len or size and about the mask that selects them."""
    count = value.count
    if value.term is None:
        return count
    if called_mask(value.term) is not None:
        count = Interval(0.0, count.hi)
    if not (facts or value.marks & {"selection", "picked"}):
        return count
    for term in as_many(value.term):
        for fact in _lengths(term, facts):
            count = count.meet(fact) or count
        if term.op in ("getitem", "masked_select"):
            count = next((count.meet(fact) or count for a in term.args[1:] for fact in _selected(a, facts)), count)
    return count


def as_many(term: Term, depth: int = 6) -> Iterator[Term]:
    """A term and, under arithmetic, those that have as many elements."""
    yield term
    row = ops.rows().get(term.op)
    follows = row is not None and (row.terms in ("elementwise", "keeps") or "loss" in row.marks and term.get("reduction") == "none")
    if depth and follows and term.op != "getitem":
        for arg in term.args:
            yield from as_many(arg, depth - 1)


def called_mask(term: Term) -> Term | None:
    """The x[i] that has as many elements as a term, where i is opaque and its name says that it is a mask."""
    picked = (t for t in as_many(term) if t.op == "getitem")
    return next((t for t in picked if any(tells({name_of(i)}, TELLING_MASKS) and not tells({name_of(i)}, INDICES) for i in t.args[1:])), None)


def name_of(term: Term) -> str:
    """The name of a parameter, an attribute, an entry: "mask" of mask, self.mask, batch["mask"]."""
    found = term.get("key" if term.op == "leaf" else "name" if term.op == "attr" else "index", "")
    return str(found[0] if isinstance(found, tuple) and len(found) == 1 else found).rpartition(":")[2].lower()


#: Terms of a length: numel(x), len(x), x.size(0).
LENGTHS: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = (("numel", ()), ("len", ()), ("size", ()), ("size", (("dim", 0),)))


def _lengths(term: Term, facts: Mapping[Term, Interval]) -> Iterator[Interval]:
    known = (facts.get(Term(name, (term,), named)) for name, named in LENGTHS)
    return (fact for fact in known if fact is not None)


def _occurs(one: Term, other: Term) -> bool:
    """Whether some element of one equals the other: itself, one of its unique values, a number of unique's inverse."""
    for labels, label in ((one, other), (other, one)):
        if label.op == "row" and core(label.args[0]).args[:1] == (labels,):
            return True
        source = labels.args[0] if labels.op == "part" and labels.args else labels
        if source.op == "unique" and source.get("return_inverse") is True and label.op != "const":
            return True
    return one is other


def _selected(index: Term, facts: Mapping[Term, Interval]) -> Iterator[Interval]:
    """What is known of how many elements a mask or an array of indices selects."""
    mask = core(index)
    if mask.op == "eq" and len(mask.args) == 2 and _occurs(*map(base_of, mask.args)):
        yield Interval(1.0, INF)
    if Term("selected", (mask,), ()) in facts:
        yield facts[Term("selected", (mask,), ())]
    for term in (index, mask, *(core(a) for a in mask.args if mask.op == "part")):
        yield from _lengths(term, facts)
