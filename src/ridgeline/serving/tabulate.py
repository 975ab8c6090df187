"""Tabulation of a deployment's step surface by a few grid calls: a sum of operations, or one formula for all."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from ridgeline.errors import RidgelineError
from ridgeline.estimator.attention import cores
from ridgeline.estimator.clock import kernel_timing
from ridgeline.estimator.engine_overhead import as_run
from ridgeline.estimator.memory import limits_of
from ridgeline.estimator.on_chip import Operation
from ridgeline.estimator.shares import shares_of
from ridgeline.estimator.step import step_operations
from ridgeline.estimator.timed import OVERHEAD, TimedOperation, timed_operations
from ridgeline.serving.mixed import is_sum
from ridgeline.serving.napkin_surface import napkin_surface
from ridgeline.serving.passes import BATCHES, TILE
from ridgeline.serving.step_tables import Array, Lines, StepTables, lines_between, nodes_above, octaves
from ridgeline.serving.surface import ATTENTION_KINDS, StepSurface, attention_core, attention_kinds
from ridgeline.serving.whole_surface import whole_surface
from ridgeline.specs.attention import Attention
from ridgeline.specs.correction import NO_CORRECTION
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.passes import Lane, Pass, chunk, decode, together

__all__ = ["step_surface"]

FAR_OFF = 0.004
"""Relative error of linear interpolation midway between two nodes above which another is added."""

MOST_HALVINGS = 14
"""Maximum halvings of a gap between nodes: from the widest down to neighbours."""


EXPERTS_KIND = "experts"
"""Kind of the kernel of routed experts."""


def step_surface(deployment: Deployment, *, most_sequences: int, most_prompt_tokens: int | None = None) -> StepSurface:
    """Tabulate the steps of a deployment.

    Args:
        deployment: deployment that is served.
        most_sequences: maximum sequences of a group that decode.
        most_prompt_tokens: maximum prompt tokens of a group in a step; left out, its engine's limit.

    Raises:
        RidgelineError: the deployment uses speculation.
    """
    if deployment.speculation:
        raise RidgelineError(
            f"step_surface: speculation {deployment.speculation} checks several tokens of a sequence, which is not"
            " tabulated; leave it out, or estimate each step"
        )
    deployment = dataclasses.replace(deployment, correction=NO_CORRECTION)
    last = limits_of(deployment).pass_tokens if most_prompt_tokens is None else most_prompt_tokens
    if not is_sum(deployment):
        return whole_surface(deployment, _nodes(most_sequences), _nodes(last))
    if not deployment.fidelity.by_operation:
        return napkin_surface(deployment, most_sequences=most_sequences, most_prompt_tokens=last)
    roles = _roles(deployment)

    def mixed(role: str) -> Callable[[Array, Array], Array]:
        """Times of the operations of a role in steps by numbers of sequences and prompt tokens."""
        return lambda sequences, tokens: _sum(
            deployment,
            together(_decode(deployment, sequences), _chunk(deployment, tokens, 0.0)),
            lambda place, one: _is_beside(place, one) and _role(roles, place, one) == role,
        )

    def alone(tokens: Array, *, has_experts: bool) -> Array:
        """Times of a step that reads prompt tokens and decodes nothing: of routed experts, or of the rest."""
        return _sum(
            deployment,
            _chunk(deployment, tokens, 0.0),
            lambda place, done: _is_beside(place, done) and (done.timing.kind == EXPERTS_KIND) is has_experts,
        )

    one, nodes = np.ones(1), _nodes(last)
    kinds = attention_kinds(deployment)
    past = octaves()
    prompt_cores_s = _sum(
        deployment,
        _chunk(deployment, nodes[:, None], past[None, :]),
        lambda _, one: one.timing.kind == "prefill_attention",
    )
    return StepSurface(
        deployment=deployment,
        kinds=kinds,
        tables=StepTables(
            decode_s=_table(lambda count: _sum(deployment, _decode(deployment, count), _is_beside), most_sequences),
            rows_s=_table(lambda rows: mixed(ROWS)(one, np.maximum(rows - 1, 1)), most_sequences + last),
            beside_s=_table(lambda count: mixed(BESIDE)(count, 16 * one), most_sequences),
            prompt_s=_table(lambda tokens: mixed(PROMPT)(one, tokens), last),
            alone_s=_table(lambda tokens: alone(tokens, has_experts=False), last),
            experts_s=_table(lambda rows: mixed(EXPERTS)(one, np.maximum(rows - 1, 1)), most_sequences + last),
            alone_experts_s=_table(lambda tokens: alone(tokens, has_experts=True), last),
            least_s=[0.0] * (most_sequences + last + 1),
            cores_s=tuple(_core_table(deployment, kind, most_sequences, has_prompts=False) for kind in kinds),
            mixed_cores_s=tuple(_core_table(deployment, kind, most_sequences, has_prompts=True) for kind in kinds),
            prompt_nodes=nodes.tolist(),
            node_of=nodes_above(nodes),
            prompt_cores_s=lines_between(np.broadcast_to(prompt_cores_s, (len(nodes), len(past)))),
        ),
    )


def _nodes(last: int) -> Array:
    """Nodes of the tables: the batches of every pool, and both sides of each tile's edge up to the last."""
    edges = np.arange(TILE, last, TILE, dtype=float)
    nodes = np.union1d(BATCHES, np.concatenate([edges, edges + 1]))
    return np.append(nodes[last > nodes], float(last))


