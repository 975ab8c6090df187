"""Numbers of the walk: each is computed, lies on its drawing, and agrees with all others of its quantity."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.boards.walked import BY_ID, SEEN, STEPS, every_step, name, texts

from ridgeline.boards.claim import Verdict
from ridgeline.boards.documents.view import view_document
from ridgeline.boards.exercise import shown
from ridgeline.boards.lecture import CLAIMS
from ridgeline.boards.live_controls import Recorded
from ridgeline.boards.named_marks import named_marks
from ridgeline.boards.picture import Curves, Mark
from ridgeline.boards.tie import NUMBER, Tie
from ridgeline.boards.walk import Seen, Step, drawn, line_named, told

PARTED = re.compile(
    "We compute|no single batch explains both|published sizes give|By our count|But a usual flash drive takes"
    "|leaves it as large, and stores|not at millions",
    re.IGNORECASE,
)
"""How a step says that its numbers are not the lecture's."""


def test_where_a_claim_does_not_reproduce_the_walk_says_so() -> None:
    parting = [
        step for step, seen in zip(STEPS, SEEN, strict=True) if any(PARTED.search(one) for one in texts(step, seen))
    ]
    lit = {claim for step in STEPS for claim in step.claims}
    failing = {claim.id for claim in CLAIMS if claim.verdict is Verdict.DOES_NOT_REPRODUCE}
    assert failing <= lit
    # Where the sentence keeps to one set of numbers, the claim's card below it says what comes out: a number in words.
    parted = {claim for step in parting for claim in step.claims}
    assert all(len(BY_ID[claim].note().line) > 1 for claim in failing - parted)
    doubtful = {Verdict.DOES_NOT_REPRODUCE, Verdict.DEPENDS}
    assert all(any(BY_ID[claim].verdict in doubtful for claim in step.claims) for step in parting)


@pytest.mark.parametrize(("claim", "dimension", "digits"), [("A12", "count", 3), ("C8", "count", 3)])
def test_a_step_has_the_number_that_stands_beside_it(claim: str, dimension: str, digits: int) -> None:
    """Else a reader sees one number in the sentence and another in the claim that it lights, both called ours."""
    ours = BY_ID[claim].lecture_mode()
    assert ours is not None
    written = {shown(ours, dimension, digits), f"{shown(ours / 1e12, 'count', digits)} trillion"}
    (said,) = [told(step.sentence, seen) for step, seen in zip(STEPS, SEEN, strict=True) if claim in step.claims]
    assert any(text in said for text in written), written


TOLD_TWICE = (
    # A step, the number in its text, the claim beside it, and what the text says of its own number.
    ("0:09:10-latency", r"as long as reading weights: ([\d.]+ ms)", "A20", ""),
    ("0:13:00-cost", r"([\d,]+) times the floor", "A4", ""),
    ("0:19:22-latency", r"published sizes give 18 times, or ([\d,]+)", "A12", ""),
    ("1:31:56-over-training", r"([\d.]+) trillion, which he takes", "C8", ""),
    ("2:02:20-tiers", r"usual flash drive takes ([\d.]+ minutes)", "D15", "usual flash drive"),
    ("2:02:20-tiers", r"disk ([\d.]+ hours)", "D26", ""),
    ("1:52:00-long-context", r"a prompt at ([\d,]+) tokens", "D9", "In this model"),
)
"""Where a step has a quantity that a claim beside it has as well."""


@pytest.mark.parametrize(("place", "number", "claim", "qualifier"), TOLD_TWICE)
def test_a_quantity_told_twice_agrees_or_says_what_it_is_of(
    place: str, number: str, claim: str, qualifier: str
) -> None:
    """Sentence and claim have the same number, or each says under which assumptions it has its own."""
    ((step, seen),) = [both for both in zip(STEPS, SEEN, strict=True) if name(both[0]) == place]
    text = " ".join(texts(step, seen))
    (said,) = re.findall(number, text)
    note = BY_ID[claim].note()
    ours = note.line[1]
    is_same = ours.partition(" trillion")[0].partition(" times")[0] == said
    assert is_same == (not qualifier), f"{said} beside {ours}"
    assert is_same or qualifier in text
    assert is_same or note.given or BY_ID[claim].verdict is Verdict.DEPENDS  # which says its assumption first


