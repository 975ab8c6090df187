"""Achieved over peak performance of a chip and its links, in few, physical numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from ridgeline.errors import RidgelineError
from ridgeline.specs.band import STEP, Band
from ridgeline.specs.frozen import freeze_mappings
from ridgeline.specs.kernels import Kernels
from ridgeline.specs.provenance import Grade, Source

__all__ = ["IDEAL", "Efficiency"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Efficiency:
    """Derating of a chip and its links. ``IDEAL`` is the spec sheet itself.

    Attributes:
        name: name of the efficiencies, usually the family of chips that they hold for.
        status: "first guess", or what it was fitted on; shown in every output that uses it.
        compute_fraction: achieved over peak FLOP/s of large GEMMs, by arithmetic of the operands.
        default_compute_fraction: achieved over peak FLOP/s for an arithmetic that ``compute_fraction`` does not name.
        attention_compute_fraction: achieved over peak FLOP/s of prefill attention.
        hbm_fraction: achieved over peak memory bandwidth of weights and activations.
        kv_hbm_fraction: achieved over peak memory bandwidth while the KV cache is read.
        kernel_launch_s: launch overhead of each kernel, s.
        dequantise_flop_per_value: 32-bit arithmetic outside the matrix units that dequantises a weight, FLOP; it runs
            before the product, not overlapped with it.
        link_fraction: achieved over peak bandwidth of a fabric level's links, by level name.
        message_latency_s: latency of one hop, s, by level name.
        expert_imbalance: tokens of the busiest group of experts, over its expected tokens with even, independent
            routing.
        usable_hbm_fraction: part of the memory that weights, KV cache and activations may fill.
        bands: 80 % interval of measurements around predictions, by kind of kernel (a field of ``Kernels``), and of a
            whole step's addition to them (``step``).
        kernels: fitted numbers of each kind of kernel, where they were measured on this family; then, of the fractions
            above, those of links hold for messages beyond the scale-up domain, and the rest are unused.
        sources: sources of numbers, by their path (``gemm.fraction.bf16``, ``link_fraction.scale_out``); a number left
            out has ``status`` alone. Not part of the value.
    """

    name: str
    status: str
    compute_fraction: Mapping[str, float]
    default_compute_fraction: float
    attention_compute_fraction: float
    hbm_fraction: float
    kv_hbm_fraction: float
    kernel_launch_s: float
    dequantise_flop_per_value: float
    link_fraction: Mapping[str, float]
    message_latency_s: Mapping[str, float]
    expert_imbalance: float
    usable_hbm_fraction: float
    bands: Mapping[str, Band]
    kernels: Kernels | None = None
    sources: Mapping[str, Source] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        freeze_mappings(self)
        fractions = {
            "default_compute_fraction": self.default_compute_fraction,
            "attention_compute_fraction": self.attention_compute_fraction,
            "hbm_fraction": self.hbm_fraction,
            "kv_hbm_fraction": self.kv_hbm_fraction,
            "usable_hbm_fraction": self.usable_hbm_fraction,
            **{f"compute_fraction[{name!r}]": value for name, value in self.compute_fraction.items()},
            **{f"link_fraction[{name!r}]": value for name, value in self.link_fraction.items()},
        }
        for name, value in fractions.items():
            if not 0 < value <= 1:
                raise RidgelineError(f"Efficiency {self.name!r}: {name}={value!r} must be above 0 and at most 1")
        if not 1 <= self.expert_imbalance < math.inf:
            raise RidgelineError(
                f"Efficiency {self.name!r}: expert_imbalance={self.expert_imbalance!r} must be a number from 1 up:"
                " the busiest group cannot have less than the mean"
            )
        if STEP not in self.bands:
            raise RidgelineError(f"Efficiency {self.name!r}: bands lacks {STEP!r}, the band of a whole step")

    def source_of(self, number: str) -> Source:
        """Source of a number.

        Args:
            number: path of the number, such as ``gemm.fraction.bf16``.
        """
        return self.sources.get(number) or Source(grade=Grade.ASSUMED, note=self.status)

    @property
    def fitted(self) -> Kernels:
        """``kernels``; an error where there are none.

        Raises:
            RidgelineError: no kernels were fitted.
        """
        if self.kernels is None:
            raise RidgelineError(f"Efficiency {self.name!r} has no fitted kernels; time its kernels by their roofline")
        return self.kernels


IDEAL = Efficiency(
    name="ideal",
    status="spec sheet peaks: a bound from below, not a prediction",
    compute_fraction={},
    default_compute_fraction=1,
    attention_compute_fraction=1,
    hbm_fraction=1,
    kv_hbm_fraction=1,
    kernel_launch_s=0,
    dequantise_flop_per_value=0,
    link_fraction={},
    message_latency_s={},
    expert_imbalance=1,
    usable_hbm_fraction=1,
    # No step is faster than its roofline, and plain rooflines have been off by up to a factor of three on serving.
    bands={STEP: Band(below=0.0, above=math.log(3))},
)
