"""The walk: each step shows what there is, each question can be missed, and nothing on the chart answers it."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import re
from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from ridgeline.boards.board import Control, Mode, Values
from ridgeline.boards.bubble import Bubble
from ridgeline.boards.claim import Claim, Verdict
from ridgeline.boards.documents.view import view_document
from ridgeline.boards.exercise import shown
from ridgeline.boards.flows import Passage
from ridgeline.boards.lecture import BOARDS, CARDS, CHAPTERS, CLAIMS, EXERCISES, board
from ridgeline.boards.lecture.batch import modes
from ridgeline.boards.lecture.recording import seconds
from ridgeline.boards.lecture.walk import StepDocument, step_document, walk_document
from ridgeline.boards.live_controls import Recorded, height_on, live_controls, place_at, places
from ridgeline.boards.named_marks import named_marks
from ridgeline.boards.picture import Axis, Colour, Curves, Mark, Sheet
from ridgeline.boards.place import Way
from ridgeline.boards.row_of_racks import RowOfRacks
from ridgeline.boards.scene import Gantt
from ridgeline.boards.tie import NUMBER, Tie
from ridgeline.boards.two_chips import TwoChips
from ridgeline.boards.walk import (
    Question,
    Seen,
    Step,
    along,
    at_mark,
    cell,
    drawn,
    formula_of,
    height,
    line_named,
    placed,
    question_x,
    see,
    told,
    upright,
)
from ridgeline.boards.written import flat

Numbers = NDArray[np.float64]
BY_ID: dict[str, Claim] = {claim.id: claim for claim in CLAIMS}
STEPS: tuple[Step, ...] = tuple(step for chapter in CHAPTERS for step in chapter.steps)
SEEN: tuple[Seen, ...] = tuple(see(step, board(step.board), BY_ID) for step in STEPS)
DOCUMENTS: list[StepDocument] = walk_document()["steps"]
PARTED = re.compile("Here our numbers differ|We compute|By our numbers", re.IGNORECASE)
"""How a step says that its numbers are not the lecture's."""
MOST_CHARACTERS = 240
MOST_WORDS = 30
"""Of one sentence: longer ones are read twice."""
LAST_SECOND = 8040
"""Of the recording: 2:14:00."""


def name(step: Step) -> str:
    return f"{step.time_stamp}-{step.board}"


every_step = pytest.mark.parametrize(
    ("step", "seen"), list(zip(STEPS, SEEN, strict=True)), ids=[name(one) for one in STEPS]
)
asking = [(step, step.question, seen) for step, seen in zip(STEPS, SEEN, strict=True) if step.question]
every_question = pytest.mark.parametrize(
    ("step", "question", "seen"), asking, ids=[name(step) for step, _, _ in asking]
)


def texts(step: Step, seen: Seen) -> list[str]:
    asked = step.question
    return [told(text, seen) for text in (step.sentence, *((asked.prompt, asked.reveal) if asked else ()))]


def asked_height(question: Question, seen: Seen) -> float:
    return height(seen, question.line, question_x(question, seen))


def kept(step: Step, question: Question, seen: Seen) -> list[str]:
    """Names of the lines that are there while the question is open."""
    curves = drawn(seen)
    names = step.lines or [flat(line.name).partition(":")[0] for line in curves.lines]
    asked = line_named(curves, question.line)
    return [one for one in names if line_named(curves, one) is not asked]


def part(low: float, high: float, axis: Axis, ends: tuple[float, float]) -> float:
    """Of the axis that lies between two of its values."""
    if axis.is_logarithmic:
        return math.log(high / low) / math.log(ends[1] / ends[0])
    return (high - low) / (ends[1] - ends[0])


def test_the_walk_is_about_forty_steps_and_each_chapter_has_at_least_four() -> None:
    assert 38 <= len(STEPS) <= 46
    assert all(len(chapter.steps) >= 4 for chapter in CHAPTERS)
    # Where the answer surprises; the others draw themselves, so that a guess stays an event.
    assert 12 <= len(asking) <= 16
    assert len({one["id"] for one in DOCUMENTS}) == len(DOCUMENTS)


