"""FLOP of a training step as published rates count them, and what part of a peak they are."""

from __future__ import annotations

from ridgeline.equations.training import TRAINING_FLOP_PER_PARAM, utilisation
from ridgeline.estimator.attention import cores
from ridgeline.estimator.kernels import AttentionCore, work
from ridgeline.estimator.parameters import active_params, embedding_params
from ridgeline.specs.model import Model
from ridgeline.specs.number_format import number_format
from ridgeline.specs.passes import Lane
from ridgeline.training.job import TrainingJob

__all__ = ["hardware_flop", "hfu_fraction", "mfu_fraction", "model_flop"]

FULL_OVER_CAUSAL = 2
"""Pairs of queries and keys where all are counted, over those that a causal mask leaves."""


def _attention_flop(model: Model, sequence_tokens: int, *, causal: bool) -> float:
    """FLOP of scores and values of one sequence's forward pass."""
    lane = Lane(sequences=1, new_tokens=sequence_tokens, is_prompt=True)
    total = 0.0
    for group in model.groups:
        for kernel in cores(group.attention, lane, sequences=1, tp=1, kv_format=model.precision.kv).values():
            full = 1 if causal or not isinstance(kernel, AttentionCore) else FULL_OVER_CAUSAL
            total += group.layers * full * float(work(kernel).flop)
    return total


def model_flop(job: TrainingJob, *, causal: bool = False) -> float:
    """FLOP that the model itself needs of a step, nothing computed again: six a parameter and token, and attention's.

    Parameters are those that multiply, the head among them and a look-up not. Scores are counted whole, as PaLM's and
    Megatron's formulas do, unless ``causal``.

    Source: Chowdhery et al. 2022, "PaLM" (arXiv 2204.02311), appendix B; Narayanan et al. 2021 (arXiv 2104.04473).
    """
    params = active_params(job.model) - embedding_params(job.model)
    tokens = job.batch * job.sequence_tokens
    attention = 3 * job.batch * _attention_flop(job.model, job.sequence_tokens, causal=causal)
    return TRAINING_FLOP_PER_PARAM * params * tokens + attention


def hardware_flop(job: TrainingJob, *, causal: bool = False) -> float:
    """The same with what a backward pass computes again: a whole forward pass, or attention's scores and values."""
    flop = model_flop(job, causal=causal)
    recompute = job.recipe.recompute
    if recompute.is_full:
        return flop * 4 / 3
    if "core_attn" in recompute.modules:
        return flop + job.batch * _attention_flop(job.model, job.sequence_tokens, causal=causal)
    return flop


def _peak_flop_per_s(job: TrainingJob) -> float:
    """Of all chips, in the format that layers multiply in."""
    arithmetic = number_format(job.recipe.compute).arithmetic
    return job.layout.chips * job.machine.chip.flop_per_s.get(arithmetic, job.machine.chip.flop_per_s["bf16"])


def mfu_fraction(job: TrainingJob, step_time_s: float, *, causal: bool = False) -> float:
    """Model FLOP utilisation: what the model needs over what the chips could do in that time."""
    flop = model_flop(job, causal=causal)
    return float(utilisation(flop=flop, time_s=step_time_s, peak_flop_per_s=_peak_flop_per_s(job)))


def hfu_fraction(job: TrainingJob, step_time_s: float, *, causal: bool = False) -> float:
    """Hardware FLOP utilisation: the same of all that is computed."""
    flop = hardware_flop(job, causal=causal)
    return float(utilisation(flop=flop, time_s=step_time_s, peak_flop_per_s=_peak_flop_per_s(job)))
