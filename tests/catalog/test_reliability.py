from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest

from ridgeline.catalog import load_machine, machine_ids
from ridgeline.catalog.facts import Fact, FactFile
from ridgeline.catalog.reliability import reliability_facts, usual_reliability

HOUR_S = 3600


def facts(record: FactFile) -> Iterator[Fact]:
    """All facts of a record, however deep."""
    for value in record.by_name().values():
        held = value.values() if isinstance(value, dict) else [value]
        for one in held:
            if isinstance(one, Fact):
                yield one
            elif isinstance(one, FactFile):
                yield from facts(one)


def test_each_fact_has_an_address_and_a_date_in_the_past() -> None:
    found = list(facts(reliability_facts()))
    assert len(found) == 3 * 6 + 3 + 2 * 2 + 2 + 1
    for fact in found:
        assert fact.source.startswith("https://")
        assert fact.date <= dt.datetime.now(tz=dt.UTC).date()
        assert fact.value > 0


def test_what_is_assumed_is_marked() -> None:
    for fact in facts(reliability_facts()):
        assert fact.unverified == fact.note.startswith("assumed")


def test_chips_of_published_runs_fail_alike() -> None:
    """A chip each 1.5 to 10 years: counts differ in whether they take hardware alone, and software of 2021."""
    for run in reliability_facts().runs.values():
        assert 1.5 < run.chip_mtbf_s / (365.25 * 24 * HOUR_S) < 10


@pytest.mark.parametrize("family", sorted({load_machine(one).family for one in machine_ids()}))
def test_each_family_has_something_and_says_what(family: str) -> None:
    usual = usual_reliability(family)
    own = family in reliability_facts().usual
    assert ("stands in for" in usual.notes[0]) == (not own)
    assert [note.partition(":")[0] for note in usual.notes] == ["failures", "restart", "checkpoints", "stragglers"]
    assert all("https://" in note for note in usual.notes)
    assert "assumed" in usual.notes[-1]


def test_usual_runs_are_there() -> None:
    assert set(reliability_facts().usual.values()) <= set(reliability_facts().runs)
    assert usual_reliability("ampere").chip_mtbf_s == pytest.approx(8 * 1000 * 24 * HOUR_S / 6.5)
