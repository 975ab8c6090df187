"""FLOP of a training step by the conventions of published rates, and utilisation of a peak."""

from __future__ import annotations

import dataclasses

from ridgeline.equations.training import TRAINING_FLOP_PER_PARAM, utilisation
from ridgeline.estimator.attention import cores
from ridgeline.estimator.drafts import PREDICTION_STREAMS
from ridgeline.estimator.kernels import AttentionCore, ExpertMatmul, Kernel, Matmul, StateUpdate, work
from ridgeline.estimator.messages import Message
from ridgeline.estimator.parameters import active_params, multiplied_params
from ridgeline.specs.attention import Attention
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model
from ridgeline.specs.number_format import NumberFormat, number_format
from ridgeline.specs.passes import Lane
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.operations import forward_operations, recomputed_operations

__all__ = ["hardware_flop", "hfu_fraction", "mfu_fraction", "model_flop", "peak_format"]


def _counted_flop(kernel: Kernel) -> float:
    """FLOP of a product, attention or a state."""
    counts = isinstance(kernel, Matmul | ExpertMatmul | AttentionCore | StateUpdate)
    return float(work(kernel).flop) if counts else 0.0


def _attention_kernels(attention: Attention, kv: NumberFormat, tokens: int, *, causal: bool) -> dict[str, Kernel]:
    """Kernels of a layer that mix the tokens of one sequence.

    Unless ``causal``, each token attends to as many keys as the last one: all, those of its window, or those chosen.
    """
    prompt = Lane(sequences=1, new_tokens=tokens, is_prompt=True)
    kernels = cores(attention, prompt, sequences=1, tp=1, kv_format=kv)
    if causal:
        return kernels
    last = Lane(sequences=1, past_tokens=tokens - 1)
    of_last = cores(attention, last, sequences=1, tp=1, kv_format=kv)
    return {name: _unmasked(kernel, of_last[name], tokens) for name, kernel in kernels.items()}


def _unmasked(kernel: Kernel, of_last: Kernel, tokens: int) -> Kernel:
    """The kernel with as many pairs as if each token attended to as many as the last one."""
    if isinstance(kernel, AttentionCore) and isinstance(of_last, AttentionCore):
        return dataclasses.replace(kernel, pairs=tokens * of_last.pairs)
    return kernel


def _attention_flop(model: Model, sequence_tokens: int, *, causal: bool) -> float:
    """FLOP of scores and values of one sequence's forward pass."""
    kv = model.precision.kv
    return sum(
        group.layers * _counted_flop(kernel)
        for group in model.groups
        for kernel in _attention_kernels(group.attention, kv, sequence_tokens, causal=causal).values()
    )


def model_flop(job: TrainingJob, *, causal: bool = False) -> float:
    """FLOP of a step without recompute: six per parameter and token, and attention's.

    Parameters are those that are multiplied, the head included and look-ups excluded; a further predicted token takes a
    layer and the head again. Unless ``causal``, each token attends to as many as the last one, as in PaLM's and
    Megatron's formulas.

    Source: Chowdhery et al. 2022, "PaLM" (arXiv 2204.02311), appendix B; Narayanan et al. 2021 (arXiv 2104.04473).
    """
    params = multiplied_params(job.model)
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
    """FLOP of a step, those of its recompute included: a whole forward pass, or parts of it.

    Attention counts as in ``model_flop``. ``causal``: only the pairs that the mask leaves, which are all that a fused
    kernel computes.
    """
    flop = model_flop(job, causal=causal)
    recompute = job.recipe.recompute
    if recompute.is_full:
        return flop * 4 / 3
    return flop + job.batch * _recomputed_flop(job, causal=causal) if recompute.modules else flop


def _recomputed_flop(job: TrainingJob, *, causal: bool) -> float:
    """FLOP of one sequence's recomputed parts of layers."""
    alone = dataclasses.replace(job, layout=TrainingLayout(layout=Layout()), schedule=None)
    kv, tokens, total = job.model.precision.kv, job.sequence_tokens, 0.0
    for place, group in enumerate(job.model.groups):
        again = recomputed_operations(alone, forward_operations(alone, group))
        mixing = _attention_kernels(group.attention, kv, tokens, causal=causal)
        kernels = (mixing.get(one.name, one.kernel) for one in again if not isinstance(one.kernel, Message))
        layers = group.layers + (job.recipe.predicted_tokens if place == job.prediction_place else 0)
        total += layers * sum(_counted_flop(kernel) for kernel in kernels)
    return total


def peak_format(job: TrainingJob) -> str:
    """Number format whose peak utilisation refers to: the one in which layers multiply, where the chip has it."""
    arithmetic = number_format(job.recipe.compute).arithmetic
    return arithmetic if arithmetic in job.machine.chip.flop_per_s else "bf16"


def _peak_flop_per_s(job: TrainingJob) -> float:
    """Peak rate of all chips in the format in which layers multiply, FLOP/s."""
    return job.layout.chips * job.machine.chip.flop_per_s[peak_format(job)]


def mfu_fraction(job: TrainingJob, step_time_s: float) -> float:
    """Model FLOP utilisation: ``model_flop`` over peak FLOP in that time."""
    flop = model_flop(job)
    return float(utilisation(flop=flop, time_s=step_time_s, peak_flop_per_s=_peak_flop_per_s(job)))


def hfu_fraction(job: TrainingJob, step_time_s: float) -> float:
    """Hardware FLOP utilisation: ``hardware_flop`` over peak FLOP in that time."""
    flop = hardware_flop(job)
    return float(utilisation(flop=flop, time_s=step_time_s, peak_flop_per_s=_peak_flop_per_s(job)))
