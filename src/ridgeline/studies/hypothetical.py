"""Machines of a study: those of the catalog, and hypothetical ones, whose fields are set, ranged or tied by rules."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from ridgeline.catalog.machines import MachineFacts, entry_of, load_machine, machine_entry, machine_ids
from ridgeline.errors import RidgelineError
from ridgeline.glossary import GLOSSARY
from ridgeline.specs.machine import Machine
from ridgeline.specs.tariff import Tariff
from ridgeline.studies.axis import Axis, StudyError, is_range, number, numbers
from ridgeline.studies.fields import PEAKS, PRICE, column, dimension, field_values, glossary_name, settable, with_fields
from ridgeline.studies.rule import Rule, read_rule

__all__ = ["Candidate", "Given", "Hypothetical", "given", "read_hypothetical"]

NAME, QUANTITY = re.compile(r"[A-Za-z0-9][\w.-]*"), re.compile(r"[a-z][a-z0-9_]*")
"""Patterns of a hypothetical machine's name, which names its files, and of a quantity's, which names a column."""

KEYS = ("like", "quantities", "at_most")
"""Keys of a hypothetical machine's table, beside its fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Machine of the catalog or of a file, unchanged.

    Attributes:
        name: name of the machine in the study: a catalog id or a path.
        machine: record of the machine, at the study's price.
        known: numbers of the machine by the columns of hypothetical machines.
    """

    name: str
    machine: Machine
    known: Mapping[str, float]

    @property
    def variants(self) -> int:
        """Number of machines that it stands for."""
        return 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Hypothetical:
    """Hypothetical machines: one for each combination of the values of its axes.

    Attributes:
        name: name of the table in the study.
        like: facts of the machine that they are copied from, but for what is set.
        axes: fields, and quantities of the study's own, that are set or ranged over.
        rules: rules of the fields that follow from others, in an order in which they can be computed.
        at_most: limits; a machine beyond one is left out, with its reason.
    """

    name: str
    like: MachineFacts
    axes: tuple[Axis, ...]
    rules: tuple[Rule, ...]
    at_most: Mapping[str, float]

    @property
    def variants(self) -> int:
        """Number of machines that it stands for."""
        return math.prod(axis.size for axis in self.axes)

    @property
    def varied(self) -> tuple[str, ...]:
        """Fields and quantities that are set or follow from a rule, and so differ from ``like``."""
        return (*(axis.name for axis in self.axes), *(rule.name for rule in self.rules))

    def values(self, variant: int) -> dict[str, float]:
        """Every number of one machine by name, in base units."""
        found = field_values(self.like)
        for axis in reversed(self.axes):
            variant, at = divmod(variant, axis.size)
            self._set(found, axis.name, axis.values[at])
        for rule in self.rules:
            self._set(found, rule.name, rule.value(found))
        return found

    def _set(self, values: dict[str, float], name: str, value: float) -> None:
        """Set a number; with the 16-bit peak the others change in proportion, but for those that are said."""
        if name == PEAKS:
            by = value / values[PEAKS]
            of_it = [one for one in values if one.startswith(f"{PEAKS}.") and one not in self.varied]
            values |= {one: values[one] * by for one in of_it}
        values[name] = value

    def over(self, values: Mapping[str, float]) -> str | None:
        """Reason to leave out a machine with these numbers; None where it is within all limits."""
        for name, most in self.at_most.items():
            if values[name] > most:
                return f"{self.name}: {name} is over at_most {most:.6g}"
        return None

    def facts(self, variant: int) -> MachineFacts:
        """The facts of one machine, as its file would have them."""
        values = self.values(variant)
        known = settable(self.like)
        changed = with_fields(self.like, {name: values[name] for name in self.varied if name in known})
        return dataclasses.replace(changed, id=self.name, name=f"{self.name}, like {self.like.name}")

    def machine(self, variant: int) -> Machine:
        """Machine of one combination of values.

        Raises:
            CatalogError: a number is implausible, or contradicts another.
        """
        return entry_of(self.facts(variant), self.name).machine


Candidate = Given | Hypothetical
"""Machine, or table of hypothetical machines, that a study names."""


def given(
    where: str, name: str, *, market: str | None, usd_per_chip_s: float | None, kernels: str | None = None
) -> Given:
    """A machine by catalog id or path, at a price, with the user's own numbers of it where a calibration has any.

    Raises:
        StudyError: there is none of that name, or no price in that market.
    """
    try:
        facts, machine = machine_entry(name).facts, load_machine(name, market=market, kernels=kernels)
    except RidgelineError as error:
        raise StudyError(f"{where}: {error}") from None
    if usd_per_chip_s is not None:
        tariff = Tariff(usd_per_chip_s=usd_per_chip_s, label="as the study says")
        machine = dataclasses.replace(machine, tariff=tariff)
    known = {column(field): value for field, value in field_values(facts).items() if field != PRICE}
    if machine.tariff is not None:
        known[PRICE] = machine.tariff.usd_per_chip_s
    return Given(name=name, machine=machine, known=known)


def read_hypothetical(where: str, name: str, raw: dict[str, Any]) -> Hypothetical:
    """A hypothetical machine from its table.

    Raises:
        StudyError: a field is not known or not plausible, rules go in a circle, or no machine is left.
    """
    if not NAME.fullmatch(name):
        raise StudyError(f"{where}: {name!r} is no name of a machine; write letters, digits, points and hyphens")
    if name in machine_ids():
        raise StudyError(f"{where}: {name!r} is a machine of the catalog; give yours another name")
    if not isinstance(raw.get("like"), str):
        raise StudyError(f'{where}.like: names the machine that it is like but for what you say: like = "h100-sxm"')
    try:
        like = machine_entry(raw["like"]).facts
    except RidgelineError as error:
        raise StudyError(f"{where}.like: {error}") from None
    fields = _flat({key: value for key, value in raw.items() if key not in KEYS})
    allowed = settable(like)
    if unknown := [field for field in fields if field not in allowed]:
        raise StudyError(f"{where}: {', '.join(unknown)}: no number of a machine; there are {', '.join(allowed)}")
    quantities = _flat(raw.get("quantities", {}))
    if clashing := sorted(set(quantities) & set(allowed)):
        raise StudyError(f"{where}.quantities: {', '.join(clashing)}: fields of the machine; set them beside like")
    if odd := [one for one in quantities if not QUANTITY.fullmatch(one)]:
        raise StudyError(
            f"{where}.quantities: {', '.join(odd)}: no name of a column; write small letters, digits and _"
        )
    told = fields | quantities
    places = {one: f"{where}.{one}" if one in fields else f"{where}.quantities.{one}" for one in told}
    known = (*field_values(like), *(one for one in told if one not in field_values(like)))
    ruled = {one: value for one, value in told.items() if isinstance(value, dict) and "sum" in value}
    rules = {one: read_rule(places[one], one, value, known, dimension) for one, value in ruled.items()}
    axes = tuple(
        Axis(name=one, values=_values(places[one], one, value)) for one, value in told.items() if one not in rules
    )
    chip = Hypothetical(
        name=name,
        like=like,
        axes=axes,
        rules=_ordered(where, rules),
        at_most=_limits(f"{where}.at_most", raw.get("at_most", {}), known),
    )
    _require_some(where, chip)
    return chip


def _flat(raw: object, before: str = "") -> dict[str, Any]:
    """Tables within tables by dotted names, down to quantities, lists, ranges and rules."""
    if not isinstance(raw, dict):
        raise StudyError(f"{before or 'machine'}: {raw!r} is no table")
    found: dict[str, Any] = {}
    for key, value in raw.items():
        if isinstance(value, dict) and not is_range(value) and "sum" not in value:
            found |= _flat(value, f"{before}{key}.")
        else:
            found[f"{before}{key}"] = value
    return found


def _values(where: str, name: str, raw: object) -> tuple[float, ...]:
    """Values of a field, each within its range."""
    values = numbers(where, raw, dimension(name))
    entry = glossary_name(name)
    if entry is not None:
        quantity = GLOSSARY[entry]
        for value in values:
            if not quantity.low <= value <= quantity.high:
                raise StudyError(
                    f"{where}: {value:.6g} is outside [{quantity.low:g}, {quantity.high:g}] {quantity.unit}"
                    f" ({quantity.meaning})"
                )
    return values


def _ordered(where: str, rules: Mapping[str, Rule]) -> tuple[Rule, ...]:
    """Rules in an order in which each finds what it needs."""
    needs = {name: {term.of for term in rule.terms if term.of in rules} for name, rule in rules.items()}
    try:
        return tuple(rules[name] for name in TopologicalSorter(needs).static_order())
    except CycleError as error:
        raise StudyError(f"{where}: rules go in a circle: {' needs '.join(reversed(error.args[1]))}") from None


def _limits(where: str, raw: object, known: tuple[str, ...]) -> dict[str, float]:
    limits = _flat(raw, "")
    if unknown := [name for name in limits if name not in known]:
        raise StudyError(f"{where}: {', '.join(unknown)}: not known; there are {', '.join(known)}")
    return {name: number(f"{where}.{name}", value, dimension(name)) for name, value in limits.items()}


MOST_TRIED = 1000
"""Number of machines that are tried until one can be made."""


def _require_some(where: str, chip: Hypothetical) -> None:
    """Refuse a table none of whose machines can be made.

    Raises:
        StudyError: with the reason of the last that was tried.
    """
    said: str | None = None
    tried = range(0, chip.variants, max(chip.variants // MOST_TRIED, 1))
    for variant in tried:
        try:
            said = chip.over(chip.values(variant))
            if said is None:
                chip.machine(variant)
                return
        except RidgelineError as error:
            said = str(error)
    raise StudyError(f"{where}: no machine is left of {len(tried):,} that were tried: {said}")
