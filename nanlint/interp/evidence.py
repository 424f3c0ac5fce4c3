"""How sure a hit is: reached, suspected, unknown or excluded (HOUSE.md, "Evidence"). Decided after the run."""

from __future__ import annotations

import libcst as cst

from nanlint.interp.attributes import EPSILONS
from nanlint.interp.matchers import core, minuend
from nanlint.interp.counts import of_count
from nanlint.interp.liveness import only_compared
from nanlint.interp.relations import NORMS, PICKING, PRODUCTS, base_of
from nanlint.interp.telling import SCALE_WORDS, SETTING_WORDS, TELLING_ARGUMENTS, TELLING_DIVISORS, TELLING_SCALES, VAGUE_DIVISORS, tells, words_of
from nanlint.interp.uses import Consumer, Hit, Trace, Use
from nanlint.interp.values import Term, Value
from nanlint.interval import Interval, is_integer, round_to
from nanlint.ops.spec import MISSING

#: Kinds of breaks of calls with a limited domain, and of the ops on edges.
DOMAIN = frozenset({"root-negative", "root-zero", "log-zero", "log-negative", "power-negative", "power-zero"})
EDGES = frozenset({"arc-outside", "arc-edge"})
DIVISIONS = frozenset({"divisor-zero", "power-pole"})
POWERS = frozenset({"power-negative", "power-zero", "power-pole"})
#: Origins that make the bad point ordinary.
ORDINARY = {"centred": "a centred value", "selfdiff": "a difference of elements of one array", "cancel": "a difference that cancels"}
SPREADS = frozenset({"std", "variance", "spread"})
ZERO_WORDS = SPREADS | {"centred", "selfdiff", "norm", "count", "mask"}
#: Ends beyond this are those of a dtype: nothing ordinary.
FAR = 1e30
#: What is 0 only where its first argument is.
RELU_KEEPS = frozenset({"sum", "mean", "mul", "div", "pow", "square"}) | PICKING
FULL_SUMS = frozenset({"softmax", "sigmoid", "exp"})
Judgement = tuple[str, str]


def judge(trace: Trace) -> None:
    """Gives every hit of a finished run its evidence and reason."""
    opaque: set[tuple[int, str]] = set()
    for use in sorted(trace.uses, key=lambda u: u.site.frame.context == "open"):
        for hit in use.hits:
            if not hit.reason:
                hit.evidence, hit.reason = _lived(use, hit, _capped(use, hit, _decide(use, hit), opaque))
            elif hit.evidence == "suspected":
                hit.evidence, hit.reason = _capped(use, hit, (hit.evidence, hit.reason), opaque)
            if use.site.frame.context == "called" and hit.evidence == "unknown":
                opaque.add((id(use.site.node), hit.brk.kind))


def _capped(use: Use, hit: Hit, judgement: Judgement, opaque: set[tuple[int, str]]) -> Judgement:
    """Callers in the file decide what is only suspected, unless what they pass is opaque itself."""
    word, reason = judgement
    frame = use.site.frame
    called = use.trace is not None and frame.name in use.trace.called
    if word == "suspected" and frame.context == "open" and called and hit.brk.where in ("value", "gradient"):
        if (id(use.site.node), hit.brk.kind) not in opaque:
            return "unknown", "its callers in the file decide"
    if word == "reached" and frame.context == "called" and frame.public:
        return "suspected", reason
    return word, reason or word


def _lived(use: Use, hit: Hit, judgement: Judgement) -> Judgement:
    """No gradient comes back through comparisons; a NaN there is a test that fails."""
    word, where = judgement[0], hit.brk.where
    harmless = where == "gradient" or where == "value" and (word == "suspected" or "inf" in hit.brk.result)
    if word in ("suspected", "reached") and harmless and only_compared(use.site):
        return "unknown", "it is only compared"
    return judgement


