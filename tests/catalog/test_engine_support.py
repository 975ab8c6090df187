"""Facts of what engines run are of things that the catalog has; that each names a known source, reading them checks."""

from __future__ import annotations

import dataclasses

import pytest

from ridgeline.catalog.engine_limits import engine_limits
from ridgeline.catalog.engine_support import ENGINE_SUPPORT, SupportFile, support_of
from ridgeline.catalog.engines import engine_ids, load_engine
from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.machines import machine_entry, machine_ids
from ridgeline.catalog.models import ATTENTION_KINDS
from ridgeline.specs.engine import IDEAL_ENGINE
from ridgeline.specs.layout import Layout
from ridgeline.specs.number_format import FORMATS

FILE = read_toml(ENGINE_SUPPORT, SupportFile)
PARTS = {field.name for field in dataclasses.fields(Layout)}
FAMILIES = {machine_entry(name).facts.family for name in machine_ids()}


def test_engines_are_those_of_the_catalog() -> None:
    assert {*FILE.engines, *FILE.versions, *FILE.versions.values()} <= set(engine_ids())
    # A version that has facts of its own in both files is none.
    assert not set(FILE.versions) & set(FILE.engines) & set(engine_limits())
    for version, of in FILE.versions.items():
        assert load_engine(version).limits == load_engine(of).limits != ()
    assert load_engine("sglang-waves").support == load_engine("sglang").support
    assert load_engine("vllm-v0").support != load_engine("vllm").support
    assert support_of("torch") is None
    assert IDEAL_ENGINE.support is None


@pytest.mark.parametrize("engine", FILE.engines)
def test_facts_are_of_what_the_catalog_has(engine: str) -> None:
    facts = FILE.engines[engine]
    assert set(facts.parts) <= PARTS | {"others"}
    assert all(set(fact.without) <= PARTS for fact in facts.parts.values())
    assert {*facts.attention.has, *facts.attention.lacks} <= set(ATTENTION_KINDS)
    assert {*facts.chips.has, *facts.chips.lacks} <= FAMILIES
    assert {*facts.weights, *facts.kv} <= set(FORMATS)
    for fact in (*facts.weights.values(), *facts.kv.values()):
        assert set(fact.chips) <= FAMILIES
    for known in (facts.attention, facts.chips):
        assert not set(known.has) & set(known.lacks)
