"""The rack beside a step has the numbers of the step's own board: its lines, its marks and its schedules."""

from __future__ import annotations

import math

import pytest

from ridgeline.boards.board import ControlError, Mode, Values
from ridgeline.boards.colour import Colour
from ridgeline.boards.journeys import Loop, Routes
from ridgeline.boards.lecture import CHAPTERS, CLAIMS, board
from ridgeline.boards.lecture.walk import racks_document
from ridgeline.boards.rack import MOST_CHIPS, RackPicture, Standing
from ridgeline.boards.scene import Racks
from ridgeline.boards.walk import Seen, Step, height, mark_named, see
from ridgeline.quantity_text import counted

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
        for colour in (Colour.COMPUTE, Colour.WEIGHTS, Colour.KV):
            assert _spent(rack, colour) == (_spent(whole, colour) if colour in shown else 0)
            assert _held(rack, colour) == (_held(whole, colour) if colour in shown else 0)


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


def test_a_step_about_no_rack_keeps_the_chips_of_the_one_before() -> None:
    one, mode = board("departures"), Mode.LECTURE
    (left,) = racks_document(one, {mode: one.values(mode)}, one.facts()).values()
    latency = board("latency")
    careful = Mode.CAREFUL
    before = _rack(STEPS["latency-0:19:22"], careful, latency.values(careful))
    assert left["is_before"]
    assert [cabinet["chips"] for cabinet in left["cabinets"]] == [cabinet.chips for cabinet in before.cabinets]
    assert not any(cabinet["tracks"] for cabinet in left["cabinets"])
    assert [part["colour"] for part in left["cabinets"][0]["memory"]] == [
        part.colour for part in before.cabinets[0].memory
    ]
    ciphers = board("ciphers")
    assert not racks_document(ciphers, {mode: ciphers.values(mode)}, ciphers.facts())


def test_a_fast_step_is_as_much_shorter_as_it_is_sold() -> None:
    seen, rack = _seen("modes-0:09:54")
    regular, fast = (_spent(rack, Colour.WEIGHTS, place) + _spent(rack, Colour.OTHER, place) for place in (0, 1))
    assert regular / fast == pytest.approx(mark_named(seen, "fast mode").x, rel=EXACT)


def test_long_contexts_leave_compute_the_share_that_is_drawn() -> None:
    seen, rack = _seen("utilisation-0:11:00")
    batches = seen.values[seen.mode]["balance_batches"]
    at = mark_named(seen, "twice the crossover").x
    assert _spent(rack, Colour.COMPUTE) == pytest.approx(height(seen, f"{batches:g} balance batches", at), rel=EXACT)


def test_a_full_rack_has_no_room_for_another_user() -> None:
    seen, rack = _seen("tokens-0:26:25")
    full = mark_named(seen, "full").x
    weights, kv = _held(rack, Colour.WEIGHTS), _held(rack, Colour.KV)
    assert weights + kv <= 1 < weights + kv * (full + 1) / full
    period_s = full / mark_named(seen, "full").y
    assert _spent(rack, Colour.COMPUTE) == pytest.approx(full / height(seen, "compute", full) / period_s, rel=EXACT)


def test_a_token_visits_the_chips_that_the_drawing_lights() -> None:
    seen, rack = _seen("moe-layer-0:32:30")
    picture = seen.pictures[seen.mode]
    assert isinstance(picture, Routes)
    (painted,) = rack.cabinets[0].painted
    assert f"on {counted(len(painted.chips), 'chip')}" in picture.routes[0].legs[1].text


def test_half_of_the_visits_leave_one_rack_of_two() -> None:
    seen, rack = _seen("experts-0:39:30", view=2)
    assert mark_named(seen, "racks").text.endswith("50 %")
    assert "50 %" in rack.words[-1].text


