"""Interface to a device on which kernels are timed: its description, and the time of one case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ridgeline.calibration.cases import Case
from ridgeline.errors import RidgelineError

__all__ = ["Bench", "BenchError", "Device", "UnrunError"]


class BenchError(RidgelineError):
    """A bench that cannot be set up here; says what to install or to give."""


class UnrunError(Exception):
    """A case that the bench does not run, with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """Chip that a bench runs on, as its driver describes it.

    Attributes:
        name: name of the chip, as its driver reports it.
        chips: number of chips that messages are timed over; 1 for none.
        memory_bytes: memory of a chip, bytes.
        compute_units: compute units of a chip, as its driver counts them; 0 where it does not.
        library: tensor library that runs kernels, with its version.
    """

    name: str
    chips: int
    memory_bytes: float
    compute_units: int
    library: str


class Bench(Protocol):
    """A device on which kernels and messages are timed.

    Attributes:
        device: device that it runs on.
        runs: number of runs of a long kernel for one timing, warming up included.
    """

    @property
    def device(self) -> Device:
        """Device that it runs on."""

    @property
    def runs(self) -> int:
        """Number of runs of a long kernel for one timing, warming up included."""

    def seconds(self, case: Case) -> float:
        """Time of a case's kernel or message, s: a median over repeats, with its weights and caches read from memory.

        Raises:
            UnrunError: the device or the library does not run it, or lacks the memory.
        """
