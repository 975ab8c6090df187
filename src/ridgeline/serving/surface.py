"""The time of a step as a look-up: what a simulator asks for a million times, tabulated by a few grid calls.

A step runs three kinds of operations, whose times add up: those of all its rows (most matrices and messages), those of
the sequences that decode or of the prompt alone, and attention. Attention of decoding sequences depends on how many
there are and on the entries that they attend to, summed over all of them, for each kernel by itself: windows and
indexers attend to other sums than full attention does. All is counted for each group of ``dp``, and groups are alike.
"""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import frexp

import numpy as np
from numpy.typing import NDArray

from ridgeline.errors import RidgelineError
from ridgeline.estimator.attention import cores
from ridgeline.estimator.clock import kernel_timing
from ridgeline.estimator.engine_overhead import as_run
from ridgeline.estimator.kernels import AttentionCore
from ridgeline.estimator.memory import limits_of
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.step import Operation, step_operations
from ridgeline.estimator.timed import OVERHEAD, TimedOperation, timed_operations
from ridgeline.serving.passes import BATCHES, TILE
from ridgeline.specs.attention import Attention
from ridgeline.specs.correction import NO_CORRECTION
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import Lane, Pass, chunk, decode, together

__all__ = ["StepSurface", "step_surface"]

Array = NDArray[np.float64]

Lines = list[tuple[float, float]]
"""Straight lines, one for each octave: value at 0, and slope."""

FAR_OFF = 0.004
"""Part of a time by which a straight line may miss the middle of two nodes before another one is put there."""

MOST_HALVINGS = 14
"""Times that a gap between nodes is halved: from the widest one down to neighbours."""

OCTAVES = 28
"""Entries of a sequence, and tokens read before, are tabulated at powers of two up to this one."""

