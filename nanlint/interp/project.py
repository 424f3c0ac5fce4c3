"""Modules, classes and functions of the project, found on disk and parsed at the first asking."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nanlint.interp.values import Value
from nanlint.source import Source, SourceError

if TYPE_CHECKING:
    from nanlint.interp.context import Context

FunctionNode = (ast.FunctionDef, ast.AsyncFunctionDef)
#: Modules that a project keeps in memory, with their trees.
KEPT = 150
MARKERS = ("pyproject.toml", "setup.cfg", "setup.py", ".git", ".hg")


@dataclass(eq=False)
class FunctionInfo:
    """A function: its definition (ast of the file, or the libcst node of a nested one) and where it stands."""

    name: str
    module: ModuleInfo
    node: ast.FunctionDef | ast.AsyncFunctionDef | None
    owner: ClassInfo | None = None
    inner: Any = None  # libcst FunctionDef or Lambda of a nested function
    closure: Context | None = None

    @property
    def short(self) -> str:
        return self.name.rsplit(".", 1)[-1]

    @property
    def public(self) -> bool:
        short = self.short
        return self.inner is None and (not short.startswith("_") or (short.startswith("__") and short.endswith("__")))

    @property
    def decorators(self) -> list[str]:
        return [ast.unparse(d) for d in self.node.decorator_list] if self.node is not None else []


@dataclass(eq=False)
class ClassInfo:
    """A class of the project: bases as written, methods, attributes by assignment in methods."""

    name: str
    module: ModuleInfo
    node: ast.ClassDef
    methods: dict[str, FunctionInfo] = field(default_factory=dict)
    constants: dict[str, ast.stmt] = field(default_factory=dict)
    attributes: dict[str, Value] | None = None
    evaluating: bool = False
    #: methods other than __init__ that assign an attribute, by attribute
    setters: dict[str, list[str]] = field(default_factory=dict)

    @property
    def bases(self) -> list[str]:
        return [ast.unparse(b) for b in self.node.bases]


@dataclass(eq=False)
class Instance:
    """An object of a project class, with the attributes that its construction gave it."""

    cls: ClassInfo
    attributes: dict[str, Value]


@dataclass(eq=False)
class ModuleInfo:
    """A file of the project: what its names are bound to, evaluated on demand."""

    source: Source
    tree: ast.Module
    dotted: str = ""
    definitions: dict[str, ast.stmt] = field(default_factory=dict)
    functions: dict[str, FunctionInfo] = field(default_factory=dict)
    classes: dict[str, ClassInfo] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    evaluating: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for statement in module_statements(self.tree.body):
            self._define(statement)

    @property
    def library(self) -> str:
        """The library that values of unknown origin are taken to be of."""
        tops = {d.partition(".")[0] for d in self.source.imports.values()}
        return next((lib for lib in ("torch", "jax", "tensorflow", "keras", "numpy") if lib in tops), "torch")

    def _define(self, statement: ast.stmt) -> None:
        if isinstance(statement, FunctionNode):
            if not _is_overload(statement):
                self.functions[statement.name] = FunctionInfo(statement.name, self, statement)
                self.definitions[statement.name] = statement
        elif isinstance(statement, ast.ClassDef):
            self.classes[statement.name] = describe_class(statement, self)
            self.definitions[statement.name] = statement
        else:
            for name in bound_names(statement):
                self.definitions[name] = statement

    def all_functions(self) -> Iterator[FunctionInfo]:
        """Module functions and methods in source order."""
        found = [*self.functions.values(), *(m for c in self.classes.values() for m in c.methods.values())]
        yield from sorted(found, key=lambda f: f.node.lineno if f.node is not None else 0)


def module_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that bind names of a module: through if and try, not through TYPE_CHECKING."""
    for statement in body:
        if isinstance(statement, ast.If):
            if not _is_type_checking(statement.test):
                yield from module_statements(statement.body)
            yield from module_statements(statement.orelse)
        elif isinstance(statement, ast.Try):
            yield from module_statements([s for h in statement.handlers for s in h.body])
            yield from module_statements(statement.body + statement.orelse + statement.finalbody)
        elif isinstance(statement, ast.With):
            yield from module_statements(statement.body)
        else:
            yield statement