def test_time_stamps_rise_inside_their_chapters() -> None:
    ends = [seconds(chapter.time_stamp) for chapter in CHAPTERS] + [LAST_SECOND]
    for chapter, (start, end) in zip(CHAPTERS, itertools.pairwise(ends), strict=True):
        times = [seconds(step.time_stamp) for step in chapter.steps]
        assert all(earlier < later for earlier, later in itertools.pairwise(times)), chapter.name
        assert start <= times[0], chapter.name
        assert times[-1] < end, chapter.name


@every_step
def test_a_step_shows_what_its_board_has(step: Step, seen: Seen) -> None:
    assert step.modes in {(Mode.LECTURE,), (Mode.CAREFUL,), (Mode.LECTURE, Mode.CAREFUL)}
    assert 0 <= step.view < len(seen.board.views)
    assert step.terms is None or 0 < step.terms < len(formula_of(step, seen.board))
    assert set(step.claims) <= set(seen.board.claims)
    for mode in step.modes:
        assert all(line_named(drawn(seen, mode), one) for one in step.lines)


def test_formula_and_lines_grow_while_a_picture_stays() -> None:
    for earlier, later in itertools.pairwise(STEPS):
        if earlier.board == later.board:
            if formula_of(earlier, board(earlier.board)) == formula_of(later, board(later.board)):
                assert terms(earlier) <= terms(later), name(later)
            if (earlier.view, earlier.turned) == (later.view, later.turned) and later.lines:
                assert set(earlier.lines) < set(later.lines), name(later)


def test_each_equation_is_left_whole() -> None:
    last = {formula_of(step, board(step.board)): step for step in STEPS}
    assert all(step.terms is None for step in last.values())


RELATION = re.compile(r"=|\\(?:geq|leq|to|approx|times)\b")


@every_step
def test_what_is_shown_of_a_formula_is_more_than_a_letter(step: Step, seen: Seen) -> None:
    """At least a side and what stands for the other: the page itself ends it in dots and closes brackets."""
    there = "".join(term.tex for term in formula_of(step, seen.board)[: terms(step)])
    assert RELATION.search(there), there


def terms(step: Step) -> int:
    return len(formula_of(step, board(step.board))) if step.terms is None else step.terms


@every_question
def test_a_question_has_an_answer_inside_the_axes(step: Step, question: Question, seen: Seen) -> None:
    assert len(step.modes) == 1
    curves, x, y = drawn(seen), question_x(question, seen), asked_height(question, seen)
    if step.lines:
        assert line_named(curves, question.line) in [line_named(curves, one) for one in step.lines]
    assert curves.x[0] <= x <= curves.x[-1]
    low, high = curves.ends(seen.view.y)
    assert low < y < high


@every_question
def test_a_question_can_be_missed(step: Step, question: Question, seen: Seen) -> None:
    """A dot anywhere on the axis is right less than one time in three."""
    curves = drawn(seen)
    there, axis, ends = (
        (question_x(question, seen), seen.view.x, (float(curves.x[0]), float(curves.x[-1])))
        if question.way is Way.ALONG
        else (asked_height(question, seen), seen.view.y, curves.ends(seen.view.y))
    )
    low, high = (max(there / question.tolerance_ratio, ends[0]), min(there * question.tolerance_ratio, ends[1]))
    assert 0 < part(low, high, axis, ends) < 1 / 3


@every_question
def test_nothing_on_the_chart_answers_the_question(step: Step, question: Question, seen: Seen) -> None:
    y, x = asked_height(question, seen), question_x(question, seen)
    for other in kept(step, question, seen):
        there = height(seen, other, x)
        assert there == 0 or max(there / y, y / there) > question.tolerance_ratio, other
    said = [told(step.sentence, seen), told(question.prompt, seen), *kept(step, question, seen)]
    for digits in (2, 3, 4):
        answer = re.compile(rf"(?<![\d.,]){re.escape(upright(seen, y, digits))}(?![\d.,]*\d)")
        assert not any(answer.search(text) for text in said), answer.pattern


