"""Fast modes that are sold: the price and the speed of each over those of the same model's regular mode.

Providers say "up to" of the speeds. What a mode does inside is not published: a smaller batch, speculative decoding and
other chips are all possible.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

__all__ = ["FAST_MODES", "FastMode"]

ANTHROPIC = "https://platform.claude.com/docs/en/build-with-claude/fast-mode"
OPENAI = "https://developers.openai.com/codex/speed"


@dataclass(frozen=True, slots=True, kw_only=True)
class FastMode:
    """One of them.

    Attributes:
        name: of the model, as its provider writes it.
        price_ratio: price of a token over the regular price.
        speed_ratio: output tokens a second over those of the regular mode, at most.
        source: address of the provider's page.
        date: from which on it was sold so, or read there.
    """

    name: str
    price_ratio: float
    speed_ratio: float
    source: str
    date: dt.date


FAST_MODES: tuple[FastMode, ...] = (
    FastMode(name="Opus 4.6", price_ratio=30 / 5, speed_ratio=2.5, source=ANTHROPIC, date=dt.date(2026, 2, 1)),
    FastMode(name="Opus 5", price_ratio=10 / 5, speed_ratio=2.5, source=ANTHROPIC, date=dt.date(2026, 7, 24)),
    FastMode(name="GPT-5.4", price_ratio=2.0, speed_ratio=1.5, source=OPENAI, date=dt.date(2026, 4, 8)),
    FastMode(name="GPT-5.5", price_ratio=2.5, speed_ratio=1.5, source=OPENAI, date=dt.date(2026, 4, 24)),
)
"""Prices of Opus are dollars a million input tokens, of GPT credits in Codex."""
