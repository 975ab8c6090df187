"""What the kernels of a chip reach, as few physical numbers by kind of kernel; see ``equations/kernels.py``."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ridgeline.specs.frozen import freeze_mappings

__all__ = [
    "DecodeAttention",
    "Exchange",
    "Experts",
    "Kernels",
    "LatentAttentionKernels",
    "Links",
    "Products",
    "PromptAttention",
    "Streams",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Products:
    """Matrix products, and streams over memory.

    Attributes:
        fraction: of the peak that large products reach, in the largest tiles, by format of their operands.
        hbm_fraction: of the memory bandwidth.
        unit_bytes_per_s: that a unit reads and writes in the last cache, where that is faster than memory.
        launch_s: of a kernel in a captured graph, the gap before it among it.
        eager_s: that a launch outside of a graph takes longer.
        penalty_values: what small tiles reuse too little, over their sides.
        prologue_values: of the inner dimension, with which each tile starts.
        value_s: that a tile takes at the least for each value of the inner dimension.
        split_s: to sum the parts of a product whose inner dimension is cut.
        quantise_s: launches that turn activations into a narrow format, by format.
        quantise_hbm_fraction: of the memory bandwidth that they reach.
    """

    fraction: Mapping[str, float]
    hbm_fraction: float
    unit_bytes_per_s: float
    launch_s: float
    eager_s: float
    penalty_values: float
    prologue_values: float
    value_s: float
    split_s: float
    quantise_s: Mapping[str, float]
    quantise_hbm_fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeAttention:
    """Attention of single tokens over keys and values of their own.

    Attributes:
        launch_s: of a layer's kernels.
        hbm_fraction: of the memory bandwidth at which a cache is read.
        unit_bytes_per_s: that one unit reads, where a cache is not split over several.
        block_s: of a unit for each stored head of a sequence.
    """

    launch_s: float
    hbm_fraction: float
    unit_bytes_per_s: float
    block_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentAttentionKernels:
    """Attention of single tokens over one stored vector a token.

    Attributes:
        launch_s: of a layer's kernels.
        fraction: of the 16-bit peak.
        hbm_fraction: of the memory bandwidth.
        query_bytes: that pass for each head of each sequence besides: its query, and what parts of the cache give it.
        narrow_factor: by how much longer the cache is read where heads are too many for a narrow tile and too few for a
            wide one.
    """

    launch_s: float
    fraction: float
    hbm_fraction: float
    query_bytes: float
    narrow_factor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptAttention:
    """Attention over prompts.

    Attributes:
        launch_s: of a layer's kernels.
        fraction: of the 16-bit peak.
        narrow_factor: by how much 8-bit products are faster than 16-bit ones.
        hbm_fraction: of the memory bandwidth at which queries, keys and values pass, besides and not beside.
        unit_bytes_per_s: at which each unit rotates them and writes the cache before.
        softmax_values: width of a head by which a score's exponential is as dear.
        tail_fraction: of the longest block's time, for which the others wait.
        block_keys: keys by which a block of queries takes longer, filled or not.
        window_tiles: blocks that a window's edge crosses.
    """

    launch_s: float
    fraction: float
    narrow_factor: float
    hbm_fraction: float
    unit_bytes_per_s: float
    softmax_values: float
    tail_fraction: float
    block_keys: float
    window_tiles: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Experts:
    """A layer's routed experts on one chip: route, gather, up, activate, down, sum.

    Attributes:
        launch_s: of a layer's kernels, by format of the operands as ``fraction``.
        fraction: of the peak, in the largest tiles, by format of the operands; a name with ``_as_`` is a weight format
            that is widened.
        hbm_fraction: of the memory bandwidth at which weights are read.
        unit_bytes_per_s: at which activations pass through each unit, besides and not beside.
        expert_s: for each expert that the chip holds.
        penalty_values: what small tiles reuse too little.
        prologue_values: of the inner dimension, with which each tile starts.
        unpack_flop_per_value: arithmetic outside the matrix units that widens a weight.
    """

    launch_s: Mapping[str, float]
    fraction: Mapping[str, float]
    hbm_fraction: float
    unit_bytes_per_s: float
    expert_s: float
    penalty_values: float
    prologue_values: float
    unpack_flop_per_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Messages inside a scale-up domain behind a switch.

    Attributes:
        launch_s: of a collective of the general library.
        step_s: of each step of a ring.
        bulk_s: that its protocol for large messages takes longer to start.
        fraction: of the links' bandwidth that it reaches with two ranks...
        ranks_power: ...and the power of the ranks by which it falls with more, where links share a bus.
        quick_fraction: of that, with its protocol for small messages.
        switch_s: that a sum inside the switch takes longer to start; none where the switch cannot sum.
        switch_fraction: of the bandwidth that it reaches.
        custom_s: of an engine's own all-reduce.
        custom_bulk_s: that its second step takes.
        custom_fraction: of the bandwidth that it reaches.
        barrier_s: that it takes longer in engines where ranks meet at its end, too.
        send_fraction: of the bandwidth that one rank's message to another reaches.
        eager_s: that a launch outside of a graph takes longer.
    """

    launch_s: float
    step_s: float
    bulk_s: float
    fraction: float
    ranks_power: float
    quick_fraction: float
    switch_s: float
    switch_fraction: float
    custom_s: float
    custom_bulk_s: float
    custom_fraction: float
    barrier_s: float
    send_fraction: float
    eager_s: float

    def over_a_bus(self) -> Links:
        """The same where all ranks share what lies between them, so that each has its part of what two have."""
        return dataclasses.replace(self, ranks_power=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Tokens on their way to their experts, or back, as engines send them themselves.

    Few tokens are sent directly, a copy to each expert; many in bulk, one copy to each chip, and one across to each
    domain, where it is forwarded.

    Attributes:
        launch_s: of a direct exchange.
        expert_s: for each expert of the layer.
        fraction: of the bandwidth inside a domain that a direct exchange reaches.
        across_s: that an exchange takes longer which leaves the domain.
        across_fraction: of the bandwidth between domains.
        bulk_s: that an exchange in bulk takes longer to start...
        bulk_value_s: ...and for each value of a token, whose chunks pass one after the other.
        bulk_fraction: of the bandwidth inside a domain that it reaches at most.
        unit_bytes_per_s: that each of the compute units copies which it occupies.
        eager_s: that an exchange outside of a graph takes longer.
        host_s: in which the host prepares a dispatch outside of a graph.
    """

    launch_s: float
    expert_s: float
    fraction: float
    across_s: float
    across_fraction: float
    bulk_s: float
    bulk_value_s: float
    bulk_fraction: float
    unit_bytes_per_s: float
    eager_s: float
    host_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Streams:
    """Norms, activations and sums: kernels that only pass over memory.

    Attributes:
        alone_s: of a kernel by itself, without the gap before it.
        value_s: for each value of a row, where a block of threads does a row by itself.
        hbm_fraction: of the memory bandwidth that they reach...
        row_hbm_fraction: ...and where a block of threads does a row by itself.
    """

    alone_s: float
    value_s: float
    hbm_fraction: float
    row_hbm_fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernels:
    """All kinds of kernels of a chip, and the messages of its domain.

    Fields that end in ``fraction`` are parts of what a spec sheet states, or of another time: none is above one.
    """

    products: Products
    decode: DecodeAttention
    latent: LatentAttentionKernels
    prompt: PromptAttention
    experts: Experts
    links: Links
    exchange: Exchange
    streams: Streams

    def __post_init__(self) -> None:
        for block in dataclasses.fields(self):
            held = getattr(self, block.name)
            for field in dataclasses.fields(held):
                found, name = getattr(held, field.name), f"{block.name}.{field.name}"
                if str(field.type).startswith("Mapping") is not isinstance(found, Mapping):
                    raise ValueError(f"Kernels: {name}={found!r} must be {field.type}")
                for key, value in found.items() if isinstance(found, Mapping) else [("", found)]:
                    _require_number(f"{name}.{key}" if key else name, value)
            freeze_mappings(held)


def _require_number(name: str, value: Any) -> None:  # noqa: ANN401  a file may hold anything
    """Refuse a number below zero, a fraction above one, and what is no number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise ValueError(f"Kernels: {name}={value!r} must be a number from 0 up")
    if name.split(".")[1].endswith("fraction") and not 0 < value <= 1:
        raise ValueError(f"Kernels: {name}={value!r} must be above 0 and at most 1, since it is a part of a whole")