ATTENTION_KINDS = frozenset({"decode_attention", "latent_attention", "prefill_attention"})
"""Kinds of kernels that depend on contexts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSurface:
    """Lookup tables of step times, s, by sequences, rows or tokens of a ``dp`` group.

    Attributes:
        deployment: whose steps they are; its correction is not among them.
        kinds: attention kernels of a step: kind of attention, name of the kernel, and layers that run it.
        decode_s: a step without prompts, but for attention.
        rows_s: in a step with a prompt, what all rows share.
        beside_s: in it, what decoding sequences take by themselves, but for attention.
        prompt_s: in it, what prompt tokens take by themselves, but for attention.
        cores_s: attention of each kernel, by sequences: straight lines over the entries of each, one for each octave.
        mixed_cores_s: the same in a step with a prompt, whose kernels are launched in another way.
        prompt_nodes: numbers of prompt tokens at which their attention is tabulated.
        prompt_cores_s: attention of prompts there: lines over the tokens read before, one for each octave.
    """

    deployment: Deployment
    kinds: tuple[tuple[Attention, str, int], ...]
    decode_s: list[float]
    rows_s: list[float]
    beside_s: list[float]
    prompt_s: list[float]
    cores_s: tuple[list[Lines], ...]
    mixed_cores_s: tuple[list[Lines], ...]
    prompt_nodes: list[float]
    prompt_cores_s: list[Lines]

    def entries(self, context_tokens: float) -> tuple[float, ...]:
        """Entries that one sequence attends to in each kernel of ``kinds``, of a context with its new token."""
        lane, kv = Lane(sequences=1, past_tokens=context_tokens - 1), self.deployment.precision.kv
        return tuple(
            float(_attention_core(cores(attention, lane, sequences=1, tp=1, kv_format=kv)[name]).pairs)
            for attention, name, _ in self.kinds
        )

    def step_s(
        self, sequences: int, entries: Sequence[float], prompt_tokens: int = 0, past_tokens: float = 0.0
    ) -> float:
        """Time of one step, s.

        Args:
            sequences: that decode in each group, from 1 up.
            entries: attended to by each kernel of ``kinds``, summed over these sequences.
            prompt_tokens: of one prompt in each group that are read in the step.
            past_tokens: of that prompt, read before.
        """
        time_s, tables = self.decode_s[sequences], self.cores_s
        if prompt_tokens:
            tables = self.mixed_cores_s
            time_s = self.rows_s[sequences + prompt_tokens] + self.beside_s[sequences] + self.prompt_s[prompt_tokens]
            time_s += self._prompt_core_s(prompt_tokens, past_tokens)
        for table, attended in zip(tables, entries, strict=True):
            each = attended / sequences
            start_s, slope_s = table[sequences][frexp(each)[1] if each >= 1 else 0]
            time_s += start_s + slope_s * each
        return time_s

    def _prompt_core_s(self, prompt_tokens: int, past_tokens: float) -> float:
        nodes = self.prompt_nodes
        place = min(bisect_right(nodes, prompt_tokens), len(nodes) - 1)
        part = (prompt_tokens - nodes[place - 1]) / (nodes[place] - nodes[place - 1])
        octave = frexp(past_tokens)[1] if past_tokens >= 1 else 0
        (low_s, low_slope_s), (high_s, high_slope_s) = (
            self.prompt_cores_s[place - 1][octave],
            self.prompt_cores_s[place][octave],
        )
        first_s = low_s + low_slope_s * past_tokens
        return first_s + (high_s + high_slope_s * past_tokens - first_s) * part

    def steps_s(self, sequences: Array, entries: Sequence[Array]) -> Array:
        """Times of many steps without prompts, s.

        Args:
            sequences: whole numbers that decode in each group.
            entries: attended to by each kernel of ``kinds``, summed over these sequences; arrays of the same length.
        """
        count = np.asarray(sequences, dtype=np.intp)
        time_s = np.array(self.decode_s)[count]
        for table, attended in zip(self.cores_s, entries, strict=True):
            values, each = np.array(table), attended / count
            lines = values[count, np.where(each >= 1, np.frexp(each)[1], 0)]
            time_s = time_s + lines[:, 0] + lines[:, 1] * each
        return np.asarray(time_s)


def step_surface(deployment: Deployment, *, most_sequences: int, most_prompt_tokens: int | None = None) -> StepSurface:
    """Tabulate the steps of a deployment.

    Args:
        deployment: whose layout cuts by ``tp``, ``ep`` and ``dp`` alone.
        most_sequences: that decode in a group.
        most_prompt_tokens: of a group, that are read in a step; left out, its engine's limit.

    Raises:
        RidgelineError: the layout has stages, or chips that share a context; or the engine's host, and not its chips,
            may decide how long a step takes, so that times do not add up.
    """
    _require_sums(deployment)
    deployment = dataclasses.replace(deployment, correction=NO_CORRECTION)
    last = limits_of(deployment).pass_tokens if most_prompt_tokens is None else most_prompt_tokens
    roles = _roles(deployment)

    def mixed(role: str) -> Callable[[Array, Array], Array]:
        """Times of the operations of a role in steps of so many sequences and prompt tokens."""
        return lambda sequences, tokens: _sum(
            deployment,
            together(_decode(deployment, sequences), _chunk(deployment, tokens, 0.0)),
            lambda place, one: _is_beside(place, one) and _role(roles, place, one) == role,
        )

    one, nodes = np.ones(1), _nodes(last)
    kinds = _kinds(deployment)
    past = _octaves()
    prompt_cores_s = _sum(
        deployment,
        _chunk(deployment, nodes[:, None], past[None, :]),
        lambda _, one: one.timing.kind == "prefill_attention",
    )
    return StepSurface(
        deployment=deployment,
        kinds=kinds,
        decode_s=_table(lambda count: _sum(deployment, _decode(deployment, count), _is_beside), most_sequences),
        rows_s=_table(lambda rows: mixed(ROWS)(one, np.maximum(rows - 1, 1)), most_sequences + last),
        beside_s=_table(lambda count: mixed(BESIDE)(count, 16 * one), most_sequences),
        prompt_s=_table(lambda tokens: mixed(PROMPT)(one, tokens), last),
        cores_s=tuple(_core_table(deployment, kind, most_sequences, has_prompts=False) for kind in kinds),
        mixed_cores_s=tuple(_core_table(deployment, kind, most_sequences, has_prompts=True) for kind in kinds),
        prompt_nodes=nodes.tolist(),
        prompt_cores_s=_lines(np.broadcast_to(prompt_cores_s, (len(nodes), len(past)))),
    )


def _require_sums(deployment: Deployment) -> None:
    layout, engine = deployment.layout, deployment.engine
    plain = Layout(tp=layout.tp, dp=layout.dp, ep=layout.ep, redundant_experts=layout.redundant_experts)
    if layout != plain:
        raise RidgelineError(
            f"step_surface: layout {layout} has more than tp, dp and ep, whose times do not add up; estimate each step"
        )
    if deployment.speculation:
        raise RidgelineError(
            f"step_surface: speculation {deployment.speculation} checks several tokens of a sequence, which is not"
            " tabulated; estimate each step"
        )
    if not deployment.fidelity.by_operation:
        raise RidgelineError(
            f"step_surface: fidelity {deployment.fidelity.name} times a pass as a whole; take roofline or measured"
        )
    if engine.may_wait_for_launches:
        raise RidgelineError(
            f"step_surface: engine {engine.name} may keep its chips waiting for launches; estimate each step"
        )


def _nodes(last: int) -> Array:
    """Where tables begin: the batches of every pool, and both sides of each tile's edge up to the last."""
    edges = np.arange(TILE, last, TILE, dtype=float)
    nodes = np.union1d(BATCHES, np.concatenate([edges, edges + 1]))
    return np.append(nodes[last > nodes], float(last))


