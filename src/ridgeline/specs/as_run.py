"""Kernel time as an engine runs it, over the same kernels' time in an isolated benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

__all__ = ["AS_BENCHMARKED", "AsRun", "only"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AsRun:
    """Kernel time in a pass of an engine over that of the isolated benchmark; ``AS_BENCHMARKED`` leaves it as it is.

    Attributes:
        launch_fraction: launch overhead of GEMMs and elementwise kernels, over the benchmark's.
        attention_launch_fraction: launch overhead of decode attention, over the benchmark's.
        experts_launch_fraction: launch overhead of routed experts, over the benchmark's.
        experts_busy_fraction: computing and reading of routed experts, over the benchmark's.
        quantise_fraction: quantising of inputs that can be fused into the kernel before, over the benchmark's.
        dequantises_experts: whether experts' weights are dequantised as in the benchmark, and not at the engine's cost.
        gap_fraction: gaps between kernels, over the kernels' time in the benchmark.
        eager_launch_s: extra launch overhead of a kernel outside of a CUDA graph, s.
        eager_message_s: extra launch overhead of a library collective outside of a CUDA graph, s.
    """

    launch_fraction: float = 1.0
    attention_launch_fraction: float = 1.0
    experts_launch_fraction: float = 1.0
    experts_busy_fraction: float = 1.0
    quantise_fraction: float = 1.0
    dequantises_experts: bool = True
    gap_fraction: float = 0.0
    eager_launch_s: float = 0.0
    eager_message_s: float = 0.0


AS_BENCHMARKED = AsRun()


@lru_cache(maxsize=1024)  # for each kind of kernel of every pass of a search
def only(run: AsRun, names: frozenset[str]) -> AsRun:
    """Changes of an engine in some fields alone: engines that differ in others run such a kernel alike.

    Args:
        run: kernel time as an engine runs it.
        names: fields that a kind of kernel reads.

    >>> only(AsRun(launch_fraction=0.5, gap_fraction=0.1), frozenset({"gap_fraction"}))
    AsRun(..., gap_fraction=0.1, ...)
    """
    return AsRun(**{name: getattr(run, name) for name in names})
