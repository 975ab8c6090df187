"""A forward pass: lanes of equal sequences, each with new, past and sampled tokens.

Decode steps, prefills, chunks of a prompt beside a step, ragged batches and verifications of draft tokens are all
passes; ``decode``, ``prefill``, ``chunk`` and ``verify`` make them, and ``together`` joins them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_in_range
from ridgeline.numeric import Numeric, total_of

__all__ = ["Lane", "Pass", "chunk", "decode", "prefill", "together", "verify"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """Equal sequences in a pass; numbers or grids.

    Attributes:
        sequences: sequences of the whole replica.
        new_tokens: tokens of each sequence that pass through the model.
        past_tokens: tokens of each sequence whose keys and values are already in the cache.
        sampled_tokens: new tokens that reach the output head, because their successors are sampled.
        spread_tokens: range of contexts where positions differ: sequences lie evenly over this many tokens up to the
            longest, and the pass is their mean. 0 where all are equal.
        is_prompt: whether the new tokens are a prompt's, read by prefill attention kernels.
        positions: equally likely positions of a new token in its sequence, where lengths differ; the numbers above are
            then means. Empty where the numbers above are exact.
    """

    sequences: Numeric
    new_tokens: Numeric = 1
    past_tokens: Numeric = 0
    sampled_tokens: Numeric = 1
    spread_tokens: int = 0
    is_prompt: bool = False
    positions: tuple[float, ...] = ()

    @property
    def context_tokens(self) -> Numeric:
        """Tokens of each sequence after the pass."""
        return self.past_tokens + self.new_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """One forward pass of the model.

    Attributes:
        lanes: one or more lanes of sequences.
        chunks: equal passes in which prompts are read one after the other; the pass is all of them.
    """

    lanes: tuple[Lane, ...]
    chunks: int = 1

    def __post_init__(self) -> None:
        if not self.lanes:
            raise RidgelineError("Pass: has no lanes; give at least one, such as decode(batch=8, context_tokens=4096)")
        if self.chunks > 1 and not (len(self.lanes) == 1 and self.lanes[0].is_prompt):
            raise RidgelineError(
                f"Pass: chunks={self.chunks} are of prompts alone; beside other lanes, give one chunk of them"
            )

    @property
    def has_prompts(self) -> bool:
        """Whether any lane reads a prompt."""
        return any(lane.is_prompt for lane in self.lanes)

    @property
    def is_prefill(self) -> bool:
        """Whether all lanes read prompts."""
        return all(lane.is_prompt for lane in self.lanes)

    @property
    def only_lane(self) -> Lane:
        """The lane of a pass whose sequences are all equal.

        Raises:
            RidgelineError: there are several lanes.
        """
        if len(self.lanes) > 1:
            raise RidgelineError(
                f"this is asked of a pass of one lane, and there are {len(self.lanes)}; give decode(...)"
            )
        return self.lanes[0]

    @property
    def sequences(self) -> Numeric:
        """Sequences of all lanes."""
        return total_of(lane.sequences for lane in self.lanes)

    @property
    def tokens(self) -> Numeric:
        """Tokens of all lanes that pass through the model."""
        return total_of(lane.sequences * lane.new_tokens for lane in self.lanes)

    @property
    def is_grid(self) -> bool:
        """Whether it holds many passes at once, as arrays."""
        return any(
            np.ndim(value)
            for lane in self.lanes
            for value in (lane.sequences, lane.new_tokens, lane.past_tokens, lane.sampled_tokens)
        )


def _require_in_range(maker: str, **values: Numeric) -> None:
    """Refuse a number, or a grid with one, outside its range in the glossary."""
    for name, value in values.items():
        for end in (np.min(value).item(), np.max(value).item()) if np.ndim(value) else (value,):
            require_in_range(maker, name, end)


def decode(
    *, batch: Numeric, context_tokens: Numeric, spread_tokens: int = 0, positions: tuple[float, ...] = ()
) -> Pass:
    """One step in which every sequence gains one token.

    Args:
        batch: sequences of the whole replica; a number or a grid, with fractions where it is a mean over steps.
        context_tokens: tokens that each sequence attends to, its own included; a number or a grid.
        spread_tokens: range of contexts where positions differ: sequences lie evenly over this many tokens up to
            ``context_tokens``, and the step is their mean.
        positions: equally likely contexts where lengths differ; ``context_tokens`` is their mean.

    Raises:
        RidgelineError: a number is out of its range.

    >>> decode(batch=64, context_tokens=4096).tokens
    64
    """
    _require_in_range("decode", batch=batch, context_tokens=context_tokens)
    lane = Lane(sequences=batch, past_tokens=context_tokens - 1, spread_tokens=spread_tokens, positions=positions)
    return Pass(lanes=(lane,))


def prefill(
    *,
    batch: Numeric,
    prompt_tokens: Numeric,
    passes: int = 1,
    cached_tokens: Numeric = 0,
    positions: tuple[float, ...] = (),
) -> Pass:
    """Prompts read up to the first output token of each, in full or without a cached prefix.

    Args:
        batch: prompts of the whole replica; a number or a grid.
        prompt_tokens: tokens of each prompt that pass through the model; a number or a grid.
        passes: passes in which each prompt is read; more than one bounds activation memory.
        cached_tokens: tokens of each prompt before these, whose keys and values are in the prefix cache.
        positions: equally likely positions of a prompt's token where lengths differ; the numbers above are means.

    Raises:
        RidgelineError: a number is out of its range.

    >>> prefill(batch=2, prompt_tokens=1000).tokens
    2000
    """
    _require_in_range("prefill", batch=batch, prompt_tokens=prompt_tokens, passes=passes)
    if np.min(cached_tokens) < 0:
        raise RidgelineError(f"prefill: cached_tokens={cached_tokens!r} must be from 0 up")
    lane = Lane(
        sequences=batch, new_tokens=prompt_tokens, past_tokens=cached_tokens, is_prompt=True, positions=positions
    )
    return Pass(lanes=(lane,), chunks=passes)


def chunk(*, batch: Numeric, new_tokens: Numeric, past_tokens: Numeric) -> Pass:
    """A chunk of prompts, after the chunks that were read before.

    Args:
        batch: prompts of the whole replica; a number or a grid.
        new_tokens: tokens of each prompt in this pass.
        past_tokens: tokens of each prompt that were read before; 0 for the first chunk.

    Raises:
        RidgelineError: a number is out of its range.

    >>> together(decode(batch=64, context_tokens=4096), chunk(batch=1, new_tokens=512, past_tokens=1024)).tokens
    576
    """
    _require_in_range("chunk", batch=batch, prompt_tokens=new_tokens)
    if np.min(past_tokens) < 0:
        raise RidgelineError(f"chunk: past_tokens={past_tokens!r} must be from 0 up")
    return Pass(lanes=(Lane(sequences=batch, new_tokens=new_tokens, past_tokens=past_tokens, is_prompt=True),))


def verify(
    *,
    batch: Numeric,
    context_tokens: Numeric,
    drafted_tokens: int,
    spread_tokens: int = 0,
    positions: tuple[float, ...] = (),
) -> Pass:
    """A step that verifies draft tokens of every sequence, and adds one.

    Args:
        batch: sequences of the whole replica; a number or a grid.
        context_tokens: tokens of each sequence at the end of the step, draft tokens included.
        drafted_tokens: draft tokens of each sequence; they and the last accepted token all reach the output head.
        spread_tokens: range of contexts, as in ``decode``, which a step without draft tokens is.
        positions: equally likely contexts, as in ``decode``.

    Raises:
        RidgelineError: a number is out of its range, or a context is shorter than what is drafted.

    >>> verify(batch=8, context_tokens=4096, drafted_tokens=3).tokens
    32
    """
    _require_in_range("verify", batch=batch, context_tokens=context_tokens)
    new = drafted_tokens + 1
    if drafted_tokens < 0 or np.min(context_tokens) < new:
        raise RidgelineError(
            f"verify: drafted_tokens={drafted_tokens} must be from 0 to one less than context_tokens={context_tokens!r}"
        )
    lane = Lane(
        sequences=batch,
        new_tokens=new,
        past_tokens=context_tokens - new,
        sampled_tokens=new,
        spread_tokens=spread_tokens,
        positions=positions,
    )
    return Pass(lanes=(lane,))


def together(*passes: Pass) -> Pass:
    """Several passes as one: the same kernels run over the tokens of all.

    Raises:
        RidgelineError: there is no pass, or one of several is read in more than one chunk.
    """
    return Pass(
        lanes=tuple(lane for one in passes for lane in one.lanes), chunks=max((one.chunks for one in passes), default=1)
    )
