"""The door to the tables: rows of ops, and how each framework spells them.

Every module of this folder that has `ROWS` gives rows, every module that has `TABLE` (and `LIB`)
gives spellings: nothing is listed anywhere. All are read at the first question.

A table is text, a spelling a line, `#` comments, a line without "name(...)" goes on with the one before:

    row(signature) [<- (constructor signature)] [preset=constant ...] spelling spelling ...

A parameter is `theirs:ours=default` (`:ours` where the names differ), `=?` one that may be left
out, `name@tensor` one that makes an overload for some kinds of argument only (`name@tensor|unknown`),
`*name` takes the rest, `*` and `/` as in Python. Spellings: "torch.sqrt", "F.relu" (short for
torch.nn.functional), ".sqrt" a method of the library's tensor, "operator.add" an operator. Several
lines may give one name: they are its overloads, the first is found, `choose` picks among them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from nanlint.ops.spec import Op, Spelling
from nanlint.ops.table import parse_table

__all__ = ["choose", "find", "find_method", "hazard_tokens", "problems", "rows", "spellings"]

#: Other ways to reach a name: the prefix is replaced, longest first.
_ALIASES = {
    "torch.functional.": "torch.", "torch._C._nn.": "torch.nn.functional.", "torch.nn.modules.": "torch.nn.",
    "torch.autograd.": "torch.", "numpy.core.": "numpy.", "numpy.lib.": "numpy.",
}
#: The class of a library's tensor: its attributes are methods.
_TENSORS = {
    "torch.Tensor.": "torch", "torch.FloatTensor.": "torch", "torch.nn.Parameter.": "torch", "numpy.ndarray.": "numpy",
    "numpy.matrix.": "numpy", "builtins.float.": "python", "builtins.int.": "python",
}
_SYMBOLS = {"operator.truediv": "/", "operator.pow": "**", "operator.floordiv": "//", "operator.mod": "%"}
#: Names too common to be a sign of anything; what makes them one is the dtype that they name.
_COMMON = {"to": ("float16", "bfloat16", "half"), "type": (), "float": (), "astype": ("float16", "float32"), "type_as": ()}


#: dtypes that numbers of float32 overflow
_NARROW = ("float16", "bfloat16")


@dataclass
class _Tables:
    rows: dict[str, Op] = field(default_factory=dict)
    names: dict[str, Spelling] = field(default_factory=dict)
    methods: dict[tuple[str, str], Spelling] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


@lru_cache(maxsize=None)
def _tables() -> _Tables:
    """All modules of the folder, read once; what cannot be understood becomes a problem, never an exception."""
    tables = _Tables()
    modules = [importlib.import_module(f"{__name__}.{entry.name}") for entry in sorted(pkgutil.iter_modules(__path__), key=lambda e: e.name)]
    for module in modules:
        for op in getattr(module, "ROWS", ()):
            if op.name in tables.rows:
                tables.problems.append(f"{module.__name__}: row {op.name} is there twice")
            tables.rows.setdefault(op.name, op)
    gathered: dict[tuple[str, str], list[Spelling]] = {}
    for module in modules:
        if hasattr(module, "TABLE"):
            found, wrong = parse_table(module.TABLE, module.LIB, tables.rows)
            tables.problems += [f"{module.__name__}: {text}" for text in wrong]
            for spelling in found:
                gathered.setdefault((spelling.lib, spelling.name), []).append(spelling)
    _enter(tables, gathered)
    return tables


def _enter(tables: _Tables, gathered: Mapping[tuple[str, str], list[Spelling]]) -> None:
    for (lib, name), overloads in gathered.items():
        first = overloads[0]
        if len(overloads) > 1:
            first = replace(first, overloads=tuple(overloads))
        if name.startswith("."):
            tables.methods[lib, name[1:]] = first
        elif name in tables.names:
            tables.problems.append(f"{name} is spelled by two libraries")
        else:
            tables.names[name] = first


def rows() -> dict[str, Op]:
    """All rows by name."""
    return _tables().rows


def problems() -> tuple[str, ...]:
    """What is wrong with the tables: unknown rows, lines that do not parse, names given twice."""
    return tuple(_tables().problems)


def spellings() -> tuple[Spelling, ...]:
    """Every spelling, overloads one by one."""
    tables = _tables()
    return tuple(one for first in (*tables.names.values(), *tables.methods.values()) for one in first.overloads or (first,))


@lru_cache(maxsize=4096)
def find(qualified: str) -> Spelling | None:
    """The spelling of a function, operator, or module class by its full name ("torch.nn.functional.relu", "operator.add")."""
    names = _tables().names
    if qualified in names:
        return names[qualified]
    for prefix, lib in _TENSORS.items():
        if qualified.startswith(prefix) and "." not in qualified[len(prefix):]:
            return find_method(qualified[len(prefix):], lib)
    for prefix, other in _ALIASES.items():
        if qualified.startswith(prefix):
            return find(other + qualified[len(prefix):]) or find(other + qualified.rpartition(".")[2])
    if qualified.startswith("torch.") and _in_place(qualified):
        plain = find(qualified[:-1])
        return replace(plain, name=qualified, inplace=True, overloads=_all_in_place(plain)) if plain is not None else None
    return None


@lru_cache(maxsize=4096)
def find_method(name: str, lib: str = "") -> Spelling | None:
    """The spelling of a method of a library's tensor; lib "" asks torch, numpy, python in this order."""
    methods = _tables().methods
    for one in (lib,) if lib else ("torch", "numpy", "python"):
        if (one, name) in methods:
            return methods[one, name]
        if one == "torch" and _in_place(name) and (one, name[:-1]) in methods:
            plain = methods[one, name[:-1]]
            return replace(plain, name=f".{name}", inplace=True, overloads=_all_in_place(plain))
    return None


