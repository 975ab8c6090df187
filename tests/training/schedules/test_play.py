from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.training.schedules import (
    SCHEDULES,
    Part,
    Schedule,
    ScheduleError,
    Shape,
    Task,
    Timeline,
    Times,
    bubble_fraction,
    find_schedule,
    peaks,
    play,
    span_s,
)
from ridgeline.training.schedules.program import looped

EVEN = Times(forward_s=1, input_gradient_s=1, weight_gradient_s=1)


class Case(NamedTuple):
    schedule: Schedule
    shape: Shape
    times: Times

    def play(self) -> Timeline:
        return play(self.schedule, self.times, **self.shape._asdict())


@st.composite
def cases(draw: st.DrawFn, *, most_stages: int = 6, most_turns: int = 24) -> Case:
    """Any schedule in a shape that it has, with times that differ by chunk or do not."""
    schedule = draw(st.sampled_from(list(SCHEDULES.values())))
    stages = draw(st.integers(1, most_stages))
    if schedule.directions == 2:
        stages += stages % 2
    group = stages if schedule.id == "interleaved" else schedule.directions
    least = 2 * stages if schedule.directions == 2 else 1
    micro_batches = group * -(-max(least, draw(st.integers(1, most_turns))) // group)
    held = draw(st.integers(2, 4)) if schedule.chooses_virtual_stages else schedule.virtual_stages
    shape = schedule.shape(stages=stages, micro_batches=micro_batches, virtual_stages=held)
    each = shape.chunks // schedule.directions
    one = st.sampled_from([0.5, 1.0, 1.0, 1.1, 2.0]) | st.floats(0.01, 5)
    per_chunk = one | st.lists(one, min_size=each, max_size=each).map(tuple)
    times = Times(
        forward_s=draw(per_chunk),
        input_gradient_s=draw(per_chunk),
        weight_gradient_s=draw(per_chunk),
        hop_s=draw(st.sampled_from([0.0, 0.1]) | st.floats(0, 3)),
        sends_overlap=draw(st.booleans()),
    )
    return Case(schedule, shape, times)


@given(case=cases())
def test_each_task_is_done_once_by_the_device_that_holds_its_chunk(case: Case) -> None:
    schedule, shape, _ = case
    runs = case.play().runs
    each = shape.chunks // schedule.directions
    devices = schedule.devices(shape)
    assert all(run.device == devices[run.chunk] for run in runs)
    done = sorted((run.chunk, run.micro_batch, run.part) for run in runs)
    assert len(done) == len(set(done))
    parts: dict[tuple[int, int], list[Part]] = {}
    for chunk, number, part in done:
        parts.setdefault((chunk, number), []).append(part)
    assert set(parts) == {
        (chunk, number)
        for chunk in range(shape.chunks)
        for number in range(shape.micro_batches)
        if number % schedule.directions == chunk // each
    }
    whole = [Part.FORWARD, Part.BACKWARD]
    allowed = [[Part.FORWARD, Part.INPUT_GRADIENT, Part.WEIGHT_GRADIENT]] if schedule.is_split else [whole]
    if schedule.directions == 2:
        allowed.append(whole)
    if schedule.is_forward_only:
        allowed = [[Part.FORWARD]]
    assert all(found in allowed for found in parts.values())


@given(case=cases())
def test_nothing_starts_before_what_it_needs_nor_while_its_device_works(case: Case) -> None:
    """But for the rounding of a float: times are counted in ticks, and turned into seconds once."""
    schedule, shape, times = case
    played = case.play()
    ends = {(run.part, run.chunk, run.micro_batch): run.end_s for run in played.runs}
    gradients = {
        (run.chunk, run.micro_batch): run.end_s
        for run in played.runs
        if run.part in {Part.BACKWARD, Part.INPUT_GRADIENT}
    }
    devices = schedule.devices(shape)
    for run in played.runs:
        needs = []
        if run.part is Part.FORWARD and (before := schedule.before(run.chunk, shape)) is not None:
            needs.append((before, ends[Part.FORWARD, before, run.micro_batch]))
        if run.part in {Part.BACKWARD, Part.INPUT_GRADIENT}:
            needs.append((run.chunk, ends[Part.FORWARD, run.chunk, run.micro_batch]))
            if (after := schedule.after(run.chunk, shape)) is not None:
                needs.append((after, gradients[after, run.micro_batch]))
        if run.part is Part.WEIGHT_GRADIENT:
            needs.append((run.chunk, gradients[run.chunk, run.micro_batch]))
        for chunk, end_s in needs:
            hop_s = times.hop_s if times.sends_overlap and devices[chunk] != run.device else 0.0
            assert run.start_s >= (end_s + hop_s) * (1 - 1e-12)
    for device in range(shape.stages):
        mine = [run for run in played.runs if run.device == device]
        assert all(after.start_s >= run.end_s for run, after in itertools.pairwise(mine))


@given(case=cases())
def test_work_and_idle_time_are_the_span(case: Case) -> None:
    played = case.play()
    for work_s, idle_s in zip(played.work_s, played.idle_s, strict=True):
        assert work_s + idle_s == pytest.approx(played.span_s)
        assert idle_s >= -1e-9 * played.span_s  # sums of floats
    assert played.turnaround_s <= played.span_s


@given(case=cases(most_turns=90))
def test_a_leap_gives_what_a_play_gives(case: Case) -> None:
    """Span to the last bit; the others are sums of floats."""
    schedule, shape, times = case
    played = case.play()
    counts = shape._asdict()
    assert span_s(schedule, times, **counts) == played.span_s
    assert span_s(schedule, times, **counts, bypasses=True) == pytest.approx(played.turnaround_s)
    assert bubble_fraction(schedule, times, **counts) == pytest.approx(played.bubble_fraction, abs=1e-9)
    for device, peak in enumerate(peaks(schedule, **counts, kept_fraction=0.5)):
        assert max(kept for _, kept in played.kept(device, kept_fraction=0.5)) == pytest.approx(peak)


LONG = [
    (schedule, stages, turns)
    for at, schedule in enumerate(SCHEDULES.values())
    if schedule.turn(2)
    for place, stages in enumerate((1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16))
    if schedule.directions == 1 or stages % 2 == 0
    for turns in [(13, 17, 18)[(at + place) % 3]]
]
"""Each schedule with all numbers of stages, and among these with 13, 17 and 18 turns; so do other schedules in turn."""


@pytest.mark.slow
@pytest.mark.parametrize(("schedule", "stages", "turns"), LONG, ids=lambda one: getattr(one, "id", str(one)))
def test_long_steps_leap_and_are_exact(schedule: Schedule, stages: int, turns: int) -> None:
    """The turn is found for all of them; stages are even, one is slow, all differ a little, or sends are slow."""
    turn = schedule.turn(stages)
    micro_batches = turns * stages // turn * turn + (schedule.directions == 2) * turn
    for held in (2, 3, 5) if schedule.chooses_virtual_stages else (schedule.virtual_stages,):
        shape = schedule.shape(stages=stages, micro_batches=micro_batches, virtual_stages=held)
        assert looped(schedule, shape).repeats
        each = shape.chunks // schedule.directions
        slow = [1.0] * each
        slow[each // 2] = 1.5
        uneven = [1 + 0.01 * (number * 7 % 5) for number in range(each)]
        for times in (
            EVEN,
            Times(forward_s=slow, input_gradient_s=slow, weight_gradient_s=slow, hop_s=0.05),
            Times(forward_s=uneven, input_gradient_s=1.1, weight_gradient_s=uneven[::-1], hop_s=0.01),
            Times(forward_s=1, input_gradient_s=1.2, weight_gradient_s=0.8, hop_s=0.7),
        ):
            counts = shape._asdict()
            assert span_s(schedule, times, **counts) == play(schedule, times, **counts).span_s


def test_peaks_of_long_steps_are_those_of_all_tasks() -> None:
    for schedule in SCHEDULES.values():
        for stages in (2, 4, 6):
            shape = schedule.shape(stages=stages, micro_batches=12 * stages)
            found = peaks(schedule, **shape._asdict(), chunk_bytes=3.0, kept_fraction=0.25)
            for device in range(stages):
                live = most = 0.0
                for task in schedule.tasks(device, shape):
                    live += {0: 3.0, 1: -3.0, 2: -2.25, 3: -0.75}[task.part]
                    most = max(most, live)
                assert found[device] == pytest.approx(most)


def test_bytes_differ_by_chunk_and_weight_gradients_keep_their_part() -> None:
    """Two stages of 1F1B: the first keeps two of its own, the last one."""
    counts = {"stages": 2, "micro_batches": 6}
    assert peaks(SCHEDULES["1f1b"], **counts, chunk_bytes=(10.0, 7.0)) == (20, 7)
    # The last stage waits one micro-batch: a second comes while the first one's part is kept.
    assert peaks(SCHEDULES["zb-h1"], **counts, chunk_bytes=(10.0, 8.0), kept_fraction=0.25) == (20, 10)
    assert peaks(SCHEDULES["zb-h1"], **counts, chunk_bytes=(10.0, 8.0)) == (20, 16)


def test_times_differ_by_chunk() -> None:
    times = Times(forward_s=(1, 3), input_gradient_s=(1, 2), weight_gradient_s=(0, 5), hop_s=0.5)
    (first, second, third, last) = play(SCHEDULES["gpipe"], times, stages=2, micro_batches=1).runs
    assert [run.start_s for run in (first, second, third, last)] == [0, 1.5, 4.5, 12]
    assert last.end_s == 13


def test_sends_that_do_not_overlap_keep_their_device() -> None:
    """Each of two stages sends a micro-batch once; what is sent is there when the send ends."""
    times = Times(forward_s=1, input_gradient_s=1, weight_gradient_s=1, hop_s=0.5, sends_overlap=False)
    played = play(SCHEDULES["gpipe"], times, stages=2, micro_batches=3)
    assert played.work_s == (3 * 3.5, 3 * 3.5)
    assert played.span_s > play(SCHEDULES["gpipe"], EVEN, stages=2, micro_batches=3).span_s + 0.5


def test_a_pair_begins_when_all_has_come_and_is_handed_on_as_one() -> None:
    """The first device takes a second micro-batch forward with the first one's way back; the last waits for both."""

    def tasks(device: int, shape: Shape) -> list[Task]:
        first, second = (Task(Part.FORWARD, number, device) for number in range(2))
        backs = [Task(Part.BACKWARD, number, device) for number in range(2)]
        if device == 0:
            return [first, second._replace(is_paired=True), *backs]
        return [first, backs[0], second, backs[1]]

    schedule = Schedule(id="own", name="own", source="none", tasks=tasks)
    runs = play(schedule, EVEN, stages=2, micro_batches=2).runs
    starts = [(run.device, run.part, run.micro_batch, run.start_s) for run in runs]
    forward, back = Part.FORWARD, Part.BACKWARD
    assert starts == [
        (0, forward, 0, 0),
        (1, forward, 0, 1),
        (1, back, 0, 2),
        (0, forward, 1, 4),
        (0, back, 0, 5),
        (1, forward, 1, 7),
        (1, back, 1, 8),
        (0, back, 1, 10),
    ]


def _crossed(device: int, shape: Shape) -> list[Task]:
    forwards = [Task(Part.FORWARD, number, device) for number in range(2)]
    back = Task(Part.BACKWARD, 0, device)
    return [forwards[0], back, forwards[1]] if device == 0 else [forwards[0], forwards[1], back]


def _never_sent(device: int, shape: Shape) -> list[Task]:
    return [Task(Part.FORWARD, device, device)]


def _unasked(device: int, shape: Shape) -> list[Task]:
    return [Task(Part.BACKWARD, 0, device), Task(Part.FORWARD, 0, device)]


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        (_crossed, "stage 0 waits for ever to take micro-batch 0 backward in chunk 0"),
        (_never_sent, "stage 1 waits for ever to take micro-batch 1 forward in chunk 1"),
        (_unasked, "stage 0 takes micro-batch 0 backward in chunk 0 before its forward"),
    ],
)
def test_orders_that_cannot_be_played_are_named(tasks: Callable[[int, Shape], list[Task]], said: str) -> None:
    schedule = Schedule(id="own", name="own", source="none", tasks=tasks)
    with pytest.raises(ScheduleError, match=said):
        play(schedule, EVEN, stages=2, micro_batches=2)


