"""Facts of flags: each with a source, a date and a release, and none that nothing sets."""

from __future__ import annotations

import datetime as dt
import tomllib

import pytest
from tests.each import of_each

from ridgeline.catalog.engine_flags import ENGINE_FLAGS, flags_of, worker_of
from ridgeline.catalog.engine_releases import newest_release
from ridgeline.catalog.fact_files import sources
from ridgeline.hand_over.dynamo import ENGINES
from ridgeline.specs.engine_options import EngineOptions

RAW = tomllib.loads(ENGINE_FLAGS.read_text())
FLAGS = [(engine, name, fact) for engine, table in RAW["engines"].items() for name, fact in table["flags"].items()]


@of_each(("engine", "name", "fact"), FLAGS, ids=[f"{engine} {name}" for engine, name, _ in FLAGS])
def test_every_flag_has_a_source_a_date_and_a_release(engine: str, name: str, fact: dict[str, object]) -> None:
    assert fact["source"] in sources()
    assert sources()[str(fact["source"])].address.startswith("https://")
    assert isinstance(fact["date"], dt.date)
    assert fact["meaning"]
    assert flags_of(engine).version
    assert name == name.strip()


@pytest.mark.parametrize("engine", ENGINES)
def test_flags_are_of_the_release_that_is_planned_with(engine: str) -> None:
    """So that the numbers of a plan and its launch line are of one engine, where nothing else is asked."""
    newest = newest_release(engine)
    assert newest is not None
    assert flags_of(engine).version == newest[0]
    assert worker_of(engine) is not None


@pytest.mark.parametrize("engine", ENGINES)
def test_an_option_is_set_by_flags_that_do_not_contradict(engine: str) -> None:
    """Two flags of one quantity are for two of its values."""
    by_quantity: dict[str, list[bool | None]] = {}
    for fact in flags_of(engine).flags.values():
        by_quantity.setdefault(fact.sets, []).append(fact.when)
    assert all(len(set(when)) == len(when) for when in by_quantity.values())
    assert all(len(when) == 1 or None not in when for when in by_quantity.values())
    known = set(EngineOptions.__dataclass_fields__)
    assert {"replays_graphs", "overlaps_host"} <= known & set(by_quantity)
