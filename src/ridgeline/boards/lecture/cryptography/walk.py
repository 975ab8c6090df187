"""The walk from 2:04:10: stirring, a round that can be undone, and arithmetic that buys memory back."""

from __future__ import annotations

from ridgeline.boards.exercise import shown
from ridgeline.boards.walk import FAIR, ROUGH, Question, Seen, Step, along, height, mark_named, upright

__all__ = ["STEPS"]

ALL_ROUNDS = 10
"""That the drawing has."""
DEEP = 8
"""Layers: the most that the drawing has."""


def _avalanche_prompt(seen: Seen) -> str:
    mixed = mark_named(seen, "AES mixed")
    return (
        f"After {mixed.x:g} rounds one changed bit has upset {upright(seen, mixed.y, 1)} of AES's block. After"
        f" {ALL_ROUNDS} layers, how much of a random residual network has one changed sign upset?"
    )


def _avalanche_reveal(seen: Seen) -> str:
    kept, stirred = (height(seen, name, ALL_ROUNDS) for name in ("residual network", "network of signs"))
    return (
        f"{upright(seen, kept, 2)}. A network that adds to its input keeps it in sight, which is what makes it"
        f" trainable. Without that, random layers change {upright(seen, stirred, 2)}, as a cipher does."
    )


def _kept_prompt(seen: Seen) -> str:
    return (
        f"A stack of {along(seen, DEEP)} layers keeps {upright(seen, height(seen, 'plain', DEEP))} until its gradients"
        " come. How much does a reversible one keep?"
    )


def _kept_reveal(seen: Seen) -> str:
    kept = height(seen, "reversible", DEEP)
    return (
        f"{upright(seen, kept)}, what one layer puts out, at whatever depth. Whatever else is needed is computed again"
        " on the way back."
    )


def _circle(seen: Seen) -> str:
    plain, undone = (mark_named(seen, name).x for name in ("none reversible", "all reversible"))
    more = shown(undone / plain - 1, "fraction", 2)
    return (
        f"So {more} more arithmetic buys memory back, and the KV cache makes the opposite deal, memory for arithmetic."
        " Every batch, rack and price on these boards was a way to balance the two."
    )


STEPS = (
    Step(
        board="ciphers",
        time_stamp="2:04:10",
        terms=1,
        lines=("one half", "AES"),
        sentence="Chalk down, one last surprise: ciphers and networks look alike. Both stir every part of what comes"
        " in into every other, one to hide its structure and the other to find it.",
        claims=("E6",),
    ),
    Step(
        board="ciphers",
        time_stamp="2:05:57",
        lines=("one half", "AES", "residual network"),
        sentence="What sets them apart is the derivative. Networks keep theirs simple, with residual connections that"
        " pass the input on; a cipher wants one changed bit to upset everything.",
        claims=("E8", "E10"),
        question=Question(
            prompt=_avalanche_prompt,
            line="residual network",
            x=ALL_ROUNDS,
            tolerance_ratio=ROUGH,
            reveal=_avalanche_reveal,
        ),
    ),
    Step(
        board="feistel",
        time_stamp="2:09:10",
        sentence="One trick has crossed over. Add any function of one half to the other half and keep the first as it"
        " is: the step can then be undone, even if the function cannot.",
        claims=("E1", "E2"),
    ),
    Step(
        board="reversible",
        time_stamp="2:12:20",
        terms=6,
        lines=("plain", "reversible"),
        sentence="Built this way, a whole network can run backwards. Training need not keep what every layer put out,"
        " often its largest burden, but works it out again, layer by layer, as the gradients return.",
        claims=("E3", "E4"),
        question=Question(
            prompt=_kept_prompt,
            line="reversible",
            x=DEEP,
            tolerance_ratio=FAIR,
            reveal=_kept_reveal,
        ),
    ),
    Step(board="reversible", view=2, time_stamp="2:13:33", sentence=_circle, claims=("E9", "E12")),
)
