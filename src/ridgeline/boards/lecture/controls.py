"""Controls that several boards share, with their values in the catalog."""

from __future__ import annotations

from ridgeline.boards.board import Control, Facts
from ridgeline.boards.constant import Constant, filled_in, implied, said
from ridgeline.boards.lecture.numbers import (
    BALANCE_RATIO,
    KV_BYTES_PER_TOKEN,
    LINK_RATIO,
    MULTIPLIES_PER_S,
    USD_PER_CHIP_S,
)
from ridgeline.equations import contexts, racks, roofline
from ridgeline.estimator import parameters
from ridgeline.estimator.precision import precision_on
from ridgeline.estimator.terms import Terms, terms_of
from ridgeline.seconds import HOUR_S
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.passes import decode

__all__ = [
    "LECTURE_HBM_BYTES_PER_S",
    "active_params",
    "balance_batch",
    "balance_ratio",
    "bytes_per_param",
    "chips",
    "context_tokens",
    "crossover_context",
    "crossover_tokens",
    "expansion",
    "expert_share",
    "flop_per_s",
    "hbm_bytes",
    "hbm_bytes_per_s",
    "kv_bytes",
    "kv_bytes_per_token",
    "link_ratio",
    "link_speeds",
    "parameters_per_read",
    "routed_block",
    "terms",
    "usd_per_chip_s",
    "weight_bytes",
    "whole_balance_batch",
]

FLOP_PER_S = filled_in(2 * MULTIPLIES_PER_S.value, why="a round number, about an H100's in FP8")
CHIPS = said(72, "0:34:00")
BYTES_PER_PARAM = implied(1, "0:05:00")
WEIGHT_BYTES = filled_in(1e12, why="a trillion parameters of a byte each")
LECTURE_HBM_BYTES_PER_S = float(MULTIPLIES_PER_S) / float(BALANCE_RATIO)
"""The lecture's chip multiplies 300 parameters while it reads one; here at 2 PFLOP/s, and a byte a parameter."""


def terms(facts: Facts) -> Terms:
    """Terms of the board's formulas for all chips of the machine's scale-up domain."""
    model, machine = facts.model, facts.machine
    return terms_of(
        model,
        machine.chip,
        chips=machine.scale_up_chips,
        precision=precision_on(model, machine.chip)[0],
        step=decode(batch=1, context_tokens=1),
    )


def kv_bytes(facts: Facts) -> float:
    """Bytes of keys and values that a token leaves behind, in the published format."""
    return float(parameters.kv_bytes_per_token(facts.model, facts.model.precision))


def bytes_a_parameter(facts: Facts) -> float:
    """Bytes of a parameter, on average over the published checkpoint."""
    return terms(facts).bytes_per_param


def balance_ratio(facts: Facts) -> float:
    """Parameters multiplied while one is read: the lecture's 300."""
    found = terms(facts)
    ratio = roofline.balance_ratio(
        flop_per_s=found.flop_per_s, hbm_bytes_per_s=found.hbm_bytes_per_s, bytes_per_param=bytes_a_parameter(facts)
    )
    return float(ratio)


def balance_batch(facts: Facts) -> float:
    """Sequences from which on computing takes longer than reading the weights."""
    found = roofline.balance_batch(balance_ratio=balance_ratio(facts), expansion=terms(facts).expansion)
    return float(found)


def whole_balance_batch(facts: Facts) -> float:
    """The balance batch to the nearest whole sequence."""
    return float(round(balance_batch(facts)))


def crossover_tokens(facts: Facts) -> float | None:
    """Tokens of context that are read while one is computed; None of a model that keeps nothing of each token."""
    if not kv_bytes(facts):
        return None
    found = contexts.crossover_context_tokens(
        active_params=terms(facts).active_params,
        bytes_per_param=bytes_a_parameter(facts),
        balance_ratio=balance_ratio(facts),
        kv_bytes_per_token=kv_bytes(facts),
    )
    return float(found)


def active_params(lecture: Constant | float) -> Control:
    """Active parameters of the model."""
    return Control(
        name="active_params",
        meaning="active parameters",
        short="active params",
        dimension="count",
        low=1e8,
        high=1e13,
        lecture=lecture,
        careful=lambda facts: terms(facts).active_params,
    )


def expansion(lecture: Constant | float) -> Control:
    """Ratio of total to active parameters."""
    return Control(
        name="expansion",
        meaning="total over active parameters",
        short="sparsity",
        dimension="count",
        low=1,
        high=128,
        lecture=lecture,
        careful=lambda facts: terms(facts).expansion,
    )


def bytes_per_param() -> Control:
    """The lecture's parameters take one byte."""
    return Control(
        name="bytes_per_param",
        meaning="per parameter",
        short="per param",
        dimension="bytes_per_param",
        low=0.5,
        high=4,
        lecture=BYTES_PER_PARAM,
        careful=bytes_a_parameter,
    )


def expert_share() -> Control:
    """The lecture's step reads every weight, whatever its batch."""
    return Control(
        name="expert_share",
        meaning="of the weights are experts that a step may leave unread",
        called="share of weights in experts",
        short="expert share",
        dimension="fraction",
        low=0,
        high=1,
        lecture=filled_in(0, why="in his formulas a step reads every weight"),
        careful=lambda facts: terms(facts).expert_share,
    )


