"""Letters of formulas: on all boards and steps each has one meaning, and none is left unexplained."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from tests.each import of_each

from ridgeline.boards.board import Board, Mode, Term
from ridgeline.boards.documents.letters import letters_document
from ridgeline.boards.lecture import BOARDS, CHAPTERS, board
from ridgeline.boards.letters import INDICES, LETTERS, TABLE, letter_of, letters_in, plain
from ridgeline.boards.walk import Step, formula_of
from ridgeline.glossary import GLOSSARY

STEPS = [step for chapter in CHAPTERS for step in chapter.steps]
GREEK = {"α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "η": r"\eta", "λ": r"\lambda", "μ": r"\mu"} | {
    "δ": r"\delta",
    "ε": r"\epsilon",
    "ρ": r"\rho",
    "τ": r"\tau",
    "$": r"\$",
    "*": "^*",
}
EQUATIONS = r"\qquad"
TWO_EQUATIONS = {"feistel", "reversible"}
"""Boards whose steps draw two things: a round and its way back, and both ends of a curve."""


def shown(step: Step) -> tuple[Term, ...]:
    return formula_of(step, board(step.board))[: step.terms]


def letters(formula: tuple[Term, ...]) -> set[str]:
    return {one for term in formula for one in letters_in(term.tex)}


@of_each("one", BOARDS, ids=lambda one: one.name)
def test_each_letter_of_a_board_is_explained(one: Board) -> None:
    assert letters(one.formula) <= LETTERS.keys() | INDICES.keys()
    assert {plain(number.tex) for number in one.letter_numbers} <= LETTERS.keys()


@of_each("step", STEPS, ids=lambda step: f"{step.board}-{step.time_stamp}")
def test_a_step_shows_one_equation_and_explains_its_letters(step: Step) -> None:
    formula = shown(step)
    if step.board not in TWO_EQUATIONS:
        assert not any(EQUATIONS in term.tex for term in formula)
    explained = letters_document(board(step.board), formula)
    assert {plain(one["tex"]) for one in explained} == letters(formula) - INDICES.keys()
    assert len({one["meaning"] for one in explained}) == len(explained)


def test_a_letter_has_one_meaning() -> None:
    """The table has each letter once; a quantity has one letter, and a symbol of the glossary one quantity."""
    assert len(LETTERS) == len(TABLE)
    assert not LETTERS.keys() & INDICES.keys()
    meanings = Counter(letter.meaning for letter in LETTERS.values())
    assert {words for words, count in meanings.items() if count > 1} == set()
    quantities = Counter(letter.quantity for letter in LETTERS.values() if letter.quantity)
    symbols = Counter(quantity.symbol for quantity in GLOSSARY.values() if quantity.symbol)
    assert max(quantities.values()) == max(symbols.values()) == 1
    for letter in LETTERS.values():
        if letter.quantity:
            symbol = GLOSSARY[letter.quantity].symbol
            assert plain("".join(GREEK.get(sign, sign) for sign in symbol)) == plain(letter.tex)


def test_a_letter_that_counts_more_than_on_other_boards_says_so() -> None:
    """Fits of loss count the embedding, and what is multiplied in a step does not."""
    meanings = {
        name: one["meaning"]
        for name in ("latency", "budget", "over-training")
        for one in letters_document(board(name), board(name).formula)
        if one["tex"] == "N_a"
    }
    assert meanings.pop("latency") == "active params"
    assert meanings == dict.fromkeys(("budget", "over-training"), "active params with embedding")


def test_a_loop_counts_whole_batches_where_training_counts_parts_of_one() -> None:
    for name, meaning in (("inference-loop", "batches in flight"), ("bubbles", "micro-batches")):
        found = {one["tex"]: one["meaning"] for one in letters_document(board(name), board(name).formula)}
        assert found["m"] == meaning


@pytest.mark.parametrize("mode", list(Mode))
def test_a_number_that_says_its_factors_is_their_product(mode: Mode) -> None:
    products = [(one, number) for one in BOARDS for number in one.letter_numbers if number.factors]
    assert {one.name for one, _ in products} >= {"latency", "cost"}
    for one, number in products:
        values = one.values(mode)
        assert number.value(values) == math.prod(values[name] for name in number.factors)
        said = [each["factors"] for each in letters_document(one, one.formula) if "factors" in each]
        assert said == ([list(number.factors)] if plain(number.tex) in letters(one.formula) else [])


def test_a_control_that_a_formula_has_under_another_letter_is_none() -> None:
    """What no glossary quantity stands for is no control's letter by chance."""
    taken = {quantity.symbol for quantity in GLOSSARY.values() if quantity.symbol}
    for letter in LETTERS.values():
        if not letter.quantity:
            assert plain(letter.tex).replace("\\", "") not in taken


def test_each_letter_of_the_table_stands_on_a_board() -> None:
    controls = {plain(letter_of(control.name)) for one in BOARDS for control in one.controls}
    used = set().union(controls, *(letters(one.formula) for one in BOARDS), *(letters(shown(step)) for step in STEPS))
    assert set(LETTERS) <= used


def test_letters_are_told_from_words_and_commands() -> None:
    assert letters_in(r"\mathrm{idle}\;=\;\dfrac{p-1}{m+p-1}\,\max(\bar t_s)") == ("p", "m", r"\bart_s")
    assert letters_in(r"\$_{chip}\;\dfrac{\$}{\mathrm{token}}\;\mathbf{U}_e\,B^{*}/B") == (
        r"B/B^*",
        r"\$_chip",
        r"\mathbfU_e",
    )
