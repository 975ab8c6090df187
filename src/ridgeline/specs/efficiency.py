"""What part of its peaks a chip reaches: few, physical numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.specs.band import STEP, Band
from ridgeline.specs.frozen import freeze_mappings
from ridgeline.specs.kernels import Kernels

__all__ = ["IDEAL", "Efficiency"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Efficiency:
    """Derating of a chip and its links. ``IDEAL`` is the spec sheet itself.

    Attributes:
        name: whose it is.
        status: "first guess" until it is fitted, and on what; shown in every output that uses it.
        compute_fraction: part of the peak that large matrix products reach, by arithmetic of the operands; an
            arithmetic that is not named reaches ``default_compute_fraction``.
        default_compute_fraction: for arithmetics without their own.
        attention_compute_fraction: part of the peak that attention over a prompt reaches.
        hbm_fraction: part of the memory bandwidth that reading weights and activations reaches.
        kv_hbm_fraction: part of the memory bandwidth that reading a KV cache reaches.
        kernel_launch_s: time that every operation takes besides its work.
        unpack_flop_per_value: arithmetic outside the matrix units, 32 bits wide, that turns a weight into the wider
            format that it is multiplied in, before the product and not beside it.
        link_fraction: part of a fabric level's bandwidth that messages reach, by level name.
        message_latency_s: latency of one hop, by level name.
        expert_imbalance: tokens at the busiest group of experts over what even, independent choices would give it.
        usable_hbm_fraction: part of the memory that weights, KV and activations may fill.
        bands: where measurements lie around predictions, by kind of kernel (a field of ``Kernels``), and what a whole
            step adds to it.
        kernels: what each kind of kernel reaches, where that was measured on this family; what is said above of
            compute, memory and launches then holds for no kernel, and of links for those out of the domain alone.
    """

    name: str
    status: str
    compute_fraction: Mapping[str, float]
    default_compute_fraction: float
    attention_compute_fraction: float
    hbm_fraction: float
    kv_hbm_fraction: float
    kernel_launch_s: float
    unpack_flop_per_value: float
    link_fraction: Mapping[str, float]
    message_latency_s: Mapping[str, float]
    expert_imbalance: float
    usable_hbm_fraction: float
    bands: Mapping[str, Band]
    kernels: Kernels | None = None

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
        for field, value in fractions.items():
            if not 0 < value <= 1:
                raise RidgelineError(f"Efficiency {self.name!r}: {field}={value!r} must be above 0 and at most 1")
        if not 1 <= self.expert_imbalance < math.inf:
            raise RidgelineError(
                f"Efficiency {self.name!r}: expert_imbalance={self.expert_imbalance!r} must be a number from 1 up:"
                " the busiest group cannot have less than the mean"
            )
        if STEP not in self.bands:
            raise RidgelineError(f"Efficiency {self.name!r}: bands lacks {STEP!r}, the band of a whole step")

    @property
    def fitted(self) -> Kernels:
        """``kernels``, where there are any.

        Raises:
            RidgelineError: none were fitted.
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
    unpack_flop_per_value=0,
    link_fraction={},
    message_latency_s={},
    expert_imbalance=1,
    usable_hbm_fraction=1,
    # No step is faster than its roofline, and plain rooflines have been off by up to a factor of three on serving.
    bands={STEP: Band(below=0.0, above=math.log(3))},
)
