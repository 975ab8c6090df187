"""Scale-up domains by generation: how fast one reads the weights, and what it is counted in."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np

from ridgeline.boards.board import Board, Control, LetterNumber, Term, Values, View
from ridgeline.boards.companions import Generation, Generations, Reader, SharedReading
from ridgeline.boards.constant import filled_in
from ridgeline.boards.first_move import FirstMove, Moves, Way
from ridgeline.boards.lecture import controls
from ridgeline.boards.picture import Axis, Colour, Curves, Dots, Sheet
from ridgeline.boards.pictures import At, Curve, at, curve, curves, linear, logarithmic
from ridgeline.catalog import MachineEntry, machine_entry
from ridgeline.equations import racks, roofline
from ridgeline.quantity_text import format_number, format_quantity
from ridgeline.specs.machine import Machine

__all__ = ["BOARD", "DIES_EQUATION", "GENERATIONS", "dies_of", "domain_bytes", "introduced", "read_s"]

GENERATIONS = {
    "A100": ("a100-80-sxm", Colour.ASIDE),
    "H100": ("h100-sxm", Colour.ASIDE),
    "GB200": ("gb200-nvl72", Colour.BOUND),
    "Vera Rubin": ("vr200-nvl144", Colour.ALSO),
    "Rubin Ultra": ("rubin-ultra-nvl576", Colour.ALSO),
}
NAMED = ("GB200", "H100")
"""Generations that the lecture names: from trays to racks."""
EXAMPLE = "H100"
"""Generation whose numbers stand beside the formula's letters: the one that is told first."""
MOST_CHIPS = 500.0
FIRST_YEAR, LAST_YEAR = 2019.5, 2028.0
NEXT, MOST_DIES = "Rubin Ultra", 6
"""Generation that is not out yet, whose package can be given other dies, and the most of them."""
COLUMNS = ("rack", "packages", "dies", "memory")


def dies_of(entry: MachineEntry) -> float:
    """Number of dies of a scale-up domain."""
    dies = entry.facts.chip.dies
    return float(racks.dies(chips=entry.machine.scale_up_chips, dies_per_chip=dies.value if dies else 1))


def _dies(values: Values) -> dict[str, float]:
    """Number of dies of each domain, with the next one's packages as they are set."""
    entries = {name: machine_entry(machine) for name, (machine, _) in GENERATIONS.items()}
    following = racks.dies(chips=entries[NEXT].machine.scale_up_chips, dies_per_chip=values["dies_per_chip"])
    return {name: dies_of(one) for name, one in entries.items()} | {NEXT: float(following)}


def read_s(values: Values, entry: MachineEntry, chips: Any) -> Any:  # noqa: ANN401  a number or many
    """Time in which the chips of a domain read all weights, s."""
    rate = racks.domain_bytes_per_s(chips=chips, hbm_bytes_per_s=entry.machine.chip.hbm_bytes_per_s)
    return roofline.memory_time_s(
        batch=1, weight_bytes=values["weight_bytes"], kv_bytes_per_sequence=0, hbm_bytes_per_s=rate
    )


def _line(name: str, entry: MachineEntry) -> str:
    return f"{name}\n{_rate_text(entry)}"


def _rate_text(entry: MachineEntry) -> str:
    """Memory bandwidth of a chip."""
    return format_quantity(entry.machine.chip.hbm_bytes_per_s, "bytes_per_s")


def _faster(machine: Machine, first: Machine) -> str:
    """How much faster than another's chips those of a machine read the same."""
    chips = machine.scale_up_chips / first.scale_up_chips
    each = machine.chip.hbm_bytes_per_s / first.chip.hbm_bytes_per_s
    return f"{chips:g} times the chips, each {each:.1f} times as fast: {format_number(chips * each, 3)} times faster"


def _reader(values: Values, name: str) -> Reader:
    """Domain of a generation, each of whose chips reads its share."""
    entry, first = (machine_entry(GENERATIONS[one][0]) for one in (name, EXAMPLE))
    chips = entry.machine.scale_up_chips
    return Reader(
        line=_line(name, entry),
        name=name,
        chips=chips,
        share_text=format_quantity(values["weight_bytes"] / chips, "bytes"),
        rate_text=_rate_text(entry),
        read_s=float(read_s(values, entry, chips)),
        so_text="" if entry is first else _faster(entry.machine, first.machine),
    )


