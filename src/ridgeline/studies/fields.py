"""Numbers of a machine's facts by name: read, and set in a copy."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from ridgeline.catalog.facts import YOURS, Fact
from ridgeline.catalog.machines import FabricFacts, MachineFacts
from ridgeline.catalog.rentals import Rental, default_tariff
from ridgeline.glossary import GLOSSARY

__all__ = ["PEAKS", "PRICE", "column", "dimension", "field_values", "glossary_name", "settable", "with_fields"]

PRICE = "usd_per_chip_s"
PEAKS = "flop_per_s"
"""Name that sets all peaks of a chip in proportion to the 16-bit one; with a format after a point, one alone."""

CHIP = ("hbm_bytes", "hbm_bytes_per_s", "l2_bytes", "compute_units", "power_w")
LEVEL = ("bytes_per_s", "chips", "links", "cables_per_link", "switches")

DIMENSIONS = {"flop_per_s": "flop_per_s", "bytes_per_s": "bytes_per_s", "bytes": "bytes", "w": "w"}
"""Dimension of a field, by the ending of its name."""


def column(name: str) -> str:
    """The column of a field: ``scale_up.bytes_per_s`` is in ``scale_up_bytes_per_s``."""
    return name.replace(".", "_")


def dimension(name: str) -> str:
    """Dimension by which text for a field is read."""
    if name == PRICE:
        return "usd_per_s"
    of = PEAKS if name.startswith(PEAKS) else name
    return next((read for end, read in DIMENSIONS.items() if of == end or of.endswith(("_" + end, "." + end))), "count")


def glossary_name(name: str) -> str | None:
    """The glossary's entry with a field's range; None where it has none."""
    plain = PEAKS if name.startswith(PEAKS) else name.rpartition(".")[2]
    return plain if plain in GLOSSARY else None


def field_values(facts: MachineFacts) -> dict[str, float]:
    """Every number of a machine that a study can set and that is known, by name."""
    chip = facts.chip
    found: dict[str, Fact | None] = {PEAKS: chip.flop_per_s["bf16"]}
    found |= {f"{PEAKS}.{key}": fact for key, fact in chip.flop_per_s.items()}
    found |= {name: getattr(chip, name) for name in CHIP}
    for level in facts.fabric:
        found |= {f"{level.name}.{name}": getattr(level, name) for name in LEVEL}
    found["node_chips"] = facts.node_chips
    tariff = default_tariff(facts.rental)
    values = {name: fact.value for name, fact in found.items() if fact is not None}
    return values if tariff is None else values | {PRICE: tariff.usd_per_chip_s}


def settable(facts: MachineFacts) -> tuple[str, ...]:
    """Names of all fields that a study can set."""
    levels = [f"{level.name}.{name}" for level in facts.fabric for name in LEVEL]
    peaks = [f"{PEAKS}.{key}" for key in facts.chip.flop_per_s]
    return (PEAKS, *peaks, *CHIP, *levels, "node_chips", PRICE)


def with_fields(facts: MachineFacts, values: Mapping[str, float]) -> MachineFacts:
    """The facts with other numbers; those of one level, or of the chip, by their names as of ``field_values``."""
    chip_changes: dict[str, Any] = {}
    level_changes: dict[str, dict[str, Any]] = {}
    changes: dict[str, Any] = {}
    flop_per_s = dict(facts.chip.flop_per_s)
    # The peak of one format overrides the proportion, in whatever order they are given.
    for name, value in sorted(values.items(), key=lambda item: item[0] != PEAKS):
        level, _, inner = name.rpartition(".")
        if name == PEAKS:
            scale = value / facts.chip.flop_per_s["bf16"].value
            flop_per_s |= {
                key: _changed(fact, value if key == "bf16" else fact.value * scale) for key, fact in flop_per_s.items()
            }
        elif level == PEAKS:
            flop_per_s[inner] = _changed(flop_per_s[inner], value)
        elif name == PRICE:
            changes["rental"] = (Rental(usd_per_chip_s=_fact(facts, value), kind="list"),)
        elif name == "node_chips":
            changes[name] = _changed(facts.node_chips or _fact(facts, value), value)
        elif level:
            level_changes.setdefault(level, {})[inner] = value
        else:
            chip_changes[name] = _changed(getattr(facts.chip, name) or _fact(facts, value), value)
    reached = facts.chip.largest_product_flop_per_s
    if reached is not None:
        # The same fraction of the peak.
        peak = facts.chip.flop_per_s["bf16"].value
        chip_changes["largest_product_flop_per_s"] = _changed(reached, reached.value * flop_per_s["bf16"].value / peak)
    changes["chip"] = dataclasses.replace(facts.chip, flop_per_s=flop_per_s, **chip_changes)
    changes["fabric"] = tuple(_level(facts, level, level_changes.get(level.name, {})) for level in facts.fabric)
    return dataclasses.replace(facts, **changes)


def _level(facts: MachineFacts, level: FabricFacts, values: Mapping[str, float]) -> FabricFacts:
    """A level of the fabric with other numbers."""
    changes: dict[str, Any] = {
        name: _changed(getattr(level, name) or _fact(facts, value), value) for name, value in values.items()
    }
    return dataclasses.replace(level, **changes)


STUDY = YOURS
"""Source of the facts that a study sets."""


def _changed(fact: Fact, value: float) -> Fact:
    """Fact with another number; unchanged where the number is."""
    if fact.value == value:
        return fact
    return dataclasses.replace(fact, value=value, written=repr(value), source=STUDY, unverified=True, note="")


def _fact(facts: MachineFacts, value: float) -> Fact:
    """Fact where there was none, dated as the chip's peak is."""
    date = facts.chip.flop_per_s["bf16"].date
    return Fact(value=value, written=repr(value), source=STUDY, date=date, unverified=True)
