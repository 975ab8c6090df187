"""Boards of layouts: experts and their copies, the cuts of a layer, stages across racks, and what joins the chips."""

from __future__ import annotations

import numpy as np

from ridgeline.boards import controls
from ridgeline.boards.board import (
    Axis,
    Board,
    Colour,
    Control,
    Curves,
    Facts,
    Line,
    Mark,
    Table,
    Term,
    Values,
    View,
)
from ridgeline.boards.claims_racks import HOP_S
from ridgeline.equations import collectives, cuts, experts, placement, racks, roofline
from ridgeline.estimator.attention import cores
from ridgeline.estimator.kernels import RESIDUAL, AttentionCore
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.workload import Decode

__all__ = ["BOARDS"]

POINTS = 401
STEPS = 33
"""Numbers of copies that a placement is computed for."""

IN_FULL = 1000.0
"""Counts from here on are written to their last digit."""

MATRICES = 3.0
"""Of a gated expert: up, gate and down."""

VALUE_BYTES = RESIDUAL.bytes_per_value
"""Of the stream between layers, of results and of what stages hand on."""

PORT_BYTES_PER_S = 50e9
LINK_BYTES_PER_S = 450e9
"""H100's, whose memory is nearest the lecture's."""

BLACKWELL_LINKS = 18.0
"""NVLinks of a GPU, to as many switches: of memory, unverified. The lecture draws two."""


# What the catalog says.


def _routed(facts: Facts) -> RoutedExperts | None:
    blocks = (group.feed_forward for group in facts.model.groups)
    return next((block for block in blocks if isinstance(block, RoutedExperts)), None)


def _width(facts: Facts) -> float:
    """Inside an expert; inside the widest block of a model without."""
    block = _routed(facts)
    if block is not None:
        return block.expert_hidden
    dense = (group.feed_forward for group in facts.model.groups)
    return max(one.ffn_hidden for one in dense if not isinstance(one, RoutedExperts))


def _copies_per_token(facts: Facts) -> float:
    """Chips of a domain that a token visits: one copy goes to each."""
    block = _routed(facts)
    return 1.0 if block is None else _copies(block, facts.machine.scale_up_chips)


def _copies(block: RoutedExperts, chips: int) -> float:
    found = experts.groups_visited(
        experts=block.experts,
        active_experts=block.active_experts,
        groups=min(chips, block.experts),
        routing_groups=block.routing_groups,
        routed_groups=block.routed_groups,
    )
    return max(1.0, float(found))  # one expert is one chip, but for rounding


def _attention_values(facts: Facts) -> float:
    """Values of a token's queries and results in a layer, all heads together, on the mean over layers."""
    step, total = Decode(batch=1, context_tokens=1), 0.0
    for group in facts.model.groups:
        kernels = cores(group.attention, step, sequences=1, tp=1, kv_format=facts.model.precision.kv).values()
        for one in kernels:
            if isinstance(one, AttentionCore):
                total += group.layers * float(one.query_heads * (one.query_key_dim + one.value_dim))
    return max(1.0, total / facts.model.layers)


def _dispatch_bytes(facts: Facts) -> float:
    return facts.model.precision.experts.operand.bytes_per_value


def _link_ratio(facts: Facts) -> float:
    inside, beyond = facts.machine.fabric[0], facts.machine.fabric[-1]
    return float(racks.link_ratio(scale_up_bytes_per_s=inside.bytes_per_s, scale_out_bytes_per_s=beyond.bytes_per_s))


def _count(value: float) -> str:
    return f"{value:.3g}" if value < IN_FULL else f"{value:,.0f}"


# Controls of several boards.


def _experts() -> Control:
    return Control(
        name="experts",
        meaning="experts",
        dimension="count",
        low=8,
        high=1024,
        lecture=256,
        careful=lambda facts: block.experts if (block := _routed(facts)) else 8,
    )


def _active_experts() -> Control:
    return Control(
        name="active_experts",
        meaning="active",
        dimension="count",
        low=1,
        high=64,
        lecture=8,
        careful=lambda facts: block.active_experts if (block := _routed(facts)) else 8,
    )


def _hidden() -> Control:
    return Control(
        name="hidden",
        meaning="values wide",
        dimension="count",
        low=256,
        high=65536,
        lecture=7168,
        careful=lambda facts: facts.model.hidden,
    )


