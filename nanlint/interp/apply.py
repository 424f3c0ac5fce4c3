"""One application of an op: dtype, breaks, image, term, gradient; and the Use that it leaves behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import libcst as cst

from nanlint import ops
from nanlint.interp import compositions, conditions, relations, summands
from nanlint.interp.context import Context
from nanlint.interp.matchers import core
from nanlint.interp.uses import Consumer, Hit, Site, Use
from nanlint.interp.values import (
    ANY_COUNT,
    GRADIENTS,
    NONE,
    NOTHING,
    ONE,
    SOME,
    Term,
    Value,
    common_ground,
    elements,
    sequence,
    strongest,
)
from nanlint.interval import Interval, cast
from nanlint.ops.spec import MISSING, Bound, Break, Op, Spelling

INF = float("inf")
NUMBERS = frozenset({"pyfloat", "pyint", "pybool"})
FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("bool", "uint8", "int8", "int16", "int32", "int64")
#: Parameters whose argument is an operand: constants there are terms, elsewhere they are named.
OPERANDS = frozenset({"input", "other", "condition", "mask", "target", "tensors", "data", "index"})
#: Parameters whose dtype decides the result's beside the operands.
QUANTITIES = frozenset({"exponent", "value", "min", "max", "weight", "end", "start", "fill_value", "src", "tensor1", "tensor2", "batch1", "batch2", "step"})
#: Of a created array, what its elements are made of; sizes and patterns are configuration.
CONTENTS = frozenset({"fill_value", "value", "data", "start", "end", "step"})
#: Scalars that scale an operand: their origin is not the result's.
FACTORS = frozenset({"alpha", "beta", "dim", "dtype", "p", "value", "weight"})
#: Words that say that exactly 0 is an ordinary value.
ZERO_WORDS = frozenset({"selfdiff", "centred", "norm", "std", "variance", "spread", "count", "zero"})
#: Elements that can each be 0 while their sum cannot.
NEVER_ALL_ZERO = frozenset({"softmax", "sigmoid", "exp"})
#: What a result inherits its origin words from, for ops that keep or pick elements.
INHERITING = frozenset({"keeps", "selects", "permutes", "joins"})


def apply(ctx: Context, spelling: Spelling, node: cst.CSTNode, args: Mapping[str, Value], nodes: Mapping[str, cst.BaseExpression]) -> Value:
    """Evaluates one call of a row and emits its Use."""
    op = spelling.op
    args = _in_arms(op, args)
    dtype, told = result_dtype(ctx, spelling, args)
    bound = Bound({n: _seen_in(ctx, v, op, dtype) for n, v in args.items()}, dtype)
    term = _term(ctx, op, args, node)
    hits = _hits(ctx, op, bound)
    if _is_python(spelling, args):
        hits = [h for h in hits if h.brk.where == "graph"]
    elif spelling.name.startswith(("math.", "operator.floordiv", "operator.mod")) and not any(v.kind == "tensor" for v in args.values()):
        hits = [h for h in hits if h.brk.where == "graph"]  # Python raises
    known = relations.of(op, bound, term)
    image = _narrowed(ctx, known, term, op.image(_unbroken(bound, hits)))
    result = _result(ctx, spelling, bound, image, term, told)
    if known is not None:
        closed = known.closed and result.ground != "config"
        result = result.but(marks=(result.marks - known.drops) | known.marks, ground="closed" if closed else result.ground)
    hits += compositions.find(op, bound, term, ctx.machine.trace) if term is not None and not ctx.machine.dry else []
    return _emit(ctx, spelling, node, bound, nodes, hits, result)


def _in_arms(op: Op, args: Mapping[str, Value]) -> Mapping[str, Value]:
    """The arms of a where (the kept part of a masked_fill) with what its condition says of them."""
    test = args.get("condition") or args.get("mask")
    if op.guard != "select" or test is None or test.term is None:
        return args
    arms = (("input", "condition" in args), ("other", False))
    result = dict(args)
    for name, holds in arms:
        value = args.get(name)
        fact = conditions.about(test.term, holds, value.term) if value is not None and value.term is not None else None
        met = value.range.meet(fact) if value is not None and fact is not None else None
        if value is not None and met is not None:
            result[name] = value.but(range=met)
    return result


def effective(dtype: str | None, lib: str) -> str:
    """The dtype that a value of unknown dtype is taken to have."""
    return dtype or ("float64" if lib == "numpy" else "float32")


def result_dtype(ctx: Context, spelling: Spelling, args: Mapping[str, Value]) -> tuple[str, str | None]:
    """The dtype to compute in, and the dtype as far as it is known."""
    rule = spelling.op.dtype
    if ctx.half and spelling.op.terms == "product" and spelling.lib == "torch":
        return ctx.half, ctx.half  # autocast runs products in low precision
    operands = [v for n, v in args.items() if n in OPERANDS or n in QUANTITIES]
    told = _promoted(operands)
    if rule in ("arg", "sum", "created"):
        given = args.get("dtype")
        name = given.data if given is not None and given.kind == "dtype" else None
        told = name or _without_dtype(rule, told, spelling.lib)
    elif rule == "float" and told in NUMBERS:
        told = "pyfloat"
    elif rule == "float" and told in INTEGERS:
        told = "float64" if spelling.lib == "numpy" else "float32"
    elif rule not in ("same", "float"):
        told = rule
    if told in NUMBERS and spelling.op.terms != "elementwise":
        told = {"pybool": "bool", "pyint": "int64"}.get(told, "float64" if spelling.lib == "numpy" else "float32")
    return effective(told, spelling.lib), told


def _without_dtype(rule: str, told: str | None, lib: str) -> str | None:
    if rule == "created":
        return "float64" if lib == "numpy" else "float32"
    return "int64" if rule == "sum" and told in INTEGERS else told


def _promoted(values: list[Value]) -> str | None:
    """torch's promotion among the tensors; Python numbers only lift integers."""
    values = [e for v in values for e in (elements(v) if v.kind == "sequence" else (v,))]
    tensors = [v for v in values if v.kind in ("tensor", "unknown")]
    dtypes = [v.dtype for v in tensors]
    if not tensors:
        numbers = [v.dtype for v in values if v.is_number and v.dtype]
        return max(numbers, key=("pybool", "pyint", "pyfloat").index) if numbers and set(numbers) <= NUMBERS else None
    known = [d for d in dtypes if d]
    floats = [d for d in known if d in FLOATS]
    if None in dtypes:
        return None
    if floats:
        return max(floats, key=FLOATS.index) if set(floats) != {"float16", "bfloat16"} else "float32"
    if any(v.dtype == "pyfloat" for v in values if v.is_number):
        return "float32"
    integers = [d for d in known if d in INTEGERS]
    return max(integers, key=INTEGERS.index) if integers else None


