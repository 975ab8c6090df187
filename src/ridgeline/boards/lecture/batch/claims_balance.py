"""Claims on the ratio of arithmetic to bandwidth, and on the batch that balances both: 0:17 to 0:22."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.claim import Claim, Step, Verdict, claim, step
from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.in_a_sentence import count_text
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.batch.claims_roofline import (
    BOARD_PARAMS,
    BYTES_PER_PARAM,
    CHIPS,
    MACHINE,
    own_weights,
)
from ridgeline.boards.lecture.batch.step import ACTIVE_PARAMS
from ridgeline.boards.lecture.batch.trains import HBM_BYTES
from ridgeline.boards.lecture.numbers import (
    BALANCE_RATIO,
    EXPANSION,
    EXPERTS,
    SEATS,
    TRAIN_S,
)
from ridgeline.boards.note import DIGITS
from ridgeline.catalog import load_machine
from ridgeline.equations import memory, roofline
from ridgeline.quantity_text import format_quantity

__all__ = ["CLAIMS", "PUBLISHED_PARAMS"]

SHORT_CONTEXT_TOKENS = 1000.0

PUBLISHED_PARAMS = filled_in(671e9)
"""Parameters of DeepSeek-V3, as its report has them (arXiv 2412.19437)."""

TWO_COUNTS = (
    " Sourced numbers leave out the embedding, whose 0.9 billion parameters are looked up, not multiplied: 670 over"
    " 36.6 billion makes 18.3, where its report's 671 over 37 billion makes 18.1."
)
"""Reason that two ratios of total over active parameters stand side by side."""

OF_ITS_PARAMETERS = (
    f"{format_quantity(float(ACTIVE_PARAMS), 'count')} of its {format_quantity(float(PUBLISHED_PARAMS), 'count')}"
    " parameters"
)
ONE_IN = float(PUBLISHED_PARAMS) / float(ACTIVE_PARAMS)
"""Parameters of DeepSeek-V3 for each one that a token uses."""

HELD = format_quantity(float(BOARD_PARAMS) * float(BYTES_PER_PARAM) / (float(CHIPS) * float(HBM_BYTES)), "fraction", 1)
"""Part of the board's memory that its weights fill."""
READ = format_quantity(float(HBM_BYTES), "bytes", 3)
"""Memory of one of the board's chips, which it reads in his 20 ms."""
OWN_HELD = format_quantity(
    float(PUBLISHED_PARAMS) * float(BYTES_PER_PARAM) / (float(CHIPS) * load_machine(MACHINE).chip.hbm_bytes),
    "fraction",
    2,
)
"""Part of a GB200 rack's memory that DeepSeek-V3's weights fill."""


def _chip_ratio(*, machine: str, arithmetic: str, bytes_per_param: float) -> float:
    chip = load_machine(machine).chip
    found = roofline.balance_ratio(
        flop_per_s=chip.flop_per_s[arithmetic],
        hbm_bytes_per_s=chip.hbm_bytes_per_s,
        bytes_per_param=bytes_per_param,
    )
    return float(found)


def _four_bits() -> Iterable[Step]:
    yield step("GB200, in 4 bits as on the board", machine=MACHINE, arithmetic="fp4", bytes_per_param=0.5)


def _other_chips() -> Iterable[Step]:
    yield step("GB300, in 4 bits", machine="gb300-nvl72")
    yield step("A100 with 80 GB, in 16 bits", machine="a100-80-sxm", arithmetic="bf16", bytes_per_param=2.0)
    yield step("H200, in 16 bits", machine="h200-sxm")
    yield step("TPU v6e, in 16 bits: the most in the catalog", machine="tpu-v6e")
    yield step("H20, in 16 bits: the least", machine="h20-sxm")


def _balance_batch(
    *, balance_ratio: float, experts: float, active_experts: float, dense_fraction: float, kv_over_compute: float
) -> float:
    """Balance batch of a model whose weights are experts, except for the active ones that every token uses."""
    expansion = dense_fraction + (1 - dense_fraction) * experts / active_experts
    without = float(roofline.balance_batch(balance_ratio=balance_ratio, expansion=expansion))
    return without * _balance_growth(context_over_crossover=kv_over_compute)


def _to_deepseek() -> Iterable[Step]:
    facts = fleet.facts(MACHINE)
    terms, block = controls.terms(facts), fleet.experts()
    yield step(f"{block.active_experts} of {block.experts} experts a token", active_experts=block.active_experts)
    dense = (terms.expansion - block.experts / block.active_experts) / (1 - block.experts / block.active_experts)
    yield step("attention and shared experts, which every token uses", dense_fraction=dense)
    yield step("the formats of the checkpoint on GB200", balance_ratio=controls.balance_ratio(facts))


def _over_crossover(context_tokens: float) -> float:
    return context_tokens / fleet.crossover_tokens(MACHINE)