def _batch() -> Control:
    return Control(
        name="batch",
        meaning="sequences",
        dimension="count",
        low=1,
        high=1e6,
        lecture=2400,
        careful=controls.balance_batch,
    )


def _dispatch(lecture: float) -> Control:
    return Control(
        name="dispatch_bytes",
        meaning="a value sent to experts",
        dimension="bytes",
        low=0.5,
        high=4,
        lecture=lecture,
        careful=_dispatch_bytes,
    )


def _layers_per_stage() -> Control:
    # The lecture's hundred layers, and DeepSeek-V3's 61, over its four racks.
    return Control(
        name="layers_per_stage",
        meaning="layers a stage",
        dimension="count",
        low=1,
        high=100,
        lecture=25,
        careful=lambda facts: -(-facts.model.layers // 4),
    )


def _active(at: Values) -> int:
    """No more than there are."""
    return min(round(at["active_experts"]), round(at["experts"]))


# Experts over a rack.


def _placed(
    at: Values, redundant_experts: int
) -> tuple[tuple[float, ...], tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """Visits to each expert, its copies, and the chips that hold them."""
    visits = placement.visit_fractions(experts=round(at["experts"]), active_experts=_active(at), skew=at["skew"])
    copies = placement.copies_of_experts(visits=visits, redundant_experts=redundant_experts)
    holders = placement.holders_of_experts(visits=visits, copies=copies, chips=round(at["chips"]))
    return visits, copies, holders


def _busiest(at: Values) -> Curves:
    chips, here = round(at["chips"]), round(at["redundant_experts"])
    x = np.unique([*np.linspace(0, max(at["experts"] / 4, 2 * here), STEPS).round(), here])
    busiest, least, slots = [], [], 0
    for more in x.astype(int):
        visits, copies, holders = _placed(at, int(more))
        (arriving,) = placement.arriving_visits(visits=visits, holders=holders, chips=chips)
        busiest.append(placement.load_over_mean(loads=arriving))
        least.append(placement.least_load_over_mean(visits=visits, copies=copies, chips=chips))
        if more == here:
            slots = placement.slots_of_chips(copies=copies, chips=chips)
    y = float(np.interp(here, x, busiest))
    held = f"{here} copies" if here else "no copies"
    return Curves(
        x=x,
        lines=(
            Line(name="without copies", y=np.full_like(x, busiest[0]), colour=Colour.OTHER),
            Line(name="placed greedily", y=np.array(busiest), colour=Colour.BOUND, is_bold=True),
            Line(name="at best", y=np.array(least), colour=Colour.ASIDE, is_floor=True),
        ),
        marks=(
            Mark(
                name="copies",
                x=float(here),
                y=y,
                line="placed greedily",
                text=f"{held}: {y:.3g}\n{slots} experts a chip",
                colour=Colour.BOUND,
            ),
        ),
        top=1 + 1.25 * max(0.2, busiest[0] - 1),
    )


def _traffic(at: Values) -> Table:
    visits, _, holders = _placed(at, round(at["redundant_experts"]))
    arriving = placement.arriving_visits(
        visits=visits, holders=holders, chips=round(at["chips"]), racks=round(at["racks"])
    )
    between = _active(at) * np.array(placement.visits_between_racks(arriving=arriving))
    leaving = float(between.sum() - np.trace(between))
    even = _active(at) * float(collectives.others_fraction(ranks=round(at["racks"])))
    return Table(
        values=between,
        is_written=True,
        text=f"{leaving:.3g} of {_active(at)} leave their rack; {even:.3g} if copies are chosen blindly",
    )


# The cuts of a layer.


def _sent(at: Values, expert_hidden: np.ndarray) -> dict[str, np.ndarray]:
    """Bytes that a chip sends for a layer, by cut, over the width of an expert."""
    chips, tokens, hidden = at["chips"], at["batch"], at["hidden"]
    copies = experts.groups_visited(
        experts=round(at["experts"]),
        active_experts=_active(at),
        groups=min(chips, round(at["experts"])),
    )
    found = {
        "data": cuts.data_bytes(weight_bytes=_layer_bytes(at, expert_hidden), ranks=chips),
        "tensor": cuts.tensor_bytes(tokens=tokens, hidden=hidden, value_bytes=VALUE_BYTES, ranks=chips),
        "context": cuts.context_bytes(
            tokens=tokens,
            query_values=at["attention_values"] / 2,
            result_values=at["attention_values"] / 2,
            value_bytes=VALUE_BYTES,
            ranks=chips,
        ),
        "expert": cuts.expert_bytes(
            tokens=tokens,
            copies_per_token=copies,
            hidden=hidden,
            dispatch_bytes=at["dispatch_bytes"],
            combine_bytes=VALUE_BYTES,
            ranks=chips,
        ),
        "pipeline": cuts.pipeline_bytes(
            tokens=tokens,
            hidden=hidden,
            value_bytes=VALUE_BYTES,
            ranks=chips,
            layers_per_stage=at["layers_per_stage"],
        ),
    }
    return {name: np.broadcast_to(np.asarray(sent, dtype=float), expert_hidden.shape) for name, sent in found.items()}


def _layer_bytes(at: Values, expert_hidden: np.ndarray) -> np.ndarray:
    """Of all experts of a layer."""
    return np.asarray(at["experts"] * MATRICES * at["hidden"] * expert_hidden * at["bytes_per_param"])


def _layer_s(at: Values, expert_hidden: np.ndarray) -> np.ndarray:
    """Of a layer's experts, read and multiplied by all chips, with nothing to wait for."""
    found = roofline.step_time_s(
        batch=at["batch"],
        active_params=_active(at) * MATRICES * at["hidden"] * expert_hidden,
        weight_bytes=_layer_bytes(at, expert_hidden),
        kv_bytes_per_sequence=0,
        flop_per_s=at["chips"] * at["flop_per_s"],
        hbm_bytes_per_s=at["chips"] * at["hbm_bytes_per_s"],
    )
    return np.asarray(found)


CUTS = {
    "data": Colour.WEIGHTS,
    "tensor": Colour.COMPUTE,
    "context": Colour.KV,
    "expert": Colour.BOUND,
    "pipeline": Colour.OTHER,
}
WIDTHS = 64.0, 65536.0
"""That are drawn, unless an expert is wider."""

WIDEST = 131072.0
LINKS = 1e9, 1e14


def _cut_lines(found: dict[str, np.ndarray]) -> tuple[Line, ...]:
    return tuple(
        Line(name=name, y=y, colour=CUTS[name], is_bold=CUTS[name] is Colour.BOUND) for name, y in found.items()
    )


def _bytes_by_width(at: Values) -> Curves:
    width, rate = at["expert_hidden"], at["link_bytes_per_s"]
    one = {name: float(y[0]) for name, y in _sent(at, np.array([width])).items()}
    hidden_from = {
        name: float(
            cuts.hidden_behind_width(
                sent_bytes=one[name],
                bytes_per_s=rate,
                layer_time_s=float(_layer_s(at, np.array([width]))[0]),
                expert_hidden=width,
            )
        )
        for name in ("tensor", "expert")
    }
    end = max(WIDTHS[1], width)
    inside = {name: at_width for name, at_width in hidden_from.items() if WIDTHS[0] <= at_width <= end}
    x = np.union1d(np.geomspace(WIDTHS[0], end, POINTS), [width, *inside.values()])
    sent = _sent(at, x)
    marks = [
        Mark(
            name=f"width from which the {name} cut is hidden",
            x=at_width,
            y=one[name],
            line=name,
            text=f"hidden from {_count(at_width)} wide",
            colour=CUTS[name],
        )
        for name, at_width in inside.items()
    ]
    marks.append(
        Mark(
            name="width of an expert",
            x=width,
            y=one["data"],
            line="data",
            text=f"{_count(width)} wide: {format_quantity(one['data'], 'bytes')}",
            colour=CUTS["data"],
        )
    )
    hides = Line(name="hides behind\nthe layer", y=_layer_s(at, x) * rate, colour=Colour.ASIDE, is_floor=True)
    lines = (hides, *_cut_lines(sent))
    lows, highs = zip(*((float(line.y.min()), float(line.y.max())) for line in lines), strict=True)
    return Curves(x=x, lines=lines, marks=tuple(marks), top=2 * max(highs), bottom=0.5 * max(1e-3, min(lows)))


def _time_by_link(at: Values) -> Curves:
    width = np.array([at["expert_hidden"]])
    sent = {name: float(y[0]) for name, y in _sent(at, width).items()}
    floor, here = float(_layer_s(at, width)[0]), at["link_bytes_per_s"]
    enough = {name: sent[name] / floor for name in ("tensor", "expert")}
    inside = {name: rate for name, rate in enough.items() if LINKS[0] <= rate <= LINKS[1]}
    x = np.union1d(np.geomspace(*LINKS, POINTS), [here, *inside.values()])
    lines = _cut_lines({name: one / x for name, one in sent.items()})
    marks = [
        Mark(
            name=f"links that hide the {name} cut",
            x=rate,
            y=floor,
            line=name,
            text=f"{name}: {format_quantity(rate, 'bytes_per_s')}",
            colour=CUTS[name],
        )
        for name, rate in inside.items()
    ]
    lines = (
        Line(
            name=f"the layer's own\n{format_quantity(floor, 's')}",
            y=np.full_like(x, floor),
            colour=Colour.ASIDE,
            is_floor=True,
        ),
        *lines,
    )
    now = sent["expert"] / here
    marks.append(
        Mark(
            name="links",
            x=here,
            y=now,
            line="expert",
            text=f"{format_quantity(here, 'bytes_per_s')}: {format_quantity(now, 's')}",
            colour=CUTS["expert"],
        )
    )
    highest = max(float(line.y[0]) for line in lines)
    return Curves(x=x, lines=lines, marks=tuple(marks), top=2 * highest)


# Stages across racks.


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
        counts = {reached[name]: f"enough layers, {name}"} | (
            {at["layers_per_stage"]: "layers of a stage"} if is_bold else {}
        )
        marks += [
            Mark(
                name=what,
                x=layers,
                y=ones[name] * layers,
                line=name,
                text=f"{_count(layers)} layer{'s' if layers > 1 else ''}: {ones[name] * layers:.3g}",
                colour=colour,
            )
            for layers, what in counts.items()
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
            text=f"{_count(ports)} port{'s' if ports > 1 else ''}:"
            f" {format_quantity(float(hop_s(np.array([ports]))[0]), 's')}",
            colour=Colour.BOUND,
        )
        for name, ports in {"one port": 1.0, "ports": at["ports"]}.items()
        if name == "ports" or at["ports"] > 1
    ]
    lecture = Line(
        name=f"lecture:\n4 hops {format_quantity(4 * HOP_S, 's')}",
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
    name = f"torus of\n{_count(at['axes'])} axes" if at["axes"] > 1 else "ring"
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
                text=f"{_count(at['chips'])} chips: {here:.3g}",
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
                text=f"{_count(at['chips'])} chips: {_count(here)}",
                colour=Colour.COMPUTE,
            ),
        ),
        top=2 * float(mesh.max()),
        bottom=0.5 * float(min(mesh.min(), torus.min(), switch.min())),
    )


