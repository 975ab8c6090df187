"""What the walk says of the numbers that a step does not open in."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import FunctionType

import pytest
from tests.boards.walked import SEEN, STEPS, every_step, name

from ridgeline.boards.board import Mode
from ridgeline.boards.documents.view import view_document
from ridgeline.boards.lecture import board
from ridgeline.boards.lecture.live_numbers import live
from ridgeline.boards.lecture.walk import others_of, step_id, walk_document
from ridgeline.boards.tie import NUMBER
from ridgeline.boards.walk import Seen, Step, other_mode, other_than, told
from ridgeline.catalog import load_machine, load_model

DOCUMENTS = {one["id"]: one for one in walk_document()["steps"]}


@every_step
def test_each_set_of_numbers_has_its_sentence(step: Step, seen: Seen) -> None:
    """Where a step has no other one, its own is true of both: pictures and sentence are the same."""
    if step.other:
        return
    pictures = [view_document(seen.view, seen.values[mode]) for mode in Mode]
    assert pictures[0] == pictures[1]
    assert told(step.sentence, replace(seen, mode=Mode.CAREFUL)) == told(step.sentence, seen)


@every_step
def test_a_step_is_said_to_be_alike_where_another_mode_changes_neither_words_nor_picture(
    step: Step, seen: Seen
) -> None:
    """There the page has no switch; nor may another model or machine make it differ."""
    views = [view_document(seen.view, seen.values[mode]) for mode in Mode]
    assert DOCUMENTS[step_id(step)]["is_alike"] == (views[0] == views[1] and not step.other)
    if DOCUMENTS[step_id(step)]["is_alike"]:
        facts = replace(seen.board.facts(), model=load_model("llama-3.1-405b"), machine=load_machine("mi300x"))
        assert view_document(seen.view, seen.board.values(Mode.CAREFUL, facts=facts)) == views[0]


def test_some_steps_are_alike_and_most_are_not() -> None:
    assert 1 <= sum(one["is_alike"] for one in DOCUMENTS.values()) <= len(STEPS) / 4


@every_step
def test_no_number_of_another_sentence_is_written_out(step: Step, seen: Seen) -> None:
    """It is made anew at each turn of a control, so that a number in words would stay behind."""
    parts = [step.other] if isinstance(step.other, str) else list(strings_of(step.other))
    assert not [part for part in parts if NUMBER.search(part)]


def strings_of(function: Callable[..., object], met: frozenset[object] = frozenset()) -> Iterator[str]:
    """Texts in a function of the walk, and in those of the lecture's boards that it calls by name."""
    assert isinstance(function, FunctionType)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    ((body),) = [one.body for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.Lambda)][:1]
    lines = body if isinstance(body, list) else [body]
    if isinstance(lines[0], ast.Expr) and isinstance(lines[0].value, ast.Constant):
        lines = lines[1:]  # what it says of itself
    for line in lines:
        specs = {
            part
            for one in ast.walk(line)
            if isinstance(one, ast.FormattedValue) and one.format_spec
            for part in ast.walk(one.format_spec)
        }
        for one in ast.walk(line):
            if isinstance(one, ast.Constant) and isinstance(one.value, str) and one not in specs:
                yield one.value
            called = function.__globals__.get(one.id) if isinstance(one, ast.Name) else None
            if isinstance(called, FunctionType) and called not in met and ".lecture." in called.__module__:
                yield from strings_of(called, met | {function, called})


def test_a_literal_is_found_where_a_sentence_has_one() -> None:
    assert [part for part in strings_of(_written) if NUMBER.search(part)] == ["With 5,440 of "]


def _written(seen: Seen) -> str:
    """Sentence with 37B."""
    return f"With 5,440 of {seen.values[seen.mode]['context_tokens']:.3g}."


def test_the_document_of_a_board_has_them_of_the_facts_that_are_asked_for() -> None:
    latency = board("latency")
    facts = latency.facts()
    own = others_of(latency, facts)
    steps = {step_id(step): (step, seen) for step, seen in zip(STEPS, SEEN, strict=True) if step.board == "latency"}
    assert own.keys() == {one for one, (step, _) in steps.items() if step.other}
    larger = others_of(latency, replace(facts, model=load_model("llama-3.1-405b")))
    assert own.keys() == larger.keys()
    assert own["latency-0:09:10"] != larger["latency-0:09:10"]


@pytest.mark.parametrize(
    ("step", "seen"),
    [both for both in zip(STEPS, SEEN, strict=True) if both[0].other],
    ids=lambda one: name(one) if isinstance(one, Step) else "",
)
def test_it_is_said_again_where_its_numbers_are_among_those_turned(step: Step, seen: Seen) -> None:
    mode = other_mode(step)
    assert mode
    (own,) = step.modes
    values = board(step.board).values(mode)
    assert live(step_id(step), {mode: values})["other"].replace("\N{NO-BREAK SPACE}", " ") == other_than(step, seen)
    assert not live(step_id(step), {own: seen.values[own]})["other"]
