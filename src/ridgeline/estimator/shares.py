"""What one chip has of a pass: sequences, rows and micro-batches, counted once for all that need them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.numeric import Numeric, ceil, minimum
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Lane, Pass

__all__ = ["LaneShare", "Shares", "shares_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneShare:
    """Of one lane.

    Attributes:
        lane: whose.
        part: of the sequences of all lanes.
        rows: tokens of a ``tp`` group in one chunk of one micro-batch, of a shared context its part.
        sampled: of these, those that reach the head.
    """

    lane: Lane
    part: Numeric
    rows: Numeric
    sampled: Numeric


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Of all lanes, on the busiest chips.

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

    def whole(self, sequences: Numeric, groups: int, share: LaneShare) -> Numeric:
        """What a lane has of so many sequences where ``groups`` have whole ones, and the fullest has its mean mix."""
        fullest = ceil(sequences / groups) if groups > 1 else sequences
        return fullest if len(self.lanes) == 1 else fullest * share.part


def shares_of(pass_: Pass, layout: Layout) -> Shares:
    """What the busiest chips of a layout have of a pass.

    A batch that does not fill the groups of ``dp`` takes as long as one that does, and the fullest micro-batch as long
    as all. There are as many micro-batches as stages: it is what engines do, and not always the fastest. Sequences of
    all lanes are spread over groups and micro-batches together, each of which has its mean mix of them.

    Raises:
        RidgelineError: prompts beside sequences that decode, in a pipeline, whose micro-batches have either.
    """
    if layout.pp > 1 and pass_.has_prompts and not all(lane.is_prompt for lane in pass_.lanes):
        raise RidgelineError(
            f"layout {layout}: in a pipeline, prompts and decoding sequences pass in micro-batches of their own;"
            " estimate each by itself"
        )
    # Sequences that decode are spread evenly, and so are prompts, whoever decodes beside them.
    held = _sum(
        ceil(_sum(lane.sequences for lane in pass_.lanes if lane.is_prompt is is_prompt) / layout.dp)
        for is_prompt in dict.fromkeys(lane.is_prompt for lane in pass_.lanes)
    )
    of_one: Numeric = held
    in_flight: Numeric = 1
    if layout.pp > 1:
        of_one = ceil(held / layout.pp)
        in_flight = ceil(held / of_one)
    whole = ceil(of_one / layout.cp) if layout.cp > 1 else of_one
    lanes = tuple(_lane_share(lane, pass_, layout, of_one, whole) for lane in pass_.lanes)
    rows = _sum(one.rows for one in lanes)
    return Shares(
        lanes=lanes,
        chunks=pass_.chunks,
        held=held,
        sequences=of_one,
        micro_batches=in_flight,
        rows=rows,
        sampled=_sum(one.sampled for one in lanes),
        # Those of the fullest micro-batch, and no more than there are.
        tokens=minimum(rows * layout.dp, pass_.tokens / pass_.chunks),
    )


def _sum(values: Iterable[Numeric]) -> Numeric:
    first, *others = values
    for value in others:
        first = first + value
    return first


def _lane_share(lane: Lane, pass_: Pass, layout: Layout, of_one: Numeric, whole: Numeric) -> LaneShare:
    """Of a lane in a micro-batch of ``of_one`` sequences, ``whole`` of them on each chip that shares contexts."""
    part: Numeric = 1.0
    if len(pass_.lanes) > 1:
        part = _held(lane, pass_, layout) / _sum(_held(one, pass_, layout) for one in pass_.lanes)
        of_one, whole = of_one * part, whole * part
    if lane.is_prompt:
        # Chips that share a context divide a prompt's tokens, but whole sequences of a step.
        rows = of_one * lane.new_tokens / (pass_.chunks * layout.cp)
    else:
        rows = whole * lane.new_tokens
    return LaneShare(lane=lane, part=part, rows=rows, sampled=whole * lane.sampled_tokens)


def _held(lane: Lane, pass_: Pass, layout: Layout) -> Numeric:
    """A lane's part of the sequences that the fullest group has of those that decode, or of prompts."""
    alike = _sum(one.sequences for one in pass_.lanes if one.is_prompt is lane.is_prompt)
    return ceil(alike / layout.dp) * lane.sequences / alike
