"""A context as a page of tokens, once for each kind of attention: what is read of it for one new token."""

from __future__ import annotations

from dataclasses import dataclass, field

from ridgeline.boards.written import FLAT

__all__ = ["Attended", "Attention"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """A kind of attention by what it reads.

    Attributes:
        line: name of its line, which has the tokens' worth that it reads.
        name: shorter name, for little room.
        picked_tokens: tokens that it picks, which are read in full; None where it reads all, or a root.
        index_fraction: bytes of a token in its index over those of its keys and values; zero without an index.
        is_root: whether it reads one block of as many tokens as there are blocks, and of each block a summary.
    """

    line: str = field(metadata=FLAT)
    name: str
    picked_tokens: float | None = None
    index_fraction: float = 0.0
    is_root: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Attended:
    """Pages of one size side by side, each the whole context.

    Attributes:
        attended: kinds of attention, from the left.
        text: summary in a few words.
    """

    attended: tuple[Attention, ...]
    text: str
