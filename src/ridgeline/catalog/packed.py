"""The catalog's files packed in one, read and checked, for platforms without TOML or its checks.

A static page carries it in place of the files (``packing`` writes it). Readers of catalog files find their contents
here transparently.
"""

from __future__ import annotations

import pickle
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any, cast

__all__ = ["PACKED", "is_file", "is_packed", "packed", "place_of", "stems"]

CATALOG = Path(__file__).parent
PACKED = CATALOG / "packed.pickle"
"""Packed files by their path in the folder, each pickled separately, since few are used at a time."""


@lru_cache(maxsize=1)
def _files() -> dict[str, bytes]:
    try:
        # The loader also finds it in an archive of modules.
        held = cast("SourceFileLoader", globals()["__loader__"]).get_data(str(PACKED))
    except OSError:
        return {}
    found: dict[str, bytes] = pickle.loads(held)  # noqa: S301  our own
    return found


def place_of(path: Path) -> str:
    """Path of a file of the catalog in its folder; for another room's file, relative to it."""
    if path.is_relative_to(CATALOG):
        return path.relative_to(CATALOG).as_posix()
    package = CATALOG.parent
    return f"../{path.relative_to(package).as_posix()}" if path.is_relative_to(package) else ""


def is_packed(path: Path) -> bool:
    """Whether a file of the catalog is packed."""
    return bool(_files()) and place_of(path) in _files()


def packed(path: Path) -> Any:  # noqa: ANN401  as many kinds as there are files
    """Contents of a packed file, as a checked record."""
    return pickle.loads(_files()[place_of(path)])  # noqa: S301  our own


def is_file(path: Path) -> bool:
    """Whether there is a file, packed or by itself."""
    return is_packed(path) or path.is_file()


def stems(folder: Path) -> list[str]:
    """Names of a folder's TOML files, packed or by themselves."""
    here = [Path(place).stem for place in _files() if CATALOG / Path(place).parent == folder]
    return sorted({*here, *(path.stem for path in folder.glob("*.toml"))})
