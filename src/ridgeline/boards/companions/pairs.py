"""A prompt's arithmetic as areas: each token by the parameters, and each token with all those before it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Pairs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Columns of tokens, as high as the arithmetic of each: parameters, and above them attention.

    Attributes:
        by_parameters: name of the line of the parameters' cost.
        with_attention: name of the line of the whole cost.
        text: summary in a few words.
    """

    by_parameters: str
    with_attention: str
    text: str
