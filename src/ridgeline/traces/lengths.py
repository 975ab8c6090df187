r"""Distribution of request lengths in a log, as a pool in its steady state sees it.

For requests with prompts :math:`p`, cached tokens :math:`c`, and outputs :math:`o = s + 1`, arriving at random:

- a decode step has a token of every request in flight. A request is in flight for its :math:`s` steps, so that over
  tokens in flight :math:`E[f] = \sum s f / \sum s`. Their positions are uniform over :math:`(p, p + s]`, with mean
  :math:`\sum s\,(p + (s + 1)/2) / \sum s`;
- tokens of prompts are uniform over :math:`(c, p]`, and each attends to all before it, so that the pairs of a prompt
  are :math:`E[p - c]` times the mean tokens that one attends to: half of the second moment, not of the squared mean.

Positions are summed exactly in equal parts, each with its mean: full attention is exact, and attention capped by a
window or a selection is approximate where the cap lies inside a part.

Source: the inspection paradox; Kleinrock 1975, "Queueing Systems" 1, section 5.2, residual life.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ridgeline.errors import RidgelineError
from ridgeline.specs.lengths import Lengths
from ridgeline.specs.workload import Workload
from ridgeline.traces.trace import Trace

__all__ = ["workload_of"]

Array = NDArray[np.float64]

PLACES = 256
"""Equal parts of the tokens' positions: a cap of attention inside one of them misplaces at most a 256th of them."""

REQUESTS = 32
"""Equal parts of prompts, and of the requests in flight."""


def workload_of(
    trace: Trace, *, tpot_s: float | None = None, ttft_s: float | None = None, hit_fraction: float = 0.0
) -> Workload:
    """Workload with the lengths of a log; with plain numbers where all requests are equal.

    Args:
        trace: log of requests.
        tpot_s: largest time per output token allowed; None for no limit.
        ttft_s: largest time to the first token allowed; None for no limit.
        hit_fraction: part of a prompt found in the prefix cache.

    Raises:
        RidgelineError: no request has more than one output token, so that there is nothing to decode.
    """
    prompts, outputs = trace.prompt_tokens, trace.output_tokens
    if outputs.max() < 2:  # noqa: PLR2004  the first token comes of the prompt
        raise RidgelineError(
            f"{trace.path}: every request has one output token, which reading its prompt gives, so that there is"
            " nothing to decode; estimate the prefill instead"
        )
    means: tuple[float, float]
    if np.ptp(prompts) == np.ptp(outputs) == 0:
        means, lengths = (int(prompts[0]), int(outputs[0])), None
    else:
        means, lengths = (float(prompts.mean()), float(outputs.mean())), _lengths(prompts, outputs, hit_fraction)
    return Workload(
        prompt_tokens=means[0],
        output_tokens=means[1],
        tpot_s=tpot_s,
        ttft_s=ttft_s,
        hit_fraction=hit_fraction,
        lengths=lengths,
    )


def _lengths(prompts: Array, outputs: Array, hit_fraction: float) -> Lengths:
    cached = np.minimum(np.floor(hit_fraction * prompts), prompts - 1)
    steps = outputs - 1
    order = np.argsort(prompts + outputs)
    held = [_parts(steps[order], values[order]) for values in (prompts, outputs)]
    return Lengths(
        requests=len(prompts),
        decode_positions=_places(prompts, steps),
        prompt_positions=_places(cached, prompts - cached),
        read_tokens=_parts(np.ones(len(prompts)), np.sort(prompts - cached)),
        cached_tokens=float(cached.mean()),
        held_prompt_tokens=held[0],
        held_output_tokens=held[1],
        longest_prompt_tokens=int(prompts.max()),
        longest_tokens=int((prompts + outputs).max()),
    )


def _parts(weights: Array, values: Array) -> tuple[float, ...]:
    """Means of equal parts of the weight, in the order given."""
    weight = np.concatenate([[0.0], np.cumsum(weights)])
    moment = np.concatenate([[0.0], np.cumsum(weights * values)])
    cuts = np.linspace(0.0, weight[-1], REQUESTS + 1)
    return tuple((np.diff(np.interp(cuts, weight, moment)) * (REQUESTS / weight[-1])).tolist())


def _places(before: Array, tokens: Array) -> tuple[float, ...]:
    """Means of equal parts of the positions of all tokens; each request's follow its ``before`` tokens."""
    before, tokens = before[tokens > 0], tokens[tokens > 0]
    edges, where = np.unique(np.concatenate([before, before + tokens]), return_inverse=True)
    count, widths = len(before), np.diff(edges)
    begun, ended = (np.bincount(part, minlength=len(edges)) for part in (where[:count], where[count:]))
    density = np.cumsum(begun - ended)[:-1].astype(float)
    weight = np.concatenate([[0.0], np.cumsum(density * widths)])
    moment = np.concatenate([[0.0], np.cumsum(density * widths * (edges[:-1] + edges[1:]) / 2)])
    cuts = np.linspace(0.0, weight[-1], PLACES + 1)
    at = np.minimum(np.searchsorted(weight, cuts, side="right") - 1, len(density) - 1)
    rest = cuts - weight[at]
    # A part of a stretch is as long as its weight over the stretch's density, and its mean is its middle.
    reached = edges[at] + rest / density[at]
    middles = np.diff(moment[at] + rest * (edges[at] + reached) / 2) * (PLACES / weight[-1])
    return tuple((middles + 0.5).tolist())  # tokens are whole: the first place behind none is 1