@pytest.mark.parametrize(
    ("name", "stages", "micro_batches", "held", "said"),
    [
        ("1f1b", 0, 1, None, "give at least one of each"),
        ("gpipe", 1, 0, None, "give at least one of each"),
        ("interleaved", 4, 10, None, "give 8 or 12"),
        ("interleaved", 4, 3, None, "give 4$"),
        ("interleaved", 4, 8, 1, "or take 1f1b"),
        ("zb-v", 4, 8, 3, "2 chunks a device, not 3"),
        ("1f1b", 4, 8, 2, "or take interleaved"),
        ("dualpipe", 7, 28, None, "give 6 or 8"),
        ("dualpipe", 8, 15, None, "give 16"),
        ("dualpipe", 8, 21, None, "give 20 or 22"),
    ],
)
def test_a_shape_that_there_is_not_is_refused_with_the_nearest(
    name: str, stages: int, micro_batches: int, held: int | None, said: str
) -> None:
    with pytest.raises(ScheduleError, match=said):
        span_s(SCHEDULES[name], EVEN, stages=stages, micro_batches=micro_batches, virtual_stages=held)


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (Times(forward_s=-1, input_gradient_s=1, weight_gradient_s=1), "forward_s of -1"),
        (Times(forward_s=1, input_gradient_s=float("nan"), weight_gradient_s=1), "input_gradient_s of nan"),
        (Times(forward_s=1, input_gradient_s=1, weight_gradient_s=1, hop_s=float("inf")), "hop_s of inf"),
        (Times(forward_s=(1, 2, 3), input_gradient_s=1, weight_gradient_s=1), r"forward_s has 3 numbers.*4 chunks"),
    ],
)
def test_times_that_are_none_are_refused(times: Times, said: str) -> None:
    with pytest.raises(ScheduleError, match=said):
        play(SCHEDULES["1f1b"], times, stages=4, micro_batches=4)