def _decide(use: Use, hit: Hit) -> Judgement:
    where = hit.brk.where
    if where == "graph":
        return _of_cut(use, hit)
    if where == "silence":
        return _of_silence(use, hit)
    if where == "precision":
        return _of_precision(use, hit)
    if where == "second":
        return "unknown", ""
    value = use.arg(hit.brk.arg)
    if hit.brk.kind in POWERS and not _surely_raised(use, hit.brk.kind):
        return "unknown", "the exponent is not known"
    judgement = _of_gradient(use, hit, value) if where == "gradient" else _of_point(use, hit, value)
    replaced = [c for c in use.consumers if c.op.guard == "select" and c.arg != "condition"]
    if replaced and where == "value" and value.grad == "no":
        return "excluded", "the value is replaced behind and no gradient flows"
    if judgement[0] == "suspected" and value.grad == "maybe" and replaced and not any(_straight(c, use) for c in replaced):
        return "unknown", "the value is replaced further behind, and whether a gradient flows is not known"
    return judgement


def _of_cut(use: Use, hit: Hit) -> Judgement:
    value = use.arg(hit.brk.arg)
    if value.grad == "no" and not value.cuts:
        return "excluded", "no gradient flows into it"
    if hit.brk.kind == "detach-cut":
        return _of_detach(use, value)
    if hit.brk.kind == "return-cut":
        return _of_return(use, value)
    if hit.brk.kind == "item-cut" and is_integer(value.dtype or ""):
        return "excluded", "an index has no gradient"
    if _is_new_leaf(use, hit, value):
        return "reached", "requires_grad=True makes a new leaf of computed values"
    if use not in (use.trace.flows if use.trace is not None else ()):
        return "excluded", "the value does not flow into a loss"
    sure = value.grad in ("yes", "assumed") or bool(value.cuts)
    return ("reached" if sure else "suspected"), "its value flows into the loss that is returned"


def _of_detach(use: Use, value: Value) -> Judgement:
    """Most detached values are meant; not those behind a whole summand of a loss."""
    if use not in (use.trace.dead if use.trace is not None else ()):
        return "excluded", "the gradient goes on beside it"
    sure = value.grad in ("yes", "assumed")
    return ("reached" if sure else "suspected"), "a summand of the loss has no gradient"


def _of_return(use: Use, value: Value) -> Judgement:
    """What another file cut comes back here; in this file the cut itself is told."""
    gone = value.cuts & (use.trace.dead if use.trace is not None else frozenset())
    if not gone or any(cut.site.fragment.source is use.site.fragment.source for cut in gone):
        return "excluded", "the cut is told"
    return "suspected", "a summand of the loss has no gradient"


def _is_new_leaf(use: Use, hit: Hit, value: Value) -> bool:
    """torch.tensor(losses, requires_grad=True): backward() stops at the copy and says nothing."""
    wanted = hit.brk.kind == "copy-cut" and use.bound.const("requires_grad") is True
    return wanted and value.grad in ("yes", "assumed") and "parameter" not in value.marks


def _of_silence(use: Use, hit: Hit) -> Judgement:
    value = use.bound.args.get(hit.brk.arg)
    if hit.brk.kind == "isnan-only" and isinstance(value, Value):
        made_inf = value.range.hi == float("inf") or value.range.lo == -float("inf")
        if "narrowed" not in value.marks:
            return "unknown", ""
        return ("reached", "an infinity can stand in it") if made_inf else ("suspected", "")
    return "reached", ""


def _of_precision(use: Use, hit: Hit) -> Judgement:
    value = use.arg(hit.brk.arg)
    if value.dtype is None or value.ground == "config" or value.grad == "yes":
        return "unknown", ""
    if value.term is not None and _from_outside(value.term):
        return "suspected", "numbers from outside are cast without a clip"
    return "unknown", ""


def _from_outside(term: Term) -> bool:
    """Whether a term is an array made of a parameter's or a file's numbers."""
    while term.args and term.op not in OUTSIDE:
        inner = core(term, cut=True)
        if inner is term:
            break
        term = term.args[0]
    return term.op in OUTSIDE