@every_question
def test_what_is_drawn_of_the_asked_line_does_not_give_the_answer(step: Step, question: Question, seen: Seen) -> None:
    """It ends before the place, and whoever goes on level or straight from its end, as the axes have it, is wrong."""
    ends = [None if one is None else placed(one, seen) for one in (question.known_from, question.known_to)]
    known_from, known_to = ends
    if ends == [None, None]:
        return
    curves, x, y = drawn(seen), question_x(question, seen), asked_height(question, seen)
    assert question.way is Way.UPRIGHT
    assert (known_to is not None and known_to < x) or (known_from is not None and known_from > x)
    low, high = known_from or float(curves.x[0]), known_to or float(curves.x[-1])
    end, before = (high, high - 0.1 * (high - low)) if high < x else (low, low + 0.1 * (high - low))
    across, up = (partial(even, axis) for axis in (seen.view.x, seen.view.y))
    last, nearly = (up(height(seen, question.line, place)) for place in (end, before))
    # A point alone has no slope.
    slope = (last - nearly) / (across(end) - across(before)) if low < high else 0.0
    for guess in (last, last + slope * (across(x) - across(end))):
        value = 10**guess if seen.view.y.is_logarithmic else guess
        assert value <= 0 or max(value / y, y / value) > question.tolerance_ratio


def even(axis: Axis, value: float) -> float:
    """In even steps of an axis."""
    return math.log10(value) if axis.is_logarithmic else value


def picture(step: Step) -> tuple[object, ...]:
    """What its numbers are drawn of: in another mode a line is another."""
    return step.board, step.view, step.turned, step.modes


@every_step
def test_a_point_where_lines_meet_comes_with_the_second_of_them(step: Step, seen: Seen) -> None:
    """A dot on one line that says something about another hints at a line that is not drawn yet."""
    if not isinstance(seen.pictures[seen.mode], Curves):
        return
    curves = drawn(seen)
    shown_lines = {line_named(curves, one).name for one in step.lines} or {line.name for line in curves.lines}
    if step.question and step.question.way is Way.UPRIGHT:
        shown_lines -= {line_named(curves, step.question.line).name}
    for mark in curves.marks:
        if mark.line not in shown_lines or (mark.crosses and mark.crosses not in shown_lines):
            continue
        others = [line for line in curves.lines if line.name != mark.line]
        met = {line.name for line in others if math.isclose(np.interp(mark.x, curves.x, line.y), mark.y, rel_tol=1e-6)}
        assert not met or met & shown_lines, f"{mark.name!r} lies on {met}"


@every_question
def test_no_earlier_step_has_drawn_the_asked_line(step: Step, question: Question, seen: Seen) -> None:
    for earlier in STEPS[: STEPS.index(step)]:
        same = picture(earlier) == picture(step)
        assert not same or (earlier.lines and question.line not in earlier.lines), name(earlier)


@every_question
def test_what_is_said_after_is_computed_and_has_the_answer(step: Step, question: Question, seen: Seen) -> None:
    assert callable(question.reveal)
    if question.way is Way.ALONG:
        x = question_x(question, seen)
        assert any(along(seen, x, digits) in question.reveal(seen) for digits in (2, 3))
        return
    y = asked_height(question, seen)
    written = {upright(seen, y, digits) for digits in (1, 2, 3)} | {f"{y:.0f}", f"{y:.3g}"}
    assert any(text in question.reveal(seen) for text in written), written


def test_a_turned_board_says_other_numbers() -> None:
    """Sentences follow the pictures: with half the context, decode's step and what is said of it are others."""
    step = next(one for one in STEPS if name(one) == "0:09:10-latency")
    turned = Step(
        board=step.board, time_stamp=step.time_stamp, sentence=step.sentence, turned={"context_tokens": "10k"}
    )
    seen = see(turned, board(step.board), BY_ID)
    assert "that is 1.43 ms; the weights alone take 1.23 ms" in told(step.sentence, seen)


@every_step
def test_texts_are_short_and_so_is_each_of_their_sentences(step: Step, seen: Seen) -> None:
    said = texts(step, seen)
    assert all(0 < len(one) < MOST_CHARACTERS for one in said)
    for one in said:
        assert all(len(sentence.split()) <= MOST_WORDS for sentence in re.split(r"(?<=[.?!]) ", one)), one
        assert one[-1] in ".?", one
        assert "nan" not in one
        assert "  " not in one


def runs(text: str, length: int = 8) -> Iterator[str]:
    """Every so many words in a row."""
    words = re.findall(r"[\w']+", text.casefold())
    return (" ".join(words[start : start + length]) for start in range(len(words) - length + 1))


