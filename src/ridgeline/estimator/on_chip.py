"""Operations of a pass, and what all of them share on one chip: rows, groups of chips, formats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ridgeline.estimator.kernels import RESIDUAL, Kernel, Stream
from ridgeline.estimator.messages import AllReduce, Group, Message
from ridgeline.estimator.placement import group as group_of
from ridgeline.estimator.shares import Shares
from ridgeline.numeric import Numeric
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import FabricLevel
from ridgeline.specs.model import Model
from ridgeline.specs.precision import Precision

__all__ = ["OnChip", "Operation", "on_chip"]

NORM_STREAMS = 4
"""Tensors that a norm moves: it adds the block's result to the stream (two read, one written), and writes its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One kernel or message, and how often a micro-batch of a pass runs it through all stages.

    Attributes:
        name: name of the operation.
        repeats: number of its runs.
        kernel: kernel or message that runs.
        is_layer: whether it belongs to layers, which are spread over the stages of a pipeline.
    """

    name: str
    repeats: int
    kernel: Kernel | Message
    is_layer: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OnChip:
    """Values that all operations of a pass share.

    Attributes:
        shares: a chip's share of the pass.
        tp_group: chips that share matrices.
        cut_group: chips of ``tp_group`` that cut the output side of matrices.
        rows_group: chips of ``tp_group`` that cut the input side of matrices.
        plane_group: chips that experts are spread over.
        cp_group: chips that share a context.
        fsdp_group: chips that weights are gathered from.
        norm: norm of the residual stream.
        sum_of_rows: all-reduce of a ``tp`` group's residual stream, over the chips that cut the inside of a block.
    """

    model: Model
    layout: Layout
    precision: Precision
    expert_imbalance: float
    shares: Shares
    tp_group: Group
    cut_group: Group
    rows_group: Group
    plane_group: Group
    cp_group: Group
    fsdp_group: Group
    norm: Stream
    sum_of_rows: AllReduce

    @property
    def rows(self) -> Numeric:
        """Tokens of one ``tp`` group in one chunk of one micro-batch."""
        return self.shares.rows

    @property
    def chunks(self) -> int:
        """Passes in which prompts are read."""
        return self.shares.chunks


@lru_cache(maxsize=1024)
def _groups(fabric: tuple[FabricLevel, ...], layout: Layout) -> dict[str, Group]:
    """Groups of chips of a pass, by the names of its fields."""
    tp, dp, cp, rows = layout.tp, layout.dp, layout.cp, layout.tp_rows
    return {
        "tp_group": group_of(fabric, layout.chips, ranks=tp),
        "cut_group": group_of(fabric, layout.chips, ranks=tp // rows),
        "rows_group": group_of(fabric, layout.chips, ranks=rows, stride=tp // rows),
        "plane_group": group_of(fabric, layout.chips, ranks=tp * dp),
        "cp_group": group_of(fabric, layout.chips, ranks=cp, stride=tp * dp),
        "fsdp_group": group_of(fabric, layout.chips, ranks=layout.fsdp, stride=tp),
    }


def on_chip(deployment: Deployment, shares: Shares) -> OnChip:
    """Values that the operations of a pass share."""
    groups = _groups(deployment.machine.fabric, deployment.layout)
    width = deployment.model.hidden / deployment.layout.tp_rows
    return OnChip(
        model=deployment.model,
        layout=deployment.layout,
        precision=deployment.precision,
        expert_imbalance=deployment.machine.efficiency.expert_imbalance,
        shares=shares,
        norm=Stream(rows=shares.rows, width=width, streams=NORM_STREAMS),
        sum_of_rows=AllReduce(buffer_bytes=shares.rows * width * RESIDUAL.bytes_per_value, group=groups["cut_group"]),
        **groups,
    )
