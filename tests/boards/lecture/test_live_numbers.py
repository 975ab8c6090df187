"""A step's sentence follows what is turned."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from tests.boards.walked import SEEN, STEPS, every_step

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.batch.step import step_times
from ridgeline.boards.lecture.live_numbers import LiveDocument, live, rewritten
from ridgeline.boards.lecture.walk import sentence_of, step_id
from ridgeline.boards.picture import Curves
from ridgeline.boards.tie import NUMBER
from ridgeline.boards.walk import Seen, Step, line_named, turned_of


@every_step
def test_a_number_is_written_as_the_sentence_has_it_and_stays_where_nothing_is_turned(step: Step, seen: Seen) -> None:
    numbers = [number[0] for number in NUMBER.finditer(sentence_of(step, seen))]
    # A sentence at rest has fewer digits than one under a hand, two at the least.
    found = [rewritten(text, tie.value(seen, step), 2) for text, tie in zip(numbers, step.ties, strict=True)]
    assert found == numbers
    untouched = live(step_id(step), seen.values)
    assert untouched["numbers"] == untouched["overturned"] == []


def now(name: str, *modes: Mode, **turned: float) -> LiveDocument:
    """What of a step's sentence is otherwise, where modes are shown."""
    ((step, seen),) = [both for both in zip(STEPS, SEEN, strict=True) if step_id(both[0]) == name]
    return live(name, {mode: seen.board.values(mode, {**turned_of(step, mode), **turned}) for mode in modes})


def told(name: str, *modes: Mode, **turned: float) -> list[str]:
    """What a step's sentence has for the numbers that move with controls, where modes are shown."""
    return [one["text"].replace("\N{NO-BREAK SPACE}", " ") for one in now(name, *modes, **turned)["numbers"]]


def sentence_with(name: str, mode: Mode, **turned: float) -> str:
    """A step's sentence as the page has it, words that hold no more in tildes."""
    ((step, seen),) = [both for both in zip(STEPS, SEEN, strict=True) if step_id(both[0]) == name]
    sentence, found = sentence_of(step, seen), now(name, mode, **turned)
    others = [(one["start"], one["end"], one["text"]) for one in found["numbers"]]
    others += [
        (one["start"], one["end"], one["text"] or f"~{sentence[one['start'] : one['end']]}~")
        for one in found["overturned"]
    ]
    for start, end, text in sorted(others, reverse=True):
        sentence = sentence[:start] + text + sentence[end:]
    return sentence.replace("\N{NO-BREAK SPACE}", " ")


def test_a_number_that_a_control_moves_is_read_anew_from_the_drawing() -> None:
    ((_, seen),) = [both for both in zip(STEPS, SEEN, strict=True) if step_id(both[0]) == "latency-0:09:10"]
    fewer = seen.board.values(Mode.LECTURE, {"chips": 36})
    curves = seen.view.compute(fewer)
    assert isinstance(curves, Curves)
    weights_s = float(np.interp(2400, curves.x, line_named(curves, "weight fetch").y))
    # Half the chips take twice as long for both, so the batch is as before, and the sentence keeps it.
    assert told("latency-0:09:10", Mode.LECTURE, chips=36) == [f"{weights_s * 1e3:.2f} ms"]


def test_what_somebody_says_stays() -> None:
    # His 20 ms are the period with which trains start; the period and a longest wait are the trains' own.
    assert told("departures-0:21:40", Mode.LECTURE, period_s=0.04) == ["40 ms", "80 ms"]


def test_a_turned_number_has_as_many_digits_as_its_slider() -> None:
    assert told("departures-0:21:40", Mode.LECTURE, period_s=0.0224) == ["22.4 ms", "44.8 ms"]


def test_a_number_without_a_value_gives_way_to_words() -> None:
    # A size so small reaches the loss with no tokens.
    found = now("budget-1:22:15", Mode.LECTURE, active_params=1e8)
    assert found["numbers"] == []
    assert [one["text"] for one in found["overturned"]] == [
        "A smaller one gets as good only with far more training, if at all"
    ]


def test_one_thing_is_told_in_the_singular() -> None:
    one = sentence_with("bubbles-0:59:00", Mode.LECTURE, micro_batches=1)
    assert "with 1 micro-batch, and 16 % with 16" in one
    assert "1 batch on 4 racks, each rack waits" in sentence_with(
        "inference-loop-0:58:00", Mode.LECTURE, micro_batches=1
    )


def test_what_does_not_fit_is_said() -> None:
    narrow = sentence_with("memory-1:11:00", Mode.LECTURE, chips_per_stage=1)
    assert "a chip would hold 480 GB of caches on 8 racks: 605 GB with the weights, more than its 288 GB." in narrow
    assert "would then hold 391 GB, more than its 288 GB" in sentence_with(
        "memory-1:05:00", Mode.LECTURE, weight_bytes=1e14
    )