def _seen_in(ctx: Context, value: Value, op: Op, dtype: str) -> Value:
    """An argument as the op sees it: numbers are rounded to the result's dtype."""
    if ctx.state is not None:
        value = ctx.state.narrowed(value)
    if value.kind == "sequence":
        return _listed(value, dtype)
    if value.dtype is None and value.numeric and dtype == "float64" and value.range == Interval.everything("float32"):
        return value.but(range=Interval.everything("float64"))  # all that is known: finite in its dtype
    if value.is_number and op.terms == "elementwise" and dtype in FLOATS and op.dtype in ("same", "float"):
        rounded = cast(value.range, dtype)
        if rounded.lo == 0.0 < value.range.lo < value.range.hi:  # finfo(x.dtype).tiny: a number chosen by the dtype
            rounded = Interval(5e-324 if dtype == "float64" else 1e-45, rounded.hi) if rounded.hi > 0 else rounded
        if rounded != value.range:
            const = rounded.lo if rounded.is_point and isinstance(value.const, float) else value.const
            return value.but(range=rounded, const=const)
    return value


def _listed(value: Value, dtype: str) -> Value:
    """A list as rows see it: its items, or one that stands for all; tensors of unknown dtype are of the usual one."""
    items = tuple(i.but(dtype=dtype) if i.kind in ("tensor", "unknown") and i.dtype is None else i for i in elements(value))
    return value.but(data=items) if items else value


def _term(ctx: Context, op: Op, args: Mapping[str, Value], node: cst.CSTNode) -> Term | None:
    if op.terms == "random":
        return ctx.leaf(node, op.name)
    operands: list[Term] = []
    named: dict[str, object] = {}
    for name, value in args.items():
        constant = value.const is not MISSING and not value.is_default
        if constant and not (name in OPERANDS and isinstance(value.const, (int, float))):
            named[name] = value.const
        elif value.kind == "dtype":
            named[name] = value.data
        else:
            operands += _operand_terms(ctx, value, node)
    return ctx.terms.make(op.name, tuple(operands), **named)


def _operand_terms(ctx: Context, value: Value, node: cst.CSTNode) -> list[Term]:
    if value.items is not None:
        return [t for item in value.items for t in _operand_terms(ctx, item, node)]
    if value.const is not MISSING and not value.is_default:
        return [ctx.terms.const(value.const)]
    return [value.term if value.term is not None else ctx.leaf(node)]


def _is_python(spelling: Spelling, args: Mapping[str, Value]) -> bool:
    """Python numbers raise instead of making a NaN."""
    numeric = [v for v in args.values() if v.numeric or v.kind == "sequence"]
    return bool(numeric) and all(v.is_number and v.lib in ("python", "") for v in numeric) and spelling.lib in ("python", "torch", "")


def _hits(ctx: Context, op: Op, bound: Bound) -> list[Hit]:
    return [Hit(b) for b in op.breaks if b.arg in bound.args and _can_meet(ctx, b, bound)]


def _can_meet(ctx: Context, brk: Break, bound: Bound) -> bool:
    zone = brk.zone(bound)
    if zone is None:
        return False
    value: Value = bound.args[brk.arg]  # type: ignore[assignment]
    if brk.where in ("graph", "silence"):
        return True
    return (element_count(ctx, value) if brk.of == "count" else value.range).touches(zone)


def element_count(ctx: Context, value: Value) -> Interval:
    """The number of a value's elements with what tests on this path say of it."""
    return relations.counted(value, ctx.state.facts if ctx.state is not None else {})


def _unbroken(bound: Bound, hits: list[Hit]) -> Bound:
    """The call with its arguments outside the zones: what evaluation goes on with."""
    args = dict(bound.args)
    for hit in hits:
        if hit.brk.of != "range" or hit.brk.where != "value":
            continue
        value: Value = args[hit.brk.arg]  # type: ignore[assignment]
        zone = hit.brk.zone(bound)
        rest = value.range.without(zone) if zone is not None else value.range
        if rest is not None and rest != value.range:
            args[hit.brk.arg] = value.but(range=rest)
    return Bound(args, bound.dtype)


def _narrowed(ctx: Context, known: relations.Known | None, term: Term | None, image: Interval) -> Interval:
    if known is not None and known.range is not None:
        image = image.meet(known.range) or known.range
    fact = ctx.state.facts.get(term) if ctx.state is not None and term is not None else None
    return image if fact is None else image.meet(fact) or image


def _result(ctx: Context, spelling: Spelling, bound: Bound, image: Interval, term: Term | None, told: str | None) -> Value:
    op = spelling.op
    args: list[Value] = list(bound.args.values())  # type: ignore[arg-type]
    shape = op.returns(bound) if callable(op.returns) else op.returns
    if op.parts:
        return _parts(ctx, spelling, bound, term)
    if shape == "number":
        told = "pybool" if told == "bool" else "pyint" if told in INTEGERS or told == "pyint" else "pyfloat"
    python = spelling.name.startswith("math.") or all(v.is_number for v in args if v.numeric) and any(v.is_number for v in args) and op.terms == "elementwise"
    if shape == "none":
        return NONE
    value = Value(
        kind="number" if shape == "number" or python else _kind(spelling, args),
        range=image,
        dtype=told,
        grad=_gradient(ctx, op, args, told, spelling.lib),
        ground=_ground(op, _contents(op, bound)),
        marks=_marks(op, bound) - (NOTHING if image.lo == -INF else {"datamask"}),
        count=ONE if shape == "number" else _count(op, bound),
        term=term,
        lib="python" if shape == "number" or python else spelling.lib,
        cuts=frozenset().union(*(v.cuts for v in args)),
        dead=summands.dead(op, bound),
    )
    return _shaped(ctx, value, shape, op)


def _contents(op: Op, bound: Bound) -> list[Value]:
    """The arguments that a result's elements come from: not sizes and patterns."""
    if op.terms == "creates":
        return [v for n, v in bound.args.items() if n in CONTENTS]  # type: ignore[misc]
    operands = [v for n, v in bound.args.items() if n in OPERANDS or n == op.lead] if op.terms == "keeps" else []
    return operands or list(bound.args.values())  # type: ignore[return-value]


def _kind(spelling: Spelling, args: list[Value]) -> str:
    """Arithmetic of what may be numbers may be a number; functions and methods of a library give tensors."""
    if not spelling.name.startswith("operator.") or any(v.kind == "tensor" for v in args):
        return "tensor"
    axes = args[-1].const if spelling.op.name == "getitem" and len(args) == 2 else None
    return "tensor" if isinstance(axes, tuple) and (len(axes) > 1 or None in axes or "..." in axes) else "unknown"


def _parts(ctx: Context, spelling: Spelling, bound: Bound, term: Term | None) -> Value:
    """The items of a returned tuple, each by a row of its own (std_mean: std, mean)."""
    items = []
    for name in spelling.op.parts:
        row = ops.rows().get(name)
        part = ctx.terms.make(name, term.args, **dict(term.named)) if row is not None and term is not None else ctx.leaf(cst.Pass())
        if row is None:
            items.append(Value("unknown", ground="unknown", term=part))
        else:
            told = result_dtype(ctx, replace(spelling, op=row), bound.args)[1]  # type: ignore[arg-type]
            items.append(_result(ctx, replace(spelling, op=row), bound, row.image(bound), part, told))
    return sequence(tuple(items)).but(term=term)


def _shaped(ctx: Context, value: Value, shape: str, op: Op) -> Value:
    if shape == "pair":
        indices = value.but(range=Interval(0.0, 2.0**31), dtype="int64", grad="no", ground="config", marks=NOTHING, term=_part(ctx, value, 1))
        return sequence((value.but(term=_part(ctx, value, 0)), indices)).but(term=value.term, name=op.name)
    if shape == "list" and op.ground == "config":
        value = value.but(kind="number", dtype="pyint", lib="python")
    if shape == "list":
        return sequence(None, value, SOME).but(term=value.term)
    return value


def _part(ctx: Context, value: Value, index: int) -> Term | None:
    """values of max(dim) are the max itself; indices are their own term."""
    if value.term is None:
        return None
    return value.term if index == 0 else ctx.terms.make("part", (value.term,), index=index)


def _gradient(ctx: Context, op: Op, args: list[Value], told: str | None, lib: str) -> str:
    if ctx.no_grad or lib == "numpy" or op.gradient in ("stops", "cuts") or told in INTEGERS:
        return "no"
    return strongest(GRADIENTS, [v.grad for v in args])


def _ground(op: Op, args: list[Value]) -> str:
    """closed rows close what is not configuration; else data beats unknown beats closed."""
    numeric = [v.ground for v in args if v.numeric or v.kind == "sequence"]
    grounds = [g for g in numeric if g != "config"]
    if not grounds and op.terms != "random":
        return "config" if numeric or op.ground == "inherit" else "unknown"
    if op.ground in ("closed", "config"):
        return op.ground
    if op.ground == "opaque":
        return "unknown"
    if len(grounds) > 1 and not op.guard and op.terms == "elementwise":
        return next((g for g in ("data", "unknown") if g in grounds), "data")  # two ends need not meet
    return common_ground(grounds)


