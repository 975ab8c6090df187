"""Boards of a layer over chips: experts and their copies, and five ways to cut it."""

from __future__ import annotations

import numpy as np

from ridgeline.boards import controls_layouts
from ridgeline.boards.board import Board, Control, Facts, Term, Values, View
from ridgeline.boards.controls_layouts import VALUE_BYTES, count_text
from ridgeline.boards.lecture import controls
from ridgeline.boards.old_numbers import HIDDEN
from ridgeline.boards.picture import Axis, Colour, Curves, Line, Mark, Table
from ridgeline.catalog import load_machine
from ridgeline.equations import collectives, cuts, experts, roofline
from ridgeline.estimator import expert_placement
from ridgeline.estimator.attention import cores
from ridgeline.estimator.kernels import AttentionCore
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.passes import Lane

__all__ = ["BOARDS"]

POINTS = 401
STEPS = 33
"""Numbers of copies that a placement is computed for."""

MATRICES = 3.0
"""Of a gated expert: up, gate and down."""

LINK_BYTES_PER_S = load_machine("h100-sxm").fabric[0].bytes_per_s
"""H100's, whose memory is nearest the lecture's."""


# What the catalog says.


def _width(facts: Facts) -> float:
    """Inside an expert; inside the widest block of a model without."""
    block = controls.routed_block(facts.model)
    if block is not None:
        return block.expert_hidden
    dense = (group.feed_forward for group in facts.model.groups)
    return max(one.ffn_hidden for one in dense if not isinstance(one, RoutedExperts))


def _attention_values(facts: Facts) -> float:
    """Values of a token's queries and results in a layer, all heads together, on the mean over layers."""
    step, total = Lane(sequences=1), 0.0
    for group in facts.model.groups:
        kernels = cores(group.attention, step, sequences=1, tp=1, kv_format=facts.model.precision.kv).values()
        for one in kernels:
            if isinstance(one, AttentionCore):
                total += group.layers * float(one.query_heads * (one.query_key_dim + one.value_dim))
    return max(1.0, total / facts.model.layers)


# Controls of both boards.


def _experts() -> Control:
    return Control(
        name="experts",
        meaning="experts",
        dimension="count",
        low=8,
        high=1024,
        lecture=256,
        careful=lambda facts: block.experts if (block := controls.routed_block(facts.model)) else None,
        is_whole=True,
    )


def _active_experts() -> Control:
    return Control(
        name="active_experts",
        meaning="active",
        dimension="count",
        low=1,
        high=64,
        lecture=8,
        careful=lambda facts: block.active_experts if (block := controls.routed_block(facts.model)) else None,
        is_whole=True,
    )


def _active(at: Values) -> int:
    """No more than there are."""
    return min(int(at["active_experts"]), int(at["experts"]))


# Experts over a rack.


