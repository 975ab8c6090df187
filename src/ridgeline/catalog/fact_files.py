"""Files of facts, read and checked, and the sources that they name."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ridgeline.catalog.facts import CATALOG, CatalogError, Source
from ridgeline.catalog.packed import is_packed, packed
from ridgeline.quantity_text import dimension_of, example_of

if TYPE_CHECKING:  # checks files, and is not at hand where they come checked
    from pydantic import TypeAdapter, ValidationError
    from pydantic_core import ErrorDetails

__all__ = ["SOURCES", "known_source", "read_toml", "sources"]

SOURCES = CATALOG / "sources.toml"

Record = TypeVar("Record")


def read_toml(path: Path, schema: type[Record]) -> Record:
    """Contents of a TOML file as a checked record, or as a mapping of records.

    Raises:
        CatalogError: the file does not parse, or a field is missing, unknown or misplaced; the message names both.
    """
    if is_packed(path):
        found: Record = packed(path)
        return found
    from pydantic import ValidationError  # noqa: PLC0415  not at hand where all files are packed

    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        changed = dt.datetime.fromtimestamp(path.stat().st_mtime, tz=dt.UTC).date()
        is_ours = path.resolve().is_relative_to(CATALOG.resolve())
        read: Record = _adapter(cast("Any", schema)).validate_python(
            raw, context=None if is_ours else {"date": changed}
        )
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CatalogError(f"{path}: is not TOML: {error}") from None
    except RecursionError:
        raise CatalogError(f"{path}: is nested too deep to be read") from None
    except ValidationError as error:
        said = describe(error) if raw else "is empty; docs/extending.md shows what such a file has"
        raise CatalogError(f"{path}: {said}") from None
    except ValueError:
        # The TOML reader also lets through ``int``'s message on very long numbers.
        raise CatalogError(f"{path}: has a number of thousands of digits, which is no fact") from None
    return read


@lru_cache(maxsize=128)
def _adapter(schema: Any) -> TypeAdapter[Any]:  # noqa: ANN401  a type, or a mapping of such
    from pydantic import TypeAdapter  # noqa: PLC0415

    return TypeAdapter(schema)


def describe(error: ValidationError) -> str:
    """Errors of a record's validation, field by field, in one line."""
    faults = error.errors()
    slips = _slips(faults)
    misspelt = {(*place[:-1], name) for place, name in slips.items()}

    def said(kind: str, place: tuple[int | str, ...], message: str) -> str:
        meant = f"; did you mean {slips[place]!r}?" if place in slips else ""
        dimension = dimension_of(str(place[-1])) if kind == "missing" and place else None
        form = f"; write {place[-1]} = {example_of(dimension)}" if dimension is not None else ""
        known = (
            [EXAMPLES[one] for one in (f"{place[0]}.{place[-1]}", str(place[-1])) if one in EXAMPLES] if place else []
        )
        if kind == "missing" and known:
            form = f"; write {known[0]}{REMARKS.get(str(place[-1]), '')}"
        return f"{'.'.join(map(str, place)) or 'the file'}: {_fault(kind, message)}{meant}{form}"

    told = (one for one in faults if one["type"] != "missing" or one["loc"] not in misspelt)
    return "; ".join(said(fault["type"], fault["loc"], fault["msg"]) for fault in told)


def _slips(faults: Sequence[ErrorDetails]) -> dict[tuple[int | str, ...], str]:
    """Unknown keys that are near a missing one of the same table, by their places, with that one's name."""
    missing = [fault["loc"] for fault in faults if fault["type"] == "missing"]
    slips = {}
    for place in (fault["loc"] for fault in faults if fault["type"] == UNKNOWN_KEY):
        beside = [str(one[-1]) for one in missing if one[:-1] == place[:-1]]
        if near := get_close_matches(str(place[-1]), beside, n=1):
            slips[place] = near[0]
    return slips


EXAMPLES = {
    "fabric": '[[fabric]] with name = "scale_up", technology = "links of its own", topology = "switch",'
    ' chips = 8 and bytes_per_s = "450 GB/s"',
    "chip": '[chip] with hbm_bytes = "80 GB", hbm_bytes_per_s = "3.35 TB/s" and flop_per_s.bf16 = "989 TFLOP/s"',
    "id": 'id = "mine"',
    "name": 'name = "Mine"',
    "fabric.name": 'name = "scale_up"',
    "fabric.technology": 'technology = "links of its own"',
    "family": 'family = "mine"',
    "released": "released = 2026",
}
"""Examples of keys of a file that are no quantities."""

REMARKS = {"family": " (times are then first guesses; a family of the catalog lends what was measured on its chips)"}
"""Further clauses on such keys."""

UNKNOWN_KEY = "unexpected_keyword_argument"
"""Kind of fault that the validator finds in an unknown key."""


def _fault(kind: str, said: str) -> str:
    if kind == "missing":
        return "is missing"
    return NO_SUCH_KEY if kind == UNKNOWN_KEY else said.removeprefix("Value error, ").removeprefix("Input ")


NO_SUCH_KEY = "is no key here"
"""Message on an unknown key of a file; its fields' names are no arguments to the user."""


@lru_cache(maxsize=1)
def sources() -> dict[str, Source]:
    """All sources that facts name, by key."""
    return read_toml(SOURCES, dict[str, Source])


def known_source(key: str) -> str:
    """A key of ``sources.toml``.

    Raises:
        ValueError: the source is unknown.
    """
    if key not in sources():
        raise ValueError(f"source {key!r} is not in sources.toml; describe it there")
    return key
