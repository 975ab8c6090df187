"""Questions of the walk with a few answers: the view's own equations say which is right, and nothing told before."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from tests.boards.walked import SEEN, STEPS, name
from tests.each import of_each

from ridgeline.boards.board import Mode
from ridgeline.boards.choice import Choice, Option, longest, nearest, right_of, told_before
from ridgeline.boards.lecture import board
from ridgeline.boards.lecture.walk import walk_document
from ridgeline.boards.picture import Colour
from ridgeline.boards.walk import Seen, Step, formula_of, told, turned_of

CHOOSING = [(step, step.choice, seen) for step, seen in zip(STEPS, SEEN, strict=True) if step.choice]
every_choice = of_each(("step", "choice", "seen"), CHOOSING, ids=[name(step) for step, _, _ in CHOOSING])
BY_NAME = {name(step): (step, choice, seen) for step, choice, seen in CHOOSING}

MOST_WORDS = 30


def turned(step: Step, seen: Seen, **to: float) -> Seen:
    """The state of a step once controls stand elsewhere."""
    values = board(step.board).values(seen.mode, turned_of(step, seen.mode) | to)
    return replace(
        seen,
        values={**seen.values, seen.mode: values},
        pictures={**seen.pictures, seen.mode: seen.view.compute(values)},
    )


@every_choice
def test_a_step_asks_in_one_way_and_offers_a_few_answers(step: Step, choice: Choice, seen: Seen) -> None:
    assert step.question is None
    assert len(step.modes) == 1
    assert 2 <= len(choice.options) <= 4
    assert len({option.name for option in choice.options}) == len(choice.options)
    assert told(choice.prompt, seen).endswith("?")
    for text in (told(choice.prompt, seen), told(choice.why, seen)):
        assert all(len(sentence.split()) <= MOST_WORDS for sentence in re.split(r"(?<=[.?:]) ", text)), text


@every_choice
def test_one_answer_is_right_in_each_mode_and_others_are_far_from_it(step: Step, choice: Choice, seen: Seen) -> None:
    right = choice.options[right_of(choice, seen)]
    for mode in Mode:
        assert right_of(choice, replace(seen, mode=mode)) in range(len(choice.options))
    # Answers are further apart than a hand may have rounded the one that holds.
    sizes = sorted(option.size for option in choice.options if option.size is not None)
    assert len(sizes) in {0, len(choice.options)}
    assert all(low < 0.85 * high for low, high in pairwise(sizes))
    assert (right.size is None) == (not sizes)


@every_choice
def test_nothing_told_before_gives_the_answer(step: Step, choice: Choice, seen: Seen) -> None:
    sentence = told(step.sentence, seen)
    before = sentence[: told_before(choice, sentence)]
    right = choice.options[right_of(choice, seen)].name
    assert before
    assert before != sentence
    assert right not in before
    # Numbers and names that the hidden sentences have and the visible ones lack are not in the question, either.
    assert right not in told(choice.prompt, seen)
    if choice.terms is not None:
        shown = len(formula_of(step, seen.board)) if step.terms is None else step.terms
        assert 0 < choice.terms < shown


def test_no_table_of_an_earlier_step_of_its_board_has_both_numbers_that_a_question_compares() -> None:
    steps = walk_document()["steps"]
    for place, step in enumerate(steps):
        if not step["choice"]:
            continue
        asked = set(re.findall(r"\d[\d,.]*\d|\d", step["choice"]["prompt"]))
        for before in steps[:place]:
            if before["board"] == step["board"] and before["question"] and before["question"]["grounds"]:
                names = {row[0] for row in before["question"]["grounds"]["rows"]}
                assert len(asked & names) <= 1, (before["id"], step["id"])


CHANGED = [
    ("0:15:39-cost", {}, "just as much"),
    ("0:15:39-cost", {"hbm_bytes_per_s": 0.8e12}, "three quarters"),
    ("0:15:39-cost", {"hbm_bytes_per_s": 0.8e12, "kv_bytes_per_token": 100.0}, "half as much"),
    ("0:20:00-latency", {}, "none at all"),
    ("0:20:00-latency", {"context_tokens": 1000.0}, "a larger one"),
    ("0:20:00-latency", {"context_tokens": 1.0}, "the marked one"),
    ("0:26:25-tokens", {}, "10 times as many"),
    ("0:26:25-tokens", {"period_s": 3e-3}, "twice as many"),
    ("0:26:25-tokens", {"period_s": 1e-3}, "as many"),
    ("0:40:00-scale-out", {}, "4 times as long"),
    ("0:40:00-scale-out", {"link_ratio": 16.0}, "8 times as long"),
    ("0:40:00-scale-out", {"link_ratio": 2.0}, "as long"),
    ("0:40:00-scale-out", {"link_ratio": 1.0}, "half as long"),
    ("0:51:00-stages", {}, "expert traffic in the rack"),
    ("0:51:00-stages", {"copies_per_token": 1.0, "layers_per_stage": 1.0}, "the move to the next rack"),
    ("0:58:00-inference-loop", {}, "4 batches"),
    ("0:58:00-inference-loop", {"stages": 8.0}, "8 batches"),
    ("0:58:00-inference-loop", {"stages": 2.0}, "2 batches"),
    ("1:11:00-memory", {}, "just as much"),
    ("1:22:15-budget", {}, "about 5 times as much"),
]


@pytest.mark.parametrize(("place", "to", "expected"), CHANGED)
def test_the_right_answer_follows_from_what_is_turned(place: str, to: dict[str, float], expected: str) -> None:
    step, choice, seen = BY_NAME[place]
    assert choice.options[right_of(choice, turned(step, seen, **to))].name == expected


@pytest.mark.parametrize("stages", [2.0, 4.0, 8.0])
@pytest.mark.parametrize("micro_batches", [1.0, 8.0, 32.0])
def test_passes_in_turn_never_shrink_the_bubble(stages: float, micro_batches: float) -> None:
    """As played: he says that they avoid it."""
    step, choice, seen = BY_NAME["1:00:30-bubbles"]
    there = turned(step, seen, stages=stages, micro_batches=micro_batches)
    assert choice.options[right_of(choice, there)].name == "as large"


def test_no_place_among_the_answers_is_right_for_half_of_the_questions() -> None:
    places = Counter(right_of(choice, seen) for _, choice, seen in CHOOSING)
    assert len(CHOOSING) >= 8
    assert max(places.values()) <= len(CHOOSING) / 2


def test_a_document_has_the_answer_that_its_numbers_give() -> None:
    asked = [step["choice"] for step in walk_document()["steps"] if step["choice"]]
    assert [one["right"] for one in asked] == [right_of(choice, seen) for _, choice, seen in CHOOSING]
    for one, (step, _, seen) in zip(asked, CHOOSING, strict=True):
        assert told(step.sentence, seen)[one["told"] - 1] in ".?!"


def test_of_several_answers_that_hold_or_none_it_is_said_which() -> None:
    seen = SEEN[0]
    both = Choice(
        prompt="Which?",
        options=(Option(name="one", holds=lambda _: True), Option(name="other", holds=lambda _: True)),
        why="",
        sentences=1,
    )
    with pytest.raises(ValueError, match=r"these do: \['one', 'other'\]"):
        right_of(both, seen)
    none = replace(both, options=(Option(name="one", holds=lambda _: False),))
    with pytest.raises(ValueError, match=r"these do: \[\]"):
        right_of(none, seen)
    with pytest.raises(ValueError, match="let one wait"):
        told_before(both, "One sentence alone.")


def test_answers_for_numbers_and_for_things_drawn() -> None:
    seen = SEEN[0]
    numbers = nearest(lambda _: 4.4, {"two": 2.0, "four": 4.0, "five": 5.0})
    assert [option.name for option in numbers if option.holds(seen)] == ["four"]
    drawn = longest({"reads": (lambda _: 3.0, Colour.KV), "computes": (lambda _: 2.0, Colour.COMPUTE)})
    assert [(option.name, option.colour) for option in drawn if option.holds(seen)] == [("reads", Colour.KV)]