def _shrunk(term: Term) -> bool:
    """x * (1 - 1e-6), x / (1 + 1e-6): a cosine that is kept inside by a factor just below 1."""
    consts = [c for c in (core(a).const for a in term.args) if isinstance(c, float)]
    return term.op == "mul" and any(0.9 < c < 1.0 for c in consts) or term.op == "div" and any(1.0 < c < 1.1 for c in consts)


def _surely_raised(use: Use, kind: str) -> bool:
    """Whether each exponent that is possible here breaks: below 0, or between 0 and 1, or one fraction."""
    exponent = use.bound.r("exponent")
    if kind == "power-pole":
        return exponent.hi < 0.0
    return exponent.is_point if kind == "power-negative" else 0.0 < exponent.lo and exponent.hi < 1.0


OUTSIDE = frozenset({"array", "asarray", "tensor", "as_tensor", "from_numpy", "to_numpy", "load", "loadtxt", "read_csv"})


def _of_gradient(use: Use, hit: Hit, value: Value) -> Judgement:
    if value.grad == "no":
        return "excluded", "no gradient flows"
    if hit.brk.arg == "target" and value.grad != "yes":
        return "unknown", "targets seldom carry a gradient"
    if hit.brk.kind in ("root-zero", "power-zero") and value.term is not None and _of_relu(value.term):
        return "excluded", "the relu before it passes no gradient at 0"
    word, reason = _of_point(use, hit, value)
    if value.grad == "maybe" and word == "reached":
        return "suspected", reason
    return word, reason


def _of_relu(term: Term) -> bool:
    """A relu, its sum, power or multiple: the backward of relu selects, so at 0 not even an infinity passes (torch, JAX)."""
    term = core(term)
    while term.op in RELU_KEEPS and term.args and all(core(a).const is not MISSING for a in term.args[1:]):
        term = core(term.args[0])
    return term.op in ("relu", "relu6")


def _of_point(use: Use, hit: Hit, value: Value) -> Judgement:
    """Why the argument would ever take the bad value."""
    zone = hit.brk.zone(use.bound)
    if zone is None:
        return "excluded", ""
    if value.ground == "config":
        return _of_config(use, hit, value, zone)
    if use.op.name == "xlogy" and hit.brk.where == "value" and _zero_together(use):
        return "excluded", "its second argument is 0 only where the first is"
    if hit.brk.kind == "softmax-masked":
        return _of_mask(value)
    if hit.brk.of == "count":
        return of_count(use, hit, value)
    if hit.brk.kind == "divisor-tiny":
        return _of_small_floor(value, zone)
    if hit.brk.kind in EDGES:
        if value.term is not None and _shrunk(core(value.term)):
            return "unknown", "it is scaled to stay inside"
    elif _floored(use, value):
        return "excluded", "an eps is added"
    if "zero" not in value.marks and _double_where(use, value):
        return "unknown", "the same test replaces the argument"
    if "guarded" in value.marks and not value.range.is_point:
        return "unknown", "it is replaced where a test says so"
    return _of_origin(use, hit, value, zone) or _of_signs(use, hit, value, zone) or ("unknown", "")


def _of_config(use: Use, hit: Hit, value: Value, zone: Interval) -> Judgement:
    if use.spelling.startswith("operator.") and not any(v.kind == "tensor" for n, v in _values(use) if n != hit.brk.arg):
        return "excluded", "Python numbers raise"
    if "zeros" in value.marks:
        return "unknown", "zeros that may be filled elsewhere"
    if value.range.is_point and zone.contains(value.range.lo):
        return "reached", f"the constant {value.range.lo:g} itself is bad"
    return "excluded", "configuration"


def _of_mask(value: Value) -> Judgement:
    """-inf by a mask of data; masks of sizes alone (causal ones) are settings."""
    return ("reached", "a mask can cover a whole row") if "datamask" in value.marks else ("unknown", "")


def _values(use: Use) -> list[tuple[str, Value]]:
    return [(n, v) for n, v in use.bound.args.items() if isinstance(v, Value)]