BOARDS: tuple[Board, ...] = (
    Board(
        name="experts",
        title="Experts and their copies",
        question="How many experts must be held twice before no chip has far more to do than the others?",
        caption="The skew, a guess of ours, is the power of an expert's rank; at 0 all are sought alike, as in the"
        " lecture. Tokens prefer copies in their own rack in the table, and choose any in the curves.",
        formula=(
            Term(tex=r"\dfrac{\max_{\,c}\;t_c}{\bar{t}}", colour=Colour.BOUND),
            Term(tex=r",\qquad t_c=\sum_{e\,\in\,c}\;\dfrac{v_e}{m_e}"),
            Term(tex=r",\qquad v_e\propto e^{-s}"),
        ),
        controls=(
            _experts(),
            _active_experts(),
            Control(
                name="chips",
                meaning="chips",
                dimension="count",
                low=1,
                high=16384,
                lecture=64,
                careful=lambda facts: facts.machine.scale_up_chips,
            ),
            Control(
                name="redundant_experts",
                meaning="copies",
                dimension="count",
                low=0,
                high=1024,
                lecture=0,
                careful=32,  # as DeepSeek serves it: open-infra-index, day 6
            ),
            Control(name="skew", meaning="skew", dimension="count", low=0, high=2, lecture=0.5, careful=0.5),
            Control(name="racks", meaning="racks", dimension="count", low=1, high=8, lecture=2, careful=2),
        ),
        views=(
            View(
                heading="The busiest chip",
                x=Axis(caption="experts held a second time", dimension="count"),
                y=Axis(caption="visits to the busiest chip, over the mean", dimension="count"),
                compute=_busiest,
            ),
            View(
                heading="A token's visits between racks",
                x=Axis(caption="to the experts of rack", dimension="count"),
                y=Axis(caption="from the tokens of rack", dimension="count"),
                compute=_traffic,
            ),
        ),
        claims=("B1", "B4"),
        exercises=("racks-slots", "racks-busiest", "racks-copies", "racks-local", "sparsity-touched", "sparsity-hot"),
    ),
    Board(
        name="cuts",
        title="Five ways to cut a layer",
        question="What does a chip send for each cut of a layer, and does it hide behind the layer's own work?",
        caption="A decode step without latencies; below the dashed line a message hides behind the experts' own work."
        " Data: weights gathered for each layer, as whole copies send nothing. The lecture leaves tensor out, since"
        " experts are small.",
        formula=(
            Term(tex=r"4Tdb", colour=Colour.COMPUTE),
            Term(tex=r",\;\;"),
            Term(tex=r"\dfrac{T}{n}\,c\,d\,(b_1+b_2)", colour=Colour.BOUND),
            Term(tex=r",\;\;"),
            Term(tex=r"\dfrac{T}{n}\,\dfrac{d\,b}{l}", colour=Colour.OTHER),
            Term(tex=r",\;\;"),
            Term(tex=r"E\,3\,d\,d_e\,b_w", colour=Colour.WEIGHTS),
            Term(tex=r",\;\;"),
            Term(tex=r"T\,(d_q+d_v)\,b", colour=Colour.KV),
            Term(tex=r"\;\;\mathrm{of\;which\;others\;have}\;\;\dfrac{n-1}{n}"),
        ),
        controls=(
            _batch(),
            Control(
                name="chips",
                meaning="chips",
                dimension="count",
                low=2,
                high=16384,
                lecture=64,
                careful=lambda facts: max(2, facts.machine.scale_up_chips),
            ),
            _hidden(),
            _experts(),
            _active_experts(),
            Control(
                name="expert_hidden",
                meaning="wide inside an expert",
                dimension="count",
                low=WIDTHS[0],
                high=WIDEST,
                lecture=2048,
                careful=_width,
            ),
            Control(
                name="attention_values",
                meaning="values of queries and results",
                dimension="count",
                low=1,
                high=1e7,
                # Heads that together are as wide as the stream.
                lecture=2 * 7168,
                careful=_attention_values,
            ),
            _layers_per_stage(),
            _dispatch(lecture=2),
            controls.bytes_per_param(),
            controls.flop_per_s(),
            controls.hbm_bytes_per_s(),
            Control(
                name="link_bytes_per_s",
                meaning="of links",
                dimension="bytes_per_s",
                low=1e9,
                high=1e13,
                lecture=LINK_BYTES_PER_S,
                careful=lambda facts: facts.machine.fabric[0].bytes_per_s,
            ),
        ),
        views=(
            View(
                heading="Bytes, by width of an expert",
                x=Axis(caption="width of an expert", dimension="count", is_logarithmic=True),
                y=Axis(caption="bytes that a chip sends for a layer", dimension="bytes", is_logarithmic=True),
                compute=_bytes_by_width,
            ),
            View(
                heading="Time, by speed of the links",
                x=Axis(caption="speed of a chip's links", dimension="bytes_per_s", is_logarithmic=True),
                y=Axis(caption="time of a layer's messages", dimension="s", is_logarithmic=True),
                compute=_time_by_link,
            ),
        ),
        claims=("B8", "B18"),
        exercises=("racks-tensor", "racks-expert", "racks-hand-over"),
    ),
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
            _layers_per_stage(),
            Control(
                name="link_ratio",
                meaning="times faster inside a rack",
                dimension="count",
                low=1,
                high=128,
                lecture=8,
                careful=_link_ratio,
            ),
            _dispatch(lecture=1),
            _batch(),
            _hidden(),
            Control(
                name="ports",
                meaning="ports",
                dimension="count",
                low=PORTS[0],
                high=PORTS[1],
                lecture=64,
                careful=lambda facts: min(PORTS[1], facts.machine.scale_up_chips),
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
                lecture=6e-6,
                careful=lambda facts: facts.machine.efficiency.message_latency_s.get("scale_out", 6e-6),
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
        " Careful cables are NVLink 5's 18 a GPU, from memory, unverified.",
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
            ),
            Control(name="axes", meaning="axes", dimension="count", low=1, high=4, lecture=3, careful=3),
            Control(
                name="cables_per_chip",
                meaning="cables a chip",
                dimension="count",
                low=1,
                high=72,
                lecture=2,
                careful=BLACKWELL_LINKS,
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
"""All boards, in the order of the lecture."""