def test_the_walk_says_nothing_twice() -> None:
    """In our own words, and others than those of claims, cards, questions and boards; nor its own again."""
    others = [text for claim in CLAIMS for text in (claim.claim, claim.why)]
    others += [text for card in CARDS for text in (card.question, card.answer)]
    others += [exercise.question for exercise in EXERCISES]
    others += [text for one in BOARDS for text in (one.question, one.caption)]
    there = {run: text for text in others for run in runs(text)}
    for step, seen in zip(STEPS, SEEN, strict=True):
        for text in texts(step, seen):
            for run in runs(text):
                assert run not in there, f"{name(step)}: {run!r} stands in {there[run]!r}"
            there |= dict.fromkeys(runs(text), text)


def test_where_a_claim_does_not_reproduce_the_walk_says_so() -> None:
    parting = [
        step for step, seen in zip(STEPS, SEEN, strict=True) if any(PARTED.search(one) for one in texts(step, seen))
    ]
    lit = {claim for step in parting for claim in step.claims}
    assert {claim.id for claim in CLAIMS if claim.verdict is Verdict.DOES_NOT_REPRODUCE} <= lit
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
    ("0:09:10-latency", r"the weights alone take ([\d.]+ ms)", "A20", ""),
    ("0:13:00-cost", r"([\d,]+) times the floor", "A4", ""),
    ("0:19:22-latency", r"with his 300 its balance batch is ([\d,]+)", "A12", ""),
    ("0:21:40-departures", r"the step takes ([\d.]+ ms)", "A20", ""),
    ("1:31:56-over-training", r"([\d.]+) trillion, which he rounds", "C8", ""),
    ("2:02:20-tiers", r"small flash drive takes ([\d.]+ minutes)", "D15", ""),
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


def over_the_steps(seen: Seen, values: Values) -> Curves:
    """Lines of a step's view at other values, over its own axis: a control that moves the ends alone moves no line."""
    found, own = seen.view.compute(values), drawn(seen).x
    assert isinstance(found, Curves)
    return found.over(float(own[0]), float(own[-1]))


def lines_and_marks(step: Step, seen: Seen, values: Values, across: Numbers) -> tuple[Numbers, list[float]]:
    """Heights of the lines that a step shows, and where the marks on them lie, over the axis that a hand holds."""
    found = over_the_steps(seen, values)
    lines = [line_named(found, one) for one in step.lines]
    named = {line.name for line in lines}
    marks = [mark.x for mark in found.marks if mark.line in named and (not mark.crosses or mark.crosses in named)]
    return np.array([np.interp(across, found.x, line.y) for line in lines]), marks


@pytest.mark.parametrize(
    ("step", "seen"),
    [pytest.param(*both, id=name(both[0])) for both in zip(STEPS, SEEN, strict=True) if both[0].controls],
)
def test_a_step_offers_the_controls_that_move_its_lines(step: Step, seen: Seen) -> None:
    values = seen.values[seen.mode]

    def turned(control: Control) -> list[Values]:
        return [{**values, control.name: place} for place in places(control)]

    # That part of the axis which every value of a control has: beyond its end a line is not computed.
    ends = [over_the_steps(seen, each) for control in seen.board.controls for each in turned(control)]
    least = min(float(one.x[-1]) for one in ends)
    across = drawn(seen).x[drawn(seen).x <= least]
    heights, marks = lines_and_marks(step, seen, values, across)
    for control in seen.board.controls:
        others = [lines_and_marks(step, seen, each, across) for each in turned(control)]
        moves = any(not np.allclose(there, heights, rtol=1e-3) or at != marks for there, at in others)
        assert moves == (control.name in (step.controls or ())), control.name


PIXEL = 0.003
"""Least move that is seen, as a part of a plot's height."""


@pytest.mark.parametrize(
    ("step", "seen"),
    [
        pytest.param(*both, id=name(both[0]))
        for both in zip(STEPS, SEEN, strict=True)
        if both[0].controls is None and both[0].lines
    ],
)
def test_each_control_of_a_step_moves_what_it_shows_of_a_view(step: Step, seen: Seen) -> None:
    """From end to end, in its own numbers or the others; a whole view is moved by all that are beside it."""
    modes = step.modes if step.question else tuple(Mode)
    for control in live_controls(seen.board, seen.view):
        ends = [place_at(seen.board.control(control), part) for part in (0.0, 1.0)]
        assert any(is_moved(step, seen, seen.values[mode], {control: end}) for mode in modes for end in ends), control


