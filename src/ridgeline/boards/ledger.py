"""All claims of the lecture, in the order in which it makes them."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from ridgeline.boards.claim import Claim
from ridgeline.boards.claims_ciphers import CLAIMS as CIPHERS
from ridgeline.boards.claims_prices import CLAIMS as PRICES
from ridgeline.boards.claims_training import CLAIMS as TRAINING

__all__ = ["boards", "claims"]


def _section(module: str) -> tuple[Claim, ...]:
    """Claims of a section that may not be written yet."""
    name = f"ridgeline.boards.{module}"
    found: tuple[Claim, ...] = import_module(name).CLAIMS if find_spec(name) else ()
    return found


def claims(board: str | None = None) -> tuple[Claim, ...]:
    """Every claim, or those of one board.

    Raises:
        ValueError: there is no such board; lists those that there are.
    """
    known = (*_section("claims_inference"), *_section("claims_racks"), *TRAINING, *PRICES, *CIPHERS)
    if board is None:
        return known
    found = tuple(claim for claim in known if claim.board == board)
    if not found:
        raise ValueError(f"{board!r} is not a board; there are {', '.join(boards())}")
    return found


def boards() -> tuple[str, ...]:
    """The boards that claims belong to, in the order of the lecture."""
    return tuple(dict.fromkeys(claim.board for claim in claims()))
