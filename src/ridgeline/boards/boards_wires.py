"""Boards of what joins chips: stages across racks, and a torus or switches."""

from __future__ import annotations

import numpy as np

from ridgeline.boards import controls_layouts
from ridgeline.boards.board import Board, Control, Facts, Term, Values, View
from ridgeline.boards.controls_layouts import VALUE_BYTES, count_text
from ridgeline.boards.lecture import controls
from ridgeline.boards.old_numbers import HOP_S, LINK_RATIO, PORT_BYTES_PER_S
from ridgeline.boards.picture import Axis, Colour, Curves, Line, Mark
from ridgeline.catalog import load_machine
from ridgeline.equations import collectives, experts, racks
from ridgeline.quantity_text import format_quantity

__all__ = ["BOARDS"]

POINTS = 401

BLACKWELL_LINKS = 18.0
"""NVLinks of a GPU, to as many switches: NVIDIA's health checks of GB200 expect so many,
https://docs.nvidia.com/health-validation/reference/checks/nvlink, read 2026-11-22. The lecture draws two."""

LATENCY_S = load_machine("gb200-nvl72").efficiency.message_latency_s["scale_out"]
"""Of a message that leaves its rack."""


# Stages across racks.


def _copies_per_token(facts: Facts) -> float:
    """Chips of a domain that a token visits: one copy goes to each."""
    block = controls.routed_block(facts.model)
    if block is None:
        return 1.0
    found = experts.groups_visited(
        experts=block.experts,
        active_experts=block.active_experts,
        groups=min(facts.machine.scale_up_chips, block.experts),
        routing_groups=block.routing_groups,
        routed_groups=block.routed_groups,
    )
    return max(1.0, float(found))  # one expert is one chip, but for rounding


def _stage_over_hand_over(at: Values, layers: np.ndarray, sent: tuple[float, float, float]) -> np.ndarray:
    dispatch, combine, send = sent
    found = racks.scale_up_over_scale_out(
        copies_per_token=at["copies_per_token"],
        layers_per_stage=layers,
        dispatch_bytes=dispatch,
        combine_bytes=combine,
        send_bytes=send,
        link_ratio=at["link_ratio"],
    )
    return np.asarray(found)


def _stages(at: Values) -> Curves:
    kinds = (
        ("bytes alike", (VALUE_BYTES, VALUE_BYTES, VALUE_BYTES), Colour.BOUND),
        ("bytes as sent", (at["dispatch_bytes"], VALUE_BYTES, VALUE_BYTES), Colour.OTHER),
    )
    ones = {name: float(_stage_over_hand_over(at, np.array([1.0]), sent)[0]) for name, sent, _ in kinds}
    reached = {name: float(racks.layers_to_hide(ratio_of_one_layer=one)) for name, one in ones.items()}
    end = max(8.0, at["layers_per_stage"], *(2 * layers for layers in reached.values()))
    x = np.union1d(np.linspace(1.0, end, POINTS), [at["layers_per_stage"], *reached.values()])
    lines, marks = [], []
    for name, sent, colour in reversed(kinds):
        is_bold = colour is Colour.BOUND
        lines.append(Line(name=name, y=_stage_over_hand_over(at, x, sent), colour=colour, is_bold=is_bold))
        places = [("enough layers", reached[name])]
        if at["layers_per_stage"] != reached[name]:
            places.append(("layers of a stage", at["layers_per_stage"]))
        marks += [
            Mark(
                name=f"{what}, {name}",
                x=layers,
                y=ones[name] * layers,
                line=name,
                text=f"{count_text(layers)} layer{'s' if layers > 1 else ''}: {ones[name] * layers:.3g}",
                colour=colour,
            )
            for what, layers in places
        ]
    lines.insert(0, Line(name="as long as\nthe hand-over", y=np.ones_like(x), colour=Colour.ASIDE, is_floor=True))
    lowest = min(float(line.y[0]) for line in lines)
    return Curves(
        x=x,
        lines=tuple(lines),
        marks=tuple(marks),
        top=2 * max(float(line.y[-1]) for line in lines),
        bottom=0.5 * lowest,
    )


PORTS = 1.0, 256.0


