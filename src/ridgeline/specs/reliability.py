"""Failures of the chips of a training run, recovery from them, and where checkpoints are kept."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_plausible

__all__ = ["CheckpointTier", "Reliability"]

MOST_TIERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointTier:
    """A place where checkpoints are kept.

    Attributes:
        name: name shown in output.
        bytes_per_s: bandwidth at which all chips together write to it, bytes/s; None where only ``chip_bytes_per_s``
            binds.
        chip_bytes_per_s: bandwidth at which one chip writes to it, bytes/s; None where only ``bytes_per_s`` binds.
        blocking_fraction: part of the writing time in which chips wait; the rest overlaps with training.
        mended_fraction: part of all failures that its checkpoints survive.
        interval_s: work between two checkpoints, s; None for the optimum.
    """

    name: str
    bytes_per_s: float | None = None
    chip_bytes_per_s: float | None = None
    blocking_fraction: float = 1.0
    mended_fraction: float = 1.0
    interval_s: float | None = None

    def __post_init__(self) -> None:
        require_plausible(self)
        if self.bytes_per_s is None and self.chip_bytes_per_s is None:
            raise RidgelineError(
                f"CheckpointTier {self.name!r}: how fast is it? Give bytes_per_s of all chips together, such as 2e12,"
                " or chip_bytes_per_s of one"
            )

    def rate_bytes_per_s(self, chips: int) -> float:
        """Bandwidth at which ``chips`` together write to it, bytes/s."""
        together = math.inf if self.bytes_per_s is None else self.bytes_per_s
        return together if self.chip_bytes_per_s is None else min(together, chips * self.chip_bytes_per_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """Rate of chip failures, and the cost of one.

    Attributes:
        chip_mtbf_s: mean time between failures of one chip with its share of hosts and network, s.
        restart_s: time from a failure until training resumes, s, without reading the checkpoint.
        tiers: tiers in which checkpoints are kept: storage alone, or the memory of other chips and then storage.
        step_log_sd: standard deviation of the logarithm of chips' times for the same step; 0 where all are equal.
        notes: sources of the numbers, and which of them are assumed, shown in every output.
    """

    chip_mtbf_s: float
    restart_s: float
    tiers: tuple[CheckpointTier, ...]
    step_log_sd: float = 0.0
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require_plausible(self)
        if not 1 <= len(self.tiers) <= MOST_TIERS:
            raise RidgelineError(
                f"Reliability: {len(self.tiers)} tiers of checkpoints; give one, on storage, or two, in memory first"
            )
        *others, storage = self.tiers
        if storage.mended_fraction != 1:
            raise RidgelineError(
                f"Reliability: checkpoints in {storage.name!r} are there after {storage.mended_fraction:g} of failures"
                " alone, and nothing mends the rest; end the tiers with storage of mended_fraction=1"
            )
        for memory in others:
            self._require_nested(memory, storage)

    def _require_nested(self, memory: CheckpointTier, storage: CheckpointTier) -> None:
        """Check that two tiers can be combined."""
        if not 0 < memory.mended_fraction < 1:
            raise RidgelineError(
                f"Reliability: checkpoints in {memory.name!r} mend {memory.mended_fraction:g} of failures; write a part"
                " above 0 and below 1, such as 0.9, or leave out a tier"
            )
        inner, outer = memory.interval_s, storage.interval_s
        if (inner is None) != (outer is None):
            raise RidgelineError("Reliability: one tier has an interval_s and one has none; give both, or neither")
        if inner is not None and outer is not None and not _is_multiple(outer, inner):
            nearest = max(round(outer / inner), 1) * inner
            raise RidgelineError(
                f"Reliability: an interval of {outer:g} s in {storage.name!r} is no multiple of {inner:g} s in"
                f" {memory.name!r}; write interval_s={nearest:g}"
            )

    @property
    def storage(self) -> CheckpointTier:
        """The tier whose checkpoints survive every failure."""
        return self.tiers[-1]

    @property
    def memory(self) -> CheckpointTier | None:
        """The tier before storage; None where there is none."""
        return self.tiers[0] if len(self.tiers) == MOST_TIERS else None


def _is_multiple(outer: float, inner: float) -> bool:
    return outer >= inner and math.isclose(outer / inner, round(outer / inner), rel_tol=1e-9)
