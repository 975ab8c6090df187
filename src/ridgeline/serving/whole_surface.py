"""Step surface of a deployment whose steps are no sum over their lanes: each pass is timed as a whole.

In a pipeline, prompts and decoding sequences pass in micro-batches of their own; chips that share a context exchange
data that depends on all of it; and where the host may launch kernels too slowly, steps take the longer of two sums. A
step is then tabulated by its sequences and their mean context, and a prompt's pass is added as a following one: in a
pipeline, for as long as it occupies each stage; its way through the others delays only the request itself
(``stages.py``). Of a pass, the attention of each prompt is tabulated by itself: several prompts attend to less than one
that is as long as all of them.
"""

from __future__ import annotations

import numpy as np

from ridgeline.estimator.timed import time_step, timed_operations
from ridgeline.serving.stages import occupied_s
from ridgeline.serving.step_tables import Array, Lines, StepTables, lines_between, nodes_above, octaves
from ridgeline.serving.surface import ATTENTION_KINDS, StepSurface
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.passes import Pass, chunk, decode

__all__ = ["whole_surface"]


def whole_surface(deployment: Deployment, nodes: Array, prompt_nodes: Array) -> StepSurface:
    """Tabulate whole passes of a deployment as they are estimated.

    Args:
        deployment: deployment that is served.
        nodes: sequences of a group at which decode steps are timed; times are linear in between.
        prompt_nodes: prompt tokens of a group at which prefill passes are timed.
    """
    groups, stages = deployment.layout.dp, deployment.layout.pp
    contexts, past = np.maximum(octaves(), 1.0), octaves()
    steps = decode(batch=nodes[:, None] * groups, context_tokens=contexts[None, :])
    steps_s = _times(deployment, steps, (len(nodes), len(contexts)))
    passes = chunk(batch=groups * stages, new_tokens=prompt_nodes[:, None], past_tokens=past[None, :])
    shape = len(prompt_nodes), len(past)
    prompts_s = occupied_s(deployment, passes, shape) / stages
    beside_s = occupied_s(deployment, passes, shape, without=ATTENTION_KINDS)[:, :1] / stages
    every, tokens = np.arange(nodes[-1] + 1), np.arange(prompt_nodes[-1] + 1)
    decode_s = np.interp(every, nodes, steps_s[:, 0]).tolist()
    prompt_s = np.interp(tokens, prompt_nodes, beside_s[:, 0]).tolist()
    rows = [0.0] * (len(every) + len(tokens))
    by_context = (_by_sequences(every, nodes, steps_s - steps_s[:, :1]),)
    return StepSurface(
        deployment=deployment,
        kinds=(),
        tables=StepTables(
            decode_s=decode_s,
            rows_s=rows,
            beside_s=decode_s,
            prompt_s=prompt_s,
            alone_s=prompt_s,
            experts_s=rows,
            alone_experts_s=rows,
            least_s=rows,
            cores_s=by_context,
            mixed_cores_s=by_context,
            prompt_nodes=prompt_nodes.tolist(),
            node_of=nodes_above(prompt_nodes),
            prompt_cores_s=lines_between(prompts_s - beside_s),
        ),
    )


def _times(deployment: Deployment, pass_: Pass, shape: tuple[int, int]) -> Array:
    """Times of a grid of passes, s."""
    return np.broadcast_to(np.asarray(time_step(timed_operations(deployment, pass_))[0], dtype=float), shape)


def _by_sequences(every: Array, nodes: Array, time_s: Array) -> list[Lines]:
    """Increase of a step's time with contexts, for every number of sequences."""
    return lines_between(np.stack([np.interp(every, nodes, column_s) for column_s in time_s.T], axis=1))