def _floored(use: Use, value: Value) -> bool:
    """An eps on something non-negative or opaque; never after a visible subtraction."""
    term = core(value.term) if value.term is not None else None
    while term is not None and term.op in ("sum", "mean", "getitem", "div", "sqrt") and term.args:
        term = core(term.args[0])
    if term is None or term.op != "add" or len(term.args) != 2 or "subtraction" in value.marks:
        return False
    if "eps" in value.marks and any(str(core(a).get("key", core(a).get("name", ""))).rpartition(":")[2].lower() in EPSILONS for a in term.args):
        return True
    consts = [core(a).const if core(a).const is not MISSING else core(a).get("default") for a in term.args]
    return any(_survives(c, use.dtype) for c in consts) and not value.range.is_point


def _survives(eps: object, dtype: str) -> bool:
    """Whether a constant is above 0 in a dtype: 1e-8 is 0 in float16."""
    return isinstance(eps, (int, float)) and not isinstance(eps, bool) and round_to(float(eps), dtype) > 0


def _of_origin(use: Use, hit: Hit, value: Value, zone: Interval) -> Judgement | None:
    """Origins that make the bad point ordinary for data."""
    marks = value.marks
    end = any(zone.contains(e) and abs(e) < FAR for e in (value.range.lo, value.range.hi))
    if hit.brk.kind in ("divisor-zero", "root-zero", "power-pole") and marks & SPREADS:
        return "reached", "it is 0 where all values are equal"
    if "count" in marks and marks & {"mask", "selection"} and zone.contains(0.0):
        return "reached", "a mask can select nothing"
    if end and "norm" in marks:
        return _of_norm(marks)
    if "scattered" in marks and zone.contains(0.0) and not _own_test(use, value):
        return "reached", "what no index points to stays 0"
    if end and value.ground == "closed":
        if "sum" in marks and marks & FULL_SUMS and not marks & {"mask", "square", "selection"}:
            return None
        if hit.brk.where != "gradient" and "square" in marks and not marks & ZERO_WORDS:
            return ("suspected", "a zero vector has a sum of squares of 0") if marks & {"sum", "mean", "squares"} else None
        if "rand" in marks and use.dtype == "float64":
            return None  # one draw in 2^53
        return "reached", _closed_reason(marks)
    if "complement" in marks and zone.contains(0.0) and hit.brk.kind in DOMAIN:
        return "reached", "a probability saturates at exactly 0 and 1"
    for word, reason in ORDINARY.items():
        if word in marks and (zone.contains(0.0) or word == "cancel"):
            return "reached", reason
    if value.range.is_point and zone.contains(value.range.lo):
        return "reached", f"it is {value.range.lo:g}"
    if "zero" in marks and zone.contains(0.0):
        return "suspected", "all that it is made of can be 0"
    return None


def _of_small_floor(value: Value, zone: Interval) -> Judgement:
    """A floor below 1e-8 outside a norm: the gradient there is 1/floor."""
    if value.term is not None and _is_floored_norm(value.term) and zone.contains(value.range.lo) and value.range.lo > 0:
        return "suspected", f"the gradient at a zero vector is {1 / value.range.lo:.0e}"
    return "unknown", ""


def _is_floored_norm(term: Term) -> bool:
    """norm + eps, clamp(norm, min=eps), sqrt(sum of squares) + eps."""
    term = core(term)
    if term.op not in ("add", "clamp", "maximum") or not term.args:
        return False
    rest = [core(a) for a in term.args if core(a).op != "const"]
    return any(t.op in NORMS for t in rest)  # a root breaks there by itself


def _of_norm(marks: frozenset[str]) -> Judgement:
    if marks & {"centred", "selfdiff"}:
        return "reached", "equal elements have a difference of norm 0"
    if marks & {"callee"} and not marks & {"parameter"} or "rand" in marks:
        return "unknown", ""
    return "suspected", "a zero vector has norm 0"


