"""Words that lift unknown to suspected: the telling names of arguments, divisors, scales, batches. They stand here only."""

from __future__ import annotations

import re

import libcst as cst

#: Words that lift unknown to suspected, whole-word stems; by what they stand on.
TELLING_ARGUMENTS = ("prob", "score", "rate", "power", "energy", "det")
TELLING_DIVISORS = ("count", "num_pos", "npos", "mask", "weight", "valid", "length", "depth", "disp", "norm", "std", "grad")
#: Of these, the ones that tell only where a gradient is expected: elsewhere they are settings, kernels, statistics.
VAGUE_DIVISORS = frozenset({"weight", "length", "norm", "std"})
TELLING_BATCHES = ("adv", "advantage", "return", "reward", "loss", "score")
TELLING_MASKS = ("mask", "valid")
#: What no mask is called.
INDICES = ("index", "indices", "idx", "ind", "id")
TELLING_GROUPS = ("group", "generation", "completion", "rollout", "sample", "variant")
TELLING_SCALES = ("log_std", "logstd", "log_var", "logvar", "log_scale", "logscale", "log_sigma", "logsigma", "log_alpha")
#: Words of trained parameters whose exp scales what it is multiplied with.
SCALE_WORDS = frozenset({"scale", "temperature", "temp", "sigma", "std", "var", "tau", "log"})
#: Words of names of settings that callers choose.
SETTING_WORDS = frozenset(
    {"factor", "type", "clip", "clipping", "threshold", "temperature", "tau", "order", "size", "dim", "lr", "momentum", "decay", "inv", "ord"}
)


def words_of(node: cst.CSTNode | None) -> set[str]:
    """The names that an argument is written with: x, self.x, x.sum(), x[...], clamp(x)."""
    names: set[str] = set()
    while node is not None:
        if isinstance(node, cst.Name):
            names.add(node.value.lower())
            break
        if isinstance(node, cst.Attribute):
            names.add(node.attr.value.lower())
            break
        if isinstance(node, cst.UnaryOperation):
            node = node.expression
        elif isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
            names |= words_of(node.left)
            node = node.right
        elif isinstance(node, cst.Subscript) and isinstance(key := _string_key(node), str):
            names.add(key.lower())
            break
        elif isinstance(node, cst.Call):
            node = node.func.value if isinstance(node.func, cst.Attribute) else None
        elif isinstance(node, cst.Subscript):
            node = node.value
        else:
            break
    return names


def _string_key(node: cst.Subscript) -> object:
    index = node.slice[0].slice
    return index.value.evaluated_value if isinstance(index, cst.Index) and isinstance(index.value, cst.SimpleString) else None


def tells(names: set[str], stems: tuple[str, ...]) -> bool:
    for name in names:
        parts = [p for p in re.split(r"_+|\d+", name) if p]
        if any(part == stem or part == stem + "s" for part in parts for stem in stems) or any("_" in s and s in name for s in stems):
            return True
    return False