def is_moved(step: Step, seen: Seen, before: Values, turned: Values) -> bool:
    (there, marks), (other, other_marks) = (shown_at(step, seen, {**before, **one}) for one in ({}, turned))
    return marks != other_marks or not np.allclose(there, other, rtol=0, atol=PIXEL)


def shown_at(step: Step, seen: Seen, values: Values) -> tuple[Numbers, list[object]]:
    """Heights of a step's lines as parts of the plot, over its own axis, and where what is marked on them lies.

    Where no line is drawn over that axis, none has a height.
    """
    found = over_the_steps(seen, values)
    low, high = drawn(seen).ends(seen.view.y)
    axis = {"ends": (low, high), "is_logarithmic": seen.view.y.is_logarithmic}
    lines = [line_named(found, one) for one in step.lines]
    named = {line.name for line in lines}
    across = np.linspace(0.1, 0.9, 9)
    places = drawn(seen).x[(across * (len(drawn(seen).x) - 1)).astype(int)]
    if not found.x.size:
        return np.full((len(lines), len(across)), -1.0), []
    heights = [[height_on(axis, float(np.interp(x, found.x, line.y))) for x in places] for line in lines]
    marks: list[object] = [(mark.x, mark.text) for mark in found.marks if mark.line in named]
    return np.array(heights), [*marks, found.fits_to]


def test_the_document_names_lines_as_the_views_do() -> None:
    for step, seen, document in zip(STEPS, SEEN, DOCUMENTS, strict=True):
        pictures = [one for mode in step.modes if isinstance(one := seen.pictures[mode], Curves)]
        there = {flat(line.name) for one in pictures for line in one.lines}
        assert set(document["lines"]) <= there
        assert len(document["lines"]) >= len(step.lines)
        if document["question"]:
            assert document["question"]["line"] in there
            assert not document["lines"] or document["question"]["line"] in document["lines"]


@pytest.mark.parametrize(("step", "seen", "document"), list(zip(STEPS, SEEN, DOCUMENTS, strict=True)))
def test_words_that_name_something_have_the_colour_of_what_is_there(
    step: Step, seen: Seen, document: StepDocument
) -> None:
    """A line of the step, the asked one among them, dots, cells of a schedule, or a shown term."""
    there = {term.colour for term in formula_of(step, board(step.board))[: document["terms"]]}
    for mode in step.modes:
        if isinstance(picture := seen.pictures[mode], Curves):
            lines = [line_named(picture, name) for name in step.lines] or picture.lines
            there |= {one.colour for one in (*lines, *picture.dots)}
        elif isinstance(picture, Gantt):
            there |= {cells.colour for played in picture.played for cells in played.cells}
        elif isinstance(picture, RowOfRacks):
            there |= {part.colour for part in picture.parts}
        elif isinstance(picture, TwoChips):
            there |= {Colour.WEIGHTS, Colour.KV, Colour.COMPUTE, Colour.MONEY}
        elif isinstance(picture, Bubble):
            there |= {cells.colour for played in picture.gantt.played for cells in played.cells}
        elif isinstance(picture, Passage):
            there |= {message.colour for strip in picture.strips for message in strip.messages}
    assert {one["colour"] for one in document["named"]} <= there
    ends = [0, *(place for one in document["named"] for place in (one["start"], one["end"]))]
    assert ends == sorted(ends)
    told_words = [document["sentence"][one["start"] : one["end"]] for one in document["named"]]
    assert sorted(told_words) == sorted(step.named)


def test_three_steps_of_four_name_what_they_draw() -> None:
    assert sum(bool(one["named"]) for one in DOCUMENTS) >= 0.75 * len(DOCUMENTS)


def test_words_that_a_sentence_lacks_cannot_be_named() -> None:
    step = dataclasses.replace(STEPS[1], named={"the tide": Colour.KV})
    with pytest.raises(ValueError, match="'the tide', which its sentence has not; name words of 'Reiner Pope"):
        step_document(step, CHAPTERS[0])


