"""One chip's share of a pass: sequences, rows and micro-batches, counted once for all that need them."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.numeric import Numeric, ceil, is_plain, minimum, total_of
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Lane, Pass

__all__ = ["LaneShare", "Shares", "shares_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneShare:
    """Share of one lane; lanes of one kind (decoding sequences, or prompts) are spread over chips together.

    Attributes:
        lane: lane that the share is of.
        part: part of the sequences of all lanes of its kind.
        held: sequences of its kind in the fullest group of ``dp``.
        sequences: sequences of its kind in one micro-batch.
        rows: tokens of the lane that a ``tp`` group has in one chunk of one micro-batch, divided where a context is
            shared.
        sampled: rows that reach the output head.
    """

    lane: Lane
    part: Numeric
    held: Numeric
    sequences: Numeric
    rows: Numeric
    sampled: Numeric

    def whole(self, sequences: Numeric, groups: int) -> Numeric:
        """The lane's part of ``sequences`` of its kind in the fullest of ``groups``, which have whole sequences."""
        fullest = ceil(sequences / groups) if groups > 1 else sequences
        return fullest * self.part


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Share of a pass on the busiest chips, over all lanes.

    Attributes:
        lanes: share of each lane.
        chunks: passes of equal parts in which prompts are read.
        held: sequences of the fullest group of ``dp``.
        sequences: sequences of the fullest group in one micro-batch.
        micro_batches: micro-batches in flight: as many as there are stages, if there are enough sequences.
        rows: tokens of a ``tp`` group in one chunk of one micro-batch.
        sampled: rows that reach the output head.
        tokens: tokens of one chunk of one micro-batch on all chips that experts are spread over.
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

    @property
    def is_plain(self) -> bool:
        """Whether the shares are those of one pass, and not of a grid."""
        lanes = [one.lane for one in self.lanes]
        return all(is_plain(lane.sequences, lane.new_tokens, lane.past_tokens, lane.sampled_tokens) for lane in lanes)


def shares_of(pass_: Pass, layout: Layout) -> Shares:
    """Share of a pass on the busiest chips of a layout.

    A batch that does not fill the groups of ``dp`` takes as long as one that does, and the fullest micro-batch as long
    as all. There are as many micro-batches as stages, as in engines, which is not always the fastest. Lanes of one kind
    are spread over groups and micro-batches together, each of which has their mean mix.

    Raises:
        RidgelineError: prompts and decoding sequences together in a pipeline, whose micro-batches have one kind each.
    """
    kinds = dict.fromkeys(lane.is_prompt for lane in pass_.lanes)
    if layout.pp > 1 and len(kinds) > 1:
        raise RidgelineError(
            f"layout {layout}: in a pipeline, prompts and decoding sequences pass in micro-batches of their own;"
            " estimate each by itself"
        )
    lanes: list[LaneShare] = []
    held: list[Numeric] = []
    sequences: list[Numeric] = []
    for is_prompt in kinds:
        alike = [lane for lane in pass_.lanes if lane.is_prompt is is_prompt]
        total = total_of(lane.sequences for lane in alike)
        held.append(ceil(total / layout.dp))
        sequences.append(ceil(held[-1] / layout.pp) if layout.pp > 1 else held[-1])
        for lane in alike:
            part = lane.sequences / total if len(alike) > 1 else 1.0
            lanes.append(_lane_share(lane, part, held[-1], sequences[-1], pass_.chunks, layout))
    rows = total_of(one.rows for one in lanes)
    return Shares(
        lanes=tuple(lanes),
        chunks=pass_.chunks,
        held=total_of(held),
        sequences=total_of(sequences),
        micro_batches=ceil(held[0] / sequences[0]) if layout.pp > 1 else 1,
        rows=rows,
        sampled=total_of(one.sampled for one in lanes),
        # Sequences of the fullest micro-batch, at most all of them.
        tokens=minimum(rows * layout.dp, pass_.tokens / pass_.chunks),
    )


def _lane_share(lane: Lane, part: Numeric, held: Numeric, sequences: Numeric, chunks: int, layout: Layout) -> LaneShare:
    """Share of a lane with a ``part`` of its kind's sequences: ``held`` per group, ``sequences`` per micro-batch."""
    whole = ceil(sequences / layout.cp) if layout.cp > 1 else sequences
    mine = whole * part
    if lane.is_prompt:
        # Chips that share a context divide a prompt's tokens, but whole sequences of a step.
        rows = sequences * part * lane.new_tokens / (chunks * layout.cp)
    else:
        rows = mine * lane.new_tokens
    return LaneShare(
        lane=lane,
        part=part,
        held=held,
        sequences=sequences,
        rows=rows,
        sampled=mine * lane.sampled_tokens,
    )
