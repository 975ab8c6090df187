"""Bases of careful numbers: every fact that moves a number is named, and no other; each has its source."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest
from tests.each import of_each

from ridgeline.boards.board import Board, Control, Facts, Mode
from ridgeline.boards.documents.sources import SourcesDocument, Wanted, sources_document
from ridgeline.boards.lecture import BOARDS, board
from ridgeline.boards.lecture.bases import BASES, HERE, HIS, basis_name
from ridgeline.catalog import load_model, machine_ids, model_ids
from ridgeline.specs.machine import FabricLevel, Machine
from ridgeline.specs.number_format import number_format
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

EVERY = [(one, control) for one in BOARDS for control in one.controls]
IDS = [f"{one.name}/{control.name}" for one, control in EVERY]

OTHER_MODELS = ("kimi-k2", "gpt-oss-20b", "llama-3.1-8b", "deepseek-v3.2")
"""Models of other shapes: one at least differs in whatever a control counts."""

CHOSEN = {
    "drafted_tokens", "acceptance_fraction", "load_fraction", "dispersion", "skew", "racks", "stages", "micro_batches",
    "backward_ratio", "micro_batch_tokens", "batch_per_stage", "attended_layers", "memory_price_ratio",
    "quoted_fraction", "served_tokens", "deployed_fraction", "rl_flop_per_param", "relative_efficiency_fraction",
    "tokens_per_pass", "reached_fraction", "held_s", "rounds", "samples", "exponent", "changes", "memory_fraction",
    "price_ratio", "flipped_bits", "added_weight", "speed_ratio", "kv_heads", "head_dim",
}  # fmt: skip
"""Controls whose careful number is the lecture's own or is chosen to show an effect: no source has it."""


def _level(level: FabricLevel, **changed: Any) -> FabricLevel:  # noqa: ANN401  a field's value
    return replace(level, **changed)


def _chip(machine: Machine, **changed: Any) -> Machine:  # noqa: ANN401  a field's value
    return replace(machine, chip=replace(machine.chip, **changed))


def _inside(machine: Machine, **changed: Any) -> Machine:  # noqa: ANN401  a field's value
    first, *others = machine.fabric
    return replace(machine, fabric=(_level(first, **changed), *others))


def _outside(machine: Machine, factor: float) -> Machine:
    *others, last = machine.fabric
    return replace(machine, fabric=(*others, _level(last, bytes_per_s=factor * last.bytes_per_s)))