def _octaves() -> Array:
    """None, and the powers of two."""
    return np.append(0.0, 2.0 ** np.arange(OCTAVES + 1))


def _decode(deployment: Deployment, sequences: Array) -> Pass:
    """Steps of so many sequences in each group, at a context that no table depends on."""
    return decode(batch=sequences * deployment.layout.dp, context_tokens=1)


def _chunk(deployment: Deployment, tokens: Array, past_tokens: Array | float) -> Pass:
    """Steps that read so many tokens of a prompt in each group."""
    return chunk(batch=deployment.layout.dp, new_tokens=tokens, past_tokens=past_tokens)


def _sum(deployment: Deployment, pass_: Pass, counts: Callable[[int, TimedOperation], bool]) -> Array:
    """Time of those operations of a pass that count, by their place and what they are."""
    operations = enumerate(timed_operations(deployment, pass_))
    times = (one.time_s for place, one in operations if counts(place, one))
    return np.asarray(sum(times, 0.0), dtype=float)


def _is_beside(_place: int, one: TimedOperation) -> bool:
    """Whether an operation is none of those that depend on contexts."""
    return one.timing.kind not in ATTENTION_KINDS


ROWS, BESIDE, PROMPT = "rows", "beside", "prompt"
"""What operations of a step with a prompt depend on: all rows, the sequences that decode, or prompt tokens alone."""


def _roles(deployment: Deployment) -> list[str]:
    """What each operation of a step with a prompt depends on: what changes with it, and with nothing else."""

    def operations(sequences: float, tokens: float) -> list[Operation]:
        done = together(_decode(deployment, np.array([sequences])), _chunk(deployment, np.array([tokens]), 0.0))
        return list(step_operations(deployment, shares_of(done, deployment.layout)))

    found = []
    steps = operations(8, 240), operations(16, 232), operations(8, 320)
    for here, same_rows, same_sequences in zip(*steps, strict=True):
        is_rows, is_beside = (repr(here.kernel) == repr(one.kernel) for one in (same_rows, same_sequences))
        found.append(ROWS if is_rows else BESIDE if is_beside else PROMPT)
    return found


