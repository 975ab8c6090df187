"""Options of ``ridgeline plan`` besides the deployment, and how its result is to be shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ridgeline import verbs
from ridgeline.cli.speculation import speculations_asked
from ridgeline.cli.trace import AskedLengths
from ridgeline.numeric import ROUNDING
from ridgeline.planner.price import price_of
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.correction import Correction
from ridgeline.specs.demand import Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.speculation import Speculation
from ridgeline.specs.workload import Workload

if TYPE_CHECKING:
    from ridgeline.planner.outcome import Planning

__all__ = ["Asked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Options of ``ridgeline plan`` besides the deployment, and how its result is to be shown."""

    lengths: AskedLengths
    demand: Demand
    chips: int | None
    budget_usd_per_s: float | None
    usd_per_chip_s: float | None
    weights: str | None
    kv: str | None
    kernels: Path | None
    anchor: Path | None
    speculate: tuple[str, ...]
    why_not: tuple[Layout, ...]
    top: int
    details: bool
    figure: Path | None
    theme: str | None
    picture: str
    export: str | None
    checkpoint: str | None
    as_json: bool

    @property
    def workload(self) -> Workload:
        """Workload: lengths of requests, and limits."""
        return self.lengths.workload

    @property
    def published(self) -> str | None:
        """Number format of the weights as asked for; a search over all begins at the published one."""
        return None if self.weights == "auto" else self.weights

    def speculations_of(self, deployment: Deployment) -> tuple[Speculation, ...]:
        """Speculations to search on a machine; the first is the deployment's own."""
        return speculations_asked(self.speculate, deployment.model, deployment.machine, deployment.fidelity)

    def plan_of(
        self,
        deployment: Deployment,
        *,
        chips: int | None,
        speculations: Sequence[Speculation],
        why_not: Layout | None = None,
        corrected: Callable[[Layout], Correction] | None = None,
    ) -> Planning:
        """Plan of one pool of a deployment.

        Args:
            deployment: model, machine and engine that serve.
            chips: budget of chips; None where the load decides.
            speculations: drafts of tokens to choose among.
            why_not: layout for which to say why it is not the plan.
            corrected: correction of each layout's times by measured rows.
        """
        return verbs.plan(
            deployment.model,
            deployment.machine,
            self.workload,
            fidelity=deployment.fidelity,
            engine=deployment.engine,
            weights=self.weights,
            kv=self.kv,
            chips=chips,
            demand=self.demand,
            usd_per_chip_s=self.usd_per_chip_s,
            why_not=why_not,
            corrected=corrected,
            speculate=speculations,
        )

    def chips_on(self, machine: Machine) -> int | None:
        """Budget of a machine in chips: as many as asked for, or as many as the money rents; None without one.

        Raises:
            click.UsageError: nobody lists a price of the machine, or the money rents none.
        """
        if self.budget_usd_per_s is None:
            return self.chips
        price = price_of(machine, self.usd_per_chip_s)
        if not price:
            raise click.UsageError(f"--budget needs a price of {machine.id}, and none is listed; add --price '$2/h'")
        chips = int(self.budget_usd_per_s / price * (1 + ROUNDING))
        if not chips:
            asked, of_one = (format_quantity(usd, "usd_per_s") for usd in (self.budget_usd_per_s, price))
            raise click.UsageError(f"--budget {asked} rents no chip of {machine.id} at {of_one}; give more")
        return chips
