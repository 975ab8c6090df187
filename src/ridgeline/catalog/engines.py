"""Fitted overheads of serving engines: one TOML file, an engine a table."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import field
from datetime import date as Date  # noqa: N812  a field is of dates
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from ridgeline.catalog.engine_limits import engine_limits
from ridgeline.catalog.engine_options import host_time_of
from ridgeline.catalog.engine_releases import newest_release, refuse_unknown_release, release_of
from ridgeline.catalog.engine_support import facts_for, spare_layers_of, support_of
from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import CATALOG, CatalogError, FactFile
from ridgeline.catalog.fitted_numbers import CALIBRATE_AGAIN, FittedFile
from ridgeline.catalog.lookup import nearest
from ridgeline.catalog.machines import family_of, machine_ids
from ridgeline.catalog.profiles import Stamped, kernels_folder, stamped
from ridgeline.seconds import DAY_S, JULIAN_YEAR_S
from ridgeline.specs.engine import IDEAL_ENGINE, Engine, Release, Replay, Scheduling, Spread
from ridgeline.specs.evidence import REPLAYED, Evidence
from ridgeline.specs.machine import Machine

__all__ = [
    "ENGINES",
    "USUAL",
    "as_of",
    "catalog_novelty",
    "default_engine",
    "engine_ids",
    "engine_of",
    "error_spreads",
    "fitted_engine",
    "known_tables",
    "load_engine",
    "own_engines",
    "unknown_engine",
    "widened_by",
]

ENGINES = CATALOG / "engines.toml"


class EngineFacts(FactFile):
    """A table of the file; an overhead that it leaves out is zero."""

    status: str
    runs: tuple[str, ...]
    is_captured: bool = True
    has_custom_all_reduce: bool = True
    step_s: float = 0.0
    sequence_s: float = 0.0
    prefill_pass_s: float = 0.0
    layer_s: float = 0.0
    layer_token_s: float = 0.0
    launch_layer_s: float = 0.0
    dequantise_layer_s: float = 0.0
    replays: bool = False
    scheduling: Scheduling = Scheduling()
    widths: dict[str, float] = field(default_factory=dict)
    measured: tuple[tuple[str, str], ...] = ()
    most_users: float = math.inf


class ReachFacts(FactFile):
    """Deployments that all engines together were measured with under load, as in ``Evidence``."""

    layer_kinds: tuple[str, ...] = ()
    chips: float = 1.0


class NoveltyFacts(FactFile):
    """Widths of intervals by quantity, over those for new models on measured machines."""

    known: dict[str, float] = field(default_factory=dict)
    machine: dict[str, float] = field(default_factory=dict)
    layer_kind: dict[str, float] = field(default_factory=dict)
    release: dict[str, float] = field(default_factory=dict)
    users: dict[str, float] = field(default_factory=dict)
    chips: dict[str, float] = field(default_factory=dict)
    engine: dict[str, float] = field(default_factory=dict)


class EngineFile(FittedFile):
    """Contents of the file; engines with CUDA graphs share the factors on kernels in them."""

    as_of: Date | None = None
    replay: Replay | None = None
    spreads: dict[str, Spread] = field(default_factory=dict)
    novelty: NoveltyFacts = NoveltyFacts()
    reach: ReachFacts = ReachFacts()
    engines: dict[str, EngineFacts]


def _read(path: Path) -> dict[str, tuple[Engine, tuple[str, ...]]]:
    """Engines of a file, and prefixes of the names of their runs."""
    tables = {}
    known = read_toml(ENGINES, EngineFile)
    file = known if path == ENGINES else read_toml(path, EngineFile)
    if file.as_of not in {None, known.as_of}:
        raise CatalogError(f"{path}: its numbers are as of {file.as_of}, and the catalog's of {known.as_of}")
    tables_of = (*file.engines.values(), *known.engines.values())
    machines = tuple(sorted({machine for facts in tables_of for _, machine in facts.measured}))
    families = {name: family_of(name) for name in machines if name in machine_ids()}
    shared = dataclasses.replace(
        widened_by(known.novelty.by_name()), machines=machines, families=families, **known.reach.by_name()
    )
    for name, facts in file.engines.items():
        numbers = facts.by_name()
        runs, replays, measured = numbers.pop("runs"), numbers.pop("replays"), numbers.pop("measured")
        newest, most_users = newest_release(name), numbers.pop("most_users")
        rows = {place: one.rows for place, one in {**known.uncertainty, **file.uncertainty}.items()}
        starts = {f"engines.{name}.": "", **({REPLAYED: REPLAYED} if replays else {})}
        evidence = dataclasses.replace(
            shared,
            deployments=measured,
            newest=newest[1].isoformat() if newest else "",
            users=most_users,
            rows={
                short + place.removeprefix(start): count
                for place, count in rows.items()
                for start, short in starts.items()
                if place.startswith(start)
            },
        )
        if replays and file.replay is None:
            raise CatalogError(f"{path}: engine {name!r} replays its steps, but there is no table [replay]")
        try:
            limits = tuple(one.spec() for one in facts_for(name, engine_limits()) or ())
            replay = file.replay if replays else None
            engine = Engine(
                name=name,
                replay=replay,
                limits=limits,
                spare_layers=spare_layers_of(name),
                support=support_of(name),
                evidence=evidence,
                host=host_time_of(name),
                **numbers,
            )
            tables[name] = (engine, runs)
        except ValueError as error:
            raise CatalogError(f"{path}: {error}") from None
    return tables


def widened_by(novelty: Mapping[str, Mapping[str, float]]) -> Evidence:
    """Evidence without measurements, with the factors that widen intervals.

    Args:
        novelty: factors by what is new, as in the file's table ``novelty``, and by quantity.
    """
    factors: dict[str, Any] = {f"of_{what}": dict(widths) for what, widths in novelty.items() if what != "engine"}
    # Options change steps, and first tokens by a number of steps: they are as uncertain as those of an engine that was
    # left out. How it schedules first tokens is as measured. Drafts change steps alone.
    of_steps = novelty.get("engine", {}).get("tpot_s", 1.0)
    return Evidence(**factors, of_options=dict.fromkeys(("tpot_s", "ttft_s"), of_steps), of_drafts={"tpot_s": of_steps})


@lru_cache(maxsize=1)
def as_of() -> Date:
    """Date that the numbers of engines hold for: that of most runs which name no release.

    Raises:
        CatalogError: the catalog's file has no date.
    """
    day = read_toml(ENGINES, EngineFile).as_of
    if day is None:
        raise CatalogError(f"{ENGINES}: as_of is missing; write the day of which the numbers are")
    return day


@lru_cache(maxsize=1)
def known_tables() -> dict[str, tuple[Engine, tuple[str, ...]]]:
    """Engines of the catalog by name, each with the beginnings of its runs' names."""
    return _read(ENGINES)


