"""All claims of the lecture, in the order in which it makes them."""

from __future__ import annotations

from ridgeline.boards.claim import Claim
from ridgeline.boards.claims_ciphers import CLAIMS as CIPHERS
from ridgeline.boards.claims_inference import CLAIMS as INFERENCE
from ridgeline.boards.claims_prices import CLAIMS as PRICES
from ridgeline.boards.claims_racks import CLAIMS as RACKS
from ridgeline.boards.claims_training import CLAIMS as TRAINING
from ridgeline.boards.index import first_board, of_board

__all__ = ["CLAIMS", "board_of", "claims"]

CLAIMS: tuple[Claim, ...] = (*INFERENCE, *RACKS, *TRAINING, *PRICES, *CIPHERS)


def claims(board: str | None = None) -> tuple[Claim, ...]:
    """Every claim, or those of one board or chapter.

    Raises:
        ValueError: there is no such board; lists those that there are.
    """
    return CLAIMS if board is None else of_board(CLAIMS, board, lambda one: one.claims)


def board_of(claim: Claim) -> str:
    """Name of the first board that shows it; its chapter's, where none does yet."""
    return first_board(claim, lambda one: one.claims)
