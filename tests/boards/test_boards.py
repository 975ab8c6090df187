from __future__ import annotations

import dataclasses
import itertools
import json
import math

import numpy as np
import pytest
from tests.boards.reading import line, mark
from tests.each import of_each
from tests.estimator.nested import level_times_s

from ridgeline.boards.beliefs import Beliefs
from ridgeline.boards.board import Board, Control, ControlError, Facts, Mode, View
from ridgeline.boards.bubble import Bubble
from ridgeline.boards.flows import Crossing, Facets, Halves, Passage
from ridgeline.boards.journeys import Loop, Routes
from ridgeline.boards.lecture import BOARDS, CLAIMS, EXERCISES, board
from ridgeline.boards.picture import Axis, Colour, Curves, Picture, Table
from ridgeline.boards.row_of_racks import RowOfRacks
from ridgeline.boards.scene import Gantt, Multiples, Racks, Trains
from ridgeline.boards.two_chips import TwoChips
from ridgeline.catalog import load_machine, load_model, machine_ids
from ridgeline.equations import contexts, cuts, roofline
from ridgeline.estimator.messages import AllToAll
from ridgeline.glossary import GLOSSARY

LECTURE, CAREFUL = Mode.LECTURE, Mode.CAREFUL

every_board = of_each("one", BOARDS, ids=lambda one: one.name)
every_mode = of_each("mode", list(Mode))