def _hop(at: Values) -> Curves:
    x = np.union1d(np.geomspace(*PORTS, POINTS), [at["ports"]])

    def hop_s(ports: np.ndarray) -> np.ndarray:
        found = collectives.send_time_s(
            message_bytes=at["batch"] * at["hidden"] * VALUE_BYTES / ports,
            ranks=2,
            bytes_per_s=at["port_bytes_per_s"],
            latency_s=at["latency_s"],
        )
        return np.asarray(found)

    y = hop_s(x)
    marks = [
        Mark(
            name=name,
            x=ports,
            y=float(hop_s(np.array([ports]))[0]),
            line="hand-over",
            text=f"{count_text(ports)} port{'s' if ports > 1 else ''}:"
            f" {format_quantity(float(hop_s(np.array([ports]))[0]), 's')}",
            colour=Colour.BOUND,
        )
        for name, ports in {"one port": 1.0, "ports": at["ports"]}.items()
        if name == "ports" or at["ports"] > 1
    ]
    lecture = Line(
        name=f"lecture:\n{format_quantity(HOP_S, 's')} a hop",
        y=np.full_like(x, HOP_S),
        colour=Colour.ASIDE,
        is_floor=True,
    )
    latency = Line(name="latency", y=np.full_like(x, at["latency_s"]), colour=Colour.ASIDE, is_floor=True)
    hand_over = Line(name="hand-over", y=y, colour=Colour.BOUND, is_bold=True)
    lowest = min(float(latency.y[0]), float(y.min()))
    return Curves(
        x=x,
        lines=(lecture, latency, hand_over),
        marks=tuple(marks),
        top=4 * max(HOP_S, float(y.max())),
        bottom=0.5 * lowest,
    )


# What joins the chips.

DOMAINS = 8.0, 9216.0


def _torus(at: Values) -> Curves:
    x = np.union1d(np.geomspace(*DOMAINS, POINTS), [at["chips"]])

    def ratio(chips: np.ndarray, axes: float) -> np.ndarray:
        return np.asarray(racks.torus_over_switch(chips=chips, axes=axes))

    here = float(ratio(np.array([at["chips"]]), at["axes"])[0])
    name = f"torus of\n{count_text(at['axes'])} axes" if at["axes"] > 1 else "ring"
    y = ratio(x, at["axes"])
    return Curves(
        x=x,
        lines=(
            Line(name="switch", y=np.ones_like(x), colour=Colour.COMPUTE),
            Line(name=name, y=y, colour=Colour.BOUND, is_bold=True),
        ),
        marks=(
            Mark(
                name="chips",
                x=at["chips"],
                y=here,
                line=name,
                text=f"{count_text(at['chips'])} chips: {here:.3g}",
                colour=Colour.BOUND,
            ),
        ),
        top=2 * float(y.max()),
        bottom=0.5,
    )


def _cables(at: Values) -> Curves:
    x = np.union1d(np.geomspace(*DOMAINS, POINTS), [at["chips"]])
    here = float(racks.switch_cables(chips=at["chips"], cables_per_chip=at["cables_per_chip"]))
    mesh = np.asarray(racks.mesh_cables(chips=x))
    switch = np.asarray(racks.switch_cables(chips=x, cables_per_chip=at["cables_per_chip"]))
    torus = np.asarray(racks.torus_cables(chips=x, axes=at["axes"]))
    return Curves(
        x=x,
        lines=(
            Line(name="every pair", y=mesh, colour=Colour.OTHER),
            Line(name="to switches", y=switch, colour=Colour.COMPUTE),
            Line(name="torus", y=torus, colour=Colour.BOUND, is_bold=True),
        ),
        marks=(
            Mark(
                name="cables to switches",
                x=at["chips"],
                y=here,
                line="to switches",
                text=f"{count_text(at['chips'])} chips: {count_text(here)}",
                colour=Colour.COMPUTE,
            ),
        ),
        top=2 * float(mesh.max()),
        bottom=0.5 * float(min(mesh.min(), torus.min(), switch.min())),
    )


