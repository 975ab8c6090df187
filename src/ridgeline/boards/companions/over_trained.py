"""Tokens that a model is trained on, and the part of them that is best for training alone, by several laws."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["OverTrained"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverTrained:
    """Blocks of one size, all tokens each, in as many parts as they are times what a law has as best.

    Attributes:
        trained_tokens: tokens that the model is trained on.
        laws: names of the lines of the laws, from the left.
        text: summary in a few words.
    """

    trained_tokens: float
    laws: tuple[str, ...]
    text: str