def _shared(values: Values) -> SharedReading:
    """Domains that the lecture names, the smaller first."""
    readers = tuple(_reader(values, name) for name in NAMED[::-1])
    weights = format_quantity(values["weight_bytes"], "bytes")
    return SharedReading(
        readers=readers,
        weights_text=weights,
        text=" and ".join(f"{one.chips} {one.name}" for one in readers) + f" read {weights} of weights",
    )


def _generation(values: Values, name: str) -> tuple[Curve, At]:
    """Row of a generation: its chips, and the domain that they are sold in."""
    machine, colour = GENERATIONS[name]
    entry = machine_entry(machine)
    chips = entry.machine.scale_up_chips
    line = _line(name, entry)
    return (
        curve(line, lambda x: read_s(values, entry, x), colour, is_bold=colour is Colour.BOUND),
        at(
            f"domain of {name}",
            chips,
            on=line,
            text=lambda time_s: f"{name}: {format_quantity(time_s, 's')}",
            colour=colour,
            is_fixed=True,
            is_quiet=name not in NAMED,
        ),
    )


def _reading(values: Values) -> Curves:
    lines, marks = zip(*(_generation(values, name) for name in GENERATIONS), strict=True)
    first = max(float(read_s(values, machine_entry(machine), 1.0)) for machine, _ in GENERATIONS.values())
    newest_first = marks[::-1]
    return curves(logarithmic(1.0, MOST_CHIPS), *lines, marks=newest_first, top=2 * first, companion=_shared(values))


def domain_bytes(entry: MachineEntry) -> float:
    """Memory of a scale-up domain."""
    machine = entry.machine
    return float(racks.domain_bytes(chips=machine.scale_up_chips, hbm_bytes=machine.chip.hbm_bytes))


def _example() -> Machine:
    return machine_entry(GENERATIONS[EXAMPLE][0]).machine


def _domains(values: Values) -> Sheet:
    """Packages and dies of each domain, and the first that has room for the weights."""
    entries = {name: machine_entry(machine) for name, (machine, _) in GENERATIONS.items()}
    # Eight H100 have 684 GB, of which a runtime leaves less: no room for the 671 GB of DeepSeek-V3.
    fitting = [
        place
        for place, one in enumerate(entries.values())
        if domain_bytes(one) * one.machine.efficiency.usable_hbm_fraction >= values["weight_bytes"]
    ]
    first, dies = list(entries)[fitting[0]] if fitting else "none", _dies(values)
    rows = tuple(
        (
            name,
            f"{one.machine.scale_up_chips}",
            f"{dies[name]:.0f}",
            format_quantity(domain_bytes(one), "bytes"),
        )
        for name, one in entries.items()
    )
    return Sheet(columns=COLUMNS, rows=rows, text=f"first to hold the weights: {first}", bold=tuple(fitting[:1]))


def _counts(values: Values) -> Curves:
    """Domains counted in packages and in dies, by the year in which each was introduced."""
    all_dies = _dies(values)
    entries = {name: machine_entry(machine) for name, (machine, _) in GENERATIONS.items()}
    years = [introduced(name) for name in entries]
    packages = [float(one.machine.scale_up_chips) for one in entries.values()]
    dies = list(all_dies.values())

    def steps(counts: list[float]) -> Any:  # noqa: ANN401  a line's function of many years
        return lambda year: np.max(
            [np.where(year >= since, one, counts[0]) for since, one in zip(years, counts, strict=True)], 0
        )

    def dots(name: str, counts: list[float], colour: Colour, *, is_named: bool) -> Dots:
        labels = [
            f"{one}: {count:.0f}" if is_named else f"{count:.0f}" for one, count in zip(entries, counts, strict=True)
        ]
        # Where both counts are one, one label says it.
        shown = [
            text if is_named or one != other else "" for text, one, other in zip(labels, counts, dies, strict=True)
        ]
        return Dots(name=name, x=np.array(years), y=np.array(counts), labels=tuple(shown), colour=colour)

    return curves(
        linear(FIRST_YEAR, LAST_YEAR, is_closed=True),
        curve("packages", steps(packages), Colour.ASIDE),
        curve("dies", steps(dies), Colour.BOUND, is_bold=True),
        also=years,
        dots=(
            dots("packages", packages, Colour.ASIDE, is_named=False),
            dots("dies", dies, Colour.BOUND, is_named=True),
        ),
        top=1.5 * MOST_DIES * max(packages),
        bottom=0.5 * min(packages),
        companion=_grown(entries, all_dies),
    )