CHANGES: dict[str, Callable[[Machine], Machine]] = {
    "flop_per_s": lambda one: _chip(one, flop_per_s={key: value / 100 for key, value in one.chip.flop_per_s.items()}),
    "hbm_bytes": lambda one: _chip(one, hbm_bytes=one.chip.hbm_bytes / 1.5),
    "hbm_bytes_per_s": lambda one: _chip(one, hbm_bytes_per_s=one.chip.hbm_bytes_per_s / 1.5),
    "inside.chips": lambda one: _inside(one, chips=(one.fabric[0].chips or 0) // 2),
    "inside.bytes_per_s": lambda one: _inside(one, bytes_per_s=one.fabric[0].bytes_per_s / 1.5),
    "inside.links": lambda one: _inside(one, links=(one.fabric[0].links or 0) // 2),
    "inside.cables_per_link": lambda one: _inside(one, cables_per_link=(one.fabric[0].cables_per_link or 2) // 2),
    "inside.switches": lambda one: _inside(one, switches=(one.fabric[0].switches or 2) // 2),
    "outside.bytes_per_s": lambda one: _outside(one, 1 / 1.5),
    "rental": lambda one: (
        replace(one, tariff=replace(one.tariff, usd_per_chip_s=one.tariff.usd_per_chip_s / 2)) if one.tariff else one
    ),
}
"""Other values of the facts of a machine."""

SECOND = {"inside.links": "inside.switches"}
"""Facts that stand in for one that is missing: of a machine that has that one they move nothing."""


def _moved_by(control: Control, facts: Facts) -> set[str]:
    """Facts with another value of which the careful number is another."""
    was = control.start(Mode.CAREFUL, facts)
    machines = {name: replace(facts, machine=change(facts.machine)) for name, change in CHANGES.items()}
    found = {name for name, other in machines.items() if control.start(Mode.CAREFUL, other) != was}
    short = replace(facts.model, precision=replace(facts.model.precision, kv=number_format("fp8")))
    shapes = [replace(facts, model=one) for one in (short, *map(load_model, OTHER_MODELS))]
    same = [replace(one, model=replace(one.model, trained_tokens=facts.model.trained_tokens)) for one in shapes]
    found |= {"config"} if any(control.start(Mode.CAREFUL, one) != was for one in same) else set()
    longer = replace(facts, model=replace(facts.model, trained_tokens=2 * (facts.model.trained_tokens or 1)))
    return found | ({"trained_tokens"} if control.start(Mode.CAREFUL, longer) != was else set())


@of_each(("one", "control"), EVERY, ids=IDS)
def test_a_careful_number_names_each_fact_that_moves_it_and_no_other(one: Board, control: Control) -> None:
    basis = BASES.get(basis_name(one.name, control.name))
    if basis is None or not callable(control.careful):
        assert not callable(control.careful), "it takes facts, and names none"
        return
    told = {name for name in basis.facts if name in CHANGES or name in ("config", "trained_tokens")}
    moved = _moved_by(control, one.facts())
    assert moved <= told
    spare = {name for name in told - moved if SECOND.get(name) not in moved}
    # Two boards' chips depend on the model only where one domain cannot hold it.
    assert spare <= ({"config", "hbm_bytes"} if basis_name(one.name, control.name).endswith("/chips") else set())


@of_each(("one", "control"), EVERY, ids=IDS)
def test_a_number_without_a_source_is_known_to_be_chosen_here_or_his(one: Board, control: Control) -> None:
    basis = BASES.get(basis_name(one.name, control.name))
    is_sourced = basis is not None and bool(basis.facts or basis.cites)
    if is_sourced or basis in (HERE, HIS):
        return
    if basis is None:
        assert control.name in CHOSEN
    else:
        assert basis.how


def test_every_basis_is_of_a_control() -> None:
    assert {basis_name(one.name, control.name) for one, control in EVERY} - {""} == set(BASES)
    assert not CHOSEN & set(BASES)


def _everything() -> SourcesDocument:
    return cast("SourcesDocument", answers("sources", {}, Dropped()))


def test_every_number_of_a_board_has_its_sources_and_their_days_in_the_document() -> None:
    found = _everything()
    cited = set()
    for one, control in EVERY:
        basis = BASES.get(basis_name(one.name, control.name))
        if basis is None or control.start(Mode.CAREFUL, one.facts()) is None:
            continue
        ground = found["grounds"][f"{one.model} {one.machine}"][basis_name(one.name, control.name)]
        assert ground["how"] == basis.how
        # What a maker does not publish is counted all the same.
        published = [name for name in basis.facts if name.startswith("published")]
        assert bool(ground["cites"]) >= bool(len(basis.facts) > len(published) or basis.cites), control.name
        assert all(re.search(r"\d{4}-\d\d-\d\d$", cite["said"]) for cite in ground["cites"])
        cited |= {cite["source"] for cite in ground["cites"]}
    assert cited | {cite["source"] for cite in found["first"]} == set(range(len(found["sources"])))
    told = [(source["title"], source["address"]) for source in found["sources"]]
    assert len(set(told)) == len(told)


@of_each(("place", "machine"), list(enumerate(machine_ids())), ids=machine_ids())
def test_addresses_are_https_or_none(place: int, machine: str) -> None:
    """Of each machine and of each model, whose sources are their own: every model stands on one of the machines."""
    wanted = [Wanted(model=one, machine=machine, bases=BASES) for one in model_ids()[place :: len(machine_ids())]]
    addresses = [source["address"] for source in sources_document(wanted, wanted[0])["sources"]]
    assert all(address == "" or address.startswith("https://") for address in addresses)
    assert sum(map(bool, addresses)) > 0.5 * len(addresses)


def test_the_first_view_says_what_its_price_is_and_what_others_ask() -> None:
    one, found = board("cost"), _everything()
    tariff = one.facts().machine.tariff
    assert tariff is not None
    assert tariff.usd_per_chip_s == pytest.approx(4.54 / 3600)
    line = [f"{cite['said']}{found['sources'][cite['source']]['title']}" for cite in found["first"]]
    assert line[0] == "Price: $4.54/h on-demand (2026-03), Spheron Network, GPU prices"
    assert line[1].startswith("; $10.50/h list (2026-02), Kael Research")
    assert "".join(line).count(". Model: config.json of deepseek-ai/DeepSeek-V3") == 1


def test_a_configuration_of_ones_own_is_its_own_source() -> None:
    own = Wanted(model="config-0123", machine="h100-sxm", bases={"active_params": BASES["active_params"]})
    found = sources_document([own], own)
    (cite,) = found["grounds"]["config-0123 h100-sxm"]["active_params"]["cites"]
    assert found["sources"][cite["source"]] == {"title": "Your config.json", "address": ""}
