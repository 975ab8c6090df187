"""Facts, values with their source and date, and the reading, checking and lookup of their files."""

from __future__ import annotations

import datetime as dt
import difflib
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, dataclass_transform

from ridgeline.catalog.packed import is_file, is_packed, packed, stems
from ridgeline.errors import RidgelineError
from ridgeline.quantity_text import QuantityError, example_of, parse_quantity

if TYPE_CHECKING:  # checks files, and is not at hand where they come checked
    from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationError, ValidationInfo
    from pydantic_core import CoreSchema

__all__ = [
    "CatalogError",
    "Fact",
    "FactFile",
    "Reading",
    "Source",
    "above",
    "at_least",
    "known_source",
    "read_toml",
    "reads",
    "reads_month",
    "sources",
    "unsourced",
]

CATALOG = Path(__file__).parent
SOURCES = CATALOG / "sources.toml"
MONTHS = 12


class CatalogError(RidgelineError):
    """A name that the catalog does not have, or a file with missing or invalid content."""


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
@dataclass(frozen=True, kw_only=True)
class FactFile:
    """Contents of a TOML file; unknown keys are errors, since a misspelt one would be ignored silently.

    Each kind is a frozen dataclass, which pydantic checks where a file is read.
    """

    __pydantic_config__: ClassVar[Mapping[str, object]] = {"extra": "forbid"}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True, kw_only=True)(cls)

    def by_name(self) -> dict[str, Any]:
        """Values of its fields, by name."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def given(self) -> dict[str, Any]:
        """Values of its fields that are not None."""
        return {name: value for name, value in self.by_name().items() if value is not None}

    @classmethod
    def before(cls, raw: Any, info: ValidationInfo) -> Any:  # noqa: ANN401, ARG003  what TOML gives
        """Content to validate in place of the file's."""
        return raw

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401  pydantic's
        from pydantic_core import core_schema  # noqa: PLC0415

        return core_schema.with_info_before_validator_function(cls.before, handler(source))


class Fact(FactFile):
    """One value with its source.

    Attributes:
        value: value in base units.
        written: value as written in the file, with its unit.
        source: key of ``sources.toml``, or an address; ``yours`` where a file outside the catalog gives none.
        date: date of the source, or of its reading; for a user's file without one, its date of modification.
        unverified: whether it is known only from memory, or from a file that names no source.
        note: remark on the value.
    """

    value: float
    written: str
    source: str
    date: dt.date
    unverified: bool = False
    note: str = ""


Record = TypeVar("Record")
Entry = TypeVar("Entry")


class Source(FactFile):
    """Source of facts."""

    title: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """Conversion of a field's raw value; stands beside its type, like pydantic's own.

    Attributes:
        read: function that converts the raw value; a ``ValueError`` says what is wrong with it.
    """

    read: Callable[[Any, ValidationInfo], object]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401  pydantic's
        from pydantic_core import core_schema  # noqa: PLC0415

        return core_schema.with_info_before_validator_function(self.read, handler(source))


def above(bound: float) -> Reading:
    """Reading of a number that must be larger."""
    return _bounded(lambda number: number > bound, f"greater than {bound:g}")


def at_least(bound: float) -> Reading:
    """Reading of a number that must not be smaller."""
    return _bounded(lambda number: number >= bound, f"greater than or equal to {bound:g}")


def _bounded(holds: Callable[[float], bool], said: str) -> Reading:
    def read(raw: object, _: ValidationInfo) -> object:
        # For a value that is no number, the field's type gives the message.
        if isinstance(raw, int | float) and not holds(raw):
            raise ValueError(f"should be {said}")
        return raw

    return Reading(read)


def reads(dimension: str) -> Reading:
    """Reading of a fact whose text is a quantity of ``dimension``."""

    def read(raw: object, info: ValidationInfo) -> object:
        if isinstance(raw, str) and info.context is not None:
            raw = {"value": raw}  # a file of one's own need not name a source
        if not isinstance(raw, dict) or "value" not in raw:
            raise ValueError(f"{raw!r} is no fact; write {_fact_text(raw, dimension)}")
        written = raw["value"]
        try:
            value = parse_quantity(written, dimension) if isinstance(written, str) else float(written)
        except QuantityError as error:
            raise ValueError(f"value {error}") from None
        except (TypeError, ValueError):
            raise ValueError(f"value {written!r} is no number; write {_fact_text(None, dimension)}") from None
        return {**unsourced(raw, info), **raw, "value": value, "written": str(written)}

    return Reading(read)


def _fact_text(raw: object, dimension: str) -> str:
    """A fact as a file has it: with the value that was written, where it is one of a count, or with an example."""
    is_count = dimension == "count" and isinstance(raw, int | float) and not isinstance(raw, bool)
    return f'{{ value = {raw if is_count else example_of(dimension)}, source = "...", date = 2026-11-20 }}'


def reads_month() -> Reading:
    """Reading of a fact whose text is a month; its value is the middle of it, in years."""

    def read(raw: object, info: ValidationInfo) -> object:
        written = raw.get("value") if isinstance(raw, dict) else None
        if not isinstance(raw, dict) or not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", str(written)):
            raise ValueError('is no month; write { value = "2024-12", source = "...", date = 2026-11-20 }')
        year, month = map(int, str(written).split("-"))
        return {**unsourced(raw, info), **raw, "value": year + (month - 0.5) / MONTHS, "written": str(written)}

    return Reading(read)


def unsourced(raw: Mapping[str, object], info: ValidationInfo) -> dict[str, object]:
    """Default source and date of a file outside the catalog that gives no source."""
    if info.context is None:
        return {}
    dated: dict[str, object] = dict(info.context)
    return dated if "source" in raw else {"source": YOURS, **dated, "unverified": True}


YOURS = "yours"
"""Source of a fact in a user's file that names none."""


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
    return "; ".join(
        f"{'.'.join(str(part) for part in fault['loc']) or 'the file'}: {_fault(fault['type'], fault['msg'])}"
        for fault in error.errors()
    )


def _fault(kind: str, said: str) -> str:
    if kind == "missing":
        return "is missing"
    return (
        NO_SUCH_KEY
        if kind == "unexpected_keyword_argument"
        else said.removeprefix("Value error, ").removeprefix("Input ")
    )


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
        shape = ids_by_name.get(VARIANT.sub("", repository["name"].lower()))
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


def _is_path(name: str) -> bool:
    return "/" in name or name.startswith((".", "~")) or name.endswith((".toml", ".json"))


def begun_by(asked: str, ids_by_name: Mapping[str, str]) -> list[str]:
    """Ids with a name of which one in lower case is the beginning, up to a hyphen: "h100" of "h100-sxm"."""
    return sorted({one for name, one in ids_by_name.items() if name.startswith(f"{asked}-")})


def nearest(asked: str, names: Sequence[str]) -> list[str]:
    """Names that one in lower case may be a misspelling of, or is a part of."""
    alike = difflib.get_close_matches(asked, names, n=5, cutoff=NEAR)
    holding = [one for one in names if len(asked) >= SPOKEN and asked in one]
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

VARIANT = re.compile(r"^meta-|(-(instruct|chat|it|base|hf|thinking|v\d[\d.]*|\d{4}|fp8|awq|gptq|int4|bf16))+$")
"""Parts of a repository's name that leave the shape as it is."""


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
