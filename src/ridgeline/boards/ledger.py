"""All claims of the lecture, in the order in which it makes them."""

from __future__ import annotations

from ridgeline.boards.claim import Claim
from ridgeline.boards.claims_ciphers import CLAIMS as CIPHERS
from ridgeline.boards.claims_inference import CLAIMS as INFERENCE
from ridgeline.boards.claims_prices import CLAIMS as PRICES
from ridgeline.boards.claims_racks import CLAIMS as RACKS
from ridgeline.boards.claims_training import CLAIMS as TRAINING

__all__ = ["CLAIMS", "boards", "claims"]

CLAIMS: tuple[Claim, ...] = (*INFERENCE, *RACKS, *TRAINING, *PRICES, *CIPHERS)


def claims(board: str | None = None) -> tuple[Claim, ...]:
    """Every claim, or those of one board.

    Raises:
        ValueError: there is no such board; lists those that there are.
    """
    if board is None:
        return CLAIMS
    found = tuple(claim for claim in CLAIMS if claim.board == board)
    if not found:
        raise ValueError(f"{board!r} is not a board; there are {', '.join(boards())}")
    return found


def boards() -> tuple[str, ...]:
    """The boards that claims belong to, in the order of the lecture."""
    return tuple(dict.fromkeys(claim.board for claim in CLAIMS))
