"""FLOP of a training step by the conventions of published rates, and utilisation of a peak."""

from __future__ import annotations

import dataclasses

from ridgeline.equations.training import TRAINING_FLOP_PER_PARAM, utilisation
from ridgeline.estimator.attention import cores
from ridgeline.estimator.drafts import PREDICTION_STREAMS
from ridgeline.estimator.kernels import AttentionCore, ExpertMatmul, Kernel, Matmul, StateUpdate, work
from ridgeline.estimator.messages import Message
from ridgeline.estimator.parameters import active_params, embedding_params
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model
from ridgeline.specs.number_format import number_format
from ridgeline.specs.passes import Lane
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.operations import forward_operations, recomputed_operations

__all__ = ["hardware_flop", "hfu_fraction", "mfu_fraction", "model_flop", "peak_format"]

FULL_OVER_CAUSAL = 2
"""Query-key pairs with all of them counted, over those that a causal mask leaves."""


def _counted_flop(kernel: Kernel, *, causal: bool) -> float:
    """FLOP of a product, attention or a state; of attention, all pairs count unless ``causal``."""
    if not isinstance(kernel, Matmul | ExpertMatmul | AttentionCore | StateUpdate):
        return 0.0
    full = FULL_OVER_CAUSAL if isinstance(kernel, AttentionCore) and not causal else 1
    return full * float(work(kernel).flop)


def _attention_flop(model: Model, sequence_tokens: int, *, causal: bool) -> float:
    """FLOP of scores and weighted values in one sequence's forward pass."""
    lane = Lane(sequences=1, new_tokens=sequence_tokens, is_prompt=True)
    total = 0.0
    for group in model.groups:
        for kernel in cores(group.attention, lane, sequences=1, tp=1, kv_format=model.precision.kv).values():
            total += group.layers * _counted_flop(kernel, causal=causal)
    return total


def model_flop(job: TrainingJob, *, causal: bool = False) -> float:
    """FLOP of a step without recompute: six per parameter and token, and attention's.

    Parameters are those that are multiplied, the head included and look-ups excluded; a further predicted token takes a
    layer and the head again. Scores are counted in full, as in PaLM's and Megatron's formulas, unless ``causal``.

    Source: Chowdhery et al. 2022, "PaLM" (arXiv 2204.02311), appendix B; Narayanan et al. 2021 (arXiv 2104.04473).
    """
    params = active_params(job.model) - embedding_params(job.model)
    attention = _attention_flop(job.model, job.sequence_tokens, causal=causal)
    if ahead := job.recipe.predicted_tokens:
        group = dataclasses.replace(job.model.groups[job.prediction_place], layers=1)
        # The head is one more matrix, whether the embedding is tied or not.
        alone = dataclasses.replace(job.model, groups=(group,), tied_embeddings=True)
        params += ahead * (active_params(alone) + PREDICTION_STREAMS * job.model.hidden**2)
        attention += ahead * _attention_flop(alone, job.sequence_tokens, causal=causal)
    tokens = job.batch * job.sequence_tokens
    return TRAINING_FLOP_PER_PARAM * params * tokens + 3 * job.batch * attention


def hardware_flop(job: TrainingJob, *, causal: bool = False) -> float:
    """FLOP of a step with recompute: a whole forward pass, or parts of it."""
    flop = model_flop(job, causal=causal)
    recompute = job.recipe.recompute
    if recompute.is_full:
        return flop * 4 / 3
    return flop + job.batch * _recomputed_flop(job, causal=causal) if recompute.modules else flop


def _recomputed_flop(job: TrainingJob, *, causal: bool) -> float:
    """FLOP of one sequence's recomputed parts of layers."""
    alone = dataclasses.replace(job, layout=TrainingLayout(layout=Layout()), schedule=None)
    total = 0.0
    for place, group in enumerate(job.model.groups):
        again = recomputed_operations(alone, forward_operations(alone, group))
        kernels = (one.kernel for one in again if not isinstance(one.kernel, Message))
        layers = group.layers + (job.recipe.predicted_tokens if place == job.prediction_place else 0)
        total += layers * sum(_counted_flop(kernel, causal=causal) for kernel in kernels)
    return total


def peak_format(job: TrainingJob) -> str:
    """Number format whose peak utilisation refers to: the one in which layers multiply, where the chip has it."""
    arithmetic = number_format(job.recipe.compute).arithmetic
    return arithmetic if arithmetic in job.machine.chip.flop_per_s else "bf16"


def _peak_flop_per_s(job: TrainingJob) -> float:
    """Peak rate of all chips in the format in which layers multiply, FLOP/s."""
    return job.layout.chips * job.machine.chip.flop_per_s[peak_format(job)]


def mfu_fraction(job: TrainingJob, step_time_s: float, *, causal: bool = False) -> float:
    """Model FLOP utilisation: FLOP without recompute, over peak FLOP in that time."""
    flop = model_flop(job, causal=causal)
    return float(utilisation(flop=flop, time_s=step_time_s, peak_flop_per_s=_peak_flop_per_s(job)))


def hfu_fraction(job: TrainingJob, step_time_s: float, *, causal: bool = False) -> float:
    """Hardware FLOP utilisation: FLOP with recompute, over peak FLOP in that time."""
    flop = hardware_flop(job, causal=causal)
    return float(utilisation(flop=flop, time_s=step_time_s, peak_flop_per_s=_peak_flop_per_s(job)))