WRITTEN = re.compile(r"(?P<number>[\d,.]+)(?:/(?P<over>\d+))? ?(?P<unit>.*)")
UNITS = {"": 1.0, "%": 0.01, "k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12, "trillion": 1e12}
UNITS |= {"ms": 1e-3, "µs": 1e-6, "minutes": 60.0, "hours": 3600.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
DIGITS = 3
"""Digits to which numbers of a sentence are rounded at the most; zeros beyond them say nothing."""
MOST_UNTIED = 24
"""Numbers that no drawing has: of history, of a list, of a claim or step beside it, or a ratio of two things drawn."""


def value_and_error(text: str) -> tuple[float, float]:
    """Number that a text says, and half a unit of its last digit."""
    found = WRITTEN.fullmatch(text)
    assert found, text
    number, unit = found["number"].replace(",", ""), UNITS[found["unit"]]
    if found["over"]:
        return int(number) / int(found["over"]), 1e-12  # rounding of floats
    decimals = len(number.partition(".")[2])
    rounded_to = max(1.0, 10.0 ** (len(number) - DIGITS)) if not decimals and number.endswith("0") else 10.0**-decimals
    return float(number) * unit, rounded_to * unit / 2 * (1 + 1e-9)


def numbers_tied(step: Step, seen: Seen) -> list[tuple[str, Tie]]:
    return list(zip(NUMBER.findall(told(step.sentence, seen)), step.ties, strict=True))


@every_step
def test_each_number_of_a_sentence_is_what_it_is_tied_to(step: Step, seen: Seen) -> None:
    for text, tie in numbers_tied(step, seen):
        said, error = value_and_error(text)
        assert tie.value(seen, step) == pytest.approx(said, abs=error), text


@every_step
def test_each_number_of_a_sentence_lies_on_the_drawing_as_it_opens(step: Step, seen: Seen) -> None:
    for text, tie in numbers_tied(step, seen):
        if tie.control:
            turning = Recorded(seen.values[seen.mode])
            seen.view.compute(turning)
            assert tie.control in turning.read, text
        elif tie.mark:
            assert any(says(mark, text, tie.value(seen, step)) for mark in marks_seen(step, seen, tie.mark)), text
        elif tie.x:
            picture = drawn(seen)
            assert picture.x[0] <= tie.x(seen, step) <= picture.x[-1]
            assert step.opened or picture.bill, "no handle"
        elif tie.is_drawn:
            assert any(has(text, leaf) for leaf in leaves_of(step, seen)), text
        else:
            assert tie.why


def marks_seen(step: Step, seen: Seen, name: str) -> list[Mark]:
    """Marks of that name whose text stands in the picture as the step opens."""
    pictures = named_marks(*(drawn(seen, mode) for mode in step.modes))

    def is_shown(picture: Curves, line: str) -> bool:
        return not step.lines or any(line_named(picture, one).name == line for one in step.lines)

    return [
        mark
        for picture in pictures
        for mark in picture.marks
        if mark.name == name and not mark.is_quiet and is_shown(picture, mark.line)
    ]


def says(mark: Mark, text: str, value: float) -> bool:
    """Whether a mark lies at a value, or has it in words."""
    return value in (mark.x, mark.y) or has(text, mark.text)


def leaves_of(step: Step, seen: Seen) -> Iterator[str | float]:
    """Texts and numbers of a step's picture, without the points of its lines; and those of its ladder."""
    document = view_document(seen.view, seen.values[seen.mode])
    yield from (line["name"] for line in document.get("lines", ()))
    yield from leaves({key: part for key, part in document.items() if key not in {"x", "lines", "axes", "bill"}})
    for rung in step.ladder(seen) if step.ladder else ():
        yield from (rung.of, rung.text)


def leaves(node: object) -> Iterator[str | float]:
    if isinstance(node, dict):
        node = list(node.values())
    if isinstance(node, list | tuple):
        for one in node:
            yield from leaves(one)
    elif isinstance(node, str | float | int):
        yield node


def has(text: str, leaf: str | float) -> bool:
    """Whether a text has the number, or a number is it."""
    if isinstance(leaf, str):
        return re.search(rf"(?<![\d.,]){re.escape(text)}(?![\d.,]*\d)", leaf.replace("\n", " ")) is not None
    said, error = value_and_error(text)
    return abs(leaf - said) <= error


def test_most_numbers_of_sentences_lie_on_their_drawings() -> None:
    ties = [tie for step in STEPS for tie in step.ties]
    assert sum(not tie.is_drawn for tie in ties) <= MOST_UNTIED < len(ties) / 4


def test_a_chapters_answer_has_the_balance_batch_of_weights_alone_and_the_one_with_contexts() -> None:
    """Else it contradicts the step that finds the cost flat from 3,550 on, and the one that finds no balance at all."""
    ((step, seen),) = [both for both in zip(STEPS, SEEN, strict=True) if name(both[0]) == "0:30:13-quality"]
    answer = told(step.answer, seen)
    (patience, its) = next(both for both in zip(STEPS, SEEN, strict=True) if name(both[0]) == "0:15:39-cost")
    (balance,) = re.findall(r"From ([\d,]+) sequences", told(patience.sentence, its))
    assert "for weights alone" in answer
    assert f"Contexts move his to {balance}, and" in answer
    assert answer.endswith("DeepSeek-V3's out of reach.")


def test_activations_outweigh_by_the_scores_that_are_stored_and_by_the_drawn_formula_without_them() -> None:
    """E4: 34 bytes a token and hidden unit, as its step draws, take 34 sequences of GPT-3's 2,048 tokens to outweigh
    16 bytes a parameter."""
    drawn_sequences = 16 * 175e9 / (34 * 2048 * 12288 * 96)
    assert f"or from {drawn_sequences:.0f} if not" in "".join(BY_ID["E4"].note().line)


def test_an_equal_cost_of_attention_names_its_model_and_what_is_counted() -> None:
    """D9: half of a long prompt is attended to on average, and the whole context by a token that is written."""
    ((step, seen),) = [both for both in zip(STEPS, SEEN, strict=True) if name(both[0]) == "1:52:00-long-context"]
    text = " ".join(texts(step, seen))
    assert "the cost of reading a prompt" in text
    assert BY_ID["D9"].note().given.startswith("for a token written by a dense model")
