"""Names of the claims that do not reproduce, as short as a picture of all claims has room for."""

from __future__ import annotations

__all__ = ["SHORT_NAMES"]

SHORT_NAMES = {
    "A8": "square-root attention",
    "A12": "DeepSeek's balance batch",
    "A20": "20 ms a step",
    "B33": "1F1B has no bubble",
    "D7": "two readings of one price list",
    "D9": "attention cheap to 1M tokens",
    "D14": "what an input token costs",
    "D15": "flash drains in a minute",
    "D26": "a disk drains in an hour",
}
"""Short names by the claim's id."""
