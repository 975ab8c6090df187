"""A run of requests, in the order of arrival."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["BATCH", "CLASSES", "FAST", "STANDARD", "Requests"]

FAST, STANDARD, BATCH = 0, 1, 2
"""Classes of requests."""

CLASSES = ("fast", "standard", "batch")
"""Names of the classes, by number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requests:
    """Requests in the order of their arrival; arrays of one length.

    Attributes:
        arrivals_s: arrival of each after the first of its trace, s; non-decreasing.
        prompt_tokens: input tokens of each request.
        output_tokens: output tokens of each request, from 1 up.
        prefix_hashes: hashes of the blocks of each prompt, each covering all blocks before it; None where the trace
            names none.
        classes: class number of each request; None where all are of one.
        failed: requests without output that were left out among them.
    """

    arrivals_s: NDArray[np.float64]
    prompt_tokens: NDArray[np.int64]
    output_tokens: NDArray[np.int64]
    prefix_hashes: tuple[tuple[int, ...], ...] | None = None
    classes: NDArray[np.int64] | None = None
    failed: int = 0

    def __len__(self) -> int:
        return len(self.arrivals_s)

    def only(self, places: NDArray[np.intp]) -> Requests:
        """Requests at some indices, in that order."""
        hashes = self.prefix_hashes
        return Requests(
            arrivals_s=self.arrivals_s[places],
            prompt_tokens=self.prompt_tokens[places],
            output_tokens=self.output_tokens[places],
            prefix_hashes=None if hashes is None else tuple(hashes[place] for place in places.tolist()),
            classes=None if self.classes is None else self.classes[places],
        )
