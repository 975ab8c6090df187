"""Stacks of layers and what they keep through a training step."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Stack", "Stacks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """A stack of layers and what it keeps through a training step, in which each layer's work is one step of time.

    Equal positions in ``layers``, ``since`` and ``until`` belong together.

    Attributes:
        line: name of the line of its memory.
        does_text: activity through the step, in a few words.
        layers: numbers of layers of which something is kept, from 0.
        since: first steps at which it is kept, from 1.
        until: last steps at which it is kept.
        inputs: number of the last ones of them of which the layer's input alone is kept.
    """

    line: str
    does_text: str
    layers: tuple[int, ...]
    since: tuple[int, ...]
    until: tuple[int, ...]
    inputs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stacks:
    """Stacks of layers below one another through a training step, forwards and backwards.

    Attributes:
        stacks: stacks, from the upper one down.
        depth: number of layers of each.
        text: summary in a few words.
    """

    stacks: tuple[Stack, ...]
    depth: int
    text: str