def _decode(deployment: Deployment, sequences: Array) -> Pass:
    """Steps of ``sequences`` in each group, at a context that no table depends on."""
    return decode(batch=sequences * deployment.layout.dp, context_tokens=1)


def _chunk(deployment: Deployment, tokens: Array, past_tokens: Array | float) -> Pass:
    """Steps that read ``tokens`` of a prompt in each group."""
    return chunk(batch=deployment.layout.dp, new_tokens=tokens, past_tokens=past_tokens)


def _sum(deployment: Deployment, pass_: Pass, counts: Callable[[int, TimedOperation], bool]) -> Array:
    """Time of the operations of a pass for which ``counts`` holds, by their index and record, s."""
    operations = enumerate(timed_operations(deployment, pass_))
    times = (one.time_s for place, one in operations if counts(place, one))
    return np.asarray(sum(times, 0.0), dtype=float)


def _is_beside(_place: int, one: TimedOperation) -> bool:
    """Whether an operation does not depend on contexts."""
    return one.timing.kind not in ATTENTION_KINDS


ROWS, BESIDE, PROMPT, EXPERTS = "rows", "beside", "prompt", "experts"
"""Roles of operations in a step with a prompt: time depends on all rows, on decoding sequences, or on prompt tokens.

Routed experts also depend on all rows, and are kept separate.
"""


def _roles(deployment: Deployment) -> list[str]:
    """Role of each operation of a step with a prompt, found by varying one quantity at a time."""

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
    """Role of an operation; after the chips' operations, overhead per layer goes with rows, per pass with steps."""
    if one.timing.kind == EXPERTS_KIND:
        return EXPERTS
    return roles[place] if place < len(roles) else ROWS if one.name == OVERHEAD[0] else BESIDE


CONTEXT = 4096.0
"""Context at which a kernel's cache bytes per entry are taken, tokens; they are equal at any."""


def _core_table(
    deployment: Deployment, kind: tuple[Attention, str, int], most_sequences: int, *, has_prompts: bool
) -> list[Lines]:
    """Time of one attention kind in all of its layers, by sequences and by powers of two of entries per sequence, s."""
    attention, name, layers = kind
    counts = _nodes(most_sequences)
    column = counts[:, None]
    lane = Lane(sequences=column, past_tokens=CONTEXT - 1)
    kv, tp = deployment.precision.kv, deployment.layout.tp
    kernel = attention_core(cores(attention, lane, sequences=column, tp=tp, kv_format=kv)[name])
    pairs = column * octaves()[None, :]
    kernel = dataclasses.replace(kernel, pairs=pairs, cache_bytes=kernel.cache_bytes / kernel.pairs * pairs)
    run = as_run(deployment, has_prompts=has_prompts)
    timing = kernel_timing(kernel, deployment.machine, run)
    time_s = layers * np.broadcast_to(np.asarray(timing.time_s, dtype=float), pairs.shape)
    every = np.arange(most_sequences + 1.0)
    return lines_between(np.stack([np.interp(every, counts, column_s) for column_s in time_s.T], axis=1))


def _table(times: Callable[[Array], Array], last: int) -> list[float]:
    """Times at every whole number up to the last, linear between nodes as dense as the error bound needs."""
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