def _in_place(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__") and not name.endswith("._")


def _all_in_place(plain: Spelling) -> tuple[Spelling, ...]:
    return tuple(replace(one, name=f"{one.name}_", inplace=True) for one in plain.overloads)


def choose(spelling: Spelling, positional: Sequence[str] = (), keywords: Mapping[str, str] | None = None) -> Spelling:
    """The overload that fits a call; the first if none fits.

    positional  the kinds of the positional arguments ("tensor", "number", "sequence", "dtype", "none",
                "string", "unknown" ...), for a method with its receiver first
    keywords    the kinds of the keyword arguments by name
    """
    given = keywords or {}
    for one in spelling.overloads:
        if _fits(one, positional, given):
            return one
    return spelling


def _fits(spelling: Spelling, positional: Sequence[str], keywords: Mapping[str, str]) -> bool:
    places = [p for p in spelling.params if p.kind in ("either", "positional", "rest")]
    rest = next((p for p in places if p.kind == "rest"), None)
    fixed = [p for p in places if p.kind != "rest"]
    if len(positional) > len(fixed) and rest is None:
        return False
    taken: dict[str, str] = {}
    for index, kind in enumerate(positional):
        param = fixed[index] if index < len(fixed) else rest
        if param is None or not _takes(param.takes, kind):
            return False
        taken[param.name] = kind
    by_name = {p.name: p for p in spelling.params if p.kind in ("either", "keyword")}
    for name, kind in keywords.items():
        if name not in by_name or name in taken or not _takes(by_name[name].takes, kind):
            return False
        taken[name] = kind
    return all(p.name in taken for p in spelling.params if p.required)


def _takes(takes: str, kind: str) -> bool:
    return not takes or kind in takes.split("|")


@lru_cache(maxsize=None)
def hazard_tokens() -> frozenset[str]:
    """Words of which a file must hold one to have a hazard: last name components of what breaks; operators by symbol."""
    tokens: set[str] = set()
    for spelling in spellings():
        if spelling.op.breaks:
            tokens |= set(_tokens(spelling))
    return frozenset(tokens)


def _tokens(spelling: Spelling) -> Iterable[str]:
    if spelling.name.startswith("operator."):
        return (_SYMBOLS[spelling.name],) if spelling.name in _SYMBOLS else ()
    last = spelling.name.rpartition(".")[2]
    if spelling.preset.get("dtype", "float16") not in _NARROW:
        return ()
    return _COMMON.get(last, (last,))