def test_things_that_cannot_be_divided_are_counted_whole() -> None:
    # Of 256 layers one says 256, though 8 has one digit; and of a context no third of a token.
    assert "Of 256 layers it then stores" in sentence_with("reversible-2:12:20", Mode.LECTURE, layers=256)
    longer = sentence_with("context-1:33:30", Mode.LECTURE, kv_bytes_per_token=7e6)
    assert re.search(r"3 times the balance batch, reading overtakes computing at \d+ tokens\.", longer), longer


def test_each_ladder_of_balance_batches_goes_on_from_the_one_before() -> None:
    ladders = [
        [(one["name"], one["text"]) for one in now(step_id(step), mode)["ladder"]]
        for step in STEPS
        if step.ladder
        for mode in step.modes[:1] or (Mode.LECTURE,)
    ]
    assert [len(one) for one in ladders] == [3, 4]
    for shorter, longer in itertools.pairwise(ladders):
        assert longer[: len(shorter)] == shorter


def test_a_verdict_follows_what_is_turned() -> None:
    name = "latency-0:20:00"
    assert "memory sets the pace" in sentence_with(name, Mode.CAREFUL)
    fast = sentence_with(name, Mode.CAREFUL, hbm_bytes_per_s=32e12)
    assert "memory sets" not in fast
    ((_, seen),) = [both for both in zip(STEPS, SEEN, strict=True) if step_id(both[0]) == name]
    times = step_times(seen.board.values(Mode.CAREFUL, {"hbm_bytes_per_s": 32e12}))
    # Where both lines cross: compute of a batch is the reading of the weights and of its contexts.
    crossing = times.weights_s / (times.compute_s - times.kv_s)
    assert f"above {crossing:,.0f}"[:8] == fast[fast.index("above") :][:8]
    rungs = now(name, Mode.CAREFUL, hbm_bytes_per_s=32e12)["ladder"]
    assert [one["text"] for one in rungs] != [one["text"] for one in now(name, Mode.CAREFUL)["ladder"]]
    assert rungs[-1]["value"] == pytest.approx(crossing, rel=1e-6)


def test_who_reads_as_little_is_counted_anew() -> None:
    # With the sparser model's arithmetic a crossover takes a smaller cache than any of the known models has.
    few = sentence_with("kv-bytes-1:38:35", Mode.LECTURE, active_params=37e9)
    assert "none read as little" in few
    assert "V4-Pro read as little" in sentence_with("kv-bytes-1:38:35", Mode.LECTURE)


def test_a_sentence_says_nothing_of_numbers_that_it_was_not_written_for() -> None:
    assert told("latency-0:09:10", Mode.CAREFUL, context_tokens=100_000) == []


def test_there_is_no_other_step() -> None:
    with pytest.raises(ValueError, match="the walk has no step 'latency'"):
        live("latency", {})


def test_what_a_control_inserts_agrees_with_the_rest_of_its_sentence() -> None:
    # What is added stands after the question that it speaks to, and says which batch it is of.
    longer = sentence_with("prefill-1:47:40", Mode.LECTURE, context_tokens=1e6)
    assert longer.endswith(
        "Here, in a batch 3 times the balance batch, an output token costs 5.33 times its arithmetic."
    )
    # A dear HBM leaves the order of keeping and of fetching as it was; one that is cheaper to keep than DDR does not.
    dear, cheap = (sentence_with("tiers-2:00:50", Mode.LECTURE, hbm_bytes=size) for size in (1e9, 1e13))
    assert "holds it for less than the one before, but costs more to read back" in dear
    assert "a store that holds it for less does not always cost more to read back" in cheap
    # One die to a package: the number before it is not told as smaller.
    assert "has 144 dies already, in 72 packages: none of the growth is real" in sentence_with(
        "racks-0:41:05", Mode.LECTURE, dies_per_chip=1
    )


def test_a_sentence_on_other_numbers_does_not_contradict_them() -> None:
    def other(name: str, **turned: float) -> str:
        return now(name, Mode.CAREFUL, **turned)["other"].replace("\N{NO-BREAK SPACE}", " ")

    # What patience buys is said by how much it saves.
    assert other("cost-0:15:39").startswith("Patience buys little.")
    much = other("cost-0:15:39", active_params=1.1e11)
    assert much.startswith("Patience buys something.")
    assert int(re.findall(r"save (\d+) % more", much)[0]) >= 20
    assert other("cost-0:15:39", active_params=1e13).startswith("Patience buys nothing.")
    # A chip does not take a part of what it has where that is less than the part.
    assert "takes 9.35 GB of each chip's 199 GB" in other("memory-1:05:00")
    assert "would take 673 GB of each chip, which has 199 GB" in other("memory-1:05:00", chips_per_stage=1)