def _with_contexts() -> Iterable[Step]:
    yield step("1,000 tokens of context", kv_over_compute=_over_crossover(SHORT_CONTEXT_TOKENS))
    mean = fleet.MEAN_CONTEXT_TOKENS
    yield step(
        f"{count_text(mean, DIGITS)} tokens, the mean of its fleet: no batch balances",
        kv_over_compute=_over_crossover(mean),
    )


def _by_parameters(*, balance_ratio: float, total_params: float, active_params: float) -> float:
    return float(roofline.balance_batch(balance_ratio=balance_ratio, expansion=total_params / active_params))


def _without_embedding() -> Iterable[Step]:
    facts = fleet.facts(MACHINE)
    terms = controls.terms(facts)
    yield step(
        "without the embedding, which is neither read whole nor multiplied",
        total_params=terms.params,
        active_params=terms.active_params,
    )
    yield step("the formats of the checkpoint on GB200", balance_ratio=controls.balance_ratio(facts))


def _own_expansion() -> Iterable[Step]:
    facts = fleet.facts(MACHINE)
    yield step("DeepSeek-V3's own total over active parameters", expansion=controls.terms(facts).expansion)
    yield step("the formats of the checkpoint on GB200", balance_ratio=controls.balance_ratio(facts))


def _balance_step_s(
    *,
    total_params: float,
    bytes_per_param: float,
    chips: float,
    hbm_bytes: float,
    memory_sweep_time_s: float,
) -> float:
    found = memory.balance_step_time_s(
        weights_fraction=total_params * bytes_per_param / (chips * hbm_bytes), memory_sweep_time_s=memory_sweep_time_s
    )
    return float(found)


def _own_memory() -> Iterable[Step]:
    chip = load_machine(MACHINE).chip
    yield from own_weights()
    sweep_s = roofline.memory_sweep_time_s(hbm_bytes=chip.hbm_bytes, hbm_bytes_per_s=chip.hbm_bytes_per_s)
    yield step(
        "GB200's memory, and the time in which it is read", hbm_bytes=chip.hbm_bytes, memory_sweep_time_s=float(sweep_s)
    )


def _balance_growth(*, context_over_crossover: float) -> float:
    """Balance batch with keys and values over that without."""
    found = roofline.balance_batch_with_kv(
        weight_time_s=1.0, compute_time_per_sequence_s=1.0, kv_time_per_sequence_s=context_over_crossover
    )
    return float(found)


def _own_crossover() -> Iterable[Step]:
    crossover = fleet.crossover_tokens(MACHINE)
    yield step(
        f"1,000 tokens of DeepSeek-V3's crossover of {crossover:,.0f} on GB200",
        context_over_crossover=_over_crossover(SHORT_CONTEXT_TOKENS),
    )


def _at_crossover() -> Iterable[Step]:
    yield step("a context at the crossover: no batch balances", context_over_crossover=1.0)


