"""One rule for all exercises: question, answer and working are of the same numbers; and the judge of answers."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable

import pytest
from tests.each import of_each

from ridgeline.boards.card import Level
from ridgeline.boards.chapter import Chapter
from ridgeline.boards.exercise import KINDS, Exercise, compose, dimension_of, judge, shown, worked
from ridgeline.boards.lecture import BOARDS, CHAPTERS, EXERCISES
from ridgeline.equations import departures
from ridgeline.quantity_text import QuantityError, parse_quantity

BASE_UNITS = {
    "s": " s",
    "bytes": " B",
    "bytes_per_s": " B/s",
    "flop": " FLOP",
    "tokens_per_s": " tok/s",
    "usd": " USD",
    "usd_per_token": " USD/tok",
    "fraction": "",
    "count": "",
}

# Worked by hand from the questions, not by the equations.
BY_HAND = {
    "roofline-floor": 120e9 / 64e12,
    "roofline-step": (240e9 + 512e9) / 64e12,
    "roofline-balance": 4500,
    "departures-mean": 0.040,
    "modes-saving": 0.4,
    "modes-small-batch": 6.4,
    "modes-drafts": 1.875,
    "contexts-crossover": 2500,
    "contexts-cache": 98304,
    "contexts-shared": 3,
    "contexts-sparsity": 60,
    "sparsity-touched": 64 * (1 - (31 / 32) ** 64),
    "racks-stages": 2,
    "racks-busiest": 1.4,
    "racks-copies": 4.5,
    "racks-tensor": 7.168e6,
    "racks-hop": 30e-6,
    "racks-torus": 128,
    "pipelines-bubble": 7 / 31,
    "memory-caches": 30e9,
    "training-share": 45 / 165,
    "training-served": 77.76e12,
    "prices-token": 1 / 3e6,
    "prices-decode-over-prefill": 3.5,
    "tiers-hold": 1 / 76.8,
    "tiers-break-even": 180,
    "ciphers-forward": 99,
    "ciphers-back": 5,
    "ciphers-table": 4,
    "ciphers-permutation": 5,
    "ciphers-checkpoints": 10.6,
    "ciphers-again": 7.5,
    "pipelines-kept": 12.8e9,
    "pipelines-cached": 144e9,
}


def named(exercise: Exercise) -> str:
    return exercise.id


def test_there_are_enough_and_each_has_a_name_of_its_own() -> None:
    assert len(EXERCISES) >= 40
    assert len({exercise.id for exercise in EXERCISES}) == len(EXERCISES)
    assert len({exercise.question for exercise in EXERCISES}) == len(EXERCISES)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda one: one.name)
def test_every_chapter_has_some_and_its_boards_show_them(chapter: Chapter) -> None:
    assert len(chapter.exercises) >= 2
    shown_ids = {name for one in BOARDS for name in one.exercises}
    assert {exercise.id for exercise in chapter.exercises} <= shown_ids


@of_each("exercise", EXERCISES, ids=named)
def test_an_exercise_is_whole(exercise: Exercise, behind: Callable[[str], object]) -> None:
    assert inspect.isfunction(behind(exercise.equation))
    assert math.isfinite(exercise.answer())
    assert exercise.answer() > 0
    assert "? Answer " in exercise.question
    assert exercise.question.endswith((" %.", " exactly."))
    assert not exercise.question.startswith("#")  # Anki would take it for a header
    assert not set("{}\t\n") & set(exercise.question + exercise.working)
    assert exercise.dimension in KINDS
    assert exercise.level in Level
    assert worked(exercise).endswith(f" = {shown(exercise.answer(), exercise.dimension)}")
    assert re.match(r"[A-Z\d]", exercise.working), "a way to the answer begins as a sentence does"


def test_a_bare_amount_is_of_dollars_where_dollars_are_asked() -> None:
    asked = next(one for one in EXERCISES if one.dimension == "usd")
    right = f"{asked.answer():.9f}"
    assert judge(asked, right).is_right
    assert judge(asked, right).value == judge(asked, f"${right}").value


@of_each("exercise", EXERCISES, ids=named)
def test_every_input_is_in_the_question(exercise: Exercise) -> None:
    for name, value in exercise.inputs.items():
        text = shown(value, dimension_of(name))
        digits = text.lstrip("$").split(" ")[0].split("/")[0].rstrip("TBMk")
        assert digits in exercise.question, name


@of_each("exercise", EXERCISES, ids=named)
def test_the_right_answer_passes_and_twice_it_fails(exercise: Exercise) -> None:
    unit = BASE_UNITS[exercise.dimension]
    assert judge(exercise, f"{exercise.answer()!r}{unit}").is_right
    assert not judge(exercise, f"{2 * exercise.answer()!r}{unit}").is_right
    assert not judge(exercise, f"-{exercise.answer()!r}{unit}").is_right


@of_each("exercise", EXERCISES, ids=named)
def test_what_is_shown_as_the_answer_is_read_as_right(exercise: Exercise) -> None:
    text = shown(exercise.answer(), exercise.dimension)
    assert judge(exercise, text).is_right
    # Of a share its per cent alone, too.
    assert exercise.dimension != "fraction" or judge(exercise, text.removesuffix("%")).is_right
    # Four digits are shown.
    assert parse_quantity(text, exercise.dimension) == pytest.approx(exercise.answer(), rel=5e-4)


@of_each(("name", "answer"), BY_HAND.items())
def test_answers_worked_by_hand(name: str, answer: float) -> None:
    (exercise,) = (exercise for exercise in EXERCISES if exercise.id == name)
    assert exercise.answer() == pytest.approx(answer, rel=1e-12)  # rounding of floats


def test_the_way_to_a_price_of_tokens_is_of_a_million() -> None:
    """What is asked in $/Mtok is computed for one token: without the million the sum would not give its answer."""
    (exercise,) = (exercise for exercise in EXERCISES if exercise.id == "prices-token")
    assert worked(exercise).endswith("64 × 25 ms × $3/h / 4,000 × 1 million = $0.3333/Mtok")
    others = [one for one in EXERCISES if one.dimension != "usd_per_token"]
    assert not any(one.working.endswith("1 million") for one in others)


def test_the_tolerance_is_a_part_of_the_answer() -> None:
    exercise = compose(
        "departures-trial",
        question="Twice {period_s}?",
        inputs={"period_s": 0.050},
        equation=departures.worst_latency_s,
        dimension="s",
        tolerance=0.05,
        working="2 * {period_s}",
        time_stamp="0:22:21",
    )
    assert exercise.question == "Twice 50 ms? Answer to within 5 %."
    assert exercise.level is Level.APPLY
    assert worked(exercise) == "2 × 50 ms = 100 ms"
    assert all(judge(exercise, text).is_right for text in ("104 ms", "0.096 s"))
    assert not any(judge(exercise, text).is_right for text in ("106 ms", "94 ms"))


@pytest.mark.parametrize(
    ("text", "why"),
    [("20 GB", "'GB' is a unit of bytes"), ("20", "has no unit"), ("soon", "not a number"), ("1e999 s", "not finite")],
)
def test_a_wrong_unit_is_no_wrong_number(text: str, why: str) -> None:
    (exercise,) = (exercise for exercise in EXERCISES if exercise.id == "departures-worst")
    with pytest.raises(QuantityError, match=why):
        judge(exercise, text)


def test_a_bare_amount_is_of_a_million_tokens_where_a_price_of_tokens_is_asked() -> None:
    asked = next(one for one in EXERCISES if one.dimension == "usd_per_token")
    assert "in $/Mtok" in asked.question
    right = f"{asked.answer() * 1e6:.6g}"
    assert judge(asked, f"${right}").is_right
    assert judge(asked, f"{right} $/Mtok").is_right
    assert judge(asked, f" {right} ").is_right
    assert judge(asked, right).value == judge(asked, f"${right}").value
    assert not judge(asked, f"{asked.answer():.12f}").is_right  # dollars per token are not what is asked