def drawn(name: str, mode: Mode = LECTURE, *, view: int = 0, **turned: float) -> Curves:
    one = board(name)
    picture = one.views[view].compute(one.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def check(picture: Picture) -> None:
    """Numbers are finite and none below zero; of a loop no stage does two things at once."""
    match picture:
        case Curves():
            check_curves(picture)
        case Table():
            assert np.all(np.isfinite(picture.values))
            assert np.all(picture.values >= 0)
        case Loop():
            assert_one_at_a_time(picture)
        case (
            Trains()
            | Racks()
            | Gantt()
            | Multiples()
            | Passage()
            | Crossing()
            | Halves()
            | Facets()
            | Routes()
            | Beliefs()
            | Bubble()
            | TwoChips()
            | RowOfRacks()
        ):
            # What JSON cannot write is refused.
            json.dumps(dataclasses.asdict(picture), allow_nan=False)


def assert_one_at_a_time(loop: Loop) -> None:
    """No stage has two batches at once, and no batch is in two stages."""
    stages, step = loop.gantt.stages, 1e-9 * loop.gantt.end
    visits: list[list[tuple[float, float]]] = [[] for _ in range(stages)]
    for batch in loop.batches:
        assert all(start < end for start, end in zip(batch.starts, batch.ends, strict=True))
        assert all(end <= start + step for end, start in zip(batch.ends, batch.starts[1:], strict=False))
        for place, visit in enumerate(zip(batch.starts, batch.ends, strict=True)):
            visits[place % stages].append(visit)
    for one in map(sorted, visits):
        assert all(end <= start + step for (_, end), (start, _) in itertools.pairwise(one))


def check_curves(drawing: Curves) -> None:
    """Lines are finite and as long as x, which rises; marks lie on the line that they name, inside the picture."""
    assert np.all(np.diff(drawing.x) > 0)
    if not drawing.x.size:  # a frame that no line reaches
        assert drawing.marks == ()
        return
    lines = {found.name: found.y for found in drawing.lines}
    assert len(lines) == len(drawing.lines)
    assert any(found.is_bold for found in drawing.lines)
    assert all(one.high is None or np.all(one.high >= one.y) for one in drawing.lines)
    for name, y in lines.items():
        assert y.shape == drawing.x.shape, name
        assert np.all(np.isfinite(y)), name
        assert np.all(y >= 0), name
    for found in drawing.marks:
        assert drawing.x[0] <= found.x <= drawing.x[-1], found.name
        # A mark's x is one of the line's own.
        assert np.interp(found.x, drawing.x, lines[found.line]) == pytest.approx(found.y, rel=1e-6), found.name
    assert len({found.name for found in drawing.marks}) == len(drawing.marks)


@pytest.mark.slow
@every_board
@pytest.mark.parametrize("mode", [LECTURE, CAREFUL])
def test_every_board_computes_where_it_starts_and_at_the_ends_of_each_control(one: Board, mode: Mode) -> None:
    turned: list[dict[str, float]] = [{}]
    turned += [{control.name: end} for control in one.controls for end in (control.low, control.high)]
    for each in turned:
        for view, picture in zip(one.views, one.pictures(one.values(mode, each)), strict=True):
            check(picture)
            if isinstance(picture, Curves):
                assert inside_frame(view, picture) >= LEAST_INSIDE, (view.heading, each)


LEAST_INSIDE = 0.05
"""Part of a bold line that is seen: a shorter piece in a corner would be taken for a part of the frame."""


def inside_frame(view: View, picture: Curves) -> float:
    """Part of what the board is about that lies in the frame; dots of their own are, by how the frame is made."""
    low, high = picture.ends(view.y)
    bold = [line.y for line in picture.lines if line.is_bold and line.y.size]
    return max((float(np.mean((low <= y) & (y <= high))) for y in bold), default=1.0)


@pytest.mark.slow
@every_board
@every_mode
def test_lines_reach_the_frame_of_any_other_setting_and_stay_numbers(one: Board, mode: Mode) -> None:
    """As while a hand drags: the frame is held, and lines of other values are drawn in it."""
    start = one.values(mode)
    turned = [start, *(start | {control.name: end} for control in one.controls for end in (control.low, control.high))]
    for view in one.views:
        found = [picture for each in turned if isinstance(picture := view.compute(each), Curves)]
        for low, high in {(float(each.x[0]), float(each.x[-1])) for each in found}:
            check_curves(found[0].over(low, high))
        for each in found[1:]:
            check_curves(each.over(float(found[0].x[0]), float(found[0].x[-1])))


@every_board
def test_controls_start_inside_their_range_which_is_the_glossarys_or_narrower(one: Board) -> None:
    assert len({control.name for control in one.controls}) == len(one.controls)
    for control in one.controls:
        for mode in Mode:
            start = control.start(mode, one.facts())
            assert start is not None
            assert control.low <= start <= control.high, control.name
        assert GLOSSARY[control.name].low <= control.low < control.high <= GLOSSARY[control.name].high, control.name


MEANT = {
    Colour.COMPUTE: {"comput", "parameters", "pre-training", "power"},
    Colour.WEIGHTS: {"weight", "data", "models", "a model"},
    Colour.KV: {
        "KV",
        "state",
        "heads",
        "latent",
        "indexer",
        "DSA",
        "context",
        "hit",
        "quickest",
        "HBM",
    },
    Colour.LINKS: {"pipeline", "no look-back", "inside a rack", "switch"},
    Colour.MONEY: {"cost", "price", "cheapest"},
}
"""What lines of the colours that have a meaning are called by, or a part of that."""


@every_board
@every_mode
def test_a_colour_means_the_same_on_every_board(one: Board, mode: Mode) -> None:
    for picture in one.pictures(one.values(mode)):
        if not isinstance(picture, Curves):
            continue
        named = [(one.name, one.colour) for one in picture.lines] + [(one.name, one.colour) for one in picture.dots]
        for name, colour in named:
            assert any(word in name.replace("\n", " ") for word in MEANT.get(colour, {""})), (name, colour)


SUBJECTS = {
    "compute": Colour.COMPUTE,
    "weight fetch": Colour.WEIGHTS,
    "weights": Colour.WEIGHTS,
    "KV fetch": Colour.KV,
    "KV cache": Colour.KV,
    "cost": Colour.MONEY,
    "price": Colour.MONEY,
}
"""Names that lines of one colour alone may have."""


@every_board
@every_mode
def test_lines_of_one_name_have_one_colour(one: Board, mode: Mode) -> None:
    for picture in one.pictures(one.values(mode)):
        for drawn in picture.lines if isinstance(picture, Curves) else ():
            name = drawn.name.replace("\n", " ").partition(":")[0]
            assert drawn.colour in {SUBJECTS.get(name, drawn.colour), Colour.BOUND}, (name, drawn.colour)


@every_board
def test_a_term_has_the_colour_of_what_it_makes(one: Board) -> None:
    """But for boards that draw a ratio or a sum of what their terms are about."""
    drawn = {colour for mode in Mode for picture in one.pictures(one.values(mode)) for colour in _colours(picture)}
    about = {"ratio": {Colour.COMPUTE, Colour.WEIGHTS}}
    assert {term.colour for term in one.formula if term.colour} - drawn == about.get(one.name, set())


def _colours(picture: Picture) -> set[Colour]:
    found: set[Colour] = set()
    match picture:
        case Curves():
            found = {one.colour for one in picture.lines} | {one.colour for one in picture.dots}
        case Gantt() | Loop() | Bubble():
            drawn = picture if isinstance(picture, Gantt) else picture.gantt
            found = {cells.colour for played in drawn.played for cells in played.cells}
        case Routes():
            cables = [cable for route in picture.routes for leg in route.legs for cable in leg.cables]
            boxes, still = picture.schematic.boxes, picture.schematic.cables
            found = {one.colour for one in boxes} | {one.colour for one in (*still, *cables)}
        case Passage():
            found = {one.colour for strip in picture.strips for one in strip.stays}
            found |= {one.colour for strip in picture.strips for one in strip.messages}
        case Crossing() | Halves() | TwoChips():
            found = OF_THINGS[type(picture)]
        case Facets():
            found = {one.colour for one in picture.facets}
        case Beliefs():
            found = {row.colour for row in picture.rows}
        case RowOfRacks():
            found = {part.colour for part in picture.parts}
    return found


OF_THINGS: dict[type[Picture], set[Colour]] = {
    Crossing: {Colour.LINKS, Colour.AWAY},  # inside a rack, and to the next
    Halves: {Colour.ALSO, Colour.BOUND, Colour.COMPUTE},  # the two halves, and f
    TwoChips: {Colour.WEIGHTS, Colour.KV, Colour.COMPUTE, Colour.MONEY},
}
"""Colours of pictures whose records name none."""


@every_board
def test_controls_are_called_by_words_that_stand_alone(one: Board) -> None:
    labels = [control.label for control in one.controls]
    assert len(set(labels)) == len(labels)
    for label in labels:
        assert label.split(" ")[0] not in {"a", "as", "between", "in", "of", "wide"}, label
        assert "_" not in label
        assert len(label) <= 64


@pytest.mark.slow
@every_board
def test_every_control_moves_something_that_is_seen(one: Board) -> None:
    """In one mode at least, to one of its ends or half way: a line, a mark, a dot, or what a table or a text says."""
    for control in one.controls:
        half = (control.low + control.high) / 2
        turned = (control.low, control.high, float(round(half)) if control.is_whole else half)
        pairs = [(start, start | {control.name: to}) for start in map(one.values, Mode) for to in turned]
        assert any(is_moved(view, *map(view.compute, pair)) for pair in pairs for view in one.views), control.name


NUDGE = 0.02
"""Of a slider's length: so far the page turns each control to learn which one moves a mark."""
DECADES = 100
"""Between its ends, from where on a slider's steps are ratios."""
LEAST_WAY = 0.002
"""Of the axis: what moves a mark by less does not move it."""
COUNTED = {
    "kv-shapes: 8 KV heads near it",
    "kv-shapes: 1 KV head near it",
    "domains: first to hold it",
    "latency: nearly all experts",
    "prefill: as on the list",
    "reversible: first",
    "stages: enough layers, 2 B each way",
}
"""Marks that move by leaps or, as by one layer of many, hardly, which a nudge may leave where they are."""


@pytest.mark.slow
@every_board
@every_mode
def test_marks_are_fixed_that_no_control_moves(one: Board, mode: Mode) -> None:
    values = one.values(mode)
    turned = [one.values(mode, {control.name: nudged(control, values[control.name])}) for control in one.controls]
    for view in one.views:
        before = view.compute(values)
        if not isinstance(before, Curves) or not before.marks:
            continue
        others = [found for found in map(view.compute, turned) if isinstance(found, Curves)]
        for known in before.marks:
            low, high, at, *moved = (
                math.log(x) if view.x.is_logarithmic else x
                for x in (
                    *before.x[[0, -1]],
                    known.x,
                    *(it.x for found in others for it in found.marks if it.name == known.name),
                )
            )
            is_moved = any(abs(x - at) >= LEAST_WAY * (high - low) for x in moved)
            assert is_moved != known.is_fixed or f"{one.name}: {known.name}" in COUNTED, known.name


def nudged(control: Control, value: float) -> float:
    """A little further, towards the middle; of what is counted by one at least."""
    low, high = control.low, control.high
    is_ratio = low > 0 and high / low >= DECADES
    part = math.log(value / low) / math.log(high / low) if is_ratio else (value - low) / (high - low)
    way = -NUDGE if part > 0.5 else NUDGE
    near = low * (high / low) ** (part + way) if is_ratio else low + (high - low) * (part + way)
    if not control.is_whole:
        return min(high, max(low, near))
    return round(near) if round(near) != value else value + math.copysign(1, way)


SEEN = 0.01
"""Part of an axis, a few pixels."""


def is_moved(view: View, before: Picture, after: Picture) -> bool:
    """Whether a picture is another to the eye: what moves by less than a line is wide is where it was."""
    if not isinstance(before, Curves) or not isinstance(after, Curves):
        return repr(before) != repr(after)
    along, upright = (float(before.x[0]), float(before.x[-1])), before.ends(view.y)
    return said(before) != said(after) or any(
        one.shape != other.shape or np.any(np.abs(place(one, ends, axis) - place(other, ends, axis)) > SEEN)
        for axis, ends, pairs in (
            (view.x, along, zip(*map(all_x, (before, after)), strict=False)),
            (view.y, upright, zip(*(all_y(each.over(*along), before.x) for each in (before, after)), strict=False)),
        )
        for one, other in pairs
    )


def said(drawing: Curves) -> list[tuple[str, str]]:
    return [(mark.name, mark.text) for mark in drawing.marks]


def all_x(drawing: Curves) -> list[np.ndarray]:
    marks = np.array([mark.x for mark in drawing.marks])
    return [drawing.x[[0, -1]], marks, *(dots.x for dots in drawing.dots)]


def all_y(drawing: Curves, places: np.ndarray) -> list[np.ndarray]:
    """Heights of all lines at the same places."""
    if not drawing.x.size:
        return []
    return [
        *(np.interp(places, drawing.x, line.y) for line in drawing.lines),
        *(np.interp(places, drawing.x, line.high) for line in drawing.lines if line.high is not None),
        *(dots.y for dots in drawing.dots),
    ]


def place(values: np.ndarray, ends: tuple[float, float], axis: Axis) -> np.ndarray:
    """On an axis, from 0 to 1; what is beyond lies just beyond."""
    low, high = ends
    inside = np.clip(values, low / 2 if axis.is_logarithmic else low - 0.1 * (high - low), 2 * high)
    if axis.is_logarithmic:
        return np.asarray(np.log(inside / low) / np.log(high / low))
    return np.asarray((inside - low) / (high - low))


def test_what_moves_by_less_than_is_seen_does_not_move() -> None:
    """As the number of chips did on the board of cost, which is left by rounding alone."""
    view = View(
        compute=lambda _: drawn("latency"), x=Axis(caption="", dimension="count"), y=Axis(caption="", dimension="s")
    )
    still = drawn("latency")
    nudged = dataclasses.replace(
        still, lines=tuple(dataclasses.replace(one, y=one.y * (1 + 1e-12)) for one in still.lines), drawn_over=None
    )
    moved = dataclasses.replace(
        still, lines=tuple(dataclasses.replace(one, y=one.y * 1.1) for one in still.lines), drawn_over=None
    )
    assert not is_moved(view, still, nudged)
    assert is_moved(view, still, moved)


@every_board
def test_claims_are_the_ledgers(one: Board) -> None:
    assert one.claims
    assert len(set(one.claims)) == len(one.claims)
    assert set(one.claims) <= {claim.id for claim in CLAIMS}


@every_board
def test_exercises_are_the_banks(one: Board) -> None:
    assert one.exercises
    assert len(set(one.exercises)) == len(one.exercises)
    assert set(one.exercises) <= {exercise.id for exercise in EXERCISES}


def test_names_are_unique_and_an_unknown_one_is_refused_with_the_nearest_or_the_list() -> None:
    assert len({one.name for one in BOARDS}) == len(BOARDS)
    with pytest.raises(ValueError, match="'latincy' is not a board; nearest: latency"):
        board("latincy")
    with pytest.raises(ValueError, match=r"'xyz' is not a board\. All: ridgeline boards"):
        board("xyz")


def test_what_is_turned_wrongly_is_refused() -> None:
    with pytest.raises(ControlError, match="has no control 'batch'; it has active_params"):
        board("latency").values(LECTURE, {"batch": 1})
    with pytest.raises(ControlError, match=r"chips=0 is outside 1 to 16\.38k"):
        board("latency").values(LECTURE, {"chips": 0})
    with pytest.raises(ControlError, match=r"chips=16\.3841k is outside 1 to 16\.384k"):
        board("latency").values(LECTURE, {"chips": 16384.1})


def test_latency_is_the_rooflines_maximum_and_its_mark_the_balance_batch() -> None:
    found = drawn("latency", context_tokens=1, kv_bytes_per_token=100)
    batch, time_s = mark(found, "balance batch without contexts")
    assert batch == pytest.approx(2400)
    assert "balance batch" not in {one.name for one in found.marks}  # a token of context moves it by next to nothing
    assert time_s == pytest.approx(37e9 * 8 / (72 * 1e15 / 300), rel=1e-4)
    at = board("latency").values(CAREFUL)
    found = drawn("latency", CAREFUL)
    expected = roofline.step_time_s(
        batch=found.x,
        active_params=at["active_params"],
        weight_bytes=at["active_params"] * at["expansion"] * at["bytes_per_param"],
        kv_bytes_per_sequence=at["context_tokens"] * at["kv_bytes_per_token"],
        flop_per_s=at["chips"] * at["flop_per_s"],
        hbm_bytes_per_s=at["chips"] * at["hbm_bytes_per_s"],
    )
    # From some hundred sequences on every expert is read.
    many = found.x > 300
    assert line(found, "step")[many] == pytest.approx(np.asarray(expected)[many], rel=1e-3)
    assert np.all(line(found, "step") <= expected * (1 + 1e-12))
    both = np.maximum(line(found, "compute"), line(found, "KV fetch") + line(found, "weight fetch"))
    assert line(found, "step") == pytest.approx(both)
    assert line(found, "weight fetch")[-1] == pytest.approx(1.165e-3, rel=0.01)  # the floor, A6
    alone = np.interp(1, found.x, line(found, "weight fetch"))
    assert alone < 0.2 * line(found, "weight fetch")[-1]  # one sequence reads its active parameters
    serial = line(found, "compute") + line(found, "KV fetch") + line(found, "weight fetch")
    assert line(found, "without overlap") == pytest.approx(serial)  # A1
    assert np.all(serial <= 2 * line(found, "step") * (1 + 1e-12))


@pytest.mark.parametrize(("name", "said"), [("latency", "binds at any batch"), ("cost", "the floor")])
def test_where_no_batch_balances_the_line_of_the_caches_says_so(name: str, said: str) -> None:
    found = drawn(name, CAREFUL, context_tokens=1e5)
    assert said in next(one.name for one in found.lines if one.name.startswith("KV fetch"))
    assert "balance batch" not in {one.name for one in found.marks}


def test_cost_falls_to_its_floor_and_is_the_steps_over_the_batch() -> None:
    found, times = drawn("cost"), drawn("latency")
    cost = line(found, "cost")
    assert np.all(np.diff(cost) <= 1e-12 * cost[:-1])
    assert cost.min() == pytest.approx(line(found, "compute")[0])
    step_s = np.interp(1000, times.x, line(times, "step"))
    assert np.interp(1000, found.x, cost) == pytest.approx(step_s * 72 / 1000 * 2 / 3600, rel=1e-3)
    assert mark(found, "one sequence")[1] / cost.min() == pytest.approx(2400, rel=0.001)  # A4: and a KV fetch


def test_one_sequence_of_a_routed_model_costs_what_its_active_parameters_do() -> None:
    """A4, careful: alone, DeepSeek-V3 costs the balance ratio times its floor, as a dense model does."""
    found = drawn("cost", CAREFUL, context_tokens=1)
    claim = next(one for one in CLAIMS if one.id == "A4")
    careful = claim.careful()
    assert careful is not None
    ratio = mark(found, "one sequence")[1] / line(found, "cost").min()
    assert ratio == pytest.approx(careful, rel=0.01)
    assert 250 < ratio < 350
    all_read = drawn("cost", CAREFUL, context_tokens=1, expert_share=0)
    assert mark(all_read, "one sequence")[1] > 15 * mark(found, "one sequence")[1]


@pytest.mark.parametrize(("mode", "marks"), [(LECTURE, 3), (CAREFUL, 4)])
def test_sparse_attention_crosses_where_as_many_tokens_are_read(mode: Mode, marks: int) -> None:
    found = drawn("sparse", mode)
    level = board("sparse").values(mode)["crossover_tokens"]
    assert len(found.marks) == marks
    for one in found.marks:
        assert one.y == pytest.approx(level, rel=2e-3), one.name  # blocks come in steps of a summary
    expected = contexts.scanned_crossover_tokens(
        crossover_context_tokens=level, chosen_tokens=2048, scan_fraction=132 / 1152
    )
    assert mark(found, "crossover of indexer (DSA)")[0] == pytest.approx(float(expected))


@pytest.mark.parametrize(("racks", "times"), [(1, 1.0), (2, 4.0), (4, 6.0), (8, 7.0)])
def test_scale_out_takes_the_slower_networks_time(racks: float, times: float) -> None:
    found = drawn("scale-out", racks=racks)
    assert mark(found, "racks") == pytest.approx((racks, times))  # B4
    there, one = (
        max(
            level_times_s(
                AllToAll, message_bytes=1e9, ranks=(1e6, count), bytes_per_s=(800e9, 100e9), latency_s=(0.0, 0.0)
            )
        )
        for count in (racks, 1)
    )
    assert there / one == pytest.approx(times, rel=1e-3)


def test_cuts_send_the_equations_bytes_and_hide_where_times_are_equal() -> None:
    at = board("cuts").values(LECTURE)
    found, times = drawn("cuts"), drawn("cuts", view=1)
    tensor = cuts.tensor_bytes(tokens=2400, hidden=7168, value_bytes=2, ranks=64)
    assert line(found, "tensor") == pytest.approx(np.full_like(found.x, tensor))
    width, sent = mark(found, "width of an expert")
    assert sent == pytest.approx(63 / 64 * 256 * 3 * 7168 * width)
    # Reading the experts of a layer takes 53 us; the balance batch of 2,400 computes them faster.
    floor = line(times, "the layer's own")
    assert floor[0] == pytest.approx(256 * 3 * 7168 * 2048 / (64 * 1e15 / 300))
    for name in ("tensor", "expert"):
        wide, _ = mark(found, f"width from which the {name} cut is hidden")
        assert np.interp(wide, found.x, line(found, "hides behind")) == pytest.approx(line(found, name)[0], rel=1e-3)
        rate, time_s = mark(times, f"links that hide the {name} cut")
        assert time_s == pytest.approx(floor[0])
        assert wide / 2048 == pytest.approx(rate / at["link_bytes_per_s"])
    for view in (found, times):
        order = [line(view, name)[0] for name in ("pipeline", "expert", "context", "tensor", "data")]
        assert order == sorted(order)


def test_prefill_is_bound_by_compute_from_the_price_ratio_on() -> None:
    found = drawn("prefill")
    assert mark(found, "decode") == pytest.approx((1, 5))  # D6
    assert mark(found, "bound by compute from here") == pytest.approx((5, 1))  # D8
    assert not [one for one in drawn("prefill", balance_batches=1e6).marks if "compute" in one.name]  # D7


def test_what_a_machine_does_not_say_has_to_be_set() -> None:
    one = board("cost")
    facts = one.facts()
    unpriced = dataclasses.replace(facts, machine=dataclasses.replace(facts.machine, tariff=None))
    with pytest.raises(ControlError, match="has no usd_per_chip_s"):
        one.values(CAREFUL, facts=unpriced)
    assert list(one.starts(unpriced)) == [LECTURE]
    assert one.values(CAREFUL, {"usd_per_chip_s": 1e-3}, unpriced)["usd_per_chip_s"] == 1e-3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "machine"),
    [*zip(itertools.cycle(["deepseek-v3", "llama-3.1-70b", "qwen3.5-397b-a17b"]), machine_ids(), strict=False)],
)
def test_a_board_of_any_machine_is_drawn_or_says_what_is_missing(model: str, machine: str) -> None:
    facts = Facts(model=load_model(model), machine=load_machine(machine))
    for one in BOARDS:
        try:
            values = one.values(CAREFUL, facts=facts)
        except ControlError as error:
            assert error.control in {control.name for control in one.controls}  # noqa: PT017  said or drawn
        else:
            for picture in one.pictures(values):
                check(picture)


def test_half_a_chip_is_refused() -> None:
    with pytest.raises(ControlError, match=r"chips=64\.6 is not whole \(chips\); write 65"):
        board("latency").values(LECTURE, {"chips": 64.6})
