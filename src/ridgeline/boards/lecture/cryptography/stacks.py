"""Layers of a plain, a checkpointed and a reversible stack, and when through a training step each is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ridgeline.boards.companions import Stack, Stacks

__all__ = ["stacks"]


class _Kept(NamedTuple):
    """A layer, and from which step until which something of it is kept."""

    layer: int
    since: int
    until: int


def stacks(layers: int, *, plain: str, checkpointed: str, interval: int, reversible: str) -> Stacks:
    """The three stacks by the names of their lines, with the input of every ``interval``-th layer as checkpoints.

    Forwards, layer i works at step i + 1; backwards, at step 2 l - i.
    """
    through = range(layers)
    there_and_back = [_Kept(one, step, step) for one in through for step in (one + 1, 2 * layers - one)]
    again = [_Kept(one, 2 * layers - _last(one, interval, layers), 2 * layers - one) for one in through]
    checkpoints = [_Kept(one, one + 1, 2 * layers - one) for one in range(0, layers, interval)]
    return Stacks(
        stacks=(
            _stack(plain, "keeps every layer", [_Kept(one, one + 1, 2 * layers - one) for one in through]),
            _stack(
                checkpointed,
                f"keeps the input of 1 layer in {interval}, computes the rest again",
                [*(_Kept(one, one + 1, one + 1) for one in through), *again],
                checkpoints,
            ),
            _stack(reversible, "undoes each layer on the way back", there_and_back),
        ),
        depth=layers,
        text="What stacks of layers keep through a training step",
    )


def _last(layer: int, interval: int, layers: int) -> int:
    """The last layer of an interval, whose gradients are the first for which the interval is computed again."""
    return min(layer - layer % interval + interval, layers) - 1


def _stack(line: str, does: str, whole: list[_Kept], inputs: Sequence[_Kept] = ()) -> Stack:
    kept = [*whole, *inputs]
    return Stack(
        line=line,
        does_text=does,
        layers=tuple(one.layer for one in kept),
        since=tuple(one.since for one in kept),
        until=tuple(one.until for one in kept),
        inputs=len(inputs),
    )
