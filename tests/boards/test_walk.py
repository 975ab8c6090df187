"""The walk: each step shows what there is, in few words, and nothing twice."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import re
from collections.abc import Iterator

import numpy as np
import pytest
from tests.boards.walked import BY_ID, SEEN, STEPS, asking, every_step, name, texts
from tests.each import of_each

from ridgeline.boards.board import Mode
from ridgeline.boards.bubble import Bubble
from ridgeline.boards.constant import filled_in
from ridgeline.boards.exercise import shown
from ridgeline.boards.flows import Crossing, Passage
from ridgeline.boards.lecture import BOARDS, CARDS, CHAPTERS, CLAIMS, EXERCISES, board
from ridgeline.boards.lecture.recording import seconds
from ridgeline.boards.lecture.walk import StepDocument, step_document, walk_document
from ridgeline.boards.picture import Colour, Curves, Sheet
from ridgeline.boards.place import Way
from ridgeline.boards.row_of_racks import RowOfRacks
from ridgeline.boards.scene import Gantt
from ridgeline.boards.two_chips import TwoChips
from ridgeline.boards.walk import Seen, Step, at_mark, cell, drawn, formula_of, line_named, see, told
from ridgeline.boards.written import flat

DOCUMENTS: list[StepDocument] = walk_document()["steps"]
MOST_CHARACTERS = 290
MOST_WORDS = 30
"""Of one sentence: longer ones are read twice."""
LAST_SECOND = 8040
"""Of the recording: 2:14:00."""


def test_the_walk_is_about_forty_steps_and_each_chapter_has_at_least_four() -> None:
    assert 38 <= len(STEPS) <= 46
    assert all(len(chapter.steps) >= 4 for chapter in CHAPTERS)
    # Where the answer surprises; the others draw themselves, so that a guess stays an event. About half of them are
    # dots on a chart, and half are chosen among a few answers.
    chosen = [step for step in STEPS if step.choice]
    assert 11 <= len(asking) <= 16
    assert 24 <= len(asking) + len(chosen) <= len(STEPS) * 2 / 3
    assert len({one["id"] for one in DOCUMENTS}) == len(DOCUMENTS)


def test_a_chapter_ends_with_the_answer_to_its_question() -> None:
    """And nowhere else is there one."""
    for chapter in CHAPTERS:
        *before, last = (step_document(step, chapter)["answer"] for step in chapter.steps)
        assert chapter.question.endswith("?")
        assert last
        assert not any(before)


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


def test_a_turned_board_says_other_numbers() -> None:
    """Sentences follow the pictures: with half the bytes, reading weights and what is said of it are others."""
    step = next(one for one in STEPS if name(one) == "0:09:10-latency")
    turned = Step(
        board=step.board, time_stamp=step.time_stamp, sentence=step.sentence, turned={"bytes_per_param": filled_in(0.5)}
    )
    seen = see(turned, board(step.board), BY_ID)
    assert "as long as reading weights: 617 µs." in told(step.sentence, seen)


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


def test_the_document_names_lines_as_the_views_do() -> None:
    for step, seen, document in zip(STEPS, SEEN, DOCUMENTS, strict=True):
        pictures = [one for mode in step.modes if isinstance(one := seen.pictures[mode], Curves)]
        there = {flat(line.name) for one in pictures for line in one.lines}
        assert set(document["lines"]) <= there
        assert len(document["lines"]) >= len(step.lines)
        if document["question"]:
            assert document["question"]["line"] in there
            assert not document["lines"] or document["question"]["line"] in document["lines"]


@of_each(("step", "seen", "document"), list(zip(STEPS, SEEN, DOCUMENTS, strict=True)))
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
        elif isinstance(picture, Crossing):
            there |= {Colour.LINKS, Colour.AWAY}
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
    with pytest.raises(ValueError, match="'the tide', which its sentence has not; name words of \"A decode step"):
        step_document(step, CHAPTERS[0])


def test_the_document_holds_all_steps_as_plain_data() -> None:
    assert json.loads(json.dumps(walk_document())) == walk_document()
    assert [one["time_stamp"] for one in DOCUMENTS] == [step.time_stamp for step in STEPS]
    # Both kinds of numbers in one picture are for whoever asks for them.
    assert {one["mode"] for one in DOCUMENTS} == {"lecture", "careful"}
    first, last = DOCUMENTS[0], DOCUMENTS[-1]
    assert (first["chapter"], first["terms"], first["id"]) == ("batch", 5, "cost-0:00:52")
    assert (last["chapter"], last["board"], last["claims"]) == ("cryptography", "reversible", ["E9", "E12"])
    (turned,) = (one for one in DOCUMENTS if one["id"] == "prefill-1:47:40")
    assert turned["turned"] == {"balance_batches": "3"}
    # Both readings of the price list at once: what was five times as dear costs the same.
    assert turned["question"] is not None
    assert (turned["question"]["line"], turned["question"]["x"]) == ("cost", 3.0)


@pytest.fixture
def lined() -> Seen:
    return next(seen for seen in SEEN if seen.board.name == "latency" and seen.view is seen.board.views[0])


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
