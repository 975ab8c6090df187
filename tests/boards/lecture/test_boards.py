"""A board is found by its file, and a chapter by its folder."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
from tests.each import of_each

from ridgeline.boards.board import Board
from ridgeline.boards.chapter import Chapter
from ridgeline.boards.constant import Constant
from ridgeline.boards.lecture import BOARDS, CHAPTERS, chapter_of
from ridgeline.boards.lecture import board as board_named
from ridgeline.boards.lecture.recording import seconds
from ridgeline.glossary import GLOSSARY

TAKEN_OVER: set[str] = {
    "bubbles",
    "budget",
    "ciphers",
    "context",
    "cost",
    "cuts",
    "departures",
    "domains",
    "experts",
    "feistel",
    "hits",
    "hop",
    "inference-loop",
    "kv-bytes",
    "kv-shapes",
    "latency",
    "long-context",
    "memory",
    "memory-wall",
    "modes",
    "moe-layer",
    "not-wise",
    "output-evidence",
    "over-training",
    "prefill",
    "quality",
    "racks",
    "ratio",
    "reversible",
    "scale-out",
    "sparse",
    "stages",
    "step-evidence",
    "switches",
    "tier-evidence",
    "tiers",
    "tokens",
    "training-batch",
    "uneven-stages",
    "utilisation",
    "wires",
}


@of_each("board", [one for one in BOARDS if one.name in TAKEN_OVER], ids=lambda one: one.name)
def test_a_boards_name_is_its_modules(board: Board) -> None:
    module = board.name.replace("-", "_")
    assert import_module(f"ridgeline.boards.lecture.{chapter_of(board).name}.{module}").BOARD is board


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda one: one.name)
def test_a_chapters_name_is_its_folders(chapter: Chapter) -> None:
    assert import_module(f"ridgeline.boards.lecture.{chapter.name}").CHAPTER is chapter


def test_chapters_are_in_the_recordings_order() -> None:
    starts = [seconds(chapter.time_stamp) for chapter in CHAPTERS]
    assert starts == sorted(starts)


@of_each("board", [one for one in BOARDS if one.name in TAKEN_OVER], ids=lambda one: one.name)
def test_whose_a_boards_numbers_are_is_said(board: Board) -> None:
    assert all(isinstance(control.lecture, Constant) for control in board.controls)


@of_each("board", BOARDS, ids=lambda one: one.name)
def test_each_letter_beside_a_control_stands_for_one_thing(board: Board) -> None:
    letters = [GLOSSARY[control.name].symbol for control in board.controls]
    assert len({one for one in letters if one}) == sum(map(bool, letters))


@pytest.mark.parametrize(
    ("name", "control"),
    [
        ("memory", "stages"),
        ("domains", "stages"),
        ("kv-shapes", "layers"),
        ("reversible", "layers"),
        ("reversible", "hidden"),
    ],
)
def test_the_formula_has_the_letter_of_its_control(name: str, control: str) -> None:
    words = re.findall(r"\\[a-zA-Z]+|[A-Za-z]", "".join(term.tex for term in board_named(name).formula))
    assert GLOSSARY[control].symbol in words
