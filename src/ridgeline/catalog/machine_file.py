"""A machine's facts as its TOML file."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ridgeline.catalog.facts import YOURS, Fact
from ridgeline.catalog.machines import FabricFacts, MachineFacts

__all__ = ["machine_text"]


def machine_text(facts: MachineFacts) -> str:
    """Text of a machine's file, which ``load_machine`` reads into the same numbers.

    >>> from ridgeline.catalog.machines import machine_entry
    >>> machine_text(machine_entry("h100-sxm").facts).splitlines()[0]
    'id = "h100-sxm"'
    """
    return "\n".join(_lines(facts)) + "\n"


def _lines(facts: MachineFacts) -> Iterator[str]:
    named = ("short_name",) if facts.short_name else ()
    for name in ("id", "name", *named, "family", "released", "announced"):
        yield f"{name} = {json.dumps(getattr(facts, name), ensure_ascii=False)}"
    if facts.node_chips is not None:
        yield f"node_chips = {_fact(facts.node_chips)}"
    yield "\n[chip]"
    chip = facts.chip.given()
    peaks = chip.pop("flop_per_s")
    yield from (f"flop_per_s.{name} = {_fact(fact)}" for name, fact in peaks.items())
    yield from (f"{name} = {_fact(fact)}" for name, fact in chip.items())
    for level in facts.fabric:
        yield "\n[[fabric]]"
        yield from _level(level)
    for rental in facts.rental:
        yield "\n[[rental]]"
        yield f"usd_per_chip_s = {_fact(rental.usd_per_chip_s)}"
        yield f"kind = {json.dumps(rental.kind)}"


def _level(level: FabricFacts) -> Iterator[str]:
    for name, value in level.given().items():
        if isinstance(value, Fact):
            yield f"{name} = {_fact(value)}"
        elif value:
            yield f"{name} = {json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)}"


def _fact(fact: Fact) -> str:
    """A fact in base units, with all digits."""
    value = int(fact.value) if fact.value == int(fact.value) else fact.value
    told = [f"value = {value!r}"]
    if fact.source != YOURS:
        told += [f"source = {json.dumps(fact.source, ensure_ascii=False)}", f"date = {fact.date.isoformat()}"]
        if fact.unverified:
            told.append("unverified = true")
    if fact.note:
        told.append(f"note = {json.dumps(fact.note, ensure_ascii=False)}")
    return f"{{ {', '.join(told)} }}"