def _closed_reason(marks: frozenset[str]) -> str:
    reasons = {
        "softmax": "a softmax is exactly 0 for a logit far below the largest", "sigmoid": "a sigmoid saturates at exactly 0 and 1",
        "square": "a sum of squares is 0 for a zero vector", "relu": "a relu is exactly 0 for every negative input", "mask": "a mask can select nothing",
        "rand": "a random number can be exactly 0", "onehot": "a one-hot row holds zeros",
    }
    return next((text for word, text in reasons.items() if word in marks), "its range closes at the bad point")


def _of_signs(use: Use, hit: Hit, value: Value, zone: Interval) -> Judgement | None:
    """A sign that an opaque value does take the bad point."""
    kind, marks = hit.brk.kind, value.marks
    if value.ground not in ("data", "closed") and not marks & {"norm", "sum"}:
        return None
    if not _holds_tensor(use) and all(c.use.spelling.startswith(("builtins.", "operator.")) for c in use.consumers):
        return None
    names = words_of(use.nodes.get(hit.brk.arg))
    if use.consumers and any(c.op.guard in ("floor", "select", "mask") for c in use.consumers):
        behind = any(_counts(use, hit, value, c) for c in use.consumers)
        if behind and not (_double_where(use, value) or _own_test(use, value)):
            return "suspected", "a guard stands behind it"
    if kind in EDGES:
        return "suspected", "rounding reaches the edge of its domain"
    if kind in DOMAIN:
        return _of_domain(use, hit, value, names, zone)
    if kind in DIVISIONS:
        return _of_division(use, hit, value, names, marks)
    if kind == "exp-overflow":
        return _of_exp(use, value, names)
    return None


def _holds_tensor(use: Use) -> bool:
    """Whether an operator has an operand that is known to be a tensor, or that a function takes as data."""
    if not use.spelling.startswith("operator."):
        return True
    return any(v.kind == "tensor" or (v.kind == "unknown" and "parameter" in v.marks and v.grad != "no") for _, v in _values(use))


def _counts(use: Use, hit: Hit, value: Value, consumer: Consumer) -> bool:
    """Whether what stands behind is a sign: not a clamp of a quotient, nor a choice that no known gradient passes."""
    taken: Value = consumer.bound.args[consumer.arg]  # type: ignore[assignment]
    if taken.grad == "no" and value.grad != "no" and (hit.brk.where == "gradient" or consumer.op.guard == "select"):
        return False  # rounded, detached, made an index before
    if consumer.op.guard == "floor" and hit.brk.kind == "divisor-zero":
        return False
    if consumer.op.guard == "select" and value.grad == "maybe" and hit.brk.where == "value":
        return False
    return _guards(consumer.op.guard, consumer, use, value)


def _of_exp(use: Use, value: Value, names: set[str]) -> Judgement | None:
    if any(n in TELLING_SCALES for n in names):
        return "suspected", "an unclamped log of a scale"
    if use.normalised and "shifted" not in value.marks:
        return "suspected", "it is divided by its own sum and no maximum is subtracted"
    if "trained" in value.marks and (any(set(n.split("_")) & SCALE_WORDS for n in names) or _scales_product(use)):
        return "suspected", "a trained scale can drift to any value"
    return None


def _scales_product(use: Use) -> bool:
    """Whether the result is a factor of a matrix product: a temperature of logits."""
    others = [core(v.term) for c in use.consumers if c.op.name == "mul" for n, v in c.bound.args.items() if n != c.arg and v.term is not None]
    return any(t.op in PRODUCTS for t in others)


def _double_where(use: Use, value: Value) -> bool:
    """The argument is already replaced where the same condition replaces the result."""
    tests = {id(c.bound.args[n].term) for c in use.consumers for n in ("condition", "mask") if c.bound.has(n)}
    chosen = [t for t in _subjects(value.term) if t.op in ("where", "masked_fill")]
    return any(id(a) in tests for t in chosen for a in t.args)


def _own_test(use: Use, value: Value) -> bool:
    """Infinities of a degree or count are found in the result and replaced; counts seldom carry a gradient."""
    if value.grad == "yes" or use.term is None or not value.marks & {"sum", "count", "size"}:
        return False
    tests = [c.bound.args[n].term for c in use.consumers for n in ("condition", "mask") if c.bound.has(n)]
    return any(t is not None and _asks_for_infinity(t, use.term) for t in tests)


