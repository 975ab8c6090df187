"""What a chip is given to do: products, attention, streams over memory, messages; each with what it computes and moves.

A step of a model is a list of these, and so is a measured kernel, so that what holds for the one holds for the other.
All sizes are those of one chip; each may be a number or a grid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ridgeline.equations import attention, matrices
from ridgeline.equations.collectives import Levels
from ridgeline.numeric import Numeric
from ridgeline.specs.machine import Chip
from ridgeline.specs.number_format import MatmulFormat, number_format

__all__ = [
    "RESIDUAL",
    "AllGather",
    "AllReduce",
    "AllToAll",
    "AttentionCore",
    "ExpertMatmul",
    "Group",
    "Kernel",
    "Matmul",
    "Message",
    "Routed",
    "Send",
    "StateUpdate",
    "Stream",
    "Work",
    "unpack_time_s",
    "widened_values",
    "work",
]

RESIDUAL = number_format("bf16")
"""What flows between operations: the residual stream and the results of products."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matmul:
    """A matrix product ``y[rows, columns] = x[rows, inner] W``.

    Attributes:
        rows: tokens.
        columns: width of the output.
        inner: width of the input.
        format: of the matrix and of the product.
        inputs: inputs that meet a part of the matrix each, such as the heads of an absorbed projection.
        matrices: matrices of this shape, each for its own rows.
        launches: kernels that it takes.
        quantises: whether it also turns its input into the operands' format.
        turns: matrices of this shape that a benchmark uses in turn, so that small ones stay in the cache; None for a
            model's, which come from memory.
    """

    rows: Numeric
    columns: Numeric
    inner: Numeric
    format: MatmulFormat
    inputs: Numeric = 1
    matrices: Numeric = 1
    launches: int = 1
    quantises: bool = True
    turns: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertMatmul:
    """The routed experts of a chip, as engines run them: gather, up, activate, down, sum.

    Attributes:
        visits: pairs of a token and an expert that this chip computes.
        experts_touched: distinct experts among them, whose weights are read.
        hidden: width of the residual stream.
        expert_hidden: width inside an expert, this chip's part.
        gated: whether a third matrix gates the first.
        format: of the matrices and of the products.
        held: experts that the chip has, touched or not.
        tokens: that come in and whose sums go out, whether or not they visit its experts; 0 leaves both out.
    """

    visits: Numeric
    experts_touched: Numeric
    hidden: Numeric
    expert_hidden: Numeric
    gated: bool
    format: MatmulFormat
    held: Numeric = 1
    tokens: Numeric = 0
    launches: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionCore:
    """Scores and weighted values of one layer, without projections.

    Attributes:
        pairs: pairs of a query and a key, summed over sequences.
        query_heads: heads on this chip.
        query_key_dim: width of a query and a key.
        value_dim: width of a value.
        cache_bytes: bytes of the cache that are read from memory or written to it.
        queries: tokens that ask.
        is_prefill: whether whole prompts ask, which takes another kernel than single tokens.
        arithmetic: in which it multiplies, where the chip has it; in bf16 where not.
        blocks: caches that are read by themselves: stored heads of all sequences.
        is_split: whether several units may read one of them.
        reach: keys that the last query of a prompt meets.
        is_latent: whether all heads of a decode step meet one stored vector a token.
        is_windowed: whether a prompt's queries see near keys alone.
        is_expanded: whether a prompt's keys and values come from latent vectors for every head, not from the cache.
        is_prepared: whether kernels before rotate a prompt's queries and keys, narrow them or write the cache.
    """

    pairs: Numeric
    query_heads: Numeric
    query_key_dim: Numeric
    value_dim: Numeric
    cache_bytes: Numeric
    queries: Numeric
    is_prefill: bool
    arithmetic: str = "bf16"
    blocks: Numeric = 1
    is_split: bool = True
    reach: Numeric = 0
    is_latent: bool = False
    is_windowed: bool = False
    is_expanded: bool = False
    is_prepared: bool = True
    launches: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class StateUpdate:
    """Linear attention's core: tokens update and query a state of fixed size.

    Attributes:
        flop: of updates and queries.
        state_bytes: bytes of the state that are read and written.
        tokens: that pass.
        width: values of a token that come in and go out.
    """

    flop: Numeric
    state_bytes: Numeric
    tokens: Numeric
    width: Numeric
    launches: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """An elementwise operation: norms, activations, look-ups, sampling.

    Attributes:
        rows: tokens.
        width: values of a token.
        streams: tensors read and written.
        is_by_row: whether a block of threads does a row by itself, as where a row is summed.
    """

    rows: Numeric
    width: Numeric
    streams: Numeric
    is_by_row: bool = False
    launches: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Chips that exchange messages.

    Attributes:
        ranks: at each level of the fabric, from the innermost outwards: chips in a domain, domains in the next.
    """

    ranks: Levels


@dataclass(frozen=True, slots=True, kw_only=True)
class AllReduce:
    """Every rank ends with the sum of all buffers of ``buffer_bytes``.

    ``is_custom`` says whether the engine may send it itself, rather than the general library, and ``waits`` whether its
    ranks then meet at the end, too, as in most engines.
    """

    buffer_bytes: Numeric
    group: Group
    launches: int = 1
    is_ring: bool = True
    is_custom: bool = True
    waits: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AllGather:
    """Every rank ends with ``buffer_bytes``, of which each held a part."""

    buffer_bytes: Numeric
    group: Group
    launches: int = 1
    is_ring: bool = True
    is_custom: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """What the tokens of an all-to-all are sent to: experts.

    Attributes:
        copies_bytes: what a rank sends where every expert gets a copy of its own.
        experts: of the layer, over all ranks.
        width: values of a token.
        units: compute units that an exchange in bulk occupies.
        is_direct: whether a copy may be sent to every expert...
        is_bulk: ...and whether one may be sent to every chip, by way of domains.
    """

    copies_bytes: Numeric
    experts: Numeric
    width: Numeric
    units: int = 20
    is_direct: bool = True
    is_bulk: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AllToAll:
    """Every rank sends ``buffer_bytes``, a different part to every rank, directly or forwarded.

    Attributes:
        buffer_bytes: what a rank sends where every part travels by itself.
        group: who takes part.
        forwarded_bytes: what it sends at each level where one copy crosses to a domain and is forwarded inside; None
            where nothing is sent twice, so that forwarding gains nothing.
        routed: what else matters where the parts are tokens for experts.
    """

    buffer_bytes: Numeric
    group: Group
    forwarded_bytes: Levels | None = None
    routed: Routed | None = None
    launches: int = 1
    is_ring: bool = False
    is_custom: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """One rank sends ``buffer_bytes`` to another, at the level of the fabric where the group has two."""

    buffer_bytes: Numeric
    group: Group
    launches: int = 1
    is_ring: bool = False
    is_custom: bool = False


Message = AllReduce | AllGather | AllToAll | Send


Kernel = Matmul | ExpertMatmul | AttentionCore | StateUpdate | Stream


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What one kernel computes, and the bytes that it moves to and from memory, by kind."""

    flop: Numeric
    weight_bytes: Numeric = 0.0
    kv_bytes: Numeric = 0.0
    activation_bytes: Numeric = 0.0