CLAIMS: tuple[Claim, ...] = (
    claim(
        "A10",
        "0:17:00",
        "Most GPUs multiply about 300 parameters in the time it takes to read one, and this has been reasonably"
        " stable from A100 to B100.",
        computed="parameters multiplied while one is read",
        lecture=said(300.0, "0:17:00", hedge="somewhere around, on most GPUs"),
        equation=roofline.balance_ratio,
        compute=_chip_ratio,
        inputs={
            "machine": filled_in("h100-sxm"),
            "arithmetic": filled_in("bf16"),
            "bytes_per_param": filled_in(2.0),
        },
        careful=_four_bits,
        further=_other_chips,
        careful_of=f"{MACHINE}, in 4 bits as on the board",
        verdict=Verdict.DEPENDS,
        what="parameters multiplied while one is read",
        answer="the chip is, for example, an H100 in 16 bits or a GB200 in 4 or 8 bits: then it is {ours:3} and"
        " {at[1]:3}. An A100 has {at[3]:3} and an H200 {at[4]:3}",
        why="It depends on chip and format. H100, B200 and GB200 are near 300, A100 is at 153 and H200 at 206. In 16"
        " bits the catalog's chips go from 37 (H20) to 560 (TPU v6e).",
        tolerance=0.1,  # "around": he gives one digit
    ),
    claim(
        "A11",
        "0:19:22",
        "Reading the weights takes as long as the arithmetic when the batch is about 300 times the ratio of total to"
        " active parameters.",
        computed="that batch",
        given="with 32 of 256 experts active",
        lecture=implied(2400.0, "0:19:22", hedge="approximately; a ballpark"),
        equation=roofline.balance_batch,
        compute=_balance_batch,
        inputs={
            "balance_ratio": BALANCE_RATIO,
            "experts": EXPERTS,
            "active_experts": said(32.0, "0:19:22"),
            "dense_fraction": 0.0,
            "kv_over_compute": 0.0,
        },
        careful=_to_deepseek,
        further=_with_contexts,
        careful_of=f"deepseek-v3 on {MACHINE}, empty contexts",
        verdict=Verdict.REPRODUCES,
        what="sequences",
        answer="at his {balance_ratio:3} that makes {ours} sequences",
        why="Exact without contexts, whatever the model's size and the number of chips. He gives the 300 and the 8, and"
        " leaves the product to the listener, who makes it two to three thousand.",
    ),
    claim(
        "A12",
        "0:19:22",
        "DeepSeek-V3 activates 32 of its 256 experts, so it balances at 2,400 sequences.",
        computed="balance batch",
        given="by its published parameters at his 300",
        lecture=implied(2400.0, "0:19:22", hedge="approximately; a ballpark, remarkably accurate to practice"),
        equation=roofline.balance_batch,
        compute=_by_parameters,
        inputs={
            "balance_ratio": BALANCE_RATIO,
            "total_params": PUBLISHED_PARAMS,
            "active_params": ACTIVE_PARAMS,
        },
        careful=_without_embedding,
        careful_of=f"deepseek-v3 on {MACHINE}, empty contexts",
        verdict=Verdict.DOES_NOT_REPRODUCE,
        what="sequences",
        headline=f"A token uses {OF_ITS_PARAMETERS}, 1 in {ONE_IN:.0f} and not 1 in {float(EXPANSION):g}, so"
        " DeepSeek-V3 balances at {ours:3} sequences, not at {his}.",
        answer="it balances at {ours:3} sequences. It activates 8 of 256 experts, but with attention and a shared one"
        f" {OF_ITS_PARAMETERS}, 1 in {ONE_IN:.0f}",
        why="It activates 8 of 256, and its attention is dense. Its total over active parameters is 18, not 8, and"
        " the balance batch grows by the same factor." + TWO_COUNTS,
        tolerance=0.5,  # "approximately"
    ),
    claim(
        "A14",
        "0:20:30",
        "The batch is about 2,000 different sequences that each gain one token, not 2,000 tokens of one sequence.",
        computed="balance batch",
        lecture=SEATS,
        equation=roofline.balance_batch,
        inputs={"balance_ratio": BALANCE_RATIO, "expansion": EXPANSION},
        careful=_own_expansion,
        careful_of=f"deepseek-v3 on {MACHINE}, empty contexts",
        verdict=Verdict.ROUNDED,
        what="sequences",
        answer="it is {ours} sequences, which he rounds down",
        why="The 2,400 of A11, rounded down. A decode step writes one token for each sequence, so that counting either"
        " gives the same number." + TWO_COUNTS,
        tolerance=0.25,  # 2,400 to one digit
    ),
    claim(
        "A20",
        "0:21:40",
        "At the balance batch a step takes about 20 ms, as long as one read of the whole memory.",
        computed="step time at the balance batch",
        lecture=said(float(TRAIN_S), "0:21:40", hedge="for example; a common place"),
        equation=memory.balance_step_time_s,
        compute=_balance_step_s,
        inputs={
            "total_params": BOARD_PARAMS,
            "bytes_per_param": BYTES_PER_PARAM,
            "chips": CHIPS,
            "hbm_bytes": filled_in(float(HBM_BYTES)),
            "memory_sweep_time_s": TRAIN_S,
        },
        careful=_own_memory,
        careful_of=f"deepseek-v3 on {MACHINE}, empty contexts",
        verdict=Verdict.DOES_NOT_REPRODUCE,
        what="for a step at the balance batch",
        headline=f"A step at the balance batch takes {{ours}}, not {{his}}: weights fill {HELD} of the {READ} that a"
        " chip reads in 20 ms, not all of it.",
        given="without contexts",
        answer=f"such a step takes {{ours:3}}: weights fill only {HELD} of the {READ} that a chip reads in 20 ms."
        f" DeepSeek-V3's fill {OWN_HELD} of a GB200 rack's memory",
        why=f"Both are true only if weights fill the memory. The board's chips read {READ} each in his 20 ms, of which"
        f" weights fill {HELD}, so its step at the balance batch takes {HELD} of the 20 ms.",
        unit="s",
        tolerance=0.5,  # "for example"
    ),
    claim(
        "A25",
        "0:20:00",
        "Once contexts are read as well, the balance batch is larger.",
        computed="how many times larger at half the crossover context",
        equation=roofline.balance_batch_with_kv,
        compute=_balance_growth,
        inputs={"context_over_crossover": filled_in(0.5)},
        careful=_own_crossover,
        further=_at_crossover,
        careful_of=f"deepseek-v3 on {MACHINE} at 1,000 tokens of context",
        verdict=Verdict.REPRODUCES,
        what="times the batch",
        exactly={2.0: "twice the batch at half the crossover context"},
        answer="it is {ours}, and ever larger towards the crossover itself",
        why="It grows without bound towards the crossover context. Beyond that, no batch is bound by arithmetic.",
    ),
)