def _asks_for_infinity(test: Term, result: Term) -> bool:
    about = bool(test.args) and core(test.args[0]) is core(result)
    return about and (test.op in ("isinf", "isnan", "isfinite") or test.op == "eq" and core(test.args[1]).const == float("inf"))


def _asks_for(value: Value, bound: object) -> bool:
    """Whether the condition or mask of a guard is a test of the value that breaks."""
    subjects = _subjects(value.term)
    args = getattr(bound, "args")
    tests = [args[n].term for n in ("condition", "mask") if n in args] or [v.term for v in args.values() if "mask" in v.marks]
    return any(t is not None and _mentions(t, subjects) for t in tests)


def _subjects(term: Term | None) -> frozenset[Term]:
    """A term and what it is but for constants: x of x + 1, 2 * x, x.sum()."""
    found = set()
    while term is not None:
        term = core(term, cut=True)
        found.add(term)
        inner = [a for a in term.args if a.op != "const"]
        term = inner[0] if len(inner) == 1 else None
    return frozenset(found)


def _mentions(term: Term, subjects: frozenset[Term], depth: int = 12) -> bool:
    if term in subjects:
        return True
    return depth > 0 and any(_mentions(a, subjects, depth - 1) for a in term.args)


def _straight(consumer: object, use: Use) -> bool:
    """Whether a consumer takes the very result of a use, not what is computed from it."""
    taken = getattr(consumer, "bound").args[getattr(consumer, "arg")].term
    return taken is not None and use.term is not None and core(taken, cut=True) is core(use.term, cut=True)


def _guards(role: str, consumer: object, use: Use, value: Value) -> bool:
    """Whether what stands behind is a guard: a select, a mask, a floor by a small constant."""
    bound = getattr(consumer, "bound")
    others = [v for n, v in bound.args.items() if n != getattr(consumer, "arg")]
    direct = _straight(consumer, use)
    if getattr(consumer, "arg") == "condition" or not (direct or role != "floor" and _asks_for(value, bound)):
        return False
    if role == "select":
        return not direct or not others or _asks_for(value, bound) or any(v.range.is_point and abs(v.range.lo) <= 1.0 for v in others)
    if role == "mask":
        return any("mask" in v.marks and v.range.within(0.0, 1.0) for v in others)
    name = getattr(consumer, "op").name
    if name == "add":
        return any(v.const is not MISSING and isinstance(v.const, float) and 0 < v.const <= 1e-3 for v in others)
    return True


def _is_own(use: Use, value: Value) -> bool:
    """A call (no operator) straight on the function's own parameter, where a gradient may flow."""
    frame = use.site.frame
    shown = frame.public or frame.context == "called" or frame.role in ("loss", "forward")  # others import a private helper and decide
    own = shown and "parameter" in value.marks and value.grad != "no" and not use.spelling.startswith("operator.")
    flows = value.grad in ("yes", "assumed") or any(_counts_as_guard(c, use, value) for c in use.consumers)
    return own and flows and not (_is_constructed(value) or _is_setting(value) or _is_the_function(use))


def _counts_as_guard(consumer: Consumer, use: Use, value: Value) -> bool:
    return consumer.op.guard == "select" and _straight(consumer, use) and _guards("select", consumer, use, value)


def _is_the_function(use: Use) -> bool:
    """return torch.div(a, b): the function is the op under another name; who calls it decides."""
    parent = use.site.fragment.parents.get(use.site.node)
    plain = all(isinstance(n, (cst.Name, cst.SimpleString, cst.Integer, cst.Float)) for n in use.nodes.values())
    return parent is not None and isinstance(parent[0], cst.Return) and plain and use.site.frame.role not in ("loss", "forward")


def _is_constructed(value: Value) -> bool:
    """Whether a value is a constructor's argument."""
    term = core(value.term) if value.term is not None else None
    return term is not None and ".__init__:" in str(term.get("key", ""))


