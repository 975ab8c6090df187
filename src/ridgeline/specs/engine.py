"""What a serving engine adds to the work of its kernels: few numbers, the same on every chip."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

__all__ = ["IDEAL_ENGINE", "Engine"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """How an engine launches its kernels, and the time that it takes besides. ``IDEAL_ENGINE`` takes none.

    Attributes:
        name: whose it is.
        status: what its numbers were fitted on; shown in every output that uses them.
        is_captured: whether a pass is replayed from captured graphs. If not, kernels and the general library's
            messages are launched one by one, and each takes as much longer as the chip's kernels say.
        has_own_sums: whether it sums buffers of a domain itself where that is faster than the general library.
        step_s: of the host for a pass, during which the chips wait: scheduling, sampling, checks for the end.
        sequence_s: of the host for each sequence of a pass.
        request_s: of the host for a pass over prompts, besides.
        layer_s: of a layer, in kernels that others fuse.
        token_s: of a layer for each token that passes, in kernels that others fuse.
        launch_layer_s: of the host to launch a layer's kernels, beside the chips; they wait where they are done sooner.
    """

    name: str
    status: str
    is_captured: bool = True
    has_own_sums: bool = True
    step_s: float = 0.0
    sequence_s: float = 0.0
    request_s: float = 0.0
    layer_s: float = 0.0
    token_s: float = 0.0
    launch_layer_s: float = 0.0

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.name.endswith("_s") and not 0 <= value < 1:
                raise ValueError(
                    f"Engine {self.name!r}: {field.name}={value!r} must be seconds from 0 up, and below a second"
                )


IDEAL_ENGINE = Engine(name="ideal", status="no time besides the kernels: a bound from below")