def _matmul_work(kernel: Matmul) -> Work:
    read = kernel.rows * kernel.inner * kernel.inputs * kernel.format.operand.bytes_per_value
    written = kernel.rows * kernel.columns * RESIDUAL.bytes_per_value
    return Work(
        flop=matrices.matmul_flop(rows=kernel.rows, columns=kernel.columns, inner=kernel.inner),
        weight_bytes=kernel.matrices * kernel.columns * kernel.inner * kernel.format.weight.bytes_per_value,
        activation_bytes=read + written,
    )


def _expert_matmul_work(kernel: ExpertMatmul) -> Work:
    widths = 2 if kernel.gated else 1  # products that the activation turns into one
    columns = (widths + 1) * kernel.expert_hidden  # of up, gate and down together
    operand, residual = kernel.format.operand.bytes_per_value, RESIDUAL.bytes_per_value
    moved_per_visit = (
        kernel.hidden * (operand + residual)  # the token in, the result out
        + 2 * widths * kernel.expert_hidden * residual  # up and gate, written and read
        + 2 * kernel.expert_hidden * operand  # their product, written and read
    )
    return Work(
        flop=matrices.matmul_flop(rows=kernel.visits, columns=columns, inner=kernel.hidden),
        weight_bytes=kernel.experts_touched * columns * kernel.hidden * kernel.format.weight.bytes_per_value,
        activation_bytes=kernel.visits * moved_per_visit + 2 * kernel.tokens * kernel.hidden * residual,
    )


def _attention_core_work(kernel: AttentionCore) -> Work:
    # Queries come in and weighted values go out; expanded keys and values come in besides.
    width = kernel.query_heads * (kernel.query_key_dim + kernel.value_dim) * (2 if kernel.is_expanded else 1)
    return Work(
        flop=attention.pairs_flop(
            pairs=kernel.pairs,
            query_heads=kernel.query_heads,
            query_key_dim=kernel.query_key_dim,
            value_dim=kernel.value_dim,
        ),
        kv_bytes=kernel.cache_bytes,
        activation_bytes=kernel.queries * width * RESIDUAL.bytes_per_value,
    )


def _state_update_work(kernel: StateUpdate) -> Work:
    passed = kernel.tokens * kernel.width * RESIDUAL.bytes_per_value
    return Work(flop=kernel.flop, kv_bytes=kernel.state_bytes, activation_bytes=passed)


def _stream_work(kernel: Stream) -> Work:
    moved = matrices.stream_bytes(
        rows=kernel.rows, width=kernel.width, streams=kernel.streams, bytes_per_value=RESIDUAL.bytes_per_value
    )
    return Work(flop=0.0, activation_bytes=moved)


WORK: dict[type[Kernel], Callable[[Any], Work]] = {
    Matmul: _matmul_work,
    ExpertMatmul: _expert_matmul_work,
    AttentionCore: _attention_core_work,
    StateUpdate: _state_update_work,
    Stream: _stream_work,
}
"""What each kernel does."""


def work(kernel: Kernel) -> Work:
    """FLOP and bytes of a kernel."""
    return WORK[type(kernel)](kernel)


def widened_values(kernel: Matmul | ExpertMatmul, done: Work) -> Numeric:
    """Weights read that are stored in fewer bits than they are multiplied in, and so are widened before the product."""
    weight, operand = kernel.format.weight, kernel.format.operand
    # Matrix units that take 8-bit values with a scale for each block take 4-bit ones beside them.
    is_widened = weight.value_bits < operand.value_bits and operand.name != "mxfp8"
    return done.weight_bytes / weight.bytes_per_value if is_widened else 0.0


def unpack_time_s(kernel: Matmul | ExpertMatmul, done: Work, chip: Chip, flop_per_value: float) -> Numeric:
    """Time to widen them outside of the matrix units; none where the chip's 32-bit peak is not known."""
    vector_flop_per_s = chip.flop_per_s.get("fp32")
    return 0.0 if vector_flop_per_s is None else widened_values(kernel, done) * flop_per_value / vector_flop_per_s