def test_the_document_holds_all_steps_as_plain_data() -> None:
    assert json.loads(json.dumps(walk_document())) == walk_document()
    assert [one["time_stamp"] for one in DOCUMENTS] == [step.time_stamp for step in STEPS]
    # Both kinds of numbers in one picture are for whoever asks for them.
    assert {one["mode"] for one in DOCUMENTS} == {"lecture", "careful"}
    first, last = DOCUMENTS[0], DOCUMENTS[-1]
    assert (first["chapter"], first["terms"], first["id"]) == ("batch", 2, "cost-0:00:52")
    assert first["link"].endswith("&t=52s")
    assert (last["chapter"], last["board"], last["claims"]) == ("cryptography", "reversible", ["E9", "E12"])
    turned = next(one for one in DOCUMENTS if "balance_batches" in one["turned"])
    assert turned["turned"] == {"balance_batches": "3"}
    # Both readings of the price list at once: what was five times as dear costs the same.
    assert turned["question"] is not None
    assert (turned["question"]["line"], turned["question"]["x"]) == ("cost", 1.0)


@pytest.fixture
def lined() -> Seen:
    return next(seen for seen in SEEN if seen.board.name == "latency")


def test_a_line_is_named_by_what_stands_before_its_colon(lined: Seen) -> None:
    floor = line_named(drawn(lined), "weight fetch")
    assert flat(floor.name) == f"weight fetch: floor {shown(float(floor.y[0]), 's', 3)}"


def test_a_line_is_named_by_its_first_words_where_they_are_its_own() -> None:
    racks = next(seen for seen in SEEN if seen.board.name == "racks" and seen.view is seen.board.views[0])
    assert line_named(drawn(racks), "Vera").name.startswith("Vera Rubin")
    with pytest.raises(ValueError, match="'fetch' names 0 lines; there are without overlap, step, compute"):
        line_named(drawn(see(STEPS[1], board("latency"), BY_ID)), "fetch")
    quality = next(seen for seen in SEEN if seen.board.name == "quality")
    assert line_named(drawn(quality), "dense") is not line_named(drawn(quality), "his dense")


def test_what_is_not_there_is_refused_with_what_is(lined: Seen) -> None:
    with pytest.raises(ValueError, match="'crossover' is not marked; there are balance batch without contexts"):
        at_mark("crossover")(lined)
    with pytest.raises(TypeError, match="of board 'latency' is no sheet"):
        cell(lined, "flash", "drain")
    racks = board("racks")
    sheet = see(Step(board=racks.name, view=1, time_stamp="0:41:05", sentence="As a table."), racks, BY_ID)
    with pytest.raises(TypeError, match="view 'Packages and dies' of board 'racks' has no curves"):
        drawn(sheet)
    with pytest.raises(ValueError, match="no 'speed' of 'A1'; there are A100, "):
        cell(sheet, "A1", "speed")


@every_step
def test_a_step_shows_a_picture_and_no_table(step: Step, seen: Seen) -> None:
    assert not any(isinstance(seen.pictures[mode], Sheet) for mode in step.modes)


WRITTEN = re.compile(r"(?P<number>[\d,.]+)(?:/(?P<over>\d+))? ?(?P<unit>.*)")
UNITS = {"": 1.0, "%": 0.01, "k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12, "trillion": 1e12}
UNITS |= {"ms": 1e-3, "µs": 1e-6, "minutes": 60.0, "hours": 3600.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
DIGITS = 3
"""Digits to which numbers of a sentence are rounded at the most; zeros beyond them say nothing."""
MOST_UNTIED = 20
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


def test_the_walk_opens_on_the_cost_curve_with_a_question_about_it() -> None:
    """And not with later answers: what a token costs alone is asked of the lecture's own curve, which is another."""
    first, asked = STEPS[0], STEPS[0].question
    assert (first.board, first.lines) == ("cost", ("cost",))
    assert asked
    # It goes on from the first view: the curve is drawn as far as the point that the question tells.
    assert asked.way is Way.UPRIGHT
    assert asked.known_from is None
    assert asked.known_to
    known = placed(asked.known_to, SEEN[0])
    assert along(SEEN[0], known) in told(asked.prompt, SEEN[0])
    assert upright(SEEN[0], height(SEEN[0], "cost", known)) in told(asked.prompt, SEEN[0])
    assert question_x(asked, SEEN[0]) / known == pytest.approx(float(modes.PRICE_RATIO) * float(modes.SPEED_RATIO))
    later = next(step for step in STEPS[1:] if step.board == first.board and step.question)
    assert picture(later) != picture(first)