BOARDS: tuple[Board, ...] = (
    Board(
        name="stages",
        title="A pipeline across racks",
        question="How many layers must a rack run before handing the batch on costs no time?",
        caption="A stage's all-to-all inside its rack, over its hand-over to the next; both networks work at the same"
        " time, and every chip hands on its part. The lecture takes all bytes alike; experts are sent 8 bits a value.",
        formula=(
            Term(tex=r"\dfrac{t_{up}}{t_{out}}", colour=Colour.BOUND),
            Term(tex=r"\;=\;\dfrac{c\,l\,(b_1+b_2)}{\rho\,b}\;\geq\;1,\qquad"),
            Term(tex=r"t_{hop}=\alpha+\dfrac{B\,d\,b}{m\,W_{port}}", colour=Colour.BOUND),
        ),
        controls=(
            Control(
                name="copies_per_token",
                meaning="copies a token",
                dimension="count",
                low=1,
                high=64,
                lecture=8,
                careful=_copies_per_token,
            ),
            controls_layouts.layers_per_stage(),
            Control(
                name="link_ratio",
                meaning="times faster inside a rack",
                dimension="count",
                low=1,
                high=128,
                lecture=LINK_RATIO,
                careful=lambda facts: controls.link_ratio(facts.machine),
            ),
            controls_layouts.dispatch_bytes(lecture=1),
            controls_layouts.batch(),
            controls_layouts.hidden(),
            Control(
                name="ports",
                meaning="ports",
                dimension="count",
                low=PORTS[0],
                high=PORTS[1],
                lecture=64,
                careful=lambda facts: min(PORTS[1], facts.machine.scale_up_chips),
                is_whole=True,
            ),
            Control(
                name="port_bytes_per_s",
                meaning="a port",
                dimension="bytes_per_s",
                low=1e9,
                high=1e12,
                lecture=PORT_BYTES_PER_S,
                careful=lambda facts: facts.machine.fabric[-1].bytes_per_s,
            ),
            Control(
                name="latency_s",
                meaning="of latency",
                dimension="s",
                low=1e-7,
                high=1e-3,
                lecture=LATENCY_S,  # he names none
                careful=lambda facts: facts.machine.efficiency.message_latency_s.get(facts.machine.fabric[-1].name),
            ),
        ),
        views=(
            View(
                heading="Inside over hand-over",
                x=Axis(caption="layers of a stage", dimension="count", is_logarithmic=True),
                y=Axis(caption="time inside the rack, over the hand-over's", dimension="count", is_logarithmic=True),
                compute=_stages,
            ),
            View(
                heading="The hand-over's own time",
                x=Axis(caption="ports that carry it", dimension="count", is_logarithmic=True),
                y=Axis(caption="time from rack to rack", dimension="s", is_logarithmic=True),
                compute=_hop,
            ),
        ),
        claims=("B3", "B8", "B11", "B16"),
        exercises=("racks-slack", "racks-hop", "racks-enough"),
    ),
    Board(
        name="wires",
        title="A torus, or a switch",
        question="What does all-to-all lose on a torus, and how many cables does it save?",
        caption="Equal and even sides, rings along every axis, and as many bytes a second a chip as through the switch."
        f" Careful cables are NVLink 5's, {BLACKWELL_LINKS:.0f} a GPU.",
        formula=(
            Term(tex=r"\dfrac{t_{torus}}{t_{switch}}", colour=Colour.BOUND),
            Term(tex=r"\;=\;\dfrac{k\,n^{1/k}}{4}\,\dfrac{n}{n-1}"),
            Term(tex=r"\qquad k\,n", colour=Colour.BOUND),
            Term(tex=r",\quad"),
            Term(tex=r"m\,n", colour=Colour.COMPUTE),
            Term(tex=r",\quad"),
            Term(tex=r"\dfrac{n(n-1)}{2}", colour=Colour.OTHER),
        ),
        controls=(
            Control(
                name="chips",
                meaning="chips",
                dimension="count",
                low=DOMAINS[0],
                high=DOMAINS[1],
                lecture=64,
                careful=lambda facts: max(DOMAINS[0], facts.machine.scale_up_chips),
                is_whole=True,
            ),
            Control(name="axes", meaning="axes", dimension="count", low=1, high=4, lecture=3, careful=3, is_whole=True),
            Control(
                name="cables_per_chip",
                meaning="cables a chip",
                dimension="count",
                low=1,
                high=72,
                lecture=2,
                careful=BLACKWELL_LINKS,
                is_whole=True,
            ),
        ),
        views=(
            View(
                heading="Time of all-to-all",
                x=Axis(caption="chips of a domain", dimension="count", is_logarithmic=True),
                y=Axis(caption="time, over that through a switch", dimension="count", is_logarithmic=True),
                compute=_torus,
            ),
            View(
                heading="Cables of a domain",
                x=Axis(caption="chips of a domain", dimension="count", is_logarithmic=True),
                y=Axis(caption="cables, all together", dimension="count", is_logarithmic=True),
                compute=_cables,
            ),
        ),
        claims=("B2", "B5"),
        exercises=("racks-torus", "racks-cables"),
    ),
)