def _placed(
    at: Values, redundant_experts: int, racks: int = 1
) -> tuple[tuple[float, ...], tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """Visits to each expert, its copies, and the chips that hold them."""
    visits = expert_placement.visit_fractions(experts=int(at["experts"]), active_experts=_active(at), skew=at["skew"])
    copies = expert_placement.copies_of_experts(visits=visits, redundant_experts=redundant_experts)
    holders = expert_placement.holders_of_experts(visits=visits, copies=copies, chips=racks * int(at["chips"]))
    return visits, copies, holders


def _busiest(at: Values) -> Curves:
    chips, here = int(at["chips"]), int(at["redundant_experts"])
    x = np.unique([*np.linspace(0, max(at["experts"] / 4, 2 * here), STEPS).round(), here])
    busiest, least, slots = [], [], 0
    for more in x.astype(int):
        visits, copies, holders = _placed(at, int(more))
        (arriving,) = expert_placement.arriving_visits(visits=visits, holders=holders, chips=chips)
        busiest.append(expert_placement.load_over_mean(loads=arriving))
        least.append(expert_placement.least_load_over_mean(visits=visits, copies=copies, chips=chips))
        if more == here:
            slots = expert_placement.slots_of_chips(copies=copies, chips=chips)
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
    racks = int(at["racks"])
    visits, _, holders = _placed(at, int(at["redundant_experts"]), racks)
    arriving = expert_placement.arriving_visits(
        visits=visits, holders=holders, chips=racks * int(at["chips"]), racks=racks
    )
    # Tokens come evenly from all racks: of all visits to those of a token of each.
    between = racks * _active(at) * np.array(expert_placement.visits_between_racks(arriving=arriving))
    leaving = float(between.sum() - np.trace(between)) / racks
    even = _active(at) * float(collectives.others_fraction(ranks=racks))
    return Table(
        values=between,
        is_written=True,
        text=f"{leaving:.3g} of {_active(at)} leave their rack; {even:.3g} if copies are chosen blindly",
        first=1,
    )


# The cuts of a layer.


def _sent(at: Values, expert_hidden: np.ndarray) -> dict[str, np.ndarray]:
    """Bytes that a chip sends for a layer, by cut, over the width of an expert."""
    chips, tokens, hidden = at["chips"], at["batch"], at["hidden"]
    copies = experts.groups_visited(
        experts=int(at["experts"]),
        active_experts=_active(at),
        groups=min(chips, int(at["experts"])),
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
            text=f"hidden from {count_text(at_width)} wide",
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
            text=f"{count_text(width)} wide: {format_quantity(one['data'], 'bytes')}",
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


BOARDS: tuple[Board, ...] = (
    Board(
        name="experts",
        title="Experts and their copies",
        question="How many experts must be held twice before no chip has far more to do than the others?",
        caption="Skew is the power of an expert's rank: 0 in the lecture, where all are sought alike and copies help"
        " nothing; the careful half is a guess of ours. Curves: one rack. Table: experts lie over all racks, and tokens"
        " prefer copies in their own.",
        formula=(
            Term(tex=r"\dfrac{\max_{\,c}\;t_c}{\bar{t}}", colour=Colour.BOUND),
            Term(tex=r",\qquad t_c=\sum_{e\,\in\,c}\;\dfrac{v_e}{m_e}"),
            Term(tex=r",\qquad v_e\propto r_e^{-s}"),
        ),
        controls=(
            _experts(),
            _active_experts(),
            Control(
                name="chips",
                meaning="chips a rack",
                dimension="count",
                low=1,
                high=16384,
                lecture=64,
                careful=lambda facts: facts.machine.scale_up_chips,
                is_whole=True,
            ),
            Control(
                name="redundant_experts",
                meaning="copies",
                dimension="count",
                low=0,
                high=1024,
                lecture=0,
                careful=32,  # as DeepSeek serves it: open-infra-index, day 6
                is_whole=True,
            ),
            Control(name="skew", meaning="skew", dimension="count", low=0, high=2, lecture=0, careful=0.5),
            Control(
                name="racks",
                meaning="racks",
                dimension="count",
                low=1,
                high=8,
                lecture=2,
                careful=2,
                is_whole=True,
            ),
        ),
        views=(
            View(
                heading="The busiest chip of a rack",
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
        " Data means sharded weights, gathered before each layer; whole copies would send nothing. The lecture leaves"
        " tensor out, since experts are small.",
        formula=(
            Term(tex=r"\dfrac{n-1}{n}\;\times\;\{\;"),
            Term(tex=r"4Tdb", colour=Colour.COMPUTE),
            Term(tex=r",\;\;"),
            Term(tex=r"\dfrac{T}{n}\,c\,d\,(b_1+b_2)", colour=Colour.BOUND),
            Term(tex=r",\;\;"),
            Term(tex=r"E\,3\,d\,d_e\,b_w", colour=Colour.WEIGHTS),
            Term(tex=r",\;\;"),
            Term(tex=r"T\,(d_q+d_v)\,b", colour=Colour.KV),
            Term(tex=r"\;\}\qquad\mathrm{or}\qquad"),
            Term(tex=r"\dfrac{T}{n}\,\dfrac{d\,b}{l}", colour=Colour.OTHER),
        ),
        controls=(
            controls_layouts.batch(),
            Control(
                name="chips",
                meaning="chips",
                dimension="count",
                low=2,
                high=16384,
                lecture=64,
                careful=lambda facts: max(2, facts.machine.scale_up_chips),
                is_whole=True,
            ),
            controls_layouts.hidden(),
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
                lecture=2 * HIDDEN,
                careful=_attention_values,
            ),
            controls_layouts.layers_per_stage(),
            controls_layouts.dispatch_bytes(lecture=2),
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
)
