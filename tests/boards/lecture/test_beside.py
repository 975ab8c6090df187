"""The rack beside a step has the numbers of the step's own board: its lines, its marks and its schedules."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from ridgeline.boards.beliefs import Beliefs
from ridgeline.boards.board import ControlError, Mode, Values
from ridgeline.boards.colour import Colour
from ridgeline.boards.journeys import Loop, Routes
from ridgeline.boards.lecture import CHAPTERS, CLAIMS, board
from ridgeline.boards.lecture.walk import racks_document
from ridgeline.boards.place import Way, height_at, line_named
from ridgeline.boards.rack import MOST_CHIPS, Cabinet, RackPicture, Standing
from ridgeline.boards.scene import Racks
from ridgeline.boards.walk import Seen, Step, drawn, height, mark_named, question_x, see
from ridgeline.quantity_text import counted, format_quantity

STEPS = {
    f"{step.board}-{step.time_stamp}": step for chapter in CHAPTERS for step in chapter.steps if step.rack is not None
}
CLAIMS_BY_ID = {claim.id: claim for claim in CLAIMS}

EXACT = 1e-9
"""Of straight lines, read between two of their points."""


def _seen(name: str, view: int | None = None) -> tuple[Seen, RackPicture]:
    """A step, or another view of its board, and its rack."""
    step = STEPS[name]
    one = board(step.board)
    seen = see(step, one, CLAIMS_BY_ID)
    rack = _rack(step, seen.mode, seen.values[seen.mode])
    if view is None:
        return seen, rack
    other = one.views[view]
    pictures = {mode: other.compute(seen.values[mode]) for mode in Mode}
    return Seen(board=one, view=other, mode=seen.mode, values=seen.values, pictures=pictures, claims=seen.claims), rack


def _rack(step: Step, mode: Mode, values: Values) -> RackPicture:
    one = board(step.board)
    assert step.rack is not None
    return step.rack(Standing(board=one, mode=mode, values=values, facts=one.facts()))


def _known(name: str) -> tuple[Seen, RackPicture]:
    """A step before its question is answered."""
    step, one = STEPS[name], board(STEPS[name].board)
    seen = see(step, one, CLAIMS_BY_ID)
    assert step.known is not None
    at = Standing(board=one, mode=seen.mode, values=seen.values[seen.mode], facts=one.facts())
    return seen, step.known(at)


def _said(rack: RackPicture) -> str:
    return "".join(word.text for word in rack.words)


def _painted(rack: RackPicture, colour: Colour, cabinet: int = 0) -> float:
    """Part of the chips that stand out in a colour."""
    one = rack.cabinets[cabinet]
    return sum(len(paint.chips) for paint in one.painted if paint.colour is colour) / one.chips


def _spent(rack: RackPicture, colour: Colour, cabinet: int = 0) -> float:
    """Part of the drawn time that a chip is busy with something."""
    found = [one for track in rack.cabinets[cabinet].tracks for one in track.busy if one.colour is colour]
    return sum(one.end - one.start for one in found)


def _held(rack: RackPicture, colour: Colour, cabinet: int = 0) -> float:
    return sum(one.fraction for one in rack.cabinets[cabinet].memory if one.colour is colour)


@pytest.mark.parametrize(
    ("name", "mark"),
    [("latency-0:09:10", "balance batch without contexts"), ("latency-0:19:22", "balance batch")],
)
def test_a_step_takes_the_times_that_its_lines_have(name: str, mark: str) -> None:
    seen, rack = _seen(name)
    batch = mark_named(seen, mark).x
    step = height(seen, "step", batch)
    for line, colour in (("compute", Colour.COMPUTE), ("weight fetch", Colour.WEIGHTS), ("KV fetch", Colour.KV)):
        assert _spent(rack, colour) == pytest.approx(height(seen, line, batch) / step, rel=EXACT)


def test_what_is_told_so_far_is_a_part_of_the_whole() -> None:
    whole = _seen("latency-0:09:10")[1]
    for name, shown in (
        ("latency-0:03:45", {Colour.COMPUTE}),
        ("latency-0:05:00", {Colour.COMPUTE, Colour.WEIGHTS}),
    ):
        rack = _seen(name)[1]
        scale = _spent(whole, Colour.COMPUTE) / _spent(rack, Colour.COMPUTE)
        # How long the step is with the rest is not told yet.
        assert max(_spent(rack, colour) for colour in shown) == 1
        for colour in (Colour.COMPUTE, Colour.WEIGHTS, Colour.KV):
            spent = _spent(whole, colour) if colour in shown else 0
            assert scale * _spent(rack, colour) == pytest.approx(spent, rel=EXACT)
            assert _held(rack, colour) == (_held(whole, colour) if colour in shown else 0)


def test_every_step_has_a_rack_and_every_question_one_that_leaves_its_answer_out() -> None:
    for chapter in CHAPTERS:
        for step in chapter.steps:
            assert step.rack is not None, step.time_stamp
            assert (step.known is None) == (step.question is None), step.time_stamp


ASKED = [name for name, step in STEPS.items() if step.question is not None]


@pytest.mark.parametrize("name", ASKED)
def test_what_is_known_before_a_guess_does_not_say_the_answer(name: str) -> None:
    seen, known = _known(name)
    step = STEPS[name]
    assert step.question is not None
    x = question_x(step.question, seen)
    along = step.question.way is Way.ALONG
    asked = x if along else height_at(drawn(seen), step.question.line, x)
    dimension = (seen.view.x if along else seen.view.y).dimension
    said = _said(known)
    # As the page tells it; to one digit it is no answer.
    for digits in (2, 3):
        # Beside digits it is another number.
        pattern = rf"(?<![\d.,]){re.escape(format_quantity(asked, dimension, digits))}(?![\d.,]*\d)"
        assert not re.search(pattern, said), said


def test_one_user_costs_what_reading_the_weights_costs() -> None:
    seen, rack = _seen("cost-0:13:00")
    cost = height(seen, "cost", 1)
    for line, colour in (("weight fetch", Colour.WEIGHTS), ("compute", Colour.COMPUTE), ("KV fetch", Colour.KV)):
        assert _spent(rack, colour) == pytest.approx(height(seen, line, 1) / cost, rel=EXACT)


@pytest.mark.parametrize("name", ["cost-0:13:00", "cost-0:15:39"])
def test_cache_is_in_proportion_to_the_batch_that_a_bill_is_read_at(name: str) -> None:
    seen, rack = _seen(name)
    assert rack.kv_of_one is not None
    values = seen.values[seen.mode]
    one = values["context_tokens"] * values["kv_bytes_per_token"]
    weights = values["active_params"] * values["expansion"] * values["bytes_per_param"]
    assert rack.kv_of_one / _held(rack, Colour.WEIGHTS) == pytest.approx(one / weights, rel=EXACT)


def test_beside_ciphers_the_rack_rests() -> None:
    for name in ("ciphers-2:04:10", "ciphers-2:05:57", "feistel-2:09:10"):
        _, rack = _seen(name)
        (cabinet,) = rack.cabinets
        assert rack.is_resting
        assert cabinet == Cabinet(chips=72)
    assert not any(_seen(name)[1].is_resting for name in STEPS if STEPS[name].board not in {"ciphers", "feistel"})


def test_a_document_has_the_rack_of_each_mode() -> None:
    latency = board("latency")
    values = {mode: latency.values(mode) for mode in Mode}
    found = racks_document(latency, values, latency.facts())["latency-0:09:10"]
    for kind in ("told", "known"):
        lecture, careful = (found[kind][mode]["words"] for mode in Mode)  # type: ignore[literal-required]
        assert lecture != careful
    assert not racks_document(latency, values, latency.facts())["latency-0:03:45"]["known"]


def test_a_fast_step_is_as_much_shorter_as_it_is_sold() -> None:
    for seen, rack in (_seen("modes-0:09:54"), _known("modes-0:09:54")):
        regular, fast = (_spent(rack, Colour.WEIGHTS, place) + _spent(rack, Colour.ASIDE, place) for place in (0, 1))
        assert regular / fast == pytest.approx(mark_named(seen, "fast mode").x, rel=EXACT)
    # The share of the weights is what no price gets below, which would tell where the curve goes.
    assert not _spent(rack, Colour.WEIGHTS)


def test_sparse_attention_reads_what_its_lines_have() -> None:
    seen, rack = _seen("sparse-0:12:31")
    full, root, indexed = (track.busy[0].end for track in rack.cabinets[0].tracks)
    at = question_x(STEPS["sparse-0:12:31"].question, seen)  # type: ignore[arg-type]
    for name, part in (("full", full), ("indexer", indexed)):
        assert part == pytest.approx(height(seen, name, at) / at, rel=EXACT)
    # A straight line on the axes that it is drawn on.
    curves = drawn(seen)
    read = np.exp(np.interp(np.log(at), np.log(curves.x), np.log(line_named(curves, "square root").y)))
    assert root == pytest.approx(float(read) / at, rel=EXACT)
    assert len(_known("sparse-0:12:31")[1].cabinets[0].tracks) == 2


def test_a_dense_model_computes_by_its_ratio() -> None:
    seen, rack = _seen("ratio-0:17:00")
    assert _spent(rack, Colour.COMPUTE) == _spent(rack, Colour.WEIGHTS) == 1
    ratio = seen.values[seen.mode]["balance_ratio"]
    turned = _rack(STEPS["ratio-0:17:00"], Mode.LECTURE, {"balance_ratio": 2 * ratio})
    assert _spent(turned, Colour.COMPUTE) == pytest.approx(0.5, rel=EXACT)


def test_who_just_missed_a_train_waits_for_all_of_it() -> None:
    seen, rack = _seen("departures-0:21:40", view=1)
    worst = height(seen, "just missed", seen.values[seen.mode]["load_fraction"])
    assert _spent(rack, Colour.BOUND) * worst == pytest.approx(seen.values[seen.mode]["period_s"], rel=EXACT)
    assert _spent(rack, Colour.ASIDE) + _spent(rack, Colour.BOUND) == pytest.approx(1, rel=EXACT)


def test_a_token_uses_the_part_of_the_weights_that_is_active() -> None:
    seen, rack = _seen("quality-0:30:13", view=1)
    times = height(seen, "in memory, and balance batch", seen.values[seen.mode]["experts"])
    # To a whole chip.
    assert _painted(rack, Colour.WEIGHTS) == pytest.approx(1 / times, abs=0.5 / rack.cabinets[0].chips)


def test_long_contexts_leave_compute_the_share_that_is_drawn() -> None:
    seen, rack = _seen("utilisation-0:11:00")
    at = mark_named(seen, "twice the crossover").x
    assert _spent(rack, Colour.COMPUTE) == pytest.approx(height(seen, "largest batches", at), rel=EXACT)


def test_a_trains_users_are_read_in_the_time_that_their_step_takes() -> None:
    seen, rack = _seen("tokens-0:26:25")
    values = seen.values[seen.mode]
    seats, period_s = values["seats"], values["period_s"]
    step_s = seats / height(seen, "B / t", seats)
    read = _spent(rack, Colour.WEIGHTS) + _spent(rack, Colour.KV)
    assert max(read, _spent(rack, Colour.COMPUTE)) * period_s == pytest.approx(step_s, rel=EXACT)
    full = mark_named(seen, "full").x
    weights, kv = _held(rack, Colour.WEIGHTS), _held(rack, Colour.KV) / seats
    assert weights + kv * full <= 1 < weights + kv * (full + 1)


def test_tokens_visit_the_chips_that_the_drawing_lights() -> None:
    seen, rack = _seen("moe-layer-0:32:30")
    picture = seen.pictures[seen.mode]
    assert isinstance(picture, Routes)
    assert len(rack.tokens) == len(picture.routes)
    for token, route in zip(rack.tokens, picture.routes, strict=True):
        assert f"on {counted(len(token.chips[0]), 'chip')}" in route.legs[1].text
    assert rack.cabinets[0].painted[0].chips == rack.tokens[0].chips[0]


@pytest.mark.parametrize("cables", [1.0, 2.0, 18.0])
def test_a_chip_reaches_in_two_hops_whom_it_shares_a_switch_with_in_the_drawing(cables: float) -> None:
    step, one = STEPS["switches-0:38:40"], board("switches")
    values = one.values(Mode.CAREFUL, {"cables_per_chip": cables})
    picture = one.views[0].compute(values)
    assert isinstance(picture, Routes)
    first, *others = (node for node in picture.nodes if node.is_end)
    sharing = [place for place, node in enumerate(others, start=1) if set(node.neighbours) & set(first.neighbours)]
    rack = _rack(step, Mode.CAREFUL, values)
    assert list(rack.cabinets[0].painted[0].chips) == [0, *sharing]
    assert f"{len(sharing)} of {len(others)} others" in _said(rack)


def test_half_of_the_visits_leave_one_rack_of_two() -> None:
    seen, rack = _seen("experts-0:39:30", view=2)
    assert mark_named(seen, "racks").text.endswith("50 %")
    assert "50 %" in rack.words[-1].text


def test_the_chips_lit_beside_two_racks_are_those_of_the_tokens_that_are_played() -> None:
    seen, rack = _seen("experts-0:39:30")
    picture = seen.pictures[seen.mode]
    assert isinstance(picture, Racks)
    assert [paint.colour for one in rack.cabinets for paint in one.painted] == [Colour.LINKS] * 2
    for token, visited in zip(picture.tokens, rack.tokens, strict=True):
        for place, chips in enumerate(visited.chips):
            lit = {picture.racks[place].chips[chip].number for chip in chips}
            assert lit == {visit.chip for visit in token.visits if visit.rack == place}
        said = "".join(word.text for word in visited.words)
        assert f"{counted(token.near, 'visit')} in its own rack, {token.beyond} beyond" in said
    assert tuple(one.painted[0].chips for one in rack.cabinets) == rack.tokens[0].chips


def test_links_between_racks_take_all_of_the_time() -> None:
    seen, rack = _seen("scale-out-0:40:00")
    racks = seen.values[seen.mode]["racks"]
    whole = height(seen, "all-to-all", racks)
    assert _spent(rack, Colour.LINKS) == pytest.approx(height(seen, "inside a rack", racks) / whole, rel=EXACT)
    assert _spent(rack, Colour.ALSO) == pytest.approx(height(seen, "between racks", racks) / whole, rel=EXACT)
    _, known = _known("scale-out-0:40:00")
    assert _spent(known, Colour.LINKS) == pytest.approx(height(seen, "inside a rack", racks), rel=EXACT)
    assert not _spent(known, Colour.ALSO)


def test_racks_hand_on_the_vectors_that_lines_have() -> None:
    seen, rack = _seen("not-wise-0:54:27")
    stages = seen.values[seen.mode]["stages"]
    back, plain = (
        sum(one.tracks[track].busy[0].end for one in rack.cabinets if one.tracks[track].busy) for track in (0, 1)
    )
    lines = height(seen, "to all earlier", stages), height(seen, "plain", stages)
    assert back / plain == pytest.approx(lines[0] / lines[1], rel=EXACT)
    # The last rack hands nothing on.
    assert not any(track.busy for track in rack.cabinets[-1].tracks)


def test_racks_idle_as_long_as_the_bubble_is() -> None:
    seen, rack = _seen("bubbles-0:59:00")
    busy = [
        _spent(rack, Colour.COMPUTE, place) + _spent(rack, Colour.BOUND, place) for place in range(len(rack.cabinets))
    ]
    assert len(busy) == seen.values[seen.mode]["stages"]
    assert 1 - sum(busy) / len(busy) == pytest.approx(mark_named(seen, "training").y, rel=EXACT)
    _, alone = _known("bubbles-0:59:00")
    lone = [
        _spent(alone, Colour.COMPUTE, place) + _spent(alone, Colour.BOUND, place)
        for place in range(len(alone.cabinets))
    ]
    assert 1 - sum(lone) / len(lone) == pytest.approx(height(seen, "training", 1), rel=EXACT)


def test_no_rack_of_a_loop_waits_once_it_has_begun() -> None:
    seen, rack = _seen("inference-loop-0:58:00")
    picture = seen.pictures[seen.mode]
    assert isinstance(picture, Loop)
    for cabinet in rack.cabinets:
        (track,) = cabinet.tracks
        for one, following in zip(track.busy, track.busy[1:], strict=False):
            assert following.start == pytest.approx(one.end, rel=EXACT)
        assert track.busy[-1].end == pytest.approx(1)


def test_memory_holds_what_its_lines_have() -> None:
    seen, rack = _seen("memory-1:11:00")
    stages = seen.values[seen.mode]["stages"]
    has = height(seen, "a chip has", stages)
    assert len(rack.cabinets) == stages
    assert _held(rack, Colour.WEIGHTS) == pytest.approx(height(seen, "weights", stages) / has, rel=EXACT)
    assert _held(rack, Colour.KV) == pytest.approx(height(seen, "keys and values", stages) / has, rel=EXACT)


def test_hops_take_what_is_computed_of_them() -> None:
    seen, rack = _seen("hop-1:15:00")
    values = seen.values[seen.mode]
    hop, stage = (_spent(rack, colour) for colour in (Colour.LINKS, Colour.COMPUTE))
    _, alone = _known("hop-1:15:00")
    assert [_spent(alone, Colour.COMPUTE, place) for place in range(4)] == pytest.approx([1 / 4] * 4, rel=EXACT)
    assert hop / stage == pytest.approx(
        mark_named(seen, "ports").y / (values["period_s"] / values["stages"]), rel=EXACT
    )


def test_a_rack_reads_sooner_by_what_the_marks_say() -> None:
    seen, rack = _seen("racks-1:18:14")
    small, large = (mark_named(seen, f"domain of {name}").y for name in ("H100", "GB200"))
    assert _spent(rack, Colour.WEIGHTS, 1) == pytest.approx(large / small, rel=EXACT)
    _, known = _known("racks-1:18:14")
    assert [_spent(known, Colour.WEIGHTS, place) for place in (0, 1)] == [1, 0]


def test_chips_are_shared_between_two_costs_as_at_their_least_sum() -> None:
    seen, rack = _seen("budget-1:21:00")
    least = mark_named(seen, "least").x
    falls, rises = (height(seen, name, least) for name in ("falls", "rises"))
    # To a whole chip.
    assert _painted(rack, Colour.OTHER) == pytest.approx(falls / (falls + rises), abs=0.5 / rack.cabinets[0].chips)
    assert _painted(rack, Colour.OTHER) + _painted(rack, Colour.ALSO) == 1


def test_a_smaller_model_takes_as_many_more_chips_as_its_budget_is_larger() -> None:
    seen, rack = _seen("budget-1:22:15")
    x = question_x(STEPS["budget-1:22:15"].question, seen)  # type: ignore[arg-type]
    here = mark_named(seen, "board").x
    small, large = rack.cabinets[1], rack.cabinets[0]
    # One view draws both lines, and how many chips are drawn is a whole number.
    assert small.chips / large.chips == pytest.approx(height(seen, "all", x), abs=1 / large.chips)
    share = height(seen, "pre-training", x) / height(seen, "all", x)
    assert _painted(rack, Colour.COMPUTE, 1) == pytest.approx(share, abs=1 / small.chips)
    _, known = _known("budget-1:22:15")
    own = height(seen, "pre-training", here) / height(seen, "all", here)
    assert _painted(known, Colour.COMPUTE) == pytest.approx(own, abs=0.5 / large.chips)
    assert not _painted(known, Colour.OTHER)


def test_a_smaller_model_that_no_text_makes_as_good_is_told_so() -> None:
    step, one = STEPS["budget-1:22:15"], board("budget")
    values = one.values(Mode.LECTURE, {"active_params": 1e13})
    rack = _rack(step, Mode.LECTURE, values)
    assert len(rack.cabinets) == 1
    assert "No text makes a model of 80B as good" in _said(rack)


def test_the_best_pretraining_takes_as_few_chips_as_marks_say() -> None:
    seen, rack = _seen("over-training-1:31:56")
    _, known = _known("over-training-1:31:56")
    for one, mark in ((rack, "by fit of Hoffmann"), (known, "by 20 a parameter")):
        (cabinet,) = one.cabinets
        assert _painted(one, Colour.COMPUTE) == pytest.approx(1 / mark_named(seen, mark).y, abs=0.5 / cabinet.chips)


def test_chips_are_shared_as_the_budget_is() -> None:
    seen, rack = _seen("budget-1:24:40")
    board_params = mark_named(seen, "board").x
    (cabinet,) = rack.cabinets
    shares = {one.colour: len(one.chips) / cabinet.chips for one in cabinet.painted}
    for line, colour in (("pre-training", Colour.COMPUTE), ("serving", Colour.ALSO), ("RL", Colour.OTHER)):
        # To a whole chip at either end.
        assert shares[colour] == pytest.approx(height(seen, line, board_params), abs=1 / cabinet.chips)


def test_a_context_costs_what_the_line_has() -> None:
    seen, rack = _seen("context-1:33:30")
    crossover = mark_named(seen, "without weights").x
    assert 1 / _spent(rack, Colour.COMPUTE) == pytest.approx(height(seen, "cost", 2 * crossover), rel=EXACT)
    assert rack.follows_bill
    _, known = _known("context-1:33:30")
    kv = height(seen, "KV alone", crossover)
    assert _spent(known, Colour.KV) / _spent(known, Colour.COMPUTE) == pytest.approx(kv, rel=EXACT)


def test_a_context_takes_the_bytes_that_his_reading_and_half_of_the_models_have() -> None:
    seen, rack = _seen("step-evidence-1:38:35")
    picture = seen.pictures[seen.mode]
    assert isinstance(picture, Beliefs)
    models = next(row for row in picture.rows if row.points)
    read, usual = (_held(rack, Colour.KV, place) for place in (0, 1))
    assert usual / read == pytest.approx(float(np.median(models.points)) / picture.marks[0].at, rel=EXACT)


def test_a_written_token_waits_for_memory_by_what_the_mark_says() -> None:
    seen, rack = _seen("prefill-1:45:30")
    assert 1 / _spent(rack, Colour.COMPUTE) == pytest.approx(mark_named(seen, "decode").y, rel=EXACT)


def test_a_batch_before_its_contexts_reads_weights_alone() -> None:
    seen, known = _known("prefill-1:47:40")
    batches = seen.values[seen.mode]["balance_batches"]
    assert _spent(known, Colour.WEIGHTS) == pytest.approx(1 / batches, rel=EXACT)
    assert not _spent(known, Colour.KV)


def test_a_long_prompt_takes_the_arithmetic_that_its_lines_have() -> None:
    seen, rack = _seen("long-context-1:52:00")
    x = question_x(STEPS["long-context-1:52:00"].question, seen)  # type: ignore[arg-type]
    part = height(seen, "parameters", x) / height(seen, "full", x)
    assert _spent(rack, Colour.COMPUTE) == pytest.approx(part, rel=EXACT)
    assert _spent(rack, Colour.BOUND) == pytest.approx(1 - part, rel=EXACT)


def test_caches_that_wait_take_what_they_take_and_move_where_lines_cross() -> None:
    seen, rack = _seen("tiers-2:02:20")
    values = seen.values[seen.mode]
    chips = 1e9 * values["kv_bytes_per_token"] / values["hbm_bytes"]
    # To a whole chip.
    assert _painted(rack, Colour.KV) * rack.cabinets[0].chips == pytest.approx(chips, abs=0.5)
    for mark in (one for one in drawn(seen).marks if " from " in one.text):
        assert mark.text in _said(rack)


def test_a_vast_context_fills_what_its_line_has() -> None:
    seen, rack = _seen("long-context-1:52:00", view=0)
    values = seen.values[seen.mode]
    there = height(seen, "full", values["context_tokens"]) / height(seen, "all chips", values["context_tokens"])
    assert _held(rack, Colour.KV) == pytest.approx(there, rel=EXACT)


def test_a_reversible_stack_keeps_what_its_line_has() -> None:
    seen, rack = _seen("reversible-2:13:33", view=0)
    layers = seen.values[seen.mode]["layers"]
    plain, undone = (_held(rack, *where) for where in ((Colour.OTHER, 0), (Colour.BOUND, 1)))
    assert undone / plain == pytest.approx(
        height(seen, "reversible", layers) / height(seen, "plain", layers), rel=EXACT
    )
    _, known = _known("reversible-2:12:20")
    assert _held(known, Colour.OTHER) == plain
    assert not _held(known, Colour.BOUND)
    seen, _ = _seen("reversible-2:13:33")
    times = mark_named(seen, "all reversible").x / mark_named(seen, "none reversible").x
    assert _spent(rack, Colour.COMPUTE, 1) / _spent(rack, Colour.COMPUTE, 0) == pytest.approx(times, rel=EXACT)


# Experts of many racks are chosen anew for each control's ends.
LONG = "experts-0:39:30"


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.slow] if one == LONG else []) for one in STEPS])
def test_racks_can_be_drawn_wherever_controls_are_turned(name: str) -> None:
    step = STEPS[name]
    one = board(step.board)
    for mode in Mode:
        for control in one.controls:
            for end in (control.low, control.high):
                try:
                    values = one.values(mode, {control.name: end})
                except ControlError:
                    continue
                for rack in _racks(step, mode, values):
                    _draws(rack)


def _racks(step: Step, mode: Mode, values: Values) -> list[RackPicture]:
    """With and without what is asked."""
    one = board(step.board)
    at = Standing(board=one, mode=mode, values=values, facts=one.facts())
    return [picture(at) for picture in (step.rack, step.known) if picture is not None]


def _draws(rack: RackPicture) -> None:
    assert sum(cabinet.chips for cabinet in rack.cabinets) <= MOST_CHIPS
    assert all(cabinet.chips >= 1 for cabinet in rack.cabinets)
    assert all(word.text for word in rack.words)
    for cabinet in rack.cabinets:
        assert all(0 <= part.fraction < math.inf for part in cabinet.memory)
        ends = [end for track in cabinet.tracks for busy in track.busy for end in (busy.start, busy.end)]
        assert all(0 <= end <= 1 + EXACT for end in ends)
        assert all(chip < cabinet.chips for paint in cabinet.painted for chip in paint.chips)
