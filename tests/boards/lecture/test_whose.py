"""Whose a number is: given in the lecture, filled in with a reason, or published of one model and machine."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.each import of_each

from ridgeline.boards.board import MACHINE, MODEL, Board, Mode
from ridgeline.boards.constant import Constant, Origin
from ridgeline.boards.documents.letters import control_document
from ridgeline.boards.lecture import BOARDS, CHAPTERS, CLAIMS, board
from ridgeline.boards.lecture.bases import BASES, HERE, HIS, basis_name
from ridgeline.boards.lecture.numbers import NEXT_HBM_BYTES
from ridgeline.boards.walk import Step, see, turned_of
from ridgeline.catalog import load_model

STEPS = [step for chapter in CHAPTERS for step in chapter.steps]
OTHERS = {"not-wise", "reversible"}
"""Boards about another model or machine, which the page's switch names."""


@of_each("one", BOARDS, ids=lambda one: one.name)
def test_every_number_that_a_board_fills_in_says_why_and_no_other_does(one: Board) -> None:
    facts = one.facts()
    for control in one.controls:
        assert isinstance(control.lecture, Constant), control.name
        is_open = control.origin is Origin.FILLED_IN
        assert bool(control.lecture.why) == is_open, control.name
        assert bool(control.lecture.time_stamp) != is_open, control.name
        assert control_document(control, facts).get("filled_in") == (control.lecture.why or None)


TURNED = [(step, name) for step in STEPS for name in step.turned]
"""Numbers that steps set, where their boards start elsewhere."""


@pytest.mark.parametrize(("step", "name"), TURNED, ids=lambda one: one if isinstance(one, str) else one.time_stamp)
def test_what_a_step_sets_has_its_source_and_replaces_no_published_number(step: Step, name: str) -> None:
    own, control = step.turned[name], board(step.board).control(name)
    assert bool(own.why) == (own.origin is Origin.FILLED_IN)
    one = board(step.board)
    assert turned_of(step, step.modes[0])[name] == float(own) != control.start(step.modes[0], one.facts())
    basis = BASES.get(basis_name(step.board, name), HERE)
    assert control.gives(Mode.CAREFUL) == (basis not in (HERE, HIS)), "a number that is not chosen here has its source"
    seen = see(step, one, {claim.id: claim for claim in CLAIMS})
    assert seen.values[Mode.CAREFUL] == one.values(Mode.CAREFUL), (
        "beside sourced numbers it would be a pair of nobody's"
    )
    assert step.modes == (Mode.LECTURE,)  # else ask the same of the lecture's own numbers


def test_published_numbers_of_the_walk_are_of_one_model_and_machine() -> None:
    of = {step.board: (one.model, one.machine) for step in STEPS if (one := board(step.board)).takes_facts}
    assert {name for name, found in of.items() if found != (MODEL, MACHINE)} <= OTHERS
    assert len(of) > len(OTHERS)


def test_a_board_of_another_model_than_the_others_says_why() -> None:
    other = {one.name for one in BOARDS if one.takes_facts and one.model != MODEL}
    assert {one.name for one in BOARDS if one.why_model} == other != set()


def test_a_board_is_of_a_model_where_another_has_other_numbers() -> None:
    def starts(one: Board, model: str) -> dict[str, float | None]:
        facts = replace(one.facts(), model=load_model(model))
        return {each.name: each.start(Mode.CAREFUL, facts) for each in one.controls}

    for one in BOARDS:
        if one.takes_facts:
            own = starts(one, MODEL)
            assert one.has_model == any(starts(one, model) != own for model in ("gpt3-175b", "gemma-3-27b")), one.name


def test_the_next_chip_is_named_where_his_numbers_are_of_it() -> None:
    starts = [(one.name, each.name, each.lecture) for one in BOARDS for each in one.controls]
    of = {board: lecture.of for board, _, lecture in starts if isinstance(lecture, Constant) and lecture.of}
    named = set(of)
    next_memory = {
        board for board, name, lecture in starts if name == "hbm_bytes" and float(lecture) == NEXT_HBM_BYTES.value
    }
    assert named == next_memory != set()
    assert of["tiers"] == "his next chip, Rubin"
