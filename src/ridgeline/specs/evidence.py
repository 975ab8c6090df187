"""Deployments in which engines were measured under load, and how intervals widen with distance from them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from ridgeline.errors import RidgelineError
from ridgeline.specs.frozen import freeze_mappings
from ridgeline.specs.provenance import Grade, Source

__all__ = ["NOT_MEASURED", "REPLAYED", "Asked", "Evidence"]

REPLAYED = "replay."
"""Prefix of the names of ``Replay``'s numbers among an engine's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A deployment under load that is asked about, as far as its distance from measured ones goes.

    Attributes:
        model: id of the model.
        machine: id of the machine.
        layer_kinds: small kernels that its layers have, as fields of ``Replay``.
        chips: chips of a replica.
        users: users of a replica.
        released: day of the engine's release, ISO 8601; empty where none is named.
        is_run_as_measured: whether every engine option that it sets was set in some measurement.
        drafts: whether it drafts tokens, which no measurement did.
    """

    model: str
    machine: str
    layer_kinds: tuple[str, ...] = ()
    chips: float = 1.0
    users: float = 1.0
    released: str = ""
    is_run_as_measured: bool = True
    drafts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Deployments in which engines were measured under load, and how intervals widen with distance from them.

    Widths are relative to those for a new model on a measured machine, with everything else measured.

    Attributes:
        deployments: pairs of model and machine that this engine was measured with, by id.
        machines: ids of all machines on which any engine was measured.
        layer_kinds: small kernels of layers that any engine was measured with, as fields of ``Replay``.
        newest: day of the newest release of this engine that was measured, ISO 8601.
        users: most users of a replica that this engine was measured with.
        chips: geometric mean of the chips of a replica over all measurements.
        of_known: factor on the interval for one of ``deployments``, by quantity.
        of_machine: factor for a machine on which nothing was measured, by quantity.
        of_layer_kind: factor for a kind of layer that no engine was measured with, by quantity.
        of_release: factor for a release newer than ``newest``, by quantity.
        of_users: factor for each doubling of users beyond ``users``, by quantity.
        of_chips: factor for each doubling of chips beyond ``chips``, by quantity; fewer chips narrow an interval as
            much.
        of_options: factor for options that no measurement had, by quantity.
        of_drafts: factor for drafted tokens, by quantity.
        families: chip architecture of each of ``machines``.
        rows: measured rows that move a number of the engine, by its name, such as ``layer_s`` or
            ``replay.launch_fraction``. Not part of the value.
    """

    deployments: tuple[tuple[str, str], ...] = ()
    machines: tuple[str, ...] = ()
    layer_kinds: tuple[str, ...] = ()
    newest: str = ""
    users: float = math.inf
    chips: float = 1.0
    of_known: Mapping[str, float] = field(default_factory=dict)
    of_machine: Mapping[str, float] = field(default_factory=dict)
    of_layer_kind: Mapping[str, float] = field(default_factory=dict)
    of_release: Mapping[str, float] = field(default_factory=dict)
    of_users: Mapping[str, float] = field(default_factory=dict)
    of_chips: Mapping[str, float] = field(default_factory=dict)
    of_options: Mapping[str, float] = field(default_factory=dict)
    of_drafts: Mapping[str, float] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, int] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        freeze_mappings(self)
        for name in ("users", "chips"):
            if not getattr(self, name) > 0:
                raise RidgelineError(f"Evidence: {name}={getattr(self, name)!r} must be a number above 0")

    def source_on(self, number: str, machine: str, family: str) -> Source:
        """Source of a number of the engine, seen from a machine; one number holds for all machines.

        Args:
            number: name of the number, a key of ``rows``.
            machine: id of the machine.
            family: architecture of the machine's chip.
        """
        rows = self.rows.get(number, 0)
        if not rows:
            return Source(grade=Grade.ASSUMED, note="no measured row moves it")
        # Engines share the overhead of CUDA graphs; other numbers are each engine's own.
        own = {on for _, on in self.deployments}
        ran = [on for on in self.machines if on in own or number.startswith(REPLAYED)]
        if machine in ran:
            return Source(grade=Grade.MEASURED, machine=machine, rows=rows, note="and on others together")
        alike = [on for on in ran if self.families.get(on) == family]
        if alike:
            return Source(grade=Grade.FAMILY, machine=alike[0], rows=rows, note="and others together")
        where = f"from runs on {', '.join(ran)}" if ran else "from runs of which no machine is kept"
        return Source(grade=Grade.ASSUMED, rows=rows, note=where)

    def distances(self, asked: Asked) -> dict[str, float]:
        """Distance of a question from what was measured: exponents of the factors, by their fields."""
        is_new = {
            "of_known": (asked.model, asked.machine) in self.deployments,
            "of_machine": asked.machine not in self.machines,
            "of_layer_kind": not set(asked.layer_kinds) <= set(self.layer_kinds),
            "of_release": bool(self.newest) and asked.released > self.newest,
            "of_options": not asked.is_run_as_measured,
            "of_drafts": asked.drafts,
        }
        return {name: float(one) for name, one in is_new.items()} | {
            "of_users": math.log2(max(asked.users / self.users, 1.0)),
            "of_chips": math.log2(asked.chips / self.chips),
        }

    def widening(self, asked: Asked, quantity: str) -> float:
        """Width of an interval over that of a new model on a measured machine; 1 where nothing is known.

        Args:
            asked: deployment whose interval is widened.
            quantity: ``tpot_s`` or ``ttft_s``.
        """
        return self.by(self.distances(asked), quantity) if self.machines else 1.0

    def by(self, distances: Mapping[str, float], quantity: str) -> float:
        """Width of an interval at these distances, over that at none."""
        factors: dict[str, Mapping[str, float]] = {name: getattr(self, name) for name in distances}
        powers = [factors[name].get(quantity, 1.0) ** power for name, power in distances.items() if power]
        return float(math.prod(powers))


NOT_MEASURED = Evidence()
