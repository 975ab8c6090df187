"""Plain, checkpointed and reversible, side by side: gradients, memory, arithmetic, time, and a training of each.

Memory and FLOP are by the compiler's own account of the program. On an accelerator the peak of its allocator stands
beside them.

Sources: lecture 2:11-2:13 (E3, E12); Gomez et al. 2017 (arXiv 1707.04585).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from statistics import fmean
from typing import Any

import numpy as np

from ridgeline.equations import training
from ridgeline.errors import RidgelineError
from ridgeline.laboratory.reversible.chain import Chain, draw_chain, entropy, sequences
from ridgeline.laboratory.reversible.forms import FORMS, Form
from ridgeline.laboratory.reversible.inversion import Inversion, inversions
from ridgeline.laboratory.reversible.library import require_jax
from ridgeline.laboratory.reversible.transformer import Array, Shape, Weights, draw_weights, logits

__all__ = ["Comparison", "OfForm", "compare"]

RATE, FIRST, SECOND, TINY = 1e-2, 0.9, 0.99, 1e-8
"""Hyperparameters of Adam, for a small model and few steps."""
SEEN = 2
"""Number of symbols on which the next one depends."""
LAST_FRACTION = 0.1
"""Fraction of the steps over which the last loss is averaged."""
TIMED = 20
"""Number of times that gradients are timed; the shortest is taken, as other load only adds to it."""
INVERTED_LAYERS = (4, 32)
QUICKLY: dict[str, Any] = {"xla_backend_optimization_level": 0}
"""Compiler options for a program that is analysed and not run: equal buffers, faster to compile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfForm:
    """One way to compute a stack's gradients, and its costs.

    Attributes:
        form: plain, checkpointed or reversible.
        temporary_bytes: bytes that its gradients need beside weights, inputs and results, by the compiler's account,
            for each number of layers.
        flop: FLOP of a layer's gradients and of what lies around the stack, by the compiler's account.
        flop_ratio: FLOP over the plain form's.
        gradient_time_s: shortest time of a batch's gradients.
        time_ratio: time of gradients over the plain form's.
        gradient_error: largest difference of any gradient from the plain form's, over the largest of its kind.
        first_loss: loss of the first batch, in nats.
        last_loss: mean loss over the last tenth of the steps.
        peak_bytes: the most that the device's allocator held up to here; null where it keeps no account, as on a CPU.
    """

    form: str
    temporary_bytes: tuple[float, ...]
    flop: float
    flop_ratio: float
    gradient_time_s: float
    time_ratio: float
    gradient_error: float
    first_loss: float
    last_loss: float
    peak_bytes: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The forms side by side.

    Attributes:
        device: device on which the forms were run.
        layers: numbers of layers for which memory was accounted; the first is that which was trained.
        forms: results of each form.
        expected_flop_ratio: FLOP of checkpointed and reversible over plain where products of matrices are all: 8 FLOP a
            parameter and token over 6.
        entropy: entropy of the task, in nats: the least that a loss can be for long.
        inversions: errors of undone layers in several number formats.
    """

    device: str
    layers: tuple[int, ...]
    forms: tuple[OfForm, ...]
    expected_flop_ratio: float
    entropy: float
    inversions: tuple[Inversion, ...]


def compare(
    *,
    layers: Sequence[int] = (4, 16),
    width: int = 32,
    heads: int = 4,
    sequence_tokens: int = 32,
    batch_sequences: int = 16,
    vocabulary: int = 6,
    steps: int = 150,
    seed: int = 0,
) -> Comparison:
    """Compile, run and train each form.

    Args:
        layers: number of layers of the stack that is trained, then of others whose memory is accounted.
        width: width of a stream.
        heads: number of attention heads.
        sequence_tokens: tokens of a sequence.
        batch_sequences: sequences of a batch.
        vocabulary: number of symbols of the task.
        steps: number of training steps.
        seed: seed of all random draws.

    Raises:
        RidgelineError: JAX is not installed, or heads do not divide the width.
    """
    require_jax()
    if width % heads:
        raise RidgelineError(f"heads {heads} do not divide the width {width}; give {width} or another of its divisors")
    import jax

    shape = Shape(
        layers=layers[0],
        width=width,
        heads=heads,
        vocabulary=vocabulary,
        sequence_tokens=sequence_tokens,
        sequences=batch_sequences,
    )
    chain = draw_chain(vocabulary=vocabulary, seed=seed)
    # What keeps least goes first: an allocator's peak only rises.
    order = list(FORMS)[::-1]
    found = {name: _run(FORMS[name], shape, tuple(layers), chain, steps, seed) for name in order}
    base, gradients = found["plain"]
    least, most = (
        float(training.rl_flop_per_param(trained_fraction=1.0, repeated_forward_fraction=part)) for part in (0.0, 1.0)
    )
    return Comparison(
        device=str(jax.devices()[0].device_kind),
        layers=tuple(layers),
        forms=tuple(
            replace(
                one,
                form=name,
                flop_ratio=one.flop / base.flop,
                time_ratio=one.gradient_time_s / base.gradient_time_s,
                gradient_error=_difference(of_form, gradients),
            )
            for name, (one, of_form) in ((name, found[name]) for name in FORMS)
        ),
        expected_flop_ratio=most / least,
        entropy=entropy(chain),
        inversions=inversions(shape=replace(shape, sequences=2), layers=INVERTED_LAYERS, seed=seed),
    )


def _loss(weights: Weights, symbols: Array, *, form: Form, heads: int) -> Array:
    """Mean cross-entropy of each symbol after the first two, in nats."""
    import jax
    import jax.numpy as jnp

    stream = weights["embedding"][symbols] + weights["positions"]
    left, right = form(weights["layers"], (stream, stream), heads=heads)
    told = jax.nn.log_softmax(logits(weights, left + right), axis=-1)[:, SEEN - 1 : -1]
    return -jnp.take_along_axis(told, symbols[:, SEEN:, jnp.newaxis], axis=-1).mean()


def _run(
    form: Form, shape: Shape, layers: tuple[int, ...], chain: Chain, steps: int, seed: int
) -> tuple[OfForm, Weights]:
    """Compile, time and train one form: its costs and losses, and its gradients of the first batch."""
    import jax

    gradient = jax.jit(jax.value_and_grad(partial(_loss, form=form, heads=shape.heads)))
    rng = np.random.default_rng(seed)
    batches = [
        sequences(chain, count=shape.sequences, tokens=shape.sequence_tokens, rng=rng) for _ in range(max(steps, 1))
    ]

    def compiled(count: int) -> Any:  # noqa: ANN401  the library's program
        weights = draw_weights(replace(shape, layers=count), seed=seed)
        options = {} if count == shape.layers else QUICKLY
        return gradient.lower(weights, batches[0]).compile(compiler_options=options)

    programs = {count: compiled(count) for count in layers}
    program = programs[shape.layers]
    weights = draw_weights(shape, seed=seed)
    first, gradients = program(weights, batches[0])
    time_s = _timed(lambda: jax.block_until_ready(program(weights, batches[0])))
    losses = _trained(program, weights, batches)
    memory = jax.devices()[0].memory_stats()
    found = OfForm(
        form="",
        temporary_bytes=tuple(float(programs[count].memory_analysis().temp_size_in_bytes) for count in layers),
        flop=float(program.cost_analysis()["flops"]),
        flop_ratio=1.0,
        gradient_time_s=time_s,
        time_ratio=1.0,
        gradient_error=0.0,
        first_loss=float(first),
        last_loss=fmean(losses[-max(1, int(LAST_FRACTION * len(losses))) :]),
        peak_bytes=None if memory is None else float(memory["peak_bytes_in_use"]),
    )
    return found, gradients


def _timed(run: Callable[[], object]) -> float:
    times = []
    for _ in range(TIMED):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def _trained(program: Callable[..., tuple[Array, Weights]], weights: Weights, batches: Sequence[Array]) -> list[float]:
    """Losses of one step of Adam a batch."""
    import jax

    zeros = jax.tree.map(np.zeros_like, weights)
    held: tuple[Weights, ...] = (weights, zeros, zeros)
    losses = []
    for number, batch in enumerate(batches, start=1):
        loss, slopes = program(held[0], batch)
        held = _adam()(held, slopes, float(number))
        losses.append(float(loss))
    return losses


@cache
def _adam() -> Callable[..., tuple[Weights, ...]]:
    """One step of Adam: weights, means and squares in and out."""
    import jax
    import jax.numpy as jnp

    def moved(held: tuple[Weights, ...], slopes: Weights, number: float) -> tuple[Weights, ...]:
        weights, means, squares = held
        means = jax.tree.map(lambda one, slope: FIRST * one + (1 - FIRST) * slope, means, slopes)
        squares = jax.tree.map(lambda one, slope: SECOND * one + (1 - SECOND) * slope**2, squares, slopes)

        def stepped(weight: Array, mean: Array, square: Array) -> Array:
            size = jnp.sqrt(square / (1 - SECOND**number)) + TINY
            return weight - RATE * mean / (1 - FIRST**number) / size

        return jax.tree.map(stepped, weights, means, squares), means, squares

    compiled: Callable[..., tuple[Weights, ...]] = jax.jit(moved)
    return compiled


def _difference(one: Weights, other: Weights) -> float:
    import jax

    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return max(float(abs(first - second).max() / abs(second).max()) for first, second in pairs)