def _role(roles: list[str], place: int, one: TimedOperation) -> str:
    """What an operation depends on; after those of chips, overhead for layers goes with rows, for a pass with steps."""
    return roles[place] if place < len(roles) else ROWS if one.name == OVERHEAD[0] else BESIDE


def _kinds(deployment: Deployment) -> tuple[tuple[Attention, str, int], ...]:
    layers: dict[tuple[Attention, str], int] = {}
    lane = Lane(sequences=1)
    for group in deployment.model.groups:
        for name, kernel in cores(group.attention, lane, sequences=1, tp=1, kv_format=deployment.precision.kv).items():
            if isinstance(kernel, AttentionCore):
                layers[group.attention, name] = layers.get((group.attention, name), 0) + group.layers
    return tuple((attention, name, count) for (attention, name), count in layers.items())


def _attention_core(kernel: object) -> AttentionCore:
    if not isinstance(kernel, AttentionCore):
        raise TypeError(f"{type(kernel).__name__} attends to nothing")
    return kernel


CONTEXT = 4096.0
"""A context of which a kernel's bytes of cache for an entry are taken; they are the same at any."""


def _core_table(
    deployment: Deployment, kind: tuple[Attention, str, int], most_sequences: int, *, has_prompts: bool
) -> list[Lines]:
    """Attention of one kind in all of its layers, by sequences and by powers of two of entries a sequence."""
    attention, name, layers = kind
    counts = _nodes(most_sequences)
    column = counts[:, None]
    lane = Lane(sequences=column, past_tokens=CONTEXT - 1)
    kv, tp = deployment.precision.kv, deployment.layout.tp
    kernel = _attention_core(cores(attention, lane, sequences=column, tp=tp, kv_format=kv)[name])
    pairs = column * _octaves()[None, :]
    kernel = dataclasses.replace(kernel, pairs=pairs, cache_bytes=kernel.cache_bytes / kernel.pairs * pairs)
    run = as_run(deployment, has_prompts=has_prompts)
    timing = kernel_timing(kernel, deployment.machine, run)
    time_s = layers * np.broadcast_to(np.asarray(timing.time_s, dtype=float), pairs.shape)
    every = np.arange(most_sequences + 1.0)
    return _lines(np.stack([np.interp(every, counts, column_s) for column_s in time_s.T], axis=1))


def _lines(time_s: Array) -> list[Lines]:
    """The straight lines between neighbouring octaves, of times at each of them: where they start at 0, and slopes."""
    octaves = _octaves()
    slope_s = np.diff(time_s, axis=1) / np.diff(octaves)
    start_s = time_s[:, :-1] - slope_s * octaves[:-1]
    return [list(zip(*row, strict=True)) for row in zip(start_s.tolist(), slope_s.tolist(), strict=True)]


def _table(times: Callable[[Array], Array], last: int) -> list[float]:
    """Times at every whole number up to the last, straight between nodes that lie as close as the times need."""
    nodes = _nodes(last)

    def at(places: Array) -> Array:
        return np.broadcast_to(times(places), places.shape)

    values = at(nodes)
    low, high = nodes[:-1], nodes[1:]
    for _ in range(MOST_HALVINGS):
        middles = np.floor((low + high) / 2)
        open_ = middles > low
        low, high, middles = low[open_], high[open_], middles[open_]
        if not len(middles):
            break
        found = at(middles)
        is_far = np.abs(np.interp(middles, nodes, values) - found) > FAR_OFF * found
        low, high = np.concatenate([low[is_far], middles[is_far]]), np.concatenate([middles[is_far], high[is_far]])
        order = np.argsort(np.concatenate([nodes, middles]))
        nodes, values = np.concatenate([nodes, middles])[order], np.concatenate([values, found])[order]
    return np.interp(np.arange(last + 1.0), nodes, values).tolist()  # type: ignore[no-any-return]
