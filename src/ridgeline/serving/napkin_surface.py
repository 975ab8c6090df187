"""Step surface of the lecture's estimate: the longer of compute and memory time, where memory time is a sum."""

from __future__ import annotations

import numpy as np

from ridgeline.estimator.attention import cores
from ridgeline.estimator.kernels import AttentionCore, work
from ridgeline.estimator.napkin import napkin_compute_s, napkin_memory_s
from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.serving.step_tables import Lines, StepTables, lines_between, nodes_above, octaves
from ridgeline.serving.surface import StepSurface, attention_core, attention_kinds
from ridgeline.specs.attention import Attention
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.passes import Lane

__all__ = ["napkin_surface"]


def napkin_surface(deployment: Deployment, *, most_sequences: int, most_prompt_tokens: int) -> StepSurface:
    """Tabulate the napkin's step times: memory time as a sum, with compute time as its lower bound.

    Args:
        deployment: deployment at fidelity ``napkin``, with a layout of ``tp``, ``ep`` and ``dp`` alone.
        most_sequences: maximum sequences of a group that decode.
        most_prompt_tokens: maximum prompt tokens of a group in a step.
    """
    groups, kinds = deployment.layout.dp, attention_kinds(deployment)
    weights_s = float(napkin_memory_s(deployment, 0.0))

    def read_s(kv_bytes: float) -> float:
        """Time to read ``kv_bytes`` of each group beside the weights, s."""
        return float(napkin_memory_s(deployment, groups * kv_bytes)) - weights_s

    every, rows = range(most_sequences + 1), np.arange(most_sequences + most_prompt_tokens + 1.0)
    state_s = read_s(_state_bytes(deployment))
    tables = tuple(
        [[(0.0, count * read_s(_entry_bytes(deployment, kind)))] * (len(octaves()) - 1) for count in every]
        for kind in kinds
    )
    prompt_nodes = [1.0, max(most_prompt_tokens, 2.0)]
    return StepSurface(
        deployment=deployment,
        kinds=kinds,
        tables=StepTables(
            decode_s=[weights_s + count * state_s for count in every],
            rows_s=[weights_s] * len(rows),
            beside_s=[count * state_s for count in every],
            prompt_s=[0.0] * (most_prompt_tokens + 1),
            alone_s=[weights_s] * (most_prompt_tokens + 1),
            experts_s=[0.0] * len(rows),
            alone_experts_s=[0.0] * (most_prompt_tokens + 1),
            least_s=np.asarray(napkin_compute_s(deployment, groups * rows)).tolist(),
            cores_s=tables,
            mixed_cores_s=tables,
            prompt_nodes=prompt_nodes,
            node_of=nodes_above(prompt_nodes),
            prompt_cores_s=_prompt_lines(deployment, prompt_nodes, groups),
        ),
    )


def _entry_bytes(deployment: Deployment, kind: tuple[Attention, str, int]) -> float:
    """Bytes read in all layers of a kind for each entry that a sequence attends to."""
    attention, name, layers = kind
    found = cores(attention, Lane(sequences=1, past_tokens=1), sequences=1, tp=1, kv_format=deployment.precision.kv)
    kernel = attention_core(found[name])
    return layers * float(kernel.cache_bytes / kernel.pairs)


def _state_bytes(deployment: Deployment) -> float:
    """Bytes of a sequence's states, which do not grow with its context."""
    kernels = (
        (group.layers, kernel)
        for group in deployment.model.groups
        for kernel in cores(
            group.attention, Lane(sequences=1), sequences=1, tp=1, kv_format=deployment.precision.kv
        ).values()
    )
    return sum(layers * float(work(one).kv_bytes) for layers, one in kernels if not isinstance(one, AttentionCore))


def _prompt_lines(deployment: Deployment, nodes: list[float], groups: int) -> list[Lines]:
    """Time to read a prompt's KV cache at the end of a chunk, by tokens of the chunk and those before."""
    tokens = np.array(nodes)[:, None] + octaves()[None, :]
    held = np.asarray(kv_bytes_held(deployment.model, deployment.precision, tokens))
    weights_s = napkin_memory_s(deployment, 0.0)
    return lines_between(np.asarray(napkin_memory_s(deployment, groups * held) - weights_s))