def _is_type_checking(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING")


def _is_overload(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(ast.unparse(d).rsplit(".", 1)[-1] == "overload" for d in node.decorator_list)


def bound_names(statement: ast.stmt) -> list[str]:
    """Names that a statement other than a definition binds."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = list(statement.targets)
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        targets = [statement.target]
    return [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def describe_class(node: ast.ClassDef, module: ModuleInfo) -> ClassInfo:
    info = ClassInfo(node.name, module, node)
    for statement in module_statements(node.body):
        if isinstance(statement, FunctionNode):
            if not _is_overload(statement):
                info.methods[statement.name] = FunctionInfo(f"{node.name}.{statement.name}", module, statement, owner=info)
                _note_setters(statement, info)
        elif not isinstance(statement, ast.ClassDef):
            for name in bound_names(statement):
                info.constants[name] = statement
    return info


def _note_setters(method: ast.FunctionDef | ast.AsyncFunctionDef, info: ClassInfo) -> None:
    if method.name == "__init__" or not method.args.args:
        return
    me = method.args.args[0].arg
    for node in ast.walk(method):
        target = _changed(node)
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == me:
            methods = info.setters.setdefault(target.attr, [])
            if method.name not in methods:
                methods.append(method.name)


def _changed(node: ast.AST) -> ast.AST | None:
    """What a node changes: an attribute that is stored to, one whose item is, the receiver of a call in place."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return node
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_") and node.func.attr[-2:] != "__":
        return _receiver(node.func.value)
    return None


def _receiver(node: ast.expr) -> ast.expr:
    """self.x of self.x.mul_(a).add_(b) and self.x.data.copy_(y)."""
    while True:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        elif isinstance(node, ast.Attribute) and node.attr == "data":
            node = node.value
        else:
            return node


class Project:
    """Finds the files of a project: root, import roots, modules by dotted name. Reads nothing outside its root."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root
        self._modules: dict[str, ModuleInfo | None] = {}
        self._bases: dict[str, tuple[str, list[str]]] = {}
        self._paths: dict[tuple[str, str], str | None] = {}

    def module(self, dotted: str, importer: Source) -> ModuleInfo | None:
        """The module of a dotted name (leading dots: relative to the importer), or None."""
        here = os.path.dirname(importer.path)
        if (here, dotted) not in self._paths:
            self._paths[here, dotted] = self._locate(dotted, os.path.realpath(here))
        path = self._paths[here, dotted]
        if path is None:
            return None
        if path not in self._modules:
            while len(self._modules) >= KEPT:
                del self._modules[next(iter(self._modules))]
            self._modules[path] = self._load(path)
        return self._modules[path]

    @staticmethod
    def _load(path: str) -> ModuleInfo | None:
        try:
            source = Source.read(path)
            return ModuleInfo(source, source.tree)
        except (SourceError, OSError):
            return None

    def _locate(self, dotted: str, here: str) -> str | None:
        root, plain = self._import_roots(here)
        level = len(dotted) - len(dotted.lstrip("."))
        parts = [p for p in dotted.lstrip(".").split(".") if p]
        if level:
            bases = [os.path.normpath(os.path.join(here, *[".."] * (level - 1)))]
        else:
            bases = plain
        for base in bases:
            found = _file_of(base, parts)
            if found is not None and found.startswith(root + os.sep):
                return found
        return None


    def _import_roots(self, here: str) -> tuple[str, list[str]]:
        """The project's root and where absolute imports of a folder's files start."""
        if here not in self._bases:
            root = os.path.realpath(self.root) if self.root is not None else str(project_root(here))
            self._bases[here] = root, list(dict.fromkeys([here, root, os.path.join(root, "src"), package_top(here)]))
        return self._bases[here]


def _file_of(base: str, parts: list[str]) -> str | None:
    path = os.path.join(base, *parts)
    for candidate in (path + ".py", os.path.join(path, "__init__.py")):
        if os.path.isfile(candidate):
            return os.path.realpath(candidate)
    return None


def project_root(folder: str) -> Path:
    """The nearest parent with a project marker, or the folder itself."""
    start = Path(folder)
    for parent in (start, *start.parents):
        if any((parent / marker).exists() for marker in MARKERS):
            return parent
    return start


def package_top(folder: str) -> str:
    """The folder that holds the outermost package of a folder."""
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder
