"""Open questions of the lecture, and the claims that turn on them: shown wherever such a claim is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["AMBIGUITIES", "Ambiguity", "ambiguities"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ambiguity:
    """Two readings of the same words, or two statements that do not hold together.

    Attributes:
        number: number in the list, from 1.
        text: text in one line, with the result of each reading.
        claims: ids of the claims that turn on it.
    """

    number: int
    text: str
    claims: tuple[str, ...]


AMBIGUITIES: tuple[Ambiguity, ...] = (
    Ambiguity(
        number=1,
        text="Sparsity is total over active parameters on the board and its inverse on the flashcards; here it is the"
        " expansion, at least 1.",
        claims=("A11", "A24"),
    ),
    Ambiguity(
        number=2,
        text="The 300 counts multiplications for each parameter read; it equals FLOP per byte only with 16-bit"
        " weights.",
        claims=("A2", "A3", "A10"),
    ),
    Ambiguity(
        number=3,
        text="A domain counts as 64 or 72 chips, in packages or in dies: 576 dies of Rubin Ultra are 144 packages.",
        claims=("B1", "B5"),
    ),
    Ambiguity(
        number=4,
        text="DeepSeek-V3 balances at 2,400 by the spoken 32 of 256 experts, at 9,600 by its 8 of 256, and at 5,440 by"
        " parameters.",
        claims=("A12", "A14"),
    ),
    Ambiguity(
        number=5,
        text="A step takes 20 ms if it reads the whole memory; at the balance batch it takes only the weights'"
        " share of that.",
        claims=("A20",),
    ),
    Ambiguity(
        number=6,
        text="A crossover at the price step leaves decode bound by compute below it; a ratio of five needs it bound by"
        " memory.",
        claims=("D2", "D6", "D7"),
    ),
    Ambiguity(
        number=7,
        text="Bytes per cached token depend on formats that are not stated: 1.7 kB assumes 8-bit weights, 2 kB"
        " an 8-bit cache.",
        claims=("D3", "D4", "B12"),
    ),
    Ambiguity(
        number=8,
        text="Beyond the step output costs 1.5 times as much, input twice; the lecture names one step.",
        claims=("D1",),
    ),
    Ambiguity(
        number=9,
        text="Reading a flash drive once takes minutes or hours, depending on its kind; a disk takes a day, not"
        " an hour.",
        claims=("D15", "D26"),
    ),
    Ambiguity(
        number=10,
        text="Over-training is 17 to 111 times, depending on which fit stands for Chinchilla; a hundred comes"
        " from its rule of thumb.",
        claims=("C10", "C11"),
    ),
    Ambiguity(
        number=11,
        text="No published sparse attention reads a square root: DSA and NSA scan all, at a small part of the bytes.",
        claims=("A8",),
    ),
    Ambiguity(
        number=12,
        text="Published totals of tokens count those read as well as those written; the decoded share is not known.",
        claims=("A19", "C7", "C12"),
    ),
    Ambiguity(
        number=13,
        text="A hop to the next rack takes microseconds over all its links, and nearly a millisecond over one.",
        claims=("B16",),
    ),
    Ambiguity(
        number=14,
        text="The rack's traffic covers the hand-over where the product is eight or more; a written summary asks"
        " for more than eight.",
        claims=("B8",),
    ),
    Ambiguity(
        number=15,
        text="A list price is read as a cost; the arithmetic of a token read costs a ninetieth of its price.",
        claims=("D14", "D24"),
    ),
)
"""Open questions in the order of the lecture's notes, not of its minutes."""


def ambiguities(claims: Iterable[str]) -> tuple[Ambiguity, ...]:
    """Open questions that any of the claims turns on."""
    wanted = set(claims)
    return tuple(one for one in AMBIGUITIES if wanted & set(one.claims))
