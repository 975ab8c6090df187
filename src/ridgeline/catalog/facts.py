"""A fact is a value with its source and date; files of facts are read, checked and found by name here."""

from __future__ import annotations

import datetime as dt
import difflib
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, ValidationInfo

from ridgeline.errors import RidgelineError
from ridgeline.quantity_text import QuantityError, parse_quantity

__all__ = [
    "CatalogError",
    "Fact",
    "FactFile",
    "Source",
    "known_source",
    "read_toml",
    "reads",
    "reads_month",
    "sources",
    "unsourced",
]

CATALOG = Path(__file__).parent
MONTHS = 12


class CatalogError(RidgelineError):
    """A name that the catalog does not have, or a file that does not say what it must."""


class FactFile(BaseModel):
    """What is read from TOML: unknown keys are errors, since a misspelt one would be ignored in silence."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Fact(FactFile):
    """One value with where it comes from.

    Attributes:
        value: in base units.
        written: as the file has it, with its unit.
        source: key of ``sources.toml``, or an address; ``yours`` where a file outside the catalog gives none.
        date: when the source was published or read; of such a file, the day on which it was last changed.
        unverified: whether it is known only from memory, or from a file that names no source.
        note: what to know beside it.
    """

    value: float
    written: str
    source: str
    date: dt.date
    unverified: bool = False
    note: str = ""


Record = TypeVar("Record", bound=FactFile)
Entry = TypeVar("Entry")


class Source(FactFile):
    """Where facts come from."""

    title: str
    address: str = ""


def reads(dimension: str) -> BeforeValidator:
    """How a field reads a fact whose text is a quantity of ``dimension``."""

    def read(raw: object, info: ValidationInfo) -> object:
        if not isinstance(raw, dict) or "value" not in raw:
            raise ValueError('is no fact; write { value = "80 GB", source = "...", date = 2026-11-20 }')
        written = raw["value"]
        try:
            value = parse_quantity(written, dimension) if isinstance(written, str) else float(written)
        except (QuantityError, TypeError) as error:
            raise ValueError(f"value {written!r}: {error}") from None
        return {**unsourced(raw, info), **raw, "value": value, "written": str(written)}

    return BeforeValidator(read)


def reads_month() -> BeforeValidator:
    """How a field reads a fact whose text is a month; its value is the middle of it, in years."""

    def read(raw: object, info: ValidationInfo) -> object:
        written = raw.get("value") if isinstance(raw, dict) else None
        if not isinstance(raw, dict) or not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", str(written)):
            raise ValueError('is no month; write { value = "2024-12", source = "...", date = 2026-11-20 }')
        year, month = map(int, str(written).split("-"))
        return {**unsourced(raw, info), **raw, "value": year + (month - 0.5) / MONTHS, "written": str(written)}

    return BeforeValidator(read)


def unsourced(raw: Mapping[str, object], info: ValidationInfo) -> dict[str, object]:
    """What stands for source and date in a file outside the catalog that gives no source."""
    if info.context is None:
        return {}
    dated: dict[str, object] = dict(info.context)
    return dated if "source" in raw else {"source": YOURS, **dated, "unverified": True}


YOURS = "yours"
"""The source of a fact in one's own file that names none."""


def read_toml(path: Path, schema: type[Record]) -> Record:
    """The contents of a TOML file as a checked record.

    Raises:
        CatalogError: the file does not parse, or a field is missing, unknown or out of place; names file and field.
    """
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        changed = dt.datetime.fromtimestamp(path.stat().st_mtime, tz=dt.UTC).date()
        is_ours = path.resolve().is_relative_to(CATALOG.resolve())
        return schema.model_validate(raw, context=None if is_ours else {"date": changed})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CatalogError(f"{path}: is not TOML: {error}") from None
    except RecursionError:
        raise CatalogError(f"{path}: is nested too deep to be read") from None
    except ValidationError as error:
        raise CatalogError(f"{path}: {describe(error)}") from None
    except ValueError:
        # What else the reader of TOML lets through is what ``int`` says of very long numbers.
        raise CatalogError(f"{path}: has a number of thousands of digits, which is no fact") from None


def describe(error: ValidationError) -> str:
    """What a record's check found, field by field, in one line."""
    return "; ".join(
        f"{'.'.join(str(part) for part in fault['loc']) or 'the file'}: {fault['msg'].removeprefix('Value error, ')}"
        for fault in error.errors()
    )


