"""Entries of the catalog by name or path, and what is said of a name that it does not have."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from ridgeline.catalog.facts import CatalogError
from ridgeline.catalog.packed import is_file, stems

__all__ = ["begun_by", "find", "ids", "nearest", "unknown_name"]

Entry = TypeVar("Entry")


def unknown_name(kind: str, name: str, ids_by_name: Mapping[str, str]) -> CatalogError:
    """Error for a name that is not in the catalog, with similar names, or with what the name looks like.

    Args:
        kind: "model" or "machine".
        name: name that was requested.
        ids_by_name: ids by themselves, and by other names after that.
    """
    also = f"All: ridgeline catalog {kind}s. {PATHS[kind]} works too."
    if not name.strip():
        return CatalogError(f"a {kind} has a name, and this is empty; give a catalog id. {also}")
    asked = name.lower()
    repository = REPOSITORY.fullmatch(name) if kind == "model" else None
    if repository is not None:
        shape = next((ids_by_name[one] for one in _shapes(repository["name"].lower()) if one in ids_by_name), "")
        catalog = f", or {shape}, which the catalog has" if shape else ""
        return CatalogError(
            f"there is no file or folder {name!r}; for the model of that name on the Hugging Face hub write hf:{name}"
            + catalog
        )
    if _is_path(name) and not Path(name).exists():
        return CatalogError(f"there is no file or folder {name!r}; give a path to one that is there, or a catalog id")
    longer = begun_by(asked, ids_by_name)
    if len(longer) > 1:
        return CatalogError(f"{kind} {name!r} may be any of {', '.join(longer)}; write one of them. {also}")
    if Path(name).exists():
        return CatalogError(f"{name!r} describes no {kind}; give a catalog id or a path. {also}")
    near = dict.fromkeys(ids_by_name[one] for one in nearest(asked, list(ids_by_name)))
    said = f"; nearest: {', '.join(list(near)[:5])}" if near else ""
    return CatalogError(f"no {kind} {name!r} in the catalog{said}. {also}")


def _shapes(name: str) -> Iterator[str]:
    """Catalog names to try for a repository: its whole name, then without one ending after another."""
    name = name.removeprefix("meta-")
    while name:
        yield name
        shorter = VARIANT.sub("", name)
        name = shorter if shorter != name else ""


def _is_path(name: str) -> bool:
    return "/" in name or name.startswith((".", "~")) or name.endswith((".toml", ".json"))


def begun_by(asked: str, ids_by_name: Mapping[str, str]) -> list[str]:
    """Ids with a name of which one in lower case is the beginning, up to a hyphen: "h100" of "h100-sxm"."""
    return sorted({one for name, one in ids_by_name.items() if name.startswith(f"{asked}-")})


def nearest(asked: str, names: Sequence[str]) -> list[str]:
    """Names that one in lower case may be a misspelling of, begins, or is a part of."""
    alike = difflib.get_close_matches(asked, names, n=5, cutoff=NEAR)
    if not alike and "-" not in asked:
        heads = difflib.get_close_matches(asked, {one.partition("-")[0] for one in names}, n=1, cutoff=NEAR)
        alike = [one for one in names if one.partition("-")[0] in heads]
    holding = [one for one in names if one.startswith(asked) or (len(asked) >= SPOKEN and asked in one)]
    return list(dict.fromkeys([*sorted(holding, key=lambda one: not one.startswith(asked)), *alike]))


NEAR = 0.7
"""Similarity from which a name may be a misspelling of another: one wrong letter in four."""

SPOKEN = 3
"""Letters of a name from which ids that contain it count as similar."""

PATHS = {
    "model": "A path to a config.json, to a folder with one or to a .toml file",
    "machine": "A path to a .toml file",
}
"""Paths that may be given in place of a name, in words."""

REPOSITORY = re.compile(r"(?P<owner>\w[\w.-]*)/(?P<name>[\w.-]*\w)(?<!\.toml)(?<!\.json)")
"""A model on the Hugging Face hub."""

VARIANT = re.compile(r"-(instruct|chat|it|base|hf|thinking|v\d[\d.]*|\d{4}|fp8|awq|gptq|int4|bf16)$")
"""End of a repository's name that may leave the shape as it is."""


def find(
    kind: str, folder: Path, name: str, read: Callable[[Path], Entry], also: Mapping[str, str] | None = None
) -> Entry:
    """Entry of a catalog id, read once, or of a path to a TOML file of the same form, read each time.

    Args:
        kind: "model" or "machine".
        folder: folder of the catalog.
        name: an id, its beginning up to a hyphen where only one id has that, or a path.
        read: function that reads a file.
        also: ids by other names, in lower case.

    Raises:
        CatalogError: there is no such id or file, or the file is malformed.
    """
    path = folder / f"{name.lower()}.toml"
    if name and "/" not in name and is_file(path):
        entry: Entry = _of_catalog(path, read)
        return entry
    given = Path(name)
    if name.endswith(".toml") and given.is_file():
        return read(given)
    own = {one: one for one in ids(folder)}
    meant = [] if _is_path(name) or given.exists() else begun_by(name.lower(), own)
    if len(meant) == 1:
        return find(kind, folder, meant[0], read)
    raise unknown_name(kind, name, {**own, **(also or {})})


@lru_cache(maxsize=512)
def _of_catalog(path: Path, read: Callable[[Path], Entry]) -> Entry:
    return read(path)


def ids(folder: Path) -> list[str]:
    """Catalog ids of a folder."""
    return stems(folder)