def flop_per_s(lecture: Constant | float = FLOP_PER_S) -> Control:
    """Arithmetic rate of a chip, in the format in which the model's matrices are multiplied."""
    return Control(
        name="flop_per_s",
        meaning="per chip in the model's formats",
        short="FLOP/s",
        dimension="flop_per_s",
        low=1e13,
        high=1e17,
        lecture=lecture,
        careful=lambda facts: terms(facts).flop_per_s / facts.machine.scale_up_chips,
    )


def hbm_bytes_per_s() -> Control:
    """Memory bandwidth of a chip."""
    return Control(
        name="hbm_bytes_per_s",
        meaning="per chip",
        called="memory bandwidth per chip",
        short="bandwidth",
        dimension="bytes_per_s",
        low=1e11,
        high=5e13,
        lecture=filled_in(
            LECTURE_HBM_BYTES_PER_S, why="so that a chip multiplies his 300 parameters while it reads one"
        ),
        careful=lambda facts: facts.machine.chip.hbm_bytes_per_s,
    )


def hbm_bytes(lecture: Constant | float) -> Control:
    """Memory capacity of a chip."""
    return Control(
        name="hbm_bytes",
        meaning="of memory per chip",
        called="memory per chip",
        short="memory",
        dimension="bytes",
        low=1e9,
        high=1e13,
        lecture=lecture,
        careful=lambda facts: facts.machine.chip.hbm_bytes,
    )


def kv_bytes_per_token(lecture: Constant | float = KV_BYTES_PER_TOKEN) -> Control:
    """Keys and values, for all layers."""
    return Control(
        name="kv_bytes_per_token",
        meaning="of KV cache per token",
        short="KV per token",
        dimension="bytes",
        low=1e2,
        high=1e8,
        lecture=lecture,
        careful=lambda facts: kv_bytes(facts) or None,
    )


def context_tokens(*, lecture: Constant | float, careful: float, low: float = 1, high: float = 1e6) -> Control:
    """Context length of every sequence."""
    return Control(
        name="context_tokens",
        meaning="tokens of context",
        short="context",
        dimension="count",
        low=low,
        high=high,
        lecture=lecture,
        careful=careful,
    )


def chips(lecture: Constant | float = CHIPS) -> Control:
    """Number of chips of a scale-up domain."""
    return Control(
        name="chips",
        meaning="chips",
        dimension="count",
        low=1,
        high=16384,
        lecture=lecture,
        careful=lambda facts: facts.machine.scale_up_chips,
        is_whole=True,
    )


def parameters_per_read(lecture: Constant | float) -> Control:
    """Parameters that a chip multiplies while it reads one: the lecture's 300."""
    return Control(
        name="balance_ratio",
        meaning="parameters multiplied while one is read",
        short="balance ratio",
        dimension="count",
        low=10,
        high=2000,
        lecture=lecture,
        careful=balance_ratio,
    )


def crossover_context(lecture: Constant | float) -> Control:
    """Context length beyond which a sequence takes longer to read than to compute."""
    return Control(
        name="crossover_tokens",
        meaning="tokens read while one is computed",
        called="crossover context, in tokens",
        short="crossover",
        dimension="count",
        low=10,
        high=1e7,
        lecture=lecture,
        careful=crossover_tokens,
    )


def weight_bytes(lecture: Constant | float = WEIGHT_BYTES) -> Control:
    """Size of all weights."""
    return Control(
        name="weight_bytes",
        meaning="of weights",
        short="weights",
        dimension="bytes",
        low=1e8,
        high=1e14,
        lecture=lecture,
        careful=lambda facts: parameters.weight_bytes(facts.model, facts.model.precision),
    )


def usd_per_chip_s() -> Control:
    """Price of a chip: the lecture's two dollars an hour."""
    return Control(
        name="usd_per_chip_s",
        meaning="per chip",
        short="chip price",
        dimension="usd_per_s",
        low=0.1 / HOUR_S,
        high=100 / HOUR_S,
        lecture=USD_PER_CHIP_S,
        careful=_usd_per_chip_s,
    )


def _usd_per_chip_s(facts: Facts) -> float | None:
    tariff = facts.machine.tariff
    return None if tariff is None else tariff.usd_per_chip_s


def routed_block(model: Model) -> RoutedExperts | None:
    """The first of a model's blocks that has experts; none in a dense model."""
    blocks = (group.feed_forward for group in model.groups)
    return next((block for block in blocks if isinstance(block, RoutedExperts)), None)


def link_speeds() -> Control:
    """Speed of the links inside a rack over that of those between racks."""
    return Control(
        name="link_ratio",
        meaning="times faster inside a rack",
        called="link speed, inside over outside",
        short="link ratio",
        dimension="count",
        low=1,
        high=128,
        lecture=LINK_RATIO,
        careful=lambda facts: link_ratio(facts.machine),
    )


def link_ratio(machine: Machine) -> float:
    """Bandwidth of a chip's links inside a scale-up domain, over its bandwidth beyond it."""
    inside, beyond = machine.fabric[0], machine.fabric[-1]
    return float(racks.link_ratio(scale_up_bytes_per_s=inside.bytes_per_s, scale_out_bytes_per_s=beyond.bytes_per_s))