@lru_cache(maxsize=1)
def sources() -> dict[str, Source]:
    """All sources that facts name, by key."""
    raw = tomllib.loads((CATALOG / "sources.toml").read_text(encoding="utf-8"))
    return {key: Source.model_validate(value) for key, value in raw.items()}


def known_source(key: str) -> str:
    """A key of ``sources.toml``.

    Raises:
        ValueError: there is no such source.
    """
    if key not in sources():
        raise ValueError(f"source {key!r} is not in sources.toml; describe it there")
    return key


def unknown_name(kind: str, name: str, ids_by_name: Mapping[str, str]) -> CatalogError:
    """The error for a name that is not in the catalog: it says what is near, or what the name looks like.

    Args:
        kind: "model" or "machine".
        name: as it was asked for.
        ids_by_name: ids by themselves, and by other names after that.
    """
    also = f"All: ridgeline catalog {kind}s. {PATHS[kind]} works too."
    if not name.strip():
        return CatalogError(f"a {kind} has a name, and this is empty; give a catalog id. {also}")
    asked = name.lower()
    repository = REPOSITORY.fullmatch(name) if kind == "model" else None
    if repository is not None:
        shape = ids_by_name.get(VARIANT.sub("", repository["name"].lower()))
        catalog = f", or {shape}, which the catalog has" if shape else ""
        return CatalogError(
            f"there is no file or folder {name!r}; for the model of that name on the Hugging Face hub write hf:{name}"
            + catalog
        )
    if "/" in name or name.startswith((".", "~")) or name.endswith((".toml", ".json")):
        return CatalogError(f"there is no file or folder {name!r}; give a path to one that is there, or a catalog id")
    near = dict.fromkeys(ids_by_name[one] for one in nearest(asked, list(ids_by_name)))
    said = f"; nearest: {', '.join(list(near)[:5])}" if near else ""
    return CatalogError(f"no {kind} {name!r} in the catalog{said}. {also}")


def nearest(asked: str, names: Sequence[str]) -> list[str]:
    """Names that one in lower case may be a slip of, or is a part of."""
    alike = difflib.get_close_matches(asked, names, n=5, cutoff=NEAR)
    return list(dict.fromkeys([*(one for one in names if len(asked) >= SPOKEN and asked in one), *alike]))


NEAR = 0.7
"""Likeness from which a name may be a slip of another: one wrong letter in four."""

SPOKEN = 3
"""Letters of a name from which ids that contain it are near."""

PATHS = {
    "model": "A path to a config.json, to a folder with one or to a .toml file",
    "machine": "A path to a .toml file",
}
"""What may stand for a name."""

REPOSITORY = re.compile(r"(?P<owner>\w[\w.-]*)/(?P<name>[\w.-]*\w)(?<!\.toml)(?<!\.json)")
"""A model on the Hugging Face hub."""

VARIANT = re.compile(r"^meta-|(-(instruct|chat|it|base|hf|thinking|v\d[\d.]*|\d{4}|fp8|awq|gptq|int4|bf16))+$")
"""Parts of a repository's name that leave the shape as it is."""


def find(
    kind: str, folder: Path, name: str, read: Callable[[Path], Entry], also: Mapping[str, str] | None = None
) -> Entry:
    """The entry of a catalog id, read once, or of a path to a TOML file of the same form, read each time.

    Args:
        kind: "model" or "machine".
        folder: of the catalog.
        name: an id, or a path.
        read: what reads a file.
        also: ids by other names, in lower case.

    Raises:
        CatalogError: there is no such id or file, or the file is not of the form.
    """
    path = folder / f"{name.lower()}.toml"
    if name and "/" not in name and path.is_file():
        entry: Entry = _of_catalog(path, read)
        return entry
    given = Path(name)
    if name.endswith(".toml") and given.is_file():
        return read(given)
    raise unknown_name(kind, name, {**{one: one for one in ids(folder)}, **(also or {})})


@lru_cache(maxsize=512)
def _of_catalog(path: Path, read: Callable[[Path], Entry]) -> Entry:
    return read(path)


def ids(folder: Path) -> list[str]:
    """The catalog ids of a folder."""
    return sorted(path.stem for path in folder.glob("*.toml"))
