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
        name: name of the chapter and of its folder.
        title: title in a few words.
        label: label in one or two words, for a time line.
        question: question that the chapter answers, in a sentence.
        time_stamp: time stamp of its beginning, such as "0:31:59".
        boards: boards in the order in which they are drawn.
        claims: claims in the order of their ids.
        exercises: questions that a number answers.
        cards: questions that words or a drawing answer.
        steps: steps of the walk, in the order of their time stamps.
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
