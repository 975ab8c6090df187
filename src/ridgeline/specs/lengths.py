"""Distribution of request lengths, as a pool in its steady state sees them."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Lengths"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """Request lengths beyond their means; the values of each tuple are equally likely.

    Attributes:
        requests: number of requests that they were taken from.
        decode_positions: positions of generated tokens in their sequences, over the tokens of all requests: a longer
            output has more of them, so it weighs more.
        prompt_positions: positions of prompt tokens that pass through the model, over the tokens of all requests.
        read_tokens: tokens of a prompt that pass through the model, the shortest first.
        cached_tokens: mean prompt tokens found in the prefix cache.
        held_prompt_tokens: prompt tokens of the requests that decode at any time, from the shortest sequence to the
            longest; each request is weighted by its time in flight.
        held_output_tokens: output tokens of the same requests, in the same order.
        longest_prompt_tokens: tokens of the longest prompt.
        longest_tokens: tokens of the longest sequence at its end.
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
