"""What tests/test_ops.py cannot ask of the rows: defaults by library, overloads, copies, counts, settings, bounds of logits."""

from __future__ import annotations

import math

import pytest

from nanlint import ops
from nanlint.interval import Interval
from nanlint.ops.spec import Bound, Spelling

torch = pytest.importorskip("torch")
numpy = pytest.importorskip("numpy")

from test_ops import Arg, arg_of  # noqa: E402


def image(name: str, dtype: str = "float32", **args: object) -> Interval:
    bound = Bound({key: value if isinstance(value, Arg) else arg_of(value) for key, value in args.items()}, dtype)
    return ops.rows()[name].image(bound)


def hits(name: str, dtype: str = "float32", **args: object) -> set[str]:
    """Kinds of breaks whose zone is there for these arguments and touches them."""
    bound = Bound({key: value if isinstance(value, Arg) else arg_of(value) for key, value in args.items()}, dtype)
    found = set()
    for brk in ops.rows()[name].breaks:
        zone = brk.zone(bound) if brk.arg in bound.args else None
        if zone is not None and (bound.args[brk.arg].count if brk.of == "count" else bound.args[brk.arg].range).touches(zone):
            found.add(brk.kind)
    return found


def tensor(lo: float, hi: float, count: float = 64.0, dtype: str = "float32", marks: frozenset[str] = frozenset()) -> Arg:
    return Arg(Interval(lo, hi), dtype, count=Interval.point(count), marks=marks)


def chosen(name: str, *kinds: str, **keywords: str) -> Spelling:
    found = ops.find_method(name[1:], "torch") if name.startswith(".") else ops.find(name)
    assert found is not None
    return ops.choose(found, kinds, keywords)


def test_numpy_divides_by_n_and_torch_by_n_minus_one() -> None:
    assert chosen("numpy.std", "tensor").preset == {"correction": 0}
    assert chosen("numpy.std", "tensor", ddof="number").preset == {}
    assert numpy.std([3.0]) == 0.0 and math.isnan(torch.tensor([3.0]).std())
    one = tensor(-5.0, 5.0, 1.0)
    assert hits("std", input=one) == {"std-one"}
    assert hits("std", input=one, correction=0) == set() == hits("var", input=one, unbiased=False)
    assert hits("std", input=one, dim=False) == set(), "torch.std(x, False) is unbiased=False"


@pytest.mark.parametrize(("call", "kinds", "row"), [
    ("torch.max", ("tensor", "tensor"), "maximum"),
    ("torch.max", ("tensor", "number"), "max"),
    (".min", ("tensor",), "min"),
    (".min", ("tensor", "tensor"), "minimum"),
    ("torch.Tensor", ("sequence",), "tensor"),
    ("torch.Tensor", ("number", "number"), "empty"),
    ("numpy.where", ("tensor",), "nonzero"),
    ("numpy.where", ("tensor", "tensor", "number"), "where"),
])
def test_overloads(call: str, kinds: tuple[str, ...], row: str) -> None:
    assert chosen(call, *kinds).op.name == row


def test_max_along_dim_is_a_pair() -> None:
    returns = ops.rows()["max"].returns
    assert callable(returns)
    assert returns(Bound({"input": arg_of(torch.ones(3))})) == "tensor"
    assert returns(Bound({"input": arg_of(torch.ones(3)), "dim": arg_of(0)})) == "pair"
    assert returns(Bound({"input": arg_of(torch.ones(3)), "dim": arg_of(None)})) == "tensor"


def test_parts_are_rows() -> None:
    named = {part for op in ops.rows().values() for part in op.parts if part}
    assert named and named <= set(ops.rows())


def test_bounded_logits_keep_softmax_from_zero() -> None:
    assert image("softmax", input=tensor(-1.0, 1.0)).lo > 1e-3
    assert image("softmax", input=tensor(-100.0, 100.0)).lo == 0.0
    assert image("softmax", input=tensor(-math.inf, 1.0)).lo == 0.0
    assert image("log_softmax", input=tensor(-math.inf, 1.0)).lo == -math.inf
    assert image("log_softmax", input=tensor(-1.0, 1.0)).lo > -7.0
    assert hits("softmax", input=tensor(-math.inf, 1.0)) == {"softmax-masked"} != hits("softmax", input=tensor(-1e30, 1e30))


def test_sums_and_means_keep_signs() -> None:
    assert image("sum", input=tensor(0.5, 2.0)).lo >= 0.5, "a batch is not empty"
    assert image("sum", input=tensor(0.0, 1.0, math.inf)).lo == 0.0
    assert image("sum", input=tensor(0.5, 2.0, 0.0)).contains(0.0)
    assert image("mean", input=tensor(0.0, 1.0)) == Interval(0.0, 1.0)
    assert image("norm", input=tensor(-3.0, 2.0)).lo == 0.0 < image("norm", input=tensor(1.0, 2.0)).lo
    assert hits("mean", input=tensor(0.0, 1.0, 0.0)) == {"mean-empty"}