def test_the_chips_lit_beside_two_racks_are_those_of_the_first_token_that_is_played() -> None:
    seen, rack = _seen("experts-0:39:30")
    picture = seen.pictures[seen.mode]
    assert isinstance(picture, Racks)
    token = picture.tokens[0]
    for place, cabinet in enumerate(rack.cabinets):
        (painted,) = cabinet.painted
        lit = {picture.racks[place].chips[chip].number for chip in painted.chips}
        assert lit == {visit.chip for visit in token.visits if visit.rack == place}
    said = "".join(word.text for word in rack.words)
    assert f"{token.near} visits in its rack and {token.beyond} beyond" in said


def test_links_between_racks_take_all_of_the_time() -> None:
    seen, rack = _seen("scale-out-0:40:00")
    racks = seen.values[seen.mode]["racks"]
    whole = height(seen, "all-to-all", racks)
    assert _spent(rack, Colour.LINKS) == pytest.approx(height(seen, "inside a rack", racks) / whole, rel=EXACT)
    assert _spent(rack, Colour.ALSO) == pytest.approx(height(seen, "between racks", racks) / whole, rel=EXACT)


def test_racks_idle_as_long_as_the_bubble_is() -> None:
    seen, rack = _seen("bubbles-0:59:00")
    busy = [
        _spent(rack, Colour.COMPUTE, place) + _spent(rack, Colour.BOUND, place) for place in range(len(rack.cabinets))
    ]
    assert len(busy) == seen.values[seen.mode]["stages"]
    assert 1 - sum(busy) / len(busy) == pytest.approx(mark_named(seen, "training").y, rel=EXACT)


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
    assert hop / stage == pytest.approx(
        mark_named(seen, "ports").y / (values["period_s"] / values["stages"]), rel=EXACT
    )


def test_a_rack_reads_sooner_by_what_the_marks_say() -> None:
    seen, rack = _seen("racks-1:18:14")
    small, large = (mark_named(seen, f"domain of {name}").y for name in ("H100", "GB200"))
    assert _spent(rack, Colour.WEIGHTS, 1) == pytest.approx(large / small, rel=EXACT)


def test_chips_are_shared_as_the_budget_is() -> None:
    seen, rack = _seen("budget-1:24:40")
    board_params = mark_named(seen, "board").x
    (cabinet,) = rack.cabinets
    shares = {one.colour: len(one.chips) / cabinet.chips for one in cabinet.painted}
    for line, colour in (("pre-training", Colour.COMPUTE), ("serving", Colour.ALSO), ("RL", Colour.OTHER)):
        # To a whole chip at either end.
        assert shares[colour] == pytest.approx(height(seen, line, board_params), abs=1 / cabinet.chips)


def test_a_context_costs_what_the_price_step_does() -> None:
    seen, rack = _seen("context-1:33:30")
    step_tokens = seen.values[seen.mode]["price_step_tokens"]
    assert 1 / _spent(rack, Colour.COMPUTE) == pytest.approx(height(seen, "cost", step_tokens), rel=EXACT)


def test_a_written_token_waits_for_memory_by_what_the_mark_says() -> None:
    seen, rack = _seen("prefill-1:45:30")
    assert 1 / _spent(rack, Colour.COMPUTE) == pytest.approx(mark_named(seen, "decode").y, rel=EXACT)


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
                rack = _rack(step, mode, values)
                assert sum(cabinet.chips for cabinet in rack.cabinets) <= MOST_CHIPS
                assert all(cabinet.chips >= 1 for cabinet in rack.cabinets)
                assert all(word.text for word in rack.words)
                for cabinet in rack.cabinets:
                    assert all(0 <= part.fraction < math.inf for part in cabinet.memory)
                    ends = [end for track in cabinet.tracks for busy in track.busy for end in (busy.start, busy.end)]
                    assert all(0 <= end <= 1 + EXACT for end in ends)
                    assert all(chip < cabinet.chips for paint in cabinet.painted for chip in paint.chips)
