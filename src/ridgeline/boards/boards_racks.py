"""Boards of the lecture's second half hour: racks, experts over two of them, and what a pipeline holds."""

from __future__ import annotations

import numpy as np

from ridgeline.boards.board import Board, Control, Term, Values, View
from ridgeline.boards.lecture import controls
from ridgeline.boards.old_numbers import BALANCE_BATCH, LINK_RATIO, NEXT_HBM_BYTES, STAGES
from ridgeline.boards.picture import Axis, Block, Colour, Curves, Line, Mark, Timeline
from ridgeline.catalog import load_machine, machine_entry
from ridgeline.equations import collectives, memory, racks, roofline
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARDS"]

POINTS = 401
GENERATIONS = (
    ("A100", "a100-80-sxm", Colour.ASIDE),
    ("H100", "h100-sxm", Colour.WEIGHTS),
    ("GB200", "gb200-nvl72", Colour.BOUND),
    ("Vera Rubin", "vr200-nvl144", Colour.KV),
    ("Rubin Ultra", "rubin-ultra-nvl576", Colour.OTHER),
)
MOST_CHIPS = 500.0
WRITTEN = 50.0
"""Packages whose number has room in their bar."""

FAR = 4.0
MOST_RACKS = 8.0
MOST_STAGES = 8.0


def _racks(at: Values) -> Curves:
    machines = [(name, load_machine(machine), colour) for name, machine, colour in GENERATIONS]
    chips = np.union1d(np.geomspace(1.0, MOST_CHIPS, POINTS), [float(one.scale_up_chips) for _, one, _ in machines])
    lines, marks = [], []
    for name, machine, colour in machines:

        def read_s(chips: np.ndarray, rate: float = machine.chip.hbm_bytes_per_s) -> np.ndarray:
            domain = racks.domain_bytes_per_s(chips=chips, hbm_bytes_per_s=rate)
            found = roofline.memory_time_s(
                batch=1, weight_bytes=at["weight_bytes"], kv_bytes_per_sequence=0, hbm_bytes_per_s=domain
            )
            return np.asarray(found)

        count = float(machine.scale_up_chips)
        here = float(read_s(np.array([count]))[0])
        rate = format_quantity(machine.chip.hbm_bytes_per_s, "bytes_per_s")
        lines.append(Line(name=f"{name}\n{rate}", y=read_s(chips), colour=colour, is_bold=colour is Colour.BOUND))
        marks.append(
            Mark(
                name=f"domain of {name}",
                x=count,
                y=here,
                line=lines[-1].name,
                text=f"{count:.0f}: {format_quantity(here, 's')}",
                colour=colour,
            )
        )
    highest = max(float(line.y[0]) for line in lines)
    return Curves(x=chips, lines=tuple(lines), marks=tuple(marks), top=2 * highest)


def _domains(at: Values) -> Timeline:
    """Packages and dies of a domain, and chips that it takes to hold the weights."""
    rows, blocks, fitting = [], [], []
    for row, (name, machine_id, _) in enumerate(GENERATIONS):
        machine, dies_per_chip = load_machine(machine_id), machine_entry(machine_id).facts.chip.dies
        chips = float(machine.scale_up_chips)
        dies = float(racks.dies(chips=chips, dies_per_chip=dies_per_chip.value if dies_per_chip else 1))
        held = float(racks.domain_bytes(chips=chips, hbm_bytes=machine.chip.hbm_bytes))
        rows.append(f"{name}\n{format_quantity(held, 'bytes')}")
        packages = f"{chips:.0f}" if chips >= WRITTEN else ""
        blocks.append(Block(row=row, start=0.0, end=chips, text=packages, colour=Colour.BOUND))
        if dies > chips:
            blocks.append(Block(row=row, start=chips, end=dies, text=f"{dies:.0f}", colour=Colour.ASIDE))
        # Eight H100 have 684 GB, and a runtime that leaves 616 GB of them: no room for the 671 GB of DeepSeek-V3.
        if held * machine.efficiency.usable_hbm_fraction >= at["weight_bytes"]:
            fitting.append(name)
    smallest = fitting[0] if fitting else "none"
    text = f"first to hold the weights: {smallest}; packages, then dies"
    return Timeline(rows=tuple(rows), blocks=tuple(blocks), text=text)


