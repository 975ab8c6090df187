"""What one chip has of a pass: sequences, rows and micro-batches, counted once for all that need them."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.numeric import Numeric, ceil, maximum, minimum
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Lane, Pass

__all__ = ["LaneShare", "Shares", "shares_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneShare:
    """Of one lane.

    Attributes:
        lane: whose.
        held: sequences of the fullest group of ``dp``, in all micro-batches.
        sequences: of them, those of one micro-batch.
        micro_batches: in which they pass.
        rows: tokens of a ``tp`` group in one chunk of one micro-batch, of a shared context its part.
        sampled: of these, those that reach the head.
    """

    lane: Lane
    held: Numeric
    sequences: Numeric
    micro_batches: Numeric
    rows: Numeric
    sampled: Numeric


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Of all lanes.

    Attributes:
        lanes: each by itself.
        chunks: passes of equal parts in which prompts are read.
        held: sequences of the fullest group of ``dp``.
        sequences: of them, those of one micro-batch.
        micro_batches: in flight: as many as there are stages, where there are sequences for them.
        rows: tokens of a ``tp`` group in one chunk of one micro-batch.
        sampled: of these, those that reach the head.
        tokens: of one chunk of one micro-batch on all chips that experts lie on.
    """

    lanes: tuple[LaneShare, ...]
    chunks: int
    held: Numeric
    sequences: Numeric
    micro_batches: Numeric
    rows: Numeric
    sampled: Numeric
    tokens: Numeric

    @property
    def has_prompts(self) -> bool:
        """Whether any lane reads a prompt."""
        return any(one.lane.is_prompt for one in self.lanes)


def shares_of(pass_: Pass, layout: Layout) -> Shares:
    """What the busiest chips of a layout have of a pass.

    A batch that does not fill the groups of ``dp`` takes as long as one that does, and the fullest micro-batch as long
    as all. There are as many micro-batches as stages: it is what engines do, and not always the fastest.
    """
    lanes = tuple(_lane_share(lane, pass_.chunks, layout) for lane in pass_.lanes)
    first, *others = lanes
    held, sequences, in_flight = first.held, first.sequences, first.micro_batches
    rows, sampled = first.rows, first.sampled
    for one in others:
        held, sequences = held + one.held, sequences + one.sequences
        rows, sampled = rows + one.rows, sampled + one.sampled
        in_flight = maximum(in_flight, one.micro_batches)
    return Shares(
        lanes=lanes,
        chunks=pass_.chunks,
        held=held,
        sequences=sequences,
        micro_batches=in_flight,
        rows=rows,
        sampled=sampled,
        # Those of the fullest micro-batch, and no more than there are.
        tokens=minimum(rows * layout.dp, pass_.tokens / pass_.chunks),
    )


def _lane_share(lane: Lane, chunks: int, layout: Layout) -> LaneShare:
    held = ceil(lane.sequences / layout.dp)
    of_one: Numeric = held
    in_flight: Numeric = 1
    if layout.pp > 1:
        of_one = ceil(held / layout.pp)
        in_flight = ceil(held / of_one)
    whole = ceil(of_one / layout.cp) if layout.cp > 1 else of_one
    if lane.is_prompt:
        # Chips that share a context divide a prompt's tokens, but whole sequences of a step.
        rows = of_one * lane.new_tokens / (chunks * layout.cp)
    else:
        rows = whole * lane.new_tokens
    return LaneShare(
        lane=lane,
        held=held,
        sequences=of_one,
        micro_batches=in_flight,
        rows=rows,
        sampled=whole * lane.sampled_tokens,
    )
