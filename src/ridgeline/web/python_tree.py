"""The part of this package that answers, as files for another Python, which has neither NumPy nor pydantic."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from ridgeline.catalog.packed import PACKED
from ridgeline.catalog.packing import packed_catalog
from ridgeline.inversion.priors import PRIORS, Priors
from ridgeline.inversion.recorded import RECORD, Recorded

__all__ = ["python_tree"]

SOURCES = Path(__file__).parents[2]
"""The folder that holds this package."""

ENTRY = "ridgeline.web.worker.reply"
STAND_IN = Path(__file__).parent / "worker" / "numpy"

OTHERS = {PRIORS: Priors, RECORD: Recorded}
"""Files that boards read beside the catalog's."""

LIBRARIES = ("frozendict",)
"""Third-party packages that the answers need, all of them pure Python."""


def python_tree() -> dict[str, bytes]:
    """Contents of files by path: the modules that answers need, their imports, and the catalog."""
    found = {path.relative_to(SOURCES).as_posix(): path.read_bytes() for path in _modules(ENTRY)}
    found |= {f"numpy/{path.name}": path.read_bytes() for path in STAND_IN.glob("*.py")}
    for library in LIBRARIES:
        for file in resources.files(library).iterdir():
            if file.name.endswith(".py"):
                found[f"{library}/{file.name}"] = file.read_bytes()
    found[PACKED.relative_to(SOURCES).as_posix()] = packed_catalog(OTHERS)
    return dict(sorted(found.items()))


def _modules(entry: str) -> list[Path]:
    """Files of this package that a module imports, at once or later, and those that they import."""
    wanted, found = [entry], dict[str, Path]()
    while wanted:
        name = wanted.pop()
        path = _file(name)
        if path is None or name in found:
            continue
        found[name] = path
        parent, _, _ = name.rpartition(".")
        wanted += [parent, *_imported(ast.parse(path.read_bytes()))]
    return list(found.values())


def _file(module: str) -> Path | None:
    """Source file of a module of this package; None for other packages, and for names that are no module."""
    if module.partition(".")[0] != "ridgeline":
        return None
    place = SOURCES.joinpath(*module.split("."))
    return next((path for path in (place / "__init__.py", place.with_suffix(".py")) if path.is_file()), None)


def _imported(node: ast.AST) -> Iterator[str]:
    """Names of imported modules and of imports from them, except those for type checkers alone."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            continue
        if isinstance(child, ast.Import):
            yield from (one.name for one in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module:
            yield child.module
            yield from (f"{child.module}.{one.name}" for one in child.names)
        else:
            yield from _imported(child)