def test_sum_of_a_mask_counts() -> None:
    marking = ops.rows()["sum"].marking
    assert marking is not None
    assert "count" in marking(Bound({"input": tensor(0, 1, dtype="bool")}))
    assert marking(Bound({"input": tensor(0, 1, marks=frozenset({"mask"}))})) == {"mask", "count"}
    assert marking(Bound({"input": tensor(0, 1)})) == set()


def test_masks_select() -> None:
    marking = ops.rows()["getitem"].marking
    assert marking is not None
    data = tensor(-1.0, 1.0)
    assert marking(Bound({"input": data, "index": arg_of(torch.tensor([True]))})) == {"selection"}
    assert marking(Bound({"input": data, "index": arg_of(0)})) == set() == marking(Bound({"input": data, "index": arg_of(torch.tensor([1]))}))


def test_copies_of_tensors_cut() -> None:
    x, number = torch.ones(2, requires_grad=True), Arg(Interval(0.0, 9.0), "pyfloat", kind="number")
    assert hits("tensor", data=x) == hits("tensor", data=[x, x]) == hits("as_tensor", data=[x, x]) == {"copy-cut"}
    assert hits("as_tensor", data=x) == set() == hits("tensor", data=[1.0, 2.0])
    assert hits("tensor", data=number, requires_grad=True) == {"copy-cut"} != hits("tensor", data=number)
    unknown_length = Arg(Interval.everything(), None, element=arg_of(x), kind="sequence")
    assert hits("tensor", data=unknown_length) == {"copy-cut"}
    assert torch.as_tensor(x).requires_grad and not torch.as_tensor([x[0], x[1]]).requires_grad


def test_eps_is_lost_in_half_only() -> None:
    zeros = tensor(0.0, 0.0, dtype="float16")
    assert "eps-lost" in hits("normalize", "float16", input=zeros)
    assert "eps-lost" not in hits("normalize", "float16", input=zeros, eps=1e-4)
    assert "eps-lost" not in hits("normalize", "float32", input=zeros) and "eps-lost" not in hits("normalize", "bfloat16", input=zeros)


@pytest.mark.parametrize(("modes", "silenced"), [
    ({"all": "ignore"}, True), ({"divide": "ignore"}, True), ({"under": "ignore"}, False), ({"all": "raise"}, False),
    ({"all": "ignore", "divide": "raise", "over": "raise", "invalid": "raise"}, False), ({"invalid": "ignore", "all": "raise"}, True),
])
def test_error_modes(modes: dict[str, str], silenced: bool) -> None:
    assert (hits("seterr", **modes) == {"silence"}) is silenced
    assert (hits("errstate", **modes) == {"silence"}) is silenced


def test_kl_div_of_a_zero_target() -> None:
    target = tensor(0.0, 1.0)
    assert hits("kl_div", input=tensor(-3.0, 0.0), target=target) == {"log-zero"}
    assert hits("kl_div", input=tensor(-3.0, 0.0), target=target, log_target=True) == set()


def test_dropout_and_pooling_keep_facts() -> None:
    assert image("dropout", input=tensor(0.25, 1.0), p=0.5).within(0.0, 2.01)
    assert image("dropout", input=tensor(0.25, 1.0), training=False) == Interval(0.25, 1.0)
    assert image("max_pool", input=tensor(0.0, 1.0), kernel_size=2) == Interval(0.0, 1.0)
    assert image("avg_pool", input=tensor(0.5, 1.0), kernel_size=2, padding=1) == Interval(0.0, 1.0)


def test_random_numbers_reach_zero_never_one() -> None:
    for dtype in ("float16", "bfloat16", "float32", "float64"):
        found = image("rand", dtype, size=(3,))
        assert found.lo == 0.0 and found.hi < 1.0
        seen = torch.rand(200000, dtype=getattr(torch, dtype)).double()
        assert found.contains(float(seen.max())) and found.contains(float(seen.min()))


def test_the_normal_quantile_breaks_at_and_outside_the_ends_of_the_unit_interval() -> None:
    assert hits("ndtri", input=tensor(0.0, 1.0)) == {"arc-edge"}
    assert hits("ndtri", input=tensor(1e-6, 0.75)) == set()
    assert hits("ndtri", input=tensor(-0.5, 0.75)) == {"arc-outside", "arc-edge"}
    assert [float(torch.special.ndtri(torch.tensor(x))) for x in (0.0, 1.0)] == [-math.inf, math.inf]
