"""A bench whose times come from a known machine's own estimator, and a clock that it moves."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from ridgeline.calibration.cases import Case
from ridgeline.calibration.kinds.predict import predict
from ridgeline.catalog import load_machine
from ridgeline.measuring.bench import Device, UnrunError
from ridgeline.specs.fidelity import MEASURED
from ridgeline.specs.kernels import Kernels
from ridgeline.specs.machine import Machine

H100 = "h100-sxm"


@dataclass
class KnownBench:
    """Times of a known machine with noise; each case takes its set-up and ten runs of a clock's time."""

    machine: Machine
    name: str = "NVIDIA H100 80GB HBM3"
    noise: float = 0.0
    chips: int = 1
    set_up_s: float = 0.05
    now_s: float = 0.0
    unrun: frozenset[str] = frozenset()
    runs: int = 10
    seen: list[Case] = field(default_factory=list)
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(5))

    @property
    def device(self) -> Device:
        chip = self.machine.chip
        return Device(
            name=self.name,
            chips=self.chips,
            memory_bytes=chip.hbm_bytes,
            compute_units=int(chip.compute_units or 0),
            library="nothing",
        )

    def seconds(self, case: Case) -> float:
        if case.kind in self.unrun:
            raise UnrunError(f"{case.kind} is not there")
        self.seen.append(case)
        exact_s = predict(case, {}, MEASURED, machines=lambda _: self.machine).value
        time_s = exact_s * math.exp(self.noise * self.rng.standard_normal())
        self.now_s += self.set_up_s + self.runs * time_s
        return time_s

    def clock(self) -> float:
        return self.now_s


Bench = Callable[..., KnownBench]


@pytest.fixture(scope="session")
def bench() -> Bench:
    """Benches of an H100, with other numbers where they are given by block."""

    def made(numbers: dict[str, dict[str, float]] | None = None, **options: Any) -> KnownBench:  # noqa: ANN401  fields of any type
        machine = load_machine(H100)
        kernels = machine.efficiency.kernels
        assert kernels is not None
        changed = {
            block: dataclasses.replace(getattr(kernels, block), **fields) for block, fields in (numbers or {}).items()
        }
        known: Kernels = dataclasses.replace(kernels, **changed)
        efficiency = dataclasses.replace(machine.efficiency, kernels=known)
        return KnownBench(machine=machine.with_efficiency(efficiency), **options)

    return made
