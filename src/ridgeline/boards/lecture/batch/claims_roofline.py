"""Claims on the roofline of a decode step: 0:03 to 0:21."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.claim import Claim, Step, Verdict, claim, step
from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.batch.step import ACTIVE_PARAMS
from ridgeline.boards.lecture.numbers import (
    BALANCE_RATIO,
    EXPANSION,
    KV_BYTES_PER_TOKEN,
    MULTIPLIES_PER_S,
    SEATS,
    SHORT_TOKENS,
    TRAIN_S,
)
from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import experts, memory, roofline
from ridgeline.estimator.parameters import total_params

__all__ = ["CLAIMS"]

MACHINE = "gb200-nvl72"
SHORT_CONTEXT_TOKENS = 1000.0

TOTAL_PARAMS = said(700e9, "0:04:52", claim="A5")
"""DeepSeek-V3's, as he rounds them."""

PUBLISHED_PARAMS = filled_in(671e9)
"""The same, as its report has them (arXiv 2412.19437)."""

BYTES_PER_PARAM = implied(1.0, "0:05:00")
"""The board adds parameters to bytes."""

CHIPS = said(72.0, "0:02:30")
HBM_BYTES_PER_S, HBM_BYTES = filled_in(8e12), filled_in(186e9)
"""Of one of the rack's chips."""


def _without_overlap(*, batch_over_balance: float, balance_ratio: float, expansion: float) -> float:
    """Step time without overlap over that with, for a model of one active parameter of one byte, without contexts."""
    batch = batch_over_balance * float(roofline.balance_batch(balance_ratio=balance_ratio, expansion=expansion))
    work = {
        "batch": batch,
        "active_params": 1.0,
        "weight_bytes": expansion,
        "kv_bytes_per_sequence": 0.0,
        "flop_per_s": roofline.FLOP_PER_PARAM * balance_ratio,
        "hbm_bytes_per_s": 1.0,
    }
    return float(roofline.serial_step_time_s(**work)) / float(roofline.step_time_s(**work))


def _other_batches() -> Iterable[Step]:
    yield step("half the balance batch", batch_over_balance=0.5)
    yield step("twice the balance batch", batch_over_balance=2.0)


def _read_s(
    *,
    batch: float,
    total_params: float,
    bytes_per_param: float,
    context_tokens: float,
    kv_bytes_per_token: float,
    chips: float,
    hbm_bytes_per_s: float,
) -> float:
    found = roofline.memory_time_s(
        batch=batch,
        weight_bytes=total_params * bytes_per_param,
        kv_bytes_per_sequence=context_tokens * kv_bytes_per_token,
        hbm_bytes_per_s=chips * hbm_bytes_per_s,
    )
    return float(found)


def _floor_s(
    *, total_params: float, bytes_per_param: float, read_fraction: float, chips: float, hbm_bytes_per_s: float
) -> float:
    return _read_s(
        batch=1,
        total_params=total_params * read_fraction,
        bytes_per_param=bytes_per_param,
        context_tokens=0,
        kv_bytes_per_token=0,
        chips=chips,
        hbm_bytes_per_s=hbm_bytes_per_s,
    )


def _own_weights() -> Iterable[Step]:
    terms = controls.terms(fleet.facts(MACHINE))
    yield step("DeepSeek-V3's parameters, without the embedding that is looked up", total_params=terms.params)
    yield step("the formats of its checkpoint", bytes_per_param=terms.bytes_per_param)


def _own_context() -> Iterable[Step]:
    yield from _own_weights()
    yield step("the KV cache of its latent attention", kv_bytes_per_token=controls.kv_bytes(fleet.facts(MACHINE)))
    yield step("the mean context of its fleet", context_tokens=fleet.MEAN_CONTEXT_TOKENS)


def _wider() -> Iterable[Step]:
    yield step("weights of 16 bits", bytes_per_param=2.0)


def _alone() -> Iterable[Step]:
    terms = controls.terms(fleet.facts(MACHINE))
    read = experts.read_fraction(expert_share=terms.expert_share, expansion=terms.expansion, tokens=1)
    yield step("one sequence alone, which wakes 8 of 256 experts", read_fraction=float(read))