@lru_cache(maxsize=16)
def _own_tables(file: Stamped) -> dict[str, Engine]:
    try:
        own = {name: engine for name, (engine, _) in _read(file.path).items()}
    except CatalogError as error:
        raise CatalogError(f"{error}; {CALIBRATE_AGAIN}") from None
    for name in sorted(own.keys() - known_tables().keys()):
        near = nearest(name.lower(), list(known_tables())) or list(known_tables())
        raise CatalogError(f"{file.path}: no engine {name!r} in the catalog; nearest: {', '.join(near)}")
    return own


def own_engines(kernels: str | Path) -> dict[str, Engine]:
    """Engines for which the user's own calibration has numbers.

    Raises:
        CatalogError: there is no such calibration, or its file is invalid.
    """
    file = stamped(kernels_folder(kernels) / ENGINES.name)
    return {} if file is None else _own_tables(file)


def error_spreads() -> dict[str, Spread]:
    """Components of the errors under load, by quantity, which say how far a user's own measurements reach."""
    return dict(read_toml(ENGINES, EngineFile).spreads)


def unknown_engine(*, kernels: str | Path | None = None) -> Engine:
    """Engine that stands in for an unknown one, with the intervals of engines that were left out of the fit."""
    usual = fitted_engine(USUAL, kernels=kernels)
    farther = read_toml(ENGINES, EngineFile).novelty.engine
    widths = {
        quantity: width * farther.get("ttft_s" if quantity.endswith("ttft_s") else "tpot_s", 1.0)
        for quantity, width in usual.widths.items()
    }
    return dataclasses.replace(usual, widths=widths, evidence=dataclasses.replace(usual.evidence, deployments=()))


def catalog_novelty() -> dict[str, dict[str, float]]:
    """Widths of intervals by what is new and by quantity, from the catalog."""
    return read_toml(ENGINES, EngineFile).novelty.by_name()


