"""Lengths of requests that differ, as far as a pool in its steady state sees them."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Lengths"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """What there is to know of lengths beyond their means; each tuple's values are equally likely.

    Attributes:
        requests: that they are of.
        decode_positions: places in its sequence of a generated token, over the tokens of all requests: a long output
            has more of them, so that it counts for more.
        prompt_positions: the same of prompt tokens that pass through the model.
        read_tokens: tokens of a prompt that pass through the model, the shortest first.
        cached_tokens: tokens of a prompt that the prefix cache has, on the mean.
        held_prompt_tokens: prompt tokens of the requests that decode at any time: each counts for as long as it is
            under way. From the shortest sequence to the longest.
        held_output_tokens: output tokens of the same.
        longest_prompt_tokens: of any request.
        longest_tokens: of any sequence at its end.
    """

    requests: int
    decode_positions: tuple[float, ...]
    prompt_positions: tuple[float, ...]
    read_tokens: tuple[float, ...]
    cached_tokens: float
    held_prompt_tokens: tuple[float, ...]
    held_output_tokens: tuple[float, ...]
    longest_prompt_tokens: int
    longest_tokens: int