def _scale_out(at: Values) -> Curves:
    x = np.union1d(np.linspace(1.0, MOST_RACKS, POINTS), [at["racks"]])

    def times(count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Inside a rack and between racks, over the time of one rack's."""
        leaving = np.asarray(collectives.others_fraction(ranks=count))
        return 1 - leaving, at["link_ratio"] * leaving

    inside, between = times(x)
    here = float(max(part[0] for part in times(np.array([at["racks"]]))))
    return Curves(
        x=x,
        lines=(
            Line(name="all-to-all", y=np.maximum(inside, between), colour=Colour.BOUND, is_bold=True),
            Line(name="between racks", y=between, colour=Colour.KV),
            Line(name="inside a rack", y=inside, colour=Colour.COMPUTE),
            Line(
                name="at the links' ratio",
                y=np.full_like(x, at["link_ratio"]),
                colour=Colour.ASIDE,
                is_floor=True,
            ),
        ),
        marks=(
            Mark(
                name="racks",
                x=at["racks"],
                y=here,
                line="all-to-all",
                text=f"{format_quantity(at['racks'], 'count')} racks: {here:.3g} times",
                colour=Colour.BOUND,
            ),
        ),
        top=1.1 * max(1.0, at["link_ratio"]),
    )


def _memory(at: Values) -> Curves:
    x = np.union1d(np.linspace(1.0, MOST_STAGES, POINTS), [at["stages"]])

    def parts(stages: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        weights, kv = memory.bytes_per_chip(
            weight_bytes=at["weight_bytes"],
            kv_bytes_per_sequence=at["context_tokens"] * at["kv_bytes_per_token"],
            batch=at["batch_per_stage"] * stages,
            chips_per_stage=at["chips_per_stage"],
            stages=stages,
        )
        return np.asarray(weights), np.asarray(kv)

    weights, kv = parts(x)
    here = float(sum(part[0] for part in parts(np.array([at["stages"]]))))
    needed = float(weights[0] + kv[0])
    # What a chip has is drawn where it is not far above all that is needed.
    is_near = at["hbm_bytes"] < FAR * needed
    level = Line(name="a chip has", y=np.full_like(x, at["hbm_bytes"]), colour=Colour.ASIDE, is_floor=True)
    room = (level,) if is_near else ()
    return Curves(
        x=x,
        lines=(
            Line(name="both", y=weights + kv, colour=Colour.BOUND, is_bold=True),
            Line(name="keys and values", y=kv, colour=Colour.KV),
            Line(name="weights", y=weights, colour=Colour.WEIGHTS),
            *room,
        ),
        marks=(
            Mark(
                name="stages",
                x=at["stages"],
                y=here,
                line="both",
                text=f"{format_quantity(at['stages'], 'count')} stages: {format_quantity(here, 'bytes')}",
                colour=Colour.BOUND,
            ),
        ),
        top=1.1 * (max(needed, at["hbm_bytes"]) if is_near else needed),
    )


BOARDS: tuple[Board, ...] = (
    Board(
        name="racks",
        title="Reading the weights, by generation",
        question="How long does a scale-up domain take to read all weights once: by its chips, or by their number?",
        caption="Weights spread over all chips of a domain, at the memory bandwidth of the spec sheet. Domains are"
        " counted in packages; some makers count the dies in them.",
        formula=(
            Term(tex=r"t_{min}", colour=Colour.BOUND),
            Term(tex=r"\;=\;\dfrac{N_t\,b_w}{n\,W}"),
        ),
        controls=(controls.weight_bytes(),),
        views=(
            View(
                x=Axis(caption="chips that share the weights", dimension="count", is_logarithmic=True),
                y=Axis(caption="time to read every weight once", dimension="s", is_logarithmic=True),
                compute=_racks,
                heading="Time to read the weights",
            ),
            View(
                heading="Packages and dies of a domain",
                x=Axis(caption="chips, counted as packages or as dies", dimension="count"),
                y=Axis(caption="domain, its memory", dimension="count"),
                compute=_domains,
            ),
        ),
        claims=("A6", "B5", "B6", "B7", "B17"),
        exercises=("racks-bandwidth",),
    ),
    Board(
        name="scale-out",
        title="Experts over more than one rack",
        question="How much longer does all-to-all take when experts lie over several racks?",
        caption="Both networks work at the same time, so the slower decides; tokens choose experts evenly.",
        formula=(
            Term(tex=r"\dfrac{t}{t_1}", colour=Colour.BOUND),
            Term(tex=r"\;=\;\max(\;"),
            Term(tex=r"\dfrac{1}{R}", colour=Colour.COMPUTE),
            Term(tex=r",\;\;"),
            Term(tex=r"\rho\,\dfrac{R-1}{R}", colour=Colour.KV),
            Term(tex=r"\;)"),
        ),
        controls=(
            Control(
                name="racks",
                meaning="racks",
                dimension="count",
                low=1,
                high=MOST_RACKS,
                lecture=2,
                careful=2,
                is_whole=True,
            ),
            Control(
                name="link_ratio",
                meaning="times faster inside a rack",
                dimension="count",
                low=1,
                high=128,
                lecture=LINK_RATIO,
                careful=lambda facts: controls.link_ratio(facts.machine),
            ),
        ),
        views=(
            View(
                x=Axis(caption="racks that share the experts", dimension="count"),
                y=Axis(caption="time of all-to-all, over that inside one rack", dimension="count"),
                compute=_scale_out,
            ),
        ),
        claims=("B2", "B3", "B4"),
        exercises=("racks-links",),
    ),
    Board(
        name="memory",
        title="Memory of a chip against stages",
        question="What does a pipeline save of a chip's memory?",
        caption="Every stage needs a micro-batch of its own, so that stages divide the weights and never the cache.",
        formula=(
            Term(tex=r"c", colour=Colour.BOUND),
            Term(tex=r"\;=\;"),
            Term(tex=r"\dfrac{N_t\,b_w}{E\,P}", colour=Colour.WEIGHTS),
            Term(tex=r"\;+\;"),
            Term(tex=r"\dfrac{(b\,P)\,L\,\beta}{E\,P}", colour=Colour.KV),
        ),
        controls=(
            controls.weight_bytes(),
            Control(
                name="chips_per_stage",
                meaning="chips a stage",
                dimension="count",
                low=1,
                high=16384,
                lecture=64,
                careful=lambda facts: facts.machine.scale_up_chips,
                is_whole=True,
            ),
            Control(
                name="batch_per_stage",
                meaning="sequences a stage",
                dimension="count",
                low=1,
                high=1e5,
                lecture=BALANCE_BATCH,
                careful=controls.balance_batch,
            ),
            controls.context_tokens(lecture=1e5, careful=5000),
            controls.kv_bytes_per_token(),
            controls.hbm_bytes(NEXT_HBM_BYTES),
            Control(
                name="stages",
                meaning="stages",
                dimension="count",
                low=1,
                high=MOST_STAGES,
                lecture=STAGES,
                careful=4,
                is_whole=True,
            ),
        ),
        views=(
            View(
                x=Axis(caption="stages of the pipeline", dimension="count"),
                y=Axis(caption="memory of each chip", dimension="bytes"),
                compute=_memory,
            ),
        ),
        claims=("B12", "B13", "B14", "B15", "B18"),
        exercises=(
            "memory-full",
            "memory-weights",
            "memory-caches",
            "racks-stages",
        ),
    ),
)