def _marks(op: Op, bound: Bound) -> frozenset[str]:
    own = op.marks | (op.marking(bound) if op.marking is not None else NOTHING)
    if op.opaque or op.terms == "creates" or (op.terms == "random" and op.gradient == "stops") or op.dtype in ("int64", "bool"):
        return own
    tests = ("condition", "mask") if op.guard == "select" else ()
    sources = {n: v for n, v in bound.args.items() if v.marks and n not in FACTORS and n not in tests}
    inherited = frozenset().union(*(_passed(op, bound, n, v) for n, v in sources.items()))  # type: ignore[arg-type]
    if op.guard == "select":
        return _chosen(bound, inherited, own)
    if op.terms in INHERITING:
        kept = bound.marks(op.lead) | (inherited if op.terms == "joins" else NOTHING)
        if op.terms == "joins" and not all("datamask" in e.marks for v in bound.args.values() for e in elements(v)):  # type: ignore[arg-type]
            kept = kept - {"datamask"}  # what is put beside is not masked
        return (kept - {"parameter"} if op.terms == "selects" else kept) | own
    if _zero_at_zeros(op, bound):
        own = own | {"zero"}
    data = [v for v in bound.args.values() if getattr(v, "numeric", False) and getattr(v, "ground", "config") != "config"]
    if not data:
        own = own - {"subtraction"}  # a difference of settings is no difference of data
    lost = {"default", "parameter", "optional"} | ({"trained"} if len(data) > 1 else set())
    return (inherited - lost) | own


def _passed(op: Op, bound: Bound, name: str, value: Value) -> frozenset[str]:
    """The words of an argument that hold for the result: those that say that 0 is ordinary only where 0 gives 0."""
    zeros = value.marks & (ZERO_WORDS | {"extent", "square", "relu", "scattered"})
    if not zeros or op.terms in INHERITING:
        return value.marks
    at_zero = op.image(Bound({**bound.args, name: value.but(range=Interval.point(0.0))}, bound.dtype))
    return value.marks if at_zero.contains(0.0) and at_zero.is_point else value.marks - zeros


def _chosen(bound: Bound, inherited: frozenset[str], own: frozenset[str]) -> frozenset[str]:
    """Words of a where or masked_fill: a constant arm other than 0 is a guard, an arm of 0 makes 0 ordinary."""
    fills = [v.range for n, v in bound.args.items() if n in ("input", "other", "value") and v.range.is_point]
    tests = [v for n, v in bound.args.items() if n in ("condition", "mask")]
    if any(r.lo == -INF for r in fills) and any(_is_data_mask(v, bound) for v in tests):
        own = own | {"datamask"}
    if any(r.lo == 0.0 for r in fills):
        return inherited | own | {"zero"}
    return ((inherited - ZERO_WORDS) | own | {"guarded"}) if fills else inherited | own


def _is_data_mask(test: Any, bound: Bound) -> bool:
    """A mask of data; not a test of the masked values themselves, which some of them pass (top-k)."""
    terms = {core(v.term) for v in bound.args.values() if getattr(v, "term", None) is not None}
    own = test.term is not None and any(core(a) in terms for a in core(test.term).args)
    return test.ground != "config" and not own


def zeroable(value: Value) -> bool:
    """Whether exactly 0 is an ordinary value: an end of a closed range, or said by its origin."""
    if value.marks & (ZERO_WORDS - {"count"}) or ("count" in value.marks and value.marks & {"mask", "selection"}):
        return True
    if "square" in value.marks and not value.marks & {"sum", "mean"}:
        return False
    return value.ground == "closed" and 0.0 in (value.range.lo, value.range.hi) and not value.is_number


def _zero_at_zeros(op: Op, bound: Bound) -> bool:
    """Whether the result is 0 where all arguments that can be 0 are."""
    zeros = [n for n, v in bound.args.items() if zeroable(v)]  # type: ignore[arg-type]
    if not zeros or op.terms not in ("elementwise", "reduces", "product"):
        return False
    if op.terms != "elementwise" and any(bound.marks(n) & NEVER_ALL_ZERO for n in zeros):
        return False
    at_zero = {n: v.but(range=Interval.point(0.0)) for n, v in bound.args.items() if n in zeros}  # type: ignore[attr-defined]
    image = op.image(Bound({**bound.args, **at_zero}, bound.dtype))
    return image.is_point and image.lo == 0.0


def _count(op: Op, bound: Bound) -> Interval:
    rule = op.count(bound) if callable(op.count) else op.count
    if rule == "same":
        return max((v.count for v in bound.args.values()), key=lambda c: c.hi, default=SOME)
    if rule == "one":
        return ONE
    if rule == "reduces":
        return SOME if bound.has("dim") and bound.const("dim") is not None else ONE
    own = op.marks | (op.marking(bound) if op.marking is not None else NOTHING)
    return ANY_COUNT if "selection" in own else SOME


