"""Losses. All are averaged or added up, so a range is that of one element times a count."""

from __future__ import annotations

from nanlint.interval import INF, Interval, absolute, limits, square, sub
from nanlint.ops.images import at, averaged, number, setting, total, unknown, when
from nanlint.ops.linalg import eps_lost
from nanlint.ops.make import from_threshold
from nanlint.ops.pointwise import EXP_OVERFLOW
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


def _many(b: Bound) -> str:
    """A number, or with reduction="none" one for each row or element."""
    reduction = setting(b, "reduction", "mean")
    return "same" if reduction == "none" else "one" if reduction in ("mean", "sum") else "any"


def _loss(name: str, image: Image, *breaks: Break, note: str = "overflows by magnitude") -> Op:
    return Op(name, image, breaks, terms="opaque", dtype="float", count=_many, marks=frozenset({"loss"}), note=note)


# ---- breaks ----------------------------------------------------------------------------------------

EMPTY = Break(
    "mean-empty", "input", when(lambda b: setting(b, "reduction", "mean") == "mean", at(0.0)), of="count",
    says="the mean over no rows is NaN",
)

_overflowing = from_threshold(EXP_OVERFLOW)
POISSON_EXP = Break(
    "exp-overflow", "input", when(lambda b: setting(b, "log_input", True) is True, _overflowing), result="inf",
    says="exp of the log rate overflows",
)
SOFT_MARGIN_EXP = Break(
    "exp-overflow", "input", _overflowing, result="inf", says="exp overflows inside; softplus(-input * target) does not"
)
KL_TARGET = Break(
    "log-zero", "target", when(lambda b: setting(b, "log_target", False) is False, at(0.0)), where="gradient",
    says="the gradient to a target of 0 is 0 * log 0: NaN",
)


def _no_eps(b: Bound) -> bool:
    return number(b, "eps", 1e-6) == 0.0


GAUSSIAN_VAR = Break("divisor-zero", "var", when(_no_eps, at(0.0)), result="nan", says="a variance of 0 is divided by, with eps 0")


ROWS: tuple[Op, ...] = (
    _loss("mse_loss", _reduced(_squared), EMPTY),
    _loss("l1_loss", _reduced(_absolute), EMPTY),
    _loss("smooth_l1_loss", _nonnegative, EMPTY),
    _loss("huber_loss", _nonnegative, EMPTY),
    _loss("cross_entropy", _cross_entropy, EMPTY),
    _loss("nll_loss", unknown, EMPTY),
    _loss("binary_cross_entropy", _reduced(_bce), EMPTY, note="breaks in other ways: its 1e-12 is 0 in float16, the gradient at 0 and 1 infinite"),
    _loss("binary_cross_entropy_with_logits", unknown, EMPTY),
    _loss("kl_div", unknown, KL_TARGET, EMPTY),
    _loss("poisson_nll_loss", unknown, POISSON_EXP, EMPTY),
    _loss("gaussian_nll_loss", unknown, GAUSSIAN_VAR),
    _loss("soft_margin_loss", _nonnegative, SOFT_MARGIN_EXP, EMPTY),
    _loss("multilabel_soft_margin_loss", unknown),
    _loss("multilabel_margin_loss", _nonnegative),
    _loss("multi_margin_loss", _nonnegative),
    _loss("hinge_embedding_loss", unknown),
    _loss("margin_ranking_loss", _nonnegative),
    _loss("cosine_embedding_loss", _nonnegative, eps_lost(1e-12), eps_lost(1e-12, "other"),
          note="breaks in other ways: squares by hand overflow to NaN in float16"),
    _loss("triplet_margin_loss", _nonnegative),
    _loss("ctc_loss", unknown),
)
