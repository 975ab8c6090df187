"""Operations of a kind of kernel: its work, its roofline and fitted times with their sources, and how it is divided."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, ClassVar, TypeVar

from ridgeline.equations.kernels import cached_fraction
from ridgeline.estimator.timing import Timing, Work
from ridgeline.numeric import Numeric, total_of
from ridgeline.specs.as_run import AS_BENCHMARKED, AsRun
from ridgeline.specs.machine import Chip, Machine
from ridgeline.specs.number_format import number_format

__all__ = [
    "OVERLAP_SQUARINGS",
    "RESIDUAL",
    "Ground",
    "Kernel",
    "divided",
    "fitted",
    "joined",
    "passing_time_s",
    "rests_on",
    "roofline",
    "summed",
    "units_of",
    "work",
]

RESIDUAL = number_format("bf16")
"""Number format of data between operations: the residual stream and the results of products."""

OVERLAP_SQUARINGS = 1
"""Degree of overlap of compute and memory time in kernels of several parts; see ``overlapped_time_s``."""

UNITS = 128.0
"""Compute units of a chip for which the number is not public."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """Work that a chip is given; each kind has its own record.

    Attributes:
        launches: number of kernels that are launched for it.
        changed: fields of ``AsRun`` by which an engine changes its time.
    """

    launches: int = 1
    changed: ClassVar[frozenset[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Fitted numbers that dominate a kernel's time, as paths in ``Efficiency.sources``.

    Attributes:
        part: name of the kernel, equal for all that rest on the same numbers.
        number: path of the number behind its computing and reading.
        launch: path of the number behind its launches.
        launched: the engine's factor on these launches in its graphs: a field of ``Replay``.
        stand_in: clause on the unmeasured kind and its stand-in; empty where its own kind was measured.
    """

    part: str
    number: str
    launch: str = "gemm.launch_s"
    launched: str = "launch_fraction"
    stand_in: str = ""


OneKind = TypeVar("OneKind", bound=Kernel)


@singledispatch
def work(kernel: Kernel) -> Work:
    """FLOP and bytes of a kernel."""
    raise _unknown(kernel)


@singledispatch
def roofline(kernel: Kernel, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    """Time of a kernel on its roofline, at the fractions of peak that the chip's family achieves.

    Args:
        kernel: kernel of any kind.
        machine: machine that it runs on.
        run: kernel time as an engine runs it.
    """
    raise _unknown(kernel)


@singledispatch
def fitted(kernel: Kernel, machine: Machine, run: AsRun = AS_BENCHMARKED) -> Timing:
    """Time of a kernel by the fitted form of its kind (``equations/kernels.py``).

    Args:
        kernel: kernel of any kind.
        machine: machine that it runs on.
        run: kernel time as an engine runs it.
    """
    raise _unknown(kernel)


@singledispatch
def rests_on(kernel: Kernel, machine: Machine) -> Ground:
    """Fitted numbers that the time of a kernel rests on."""
    raise _unknown(kernel)


@singledispatch
def joined(kernel: Kernel, others: Sequence[Any]) -> Kernel:
    """One kernel for several lanes together; only for kernels that layers run between projections.

    Args:
        kernel: kernel of the first lane.
        others: kernels of the same kind, of the other lanes.
    """
    raise _unknown(kernel)


@singledispatch
def divided(kernel: Kernel, chips: int, *, is_prompt: bool) -> Kernel:
    """Work of one of ``chips`` that share a context; only for kernels that layers run between projections.

    Args:
        kernel: kernel over the whole context.
        chips: number of chips that share it.
        is_prompt: whether its tokens are a prompt's, which are divided too; a decode step's queries visit every chip.
    """
    raise _unknown(kernel)


def summed(kernel: OneKind, others: Sequence[OneKind], *fields: str) -> OneKind:
    """A kernel with the sums of these fields over itself and others of its kind."""
    sums: dict[str, Any] = {field: total_of([getattr(one, field) for one in (kernel, *others)]) for field in fields}
    return dataclasses.replace(kernel, **sums)


def units_of(chip: Chip) -> float:
    """Compute units of a chip."""
    return float(chip.compute_units or UNITS)


def passing_time_s(moved_bytes: Numeric, chip: Chip, hbm_fraction: float, unit_bytes_per_s: float) -> Numeric:
    """Time in which activations pass the units, and go to memory and back where the cache does not hold them, s."""
    cached = cached_fraction(used_bytes=moved_bytes, cache_bytes=chip.l2_bytes or 0.0)
    cold_s = moved_bytes * (1 - cached) / (chip.hbm_bytes_per_s * hbm_fraction)
    return moved_bytes / (unit_bytes_per_s * units_of(chip)) + cold_s


def _unknown(kernel: object) -> TypeError:
    return TypeError(f"{type(kernel).__name__} is not a kind of kernel known to the estimator")
