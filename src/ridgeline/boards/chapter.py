"""A chapter: boards in the order in which they are drawn, the claims made meanwhile, and the questions on both."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.boards.board import Board
from ridgeline.boards.card import Card
from ridgeline.boards.claim import Claim
from ridgeline.boards.exercise import Exercise
from ridgeline.boards.walk import Step

__all__ = ["Chapter"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A part of a lecture.

    Attributes:
        name: that of its folder.
        title: in a few words.
        label: in one or two, for a time line.
        question: what it answers, in a sentence.
        time_stamp: where it begins, as "0:31:59".
        boards: in the order in which they are drawn.
        claims: in the order of their ids.
        exercises: questions that a number answers.
        cards: questions that words or a drawing answer.
        steps: how it is told on boards, in the order of their time stamps.
    """

    name: str
    title: str
    label: str
    question: str
    time_stamp: str
    boards: tuple[Board, ...]
    claims: tuple[Claim, ...]
    exercises: tuple[Exercise, ...]
    cards: tuple[Card, ...] = ()
    steps: tuple[Step, ...] = ()