def _emit(
    ctx: Context,
    spelling: Spelling,
    node: cst.CSTNode,
    bound: Bound,
    nodes: Mapping[str, cst.BaseExpression],
    hits: list[Hit],
    result: Value,
) -> Value:
    op, machine = spelling.op, ctx.machine
    born = _origins(bound)
    if result.term is not None and not machine.dry:
        _note_site(machine.trace.sites.setdefault(result.term, []), ctx.site(node))
    if machine.dry or ctx.state is None or not (hits or op.guard or born or ctx.is_statement):
        return result.but(born=born) if result.numeric and born else result
    use = Use(op, spelling.name, bound, nodes, ctx.site(node), result, hits, inplace=spelling.inplace, lib=spelling.lib, trace=machine.trace)
    use.discarded = ctx.is_statement
    if use.discarded and op.guard in ("floor", "select") and not _writes(use) and not _may_be_collection(use):
        hits.append(Hit(DISCARDED, "reached", "the result is dropped and nothing is changed"))
    if op.guard:
        _consume(use)
    if bound.has("other") and born:
        _normalise(bound)
    if hits:
        use.names, use.stamps = ctx.state.terms(), dict(ctx.state.stamps)
        machine.trace.uses.append(use)
        if result.term is not None:
            machine.trace.by_term.setdefault(result.term, []).append(use)
    if not result.numeric:
        return result
    own = any(h.brk.where not in ("silence",) for h in hits)
    follows = op.terms in INHERITING or op.terms in ("elementwise", "reduces", "opaque")
    passed = born if follows and op.dtype != "bool" else ()  # a NaN is no number of a comparison
    cuts = result.cuts | ({use} if any(h.brk.where == "graph" for h in hits) else set())
    return result.but(born=((use, *passed) if own else passed)[:4], cuts=cuts)


#: A guard as a statement of its own.
DISCARDED = Break("discarded", "input", lambda bound: None, where="silence", result="lost", says="a guard whose result is dropped does nothing")


def _may_be_collection(use: Use) -> bool:
    """names.add(x) of something that may be a set."""
    receiver = use.arg(use.op.lead)
    return use.spelling == ".add" and (receiver.kind != "tensor" or "callee" in receiver.marks)


def _writes(use: Use) -> bool:
    """Whether a call changes something: in place, or into out=."""
    call = use.site.node
    keywords = {a.keyword.value for a in call.args if a.keyword is not None} if isinstance(call, cst.Call) else set()
    return use.inplace or bool(keywords & {"out", "inplace"}) or use.spelling.startswith("operator.") or not isinstance(call, cst.Call)


def _origins(bound: Bound) -> tuple[Use, ...]:
    values: list[Value] = list(bound.args.values())  # type: ignore[arg-type]
    return tuple(dict.fromkeys(u for v in values for u in v.born))[:4]


def _consume(use: Use) -> None:
    for name, value in use.bound.args.items():
        for origin in value.born:  # type: ignore[attr-defined]
            if all(c.site.node is not use.site.node for c in origin.consumers):
                origin.consumers.append(Consumer(use.op, use.site, use.bound, name, use))


def _normalise(bound: Bound) -> None:
    """Marks what stands above and below the line of one division."""
    above: Value = bound.args["input"] if bound.has("input") else Value()  # type: ignore[assignment]
    below: Value = bound.args["other"]  # type: ignore[assignment]
    top = core(above.term) if above.term is not None else None
    for use in above.born:
        if use in below.born and below.marks & {"sum", "mean"} and use.term is not None and _same_elements(top, use.term):
            use.normalised = True


def _same_elements(term: Term | None, other: Term) -> bool:
    """Whether a term is another one under reshapes, transpositions and its own former normalisations."""
    while term is not None and term is not other:
        follows = term.args and (term.op in relations.PICKING or term.op in ("div", "mul", "join", "unsqueeze", "view"))
        term = core(term.args[0]) if follows else None
    return term is other


def _note_site(sites: list[Site], site: Site) -> None:
    if len(sites) < 8 and all(s.node is not site.node for s in sites):
        sites.append(site)