def introduced(machine: str) -> float:
    """Year in which a machine of those drawn was introduced."""
    return float(machine_entry(GENERATIONS[machine][0]).facts.released)


def _grown(entries: dict[str, MachineEntry], all_dies: dict[str, float]) -> Generations:
    """Domains in the order of the years, those of one kind together."""
    by_kind = groupby(entries.items(), lambda one: (one[1].machine.scale_up_chips, all_dies[one[0]]))
    found = tuple(
        Generation(
            names=tuple(name for name, _ in alike),
            packages=packages,
            dies=round(dies / packages),
            all_dies=round(dies),
        )
        for (packages, dies), alike in by_kind
    )
    *_, before, last = found
    ratio = last.all_dies / before.all_dies
    return Generations(
        generations=found,
        growth_ratio=ratio,
        text=f"Packages with their dies. {last.names[-1]} has {ratio:g} times the dies of {before.names[-1]}",
    )


DIES_EQUATION = (
    Term(tex=r"\mathrm{dies}", colour=Colour.BOUND),
    Term(tex=r"\;=\;"),
    Term(tex=r"\mathrm{packages}", colour=Colour.ASIDE),
    Term(tex=r"\;\times\;\mathrm{dies\;in\;a\;package}"),
)
"""Two counts of one domain."""

BOARD = Board(
    name="racks",
    time_stamp="0:41:10",
    title="Racks (scale-up domains) by generation",
    question="How fast can all chips of a rack read the weights once, and how many chips does a rack really have?",
    caption="The weights are spread over all chips of a rack and read at the spec sheet's bandwidth. Up to Hopper,"
    " a package was called a chip. 576 counts the dies in 144 packages, four times the dies of the rack before."
    " SemiAnalysis reported in June 2026 that Rubin Ultra's package of four dies is cancelled.",
    formula=(
        Term(tex=r"t_{min}", colour=Colour.BOUND),
        Term(tex=r"\;=\;\dfrac{M_w}{n\,W}"),
    ),
    letter_numbers=(
        LetterNumber(tex="n", value=lambda _: _example().scale_up_chips, example=EXAMPLE),
        LetterNumber(
            tex="W", value=lambda _: _example().chip.hbm_bytes_per_s, dimension="bytes_per_s", example=EXAMPLE
        ),
    ),
    controls=(
        controls.weight_bytes(),
        Control(
            name="dies_per_chip",
            meaning=f"dies in a package of {NEXT}",
            short="dies a package",
            dimension="count",
            low=1,
            high=MOST_DIES,
            lecture=filled_in(4, why=f"{NEXT}'s, as announced"),
            careful=dies_of(machine_entry(GENERATIONS[NEXT][0]))
            / machine_entry(GENERATIONS[NEXT][0]).machine.scale_up_chips,
            is_whole=True,
        ),
    ),
    views=(
        View(
            heading="Time to read the weights",
            x=Axis(caption="chips that share the weights", dimension="count", is_logarithmic=True),
            y=Axis(caption="time to read every weight once", dimension="s", is_logarithmic=True),
            compute=_reading,
        ),
        View(heading="Packages and dies", compute=_domains),
        View(
            heading="Racks over the years",
            x=Axis(caption="year of the machine", dimension="year"),
            y=Axis(caption="chips of a rack", dimension="count", is_logarithmic=True),
            compute=_counts,
        ),
    ),
    claims=("A6", "B5", "B19", "B44", "B6", "B20", "B17"),
    exercises=("racks-bandwidth", "racks-dies"),
    first_move=FirstMove(
        control="weight_bytes",
        to=100e9,
        then="every line falls: fewer bytes are read sooner",
        seen=(Moves(what="", way=Way.DOWN),),
    ),
)
