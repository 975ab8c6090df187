"""Releases of serving engines with their dates, and which of them a run refers to."""

from __future__ import annotations

import re
from dataclasses import field
from datetime import date as Date  # noqa: N812  a field below is named date
from functools import lru_cache
from typing import Annotated

from packaging.version import InvalidVersion, Version
from pydantic import AfterValidator

from ridgeline.catalog.engine_support import facts_for
from ridgeline.catalog.fact_files import known_source, read_toml
from ridgeline.catalog.facts import CATALOG, CatalogError, FactFile

__all__ = ["RELEASES", "newest_release", "refuse_unknown_release", "release_of"]

RELEASES = CATALOG / "engine_releases.toml"

FRONT_END = "dynamo"
"""Front end that may precede engines' names; a run may give its release in place of the engine's."""

VERSION = re.compile(r"(?<![\d.])\d+(\.\d+)+(rc\d+)?(\.post\d+)?")

NUMBERED = re.compile(r"(?<![\w.])\d+(\.\w+)*")
"""Text that may be meant as a version number."""

DAY = re.compile(r"(?<!\d)(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
"""A date in the name of a nightly build."""

NIGHTLY = "nightly"


class ReleaseFacts(FactFile):
    """A table of the file."""

    source: Annotated[str, AfterValidator(known_source)]
    date: Date
    newest: str = ""
    names: dict[str, Date] = field(default_factory=dict)
    releases: dict[str, Date]


@lru_cache(maxsize=1)
def _tables() -> dict[str, ReleaseFacts]:
    return read_toml(RELEASES, dict[str, ReleaseFacts])


def newest_release(engine: str) -> tuple[str, Date] | None:
    """Newest release of an engine for which a run was measured, and its date; None where none is known."""
    table = _tables().get(engine)
    return (table.newest, table.releases[table.newest]) if table and table.newest else None


@lru_cache(maxsize=1024)
def release_of(engine: str, run: str) -> tuple[str, Date] | None:
    """Release that a run of an engine names, and its date; None where it names none.

    A nightly build has its own date, or that of the newest measured release. A version that the index lacks has the
    date of the last one before it.

    Args:
        engine: catalog name of the engine.
        run: run's name for its engine, in lower case.
    """
    table = facts_for(engine, _tables())
    if table is None:
        return None
    named = next((one for one in table.names.items() if run.endswith(one[0])), None)
    return named or _nightly(run, table) or _numbered(run, table)


NEAR_RELEASES = 2
"""Number of known releases before an unknown one, and as many after it, that a refusal names."""


def refuse_unknown_release(engine: str, run: str) -> None:
    """Refuse a release of an engine that the index lacks, since neither its date nor its existence is known.

    Measured rows are not checked (``release_of``), since they did run. A release that is newer than the index is
    refused, too, as it cannot be told from a typing error: the message says what was measured.

    Args:
        engine: catalog name of the engine.
        run: requested engine, in lower case.

    Raises:
        CatalogError: the release is unknown; the message names those around it.
    """
    table = facts_for(engine, _tables())
    if table is None or NIGHTLY in run or any(run.endswith(name) for name in table.names):
        return
    front_end = _tables()[FRONT_END].releases if run.startswith(FRONT_END) else {}
    found = NUMBERED.search(run)
    asked, start = (run, "") if found is None else (found.group(), run[: found.start()])
    try:
        at = Version(asked)
    except InvalidVersion:
        said, near = "is no release", [table.newest]
    else:
        known = sorted(table.releases, key=Version)
        # A release may be written without its last zeros.
        if at in map(Version, (*known, *front_end)):
            return
        before = [one for one in known if Version(one) < at]
        after = [one for one in known if Version(one) > at]
        near = before[-NEAR_RELEASES:] + after[:NEAR_RELEASES]
        said = "is not in the index" if after else f"is newer than any in the index, which was read {table.date}"
    name = next(name for name, one in _tables().items() if one is table)
    listed = " or ".join(f"{start}{one}" for one in near)
    newest = f"; {name} alone is {table.newest}, the newest that was measured" if table.newest else ""
    raise CatalogError(f"engine {run!r}: release {asked!r} {said}; write {listed}{newest}")


def _nightly(run: str, table: ReleaseFacts) -> tuple[str, Date] | None:
    if NIGHTLY not in run:
        return None
    found = DAY.search(run)
    try:
        return NIGHTLY, Date(*map(int, found.groups())) if found else table.releases[table.newest]
    except ValueError:
        raise CatalogError(f"engine {run!r}: there is no such day; write the year, the month and the day") from None


def _numbered(run: str, table: ReleaseFacts) -> tuple[str, Date] | None:
    versions = [found.group() for found in VERSION.finditer(run)]
    if not versions:
        return None
    named = next((one for one in versions if one in table.releases), versions[0])
    front_end = _tables()[FRONT_END].releases
    if run.startswith(FRONT_END) and named in front_end:
        return f"{FRONT_END} {named}", front_end[named]
    before = [known for known in table.releases if Version(known) <= Version(named)]
    return (named, table.releases[max(before, key=Version)]) if before else None