def _on_one_chip() -> Iterable[Step]:
    facts = fleet.facts("h100-sxm")
    terms = controls.terms(facts)
    yield step("the parameters that a token is multiplied with, not the embedding", active_params=terms.active_params)
    yield step(
        "an H100's peak in the formats of the checkpoint", flop_per_s=terms.flop_per_s / facts.machine.scale_up_chips
    )


def _published_params(*, model: str) -> float:
    return float(total_params(load_model(model)))


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
    """Of a model whose weights are experts, but for a part of the active ones that every token uses."""
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
    yield step(f"{mean:,.0f} tokens, the mean of its fleet: no batch balances", kv_over_compute=_over_crossover(mean))


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
    yield from _own_weights()
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
        "A1",
        "0:03:16",
        "A step takes at least as long as its arithmetic and at least as long as its reading: how many times as long"
        " as that it takes at the balance batch if the two do not overlap.",
        equation=roofline.serial_step_time_s,
        compute=_without_overlap,
        inputs={"batch_over_balance": filled_in(1.0), "balance_ratio": BALANCE_RATIO, "expansion": EXPANSION},
        further=_other_batches,
        verdict=Verdict.REPRODUCES,
        why="The larger of the two is a lower bound, which perfect overlap reaches. Without overlap a step takes their"
        " sum, at most twice the bound.",
    ),
    claim(
        "A2",
        "0:04:50",
        "The arithmetic for a token takes the active parameters over the chip's rate, in seconds.",
        equation=roofline.compute_time_s,
        inputs={
            "tokens": filled_in(1.0),
            "active_params": ACTIVE_PARAMS,
            "flop_per_s": filled_in(roofline.FLOP_PER_PARAM * float(MULTIPLIES_PER_S)),
        },
        careful=_on_one_chip,
        careful_of="deepseek-v3 on one chip of h100-sxm",
        verdict=Verdict.DEPENDS,
        why="On what the rate counts: the board's FLOPs are multiplications, as he says at 0:17:00. A data sheet counts"
        " a multiplication and an addition, and then each parameter takes 2.",
        unit="s",
    ),
    claim(
        "A3",
        "0:05:00",
        "A step reads all weights and each sequence's context, at the memory's bandwidth: the time for 2,000 sequences"
        " of 20,000 tokens, in seconds.",
        equation=roofline.memory_time_s,
        compute=_read_s,
        inputs={
            "batch": SEATS,
            "total_params": TOTAL_PARAMS,
            "bytes_per_param": BYTES_PER_PARAM,
            "context_tokens": SHORT_TOKENS,
            "kv_bytes_per_token": KV_BYTES_PER_TOKEN,
            "chips": CHIPS,
            "hbm_bytes_per_s": HBM_BYTES_PER_S,
        },
        careful=_own_context,
        further=_wider,
        careful_of=f"deepseek-v3 on {MACHINE}, 2,000 sequences at its fleet's mean context",
        verdict=Verdict.DEPENDS,
        why="On the format: the board counts a parameter as a byte, which holds of 8-bit weights; those of 16 bits take"
        " twice as long.",
        unit="s",
    ),
    claim(
        "A5",
        "0:04:52",
        "DeepSeek-V3 has about 700 billion parameters.",
        lecture=said(700e9, "0:04:52", hedge="about"),
        equation=total_params,
        compute=_published_params,
        inputs={"model": filled_in(fleet.MODEL)},
        verdict=Verdict.ROUNDED,
        why="671 billion by its report and by adding up its matrices, without the layer that predicts a second token;"
        " 37 billion of them are active, as he says.",
        unit="params",
        tolerance=0.05,  # rounded to one digit
    ),
    claim(
        "A6",
        "0:09:54",
        "No step is shorter than reading all parameters once, in seconds; here on a rack of 72 chips.",
        equation=roofline.memory_time_s,
        compute=_floor_s,
        inputs={
            "total_params": TOTAL_PARAMS,
            "bytes_per_param": BYTES_PER_PARAM,
            "read_fraction": filled_in(1.0),
            "chips": CHIPS,
            "hbm_bytes_per_s": HBM_BYTES_PER_S,
        },
        careful=_own_weights,
        further=_alone,
        careful_of=f"deepseek-v3 on {MACHINE}",
        verdict=Verdict.REPRODUCES,
        why="It holds once a batch wakes every expert, from a hundred sequences or so; one sequence alone reads its"
        " active parameters and no others.",
        unit="s",
    ),
    claim(
        "A10",
        "0:17:00",
        "Most GPUs multiply around 300 parameters in the time in which they read one, reasonably stable from A100 to"
        " B100.",
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
        why="On chip and format: H100, B200 and GB200 are near 300, A100 is at 153 and H200 at 206. In 16 bits the"
        " catalog's chips go from 37 (H20) to 560 (TPU v6e).",
        tolerance=0.1,  # "around": he gives one digit
    ),
    claim(
        "A11",
        "0:19:22",
        "Weights and arithmetic balance at a batch of 300 times total over active parameters.",
        lecture=said(2400.0, "0:19:22"),
        equation=roofline.balance_batch,
        compute=_balance_batch,
        inputs={
            "balance_ratio": BALANCE_RATIO,
            "experts": said(256.0, "0:19:22"),
            "active_experts": said(32.0, "0:19:22", claim="A12"),
            "dense_fraction": 0.0,
            "kv_over_compute": 0.0,
        },
        careful=_to_deepseek,
        further=_with_contexts,
        careful_of=f"deepseek-v3 on {MACHINE}, empty contexts",
        verdict=Verdict.REPRODUCES,
        why="Exact without context, and independent of the model's size and the number of chips.",
    ),
    claim(
        "A12",
        "0:19:22",
        "DeepSeek-V3 activates 32 of its 256 experts, so that it balances at 2,400 sequences.",
        lecture=said(2400.0, "0:19:22", hedge="approximately"),
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
        why="It activates 8 of 256, and its attention is dense: total over active parameters is 18, not 8, and the"
        " batch is larger by as much.",
        tolerance=0.5,  # "approximately"
    ),
    claim(
        "A14",
        "0:20:30",
        "The batch is about 2,000 different sequences that each gain a token, not 2,000 tokens of one.",
        lecture=SEATS,
        equation=roofline.balance_batch,
        inputs={"balance_ratio": BALANCE_RATIO, "expansion": EXPANSION},
        careful=_own_expansion,
        careful_of=f"deepseek-v3 on {MACHINE}, empty contexts",
        verdict=Verdict.ROUNDED,
        why="The 2,400 rounded down. A decode step writes as many tokens as it has sequences, so that both words give"
        " the same number.",
        tolerance=0.25,  # 2,400 to one digit
    ),
    claim(
        "A20",
        "0:21:40",
        "At the balance batch a step takes about 20 ms, the time in which a whole memory is read, in seconds.",
        lecture=said(float(TRAIN_S), "0:21:40", hedge="for example"),
        equation=memory.balance_step_time_s,
        compute=_balance_step_s,
        inputs={
            "total_params": TOTAL_PARAMS,
            "bytes_per_param": BYTES_PER_PARAM,
            "chips": CHIPS,
            "hbm_bytes": HBM_BYTES,
            "memory_sweep_time_s": TRAIN_S,
        },
        careful=_own_memory,
        careful_of=f"deepseek-v3 on {MACHINE}, empty contexts",
        verdict=Verdict.DOES_NOT_REPRODUCE,
        why="The two hold together only where weights fill the memory. DeepSeek-V3 fills a twentieth of a rack's, so"
        " that its step at the balance batch takes a twentieth of the 20 ms.",
        unit="s",
        tolerance=0.5,  # "for example"
    ),
    claim(
        "A25",
        "0:20:00",
        "With contexts the balance batch is larger: how many times, at half the crossover context.",
        equation=roofline.balance_batch_with_kv,
        compute=_balance_growth,
        inputs={"context_over_crossover": filled_in(0.5)},
        careful=_own_crossover,
        further=_at_crossover,
        careful_of=f"deepseek-v3 on {MACHINE} at 1,000 tokens of context",
        verdict=Verdict.REPRODUCES,
        why="And more than larger: it grows without bound towards the crossover, beyond which no batch is bound by"
        " arithmetic.",
    ),
)