def engine_ids() -> list[str]:
    """Catalog names of engines; the ideal one has no overhead."""
    return sorted([IDEAL_ENGINE.name, *known_tables()])


def load_engine(name: str, *, kernels: str | Path | None = None) -> Engine:
    """An engine by its catalog name, in the newest release that was measured, or in a named release.

    Args:
        name: name of the engine, such as ``vllm``, or with a release, such as ``vllm-0.18.0``.
        kernels: profile or folder of the user's own calibration, whose numbers replace the catalog's.

    Raises:
        CatalogError: the engine, release or calibration is unknown (the message lists the known ones), or a file is
            invalid.
    """
    name = name.lower()
    if name in engine_ids():
        return _at(fitted_engine(name, kernels=kernels), newest_release(name))
    of_release = engine_of(name, kernels=kernels)
    if not of_release.release.version:
        raise CatalogError(
            f"no engine {name!r} in the catalog; it has {', '.join(engine_ids())}, and releases such as vllm-0.18.0"
        )
    refuse_unknown_release(of_release.name, name)
    return of_release


def fitted_engine(name: str, *, kernels: str | Path | None = None) -> Engine:
    """An engine of the catalog with its numbers as fitted, without a release.

    Args:
        name: one of ``engine_ids``.
        kernels: profile or folder of the user's own calibration.
    """
    if name == IDEAL_ENGINE.name:
        return IDEAL_ENGINE
    known = known_tables()[name][0]
    return known if kernels is None else own_engines(kernels).get(name, known)


@lru_cache(maxsize=1024)  # of thousands of measured rows few name another engine or release
def _at(engine: Engine, release: tuple[str, Date] | None) -> Engine:
    """An engine in a release."""
    if release is None:
        return engine
    version, day = release
    newest, status = newest_release(engine.name), engine.status
    last = newest[1] + CARRIED_ON if newest else day
    years = (min(max(day, OLDEST), last) - as_of()).days * DAY_S / JULIAN_YEAR_S
    unmeasured = ""
    if newest and day > newest[1]:
        unmeasured = f"{version} is newer than {newest[0]}, the newest that was measured"
    elif day < OLDEST:
        unmeasured = f"{version} is older than any that was measured, and taken as of {OLDEST}"
    status += f"; {unmeasured}" if unmeasured else ""
    found = Release(version=version, date=day.isoformat(), years=years, unmeasured=unmeasured)
    return dataclasses.replace(engine, release=found, status=status)


CARRIED_ON = timedelta(days=120)
"""Time beyond the newest measured release for which the decline of overhead is extrapolated: as long as the span over
which fits to older releases were tested on newer ones.
"""

OLDEST = Date(2025, 7, 1)
"""Date of the oldest releases in measured loops; overhead before is unknown, and taken as constant."""


def default_engine(machine: Machine, *, kernels: str | Path | None = None) -> Engine:
    """Engine where none is named: the most widely used one, or the ideal one for a chip without numbers of kernels.

    They may be measured on the chip, or taken from its family or from what all measured GPUs share.
    """
    return IDEAL_ENGINE if machine.efficiency.kernels is None else load_engine(USUAL, kernels=kernels)


USUAL = "vllm"
"""The most widely used engine."""


def engine_of(run: str, *, kernels: str | Path | None = None) -> Engine:
    """Engine of a run by the run's name for it, in the release that it names.

    It is the ideal one for an unknown name; where no release is named, one of the date that the numbers hold for.
    """
    run = run.lower()
    name = _name_of(run)
    if name is None:
        return IDEAL_ENGINE
    return _at(fitted_engine(name, kernels=kernels), release_of(name, run))


@lru_cache(maxsize=1024)  # as for releases
def _name_of(run: str) -> str | None:
    """Name of the engine that a run's name begins with, the longest of several beginnings; None where none does."""
    named = [
        (len(start), engine.name)
        for engine, starts in known_tables().values()
        for start in (*starts, engine.name)
        if _starts(run, start)
    ]
    return max(named)[1] if named else None


def _starts(run: str, start: str) -> bool:
    """Whether a name starts with a prefix; a version does not match one that shares only its first digits."""
    return run.startswith(start) and not (start[-1].isdigit() and run[len(start) : len(start) + 1].isdigit())
