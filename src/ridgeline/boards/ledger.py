"""All claims of the lecture, in the order in which it makes them."""

from __future__ import annotations

from ridgeline.boards.claim import Claim
from ridgeline.boards.claims_ciphers import CLAIMS as CIPHERS
from ridgeline.boards.claims_inference import CLAIMS as INFERENCE
from ridgeline.boards.claims_prices import CLAIMS as PRICES
from ridgeline.boards.claims_racks import CLAIMS as RACKS
from ridgeline.boards.claims_training import CLAIMS as TRAINING

__all__ = ["CLAIMS"]

CLAIMS: tuple[Claim, ...] = (*INFERENCE, *RACKS, *TRAINING, *PRICES, *CIPHERS)
