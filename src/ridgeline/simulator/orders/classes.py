"""Classes of requests: fast before standard before batch; within a class the earliest comes first.

Source: vLLM's ``--scheduling-policy priority`` (documentation of ``vllm serve``, 2026-11): the lower number is admitted
first, and who has the highest gives up its memory first.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from ridgeline.errors import RidgelineError
from ridgeline.traces.requests import BATCH, FAST, STANDARD, Requests

__all__ = ["by_class", "classed_by_length"]


def by_class(requests: Requests) -> NDArray[np.int64]:
    """The number of each request's class.

    Raises:
        RidgelineError: the requests have no classes.
    """
    if requests.classes is None:
        raise RidgelineError(
            "policy classes: the requests have no classes; give each one in its trace, or the prompt tokens from which"
            " they are standard and batch"
        )
    return np.asarray(requests.classes, dtype=np.int64)


def classed_by_length(requests: Requests, *, standard_from_tokens: int, batch_from_tokens: int) -> Requests:
    """Requests classified by their prompt lengths, all that a scheduler knows of them: short ones are fast.

    Args:
        requests: requests with other classes, or none.
        standard_from_tokens: prompt tokens from which a request is standard.
        batch_from_tokens: prompt tokens from which a request is batch.

    Raises:
        RidgelineError: the second threshold is below the first.
    """
    if not 0 <= standard_from_tokens <= batch_from_tokens:
        raise RidgelineError(
            f"classed_by_length: standard_from_tokens={standard_from_tokens!r} must be from 0 to"
            f" batch_from_tokens={batch_from_tokens!r}"
        )
    edges = [standard_from_tokens, batch_from_tokens]
    kinds = np.array([FAST, STANDARD, BATCH])[np.searchsorted(edges, requests.prompt_tokens, side="right")]
    return dataclasses.replace(requests, classes=kinds)
