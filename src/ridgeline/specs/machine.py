"""A machine: chips with memory, and the levels of links between them."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.glossary import require_plausible
from ridgeline.specs.efficiency import Efficiency
from ridgeline.specs.frozen import freeze_mappings
from ridgeline.specs.hashed import Hashed, hashed_once
from ridgeline.specs.tariff import Tariff
from ridgeline.specs.topology import Mesh, Topology, Torus

__all__ = ["IDLE_POWER_FRACTION", "Chip", "FabricLevel", "Machine"]

IDLE_POWER_FRACTION = 0.115
"""Idle over peak power of an H200, 80 of 700 W; assumed for chips without a known value.

Source: serialalice.pt, GPU energy benchmark (June 2026), read 2026-11-21.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """One accelerator. Rates are peaks; estimates derate them.

    Attributes:
        name: name that its makers give it.
        flop_per_s: dense peak by arithmetic ("bf16", "fp8", ...).
        hbm_bytes: memory that a program sees, as the driver reports it, bytes.
        hbm_bytes_per_s: memory bandwidth, bytes/s.
        l2_bytes: size of the last-level cache, bytes; None where it is not public.
        compute_units: streaming multiprocessors, compute units or cores; None where it is not public.
        power_w: power limit, W; None where it is not public.
        idle_power_fraction: power with a model loaded and no work, over ``power_w``.
    """

    name: str
    flop_per_s: Mapping[str, float]
    hbm_bytes: float
    hbm_bytes_per_s: float
    l2_bytes: float | None = None
    compute_units: int | None = None
    power_w: float | None = None
    idle_power_fraction: float = IDLE_POWER_FRACTION

    def __post_init__(self) -> None:
        if "bf16" not in self.flop_per_s:
            raise RidgelineError(
                f"Chip {self.name!r}: flop_per_s has no 'bf16'; every chip here states its 16-bit peak"
            )
        require_plausible(self)
        freeze_mappings(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricLevel:
    """Links of one kind, from a chip's side.

    Attributes:
        name: "scale_up", "scale_out" and others between or beyond them.
        chips: chips that one domain of this level joins, inner levels included; None where it has no bound.
        bytes_per_s: bandwidth of one chip in one direction, all of its links together, bytes/s.
        topology: arrangement of its links.
        links: number of links of one chip; None where unknown.
        cables_per_link: cables that make up one link; None where unknown, or where links are no cables.
        switches: switches of one domain; None where there are none, or where unknown.
    """

    name: str
    chips: int | None
    bytes_per_s: float
    topology: Topology
    links: int | None = None
    cables_per_link: int | None = None
    switches: int | None = None

    def __post_init__(self) -> None:
        require_plausible(self)


@hashed_once
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Machine(Hashed):
    """Chips of one kind and the fabric that joins them.

    Attributes:
        id: catalog id of the machine.
        name: name that its makers give it.
        chip: accelerator of the machine.
        fabric: levels from the innermost outwards; the first is the scale-up domain.
        efficiency: achieved over peak performance of this machine's family.
        tariff: price of a chip unless another is given; None where none is known.
        caveats: doubts about the facts above, shown in every output.
        unit_doubts: facts that are far from those of all other machines, as by a slip of a unit, each in a clause.
        family: architecture of the chip, by which engines have kernels.
        node_chips: chips of one host, which runs one operating system; None where that is the scale-up domain.
    """

    id: str
    name: str
    chip: Chip
    fabric: tuple[FabricLevel, ...]
    efficiency: Efficiency
    tariff: Tariff | None = None
    caveats: tuple[str, ...] = ()
    unit_doubts: tuple[str, ...] = ()
    family: str = ""
    node_chips: int | None = None

    def __repr__(self) -> str:
        return f"Machine(id={self.id!r}, ...)"

    def __post_init__(self) -> None:
        if not self.fabric or self.fabric[0].chips is None:
            raise RidgelineError(f"Machine {self.id!r}: the first fabric level must say how many chips it joins")
        names = [level.name for level in self.fabric]
        if len(set(names)) < len(names):
            raise RidgelineError(f"Machine {self.id!r}: fabric levels {', '.join(names)} need a name of their own each")
        joined = 1
        for level in self.fabric:
            if isinstance(level.topology, Mesh) and level.chips is None:
                raise RidgelineError(
                    f"Machine {self.id!r}: fabric level {level.name!r} is a mesh; say of how many chips"
                )
            if isinstance(level.topology, Torus) and math.prod(level.topology.sides) * joined != level.chips:
                raise RidgelineError(
                    f"Machine {self.id!r}: fabric level {level.name!r}: {level.chips} chips in domains of {joined} are"
                    f" not the product of its torus' sides {level.topology.sides}"
                )
            joined = level.chips or joined
        for inner, outer in itertools.pairwise(self.fabric):
            if inner.chips is None or (outer.chips is not None and outer.chips % inner.chips):
                raise RidgelineError(
                    f"Machine {self.id!r}: fabric level {outer.name!r} joins {outer.chips} chips, which is no multiple"
                    f" of the {inner.chips} of {inner.name!r} inside it; only the last level may leave chips out"
                )

    def with_efficiency(self, efficiency: Efficiency) -> Machine:
        """The machine with other efficiencies."""
        return dataclasses.replace(self, efficiency=efficiency)

    @property
    def scale_up_chips(self) -> int:
        """Chips of one scale-up domain."""
        return self.fabric[0].chips or 1