def _is_setting(value: Value) -> bool:
    """Whether a parameter's name says that it is a setting: inv_scale_factor, clip_grad_norm, norm_type."""
    term = core(value.term) if value.term is not None else None
    name = str(term.get("key", "")).rpartition(":")[2] if term is not None else ""
    return bool(SETTING_WORDS & set(name.lower().split("_")))


def _of_domain(use: Use, hit: Hit, value: Value, names: set[str], zone: Interval) -> Judgement | None:
    if zone.hi < -0.5:
        return None
    if use.op.name != "xlogy" and _is_own(use, value):
        return "suspected", "it is called on the function's own parameter"
    if use.op.name == "xlogy":
        return _of_xlogy(use) if hit.brk.where == "gradient" else None
    if value.marks & {"subtraction", "extent"} and not value.range.nonneg:
        return "suspected", "a difference can reach it"
    if zone.contains(0.0) and value.grad in ("yes", "assumed") and value.term is not None and core(value.term).op == "abs":
        return "suspected", "an absolute value is 0 where the sign changes"
    if "exp" in value.marks and "shifted" not in value.marks and value.range.lo == 0.0 and zone.contains(0.0):
        return "suspected", "exp is exactly 0 below -104 in float32"
    if zone.contains(0.0) and tells(names, TELLING_ARGUMENTS[:2] if _is_constructed(value) else TELLING_ARGUMENTS):
        return "suspected", "its name says that it can be 0"
    return None


def _of_xlogy(use: Use) -> Judgement | None:
    """xlogy(t, t / p): its second argument is 0 wherever its first is, and the gradient there is 0 / 0."""
    return ("reached", "its second argument is 0 wherever the first is") if _zero_together(use, of_itself=False) else None


def _zero_together(use: Use, of_itself: bool = True) -> bool:
    """xlogy(t, t / p), and with of_itself xlogy(t, t)."""
    first, second = use.bound.args.get("input"), use.bound.args.get("other")
    if first is None or second is None or first.term is None or second.term is None:
        return False
    ratio = core(second.term)
    inner = core(ratio.args[0]) if ratio.op in ("div", "mul") and ratio.args else None
    return core(first.term) is inner or of_itself and core(first.term) is ratio


def _of_division(use: Use, hit: Hit, value: Value, names: set[str], marks: frozenset[str]) -> Judgement | None:
    if value.is_number and value.lib == "python":
        return None
    whole = use.op.name in ("remainder", "floor_divide", "fmod")
    if _is_own(use, value) and not whole:
        return "suspected", "it divides by the function's own parameter"
    if "extent" in marks:
        return "suspected", "two elements of one array can be equal"
    stems = TELLING_DIVISORS if value.grad in ("yes", "assumed") else tuple(s for s in TELLING_DIVISORS if s not in VAGUE_DIVISORS)
    if tells(names, stems) and not _is_setting(value) and not _standardises(use, value):
        return "suspected", "its name says that it can be 0"
    if value.term is not None and _weighted_mean(use, value.term):
        return "suspected", "the weights can sum to 0"
    return None


def _standardises(use: Use, divisor: Value) -> bool:
    """(x - mean) / std with both statistics given by the caller."""
    top = use.bound.args.get("input")
    both = minuend(core(top.term)) if top is not None and top.term is not None else None
    if both is None or divisor.term is None:
        return False
    return all(":" in str(base_of(t).get("key", "")) for t in (both[1], divisor.term))


def _weighted_mean(use: Use, divisor: Term) -> bool:
    """The divisor is a sum whose operand is a factor above it."""
    bottom = core(divisor)
    top = use.bound.args.get("input")
    if bottom.op != "sum" or not bottom.args or top is None or top.term is None:
        return False
    above = core(top.term)
    if above.op not in ("sum", "mean") or not above.args:
        return False
    product = core(above.args[0])
    return product.op == "mul" and any(core(a) is core(bottom.args[0]) for a in product.args)