def test_schedules_are_found_as_people_write_them() -> None:
    written = {
        "GPipe": "gpipe",
        "1F1B": "1f1b",
        "1f1b-interleaved": "interleaved",
        "zb_1p": "zb-h1",
        "ZB-2P": "zb-h2",
        "ZBV": "zb-v",
        "V-Half": "v-half",
        "vmin": "v-min",
        "DualPipe": "dualpipe",
        "inference loop": "inference-loop",
    }
    assert {name: find_schedule(name).id for name in written} == written
    assert list(SCHEDULES) == list(written.values())
    with pytest.raises(ScheduleError, match=r"one of gpipe, 1f1b.*Is it zb-h1"):
        find_schedule("zb-h11")


@pytest.mark.slow
def test_a_large_step_is_played_within_seconds() -> None:
    """262,144 tasks take a second, and are allowed four on a busy machine."""
    started = time.process_time()
    played = play(SCHEDULES["interleaved"], EVEN, stages=64, micro_batches=256, virtual_stages=8)
    assert len(played.runs) == 2 * 64 * 8 * 256
    assert time.process_time() - started < 4


def test_a_step_of_a_search_takes_milliseconds() -> None:
    """Two or so for uneven stages, once the schedule's turn is known; 20 allowed on a busy machine."""
    times = Times(forward_s=[1 + 0.01 * number for number in range(16)], input_gradient_s=1, weight_gradient_s=0.9)
    for name in ("gpipe", "1f1b", "zb-h1", "zb-h2"):
        span_s(SCHEDULES[name], times, stages=16, micro_batches=512)
        took = []
        for _ in range(3):
            started = time.process_time()
            span_s(SCHEDULES[name], times, stages=16, micro_batches=512)
            took.append(time.process_time() - started)
        assert min(took) < 0.02
