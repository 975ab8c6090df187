"""Resolution at which a step is timed."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.specs.efficiency import IDEAL, Efficiency

__all__ = ["FIDELITIES", "MEASURED", "NAPKIN", "ROOFLINE", "Fidelity"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Fidelity:
    """A resolution of the model of time.

    Attributes:
        name: name on the command line.
        at_peaks: whether machines reach the peaks of their spec sheet, and no engine takes time of its own.
        by_operation: whether every operation and message is timed by itself, and not a pass by one formula.
        status: certainty of such estimates, in one clause; empty where the machine's efficiencies state it.
    """

    name: str
    at_peaks: bool
    by_operation: bool
    status: str = ""

    def __repr__(self) -> str:
        return f"Fidelity({self.name!r})"

    def status_on(self, efficiency: Efficiency) -> str:
        """Certainty of estimates with these efficiencies, in one clause."""
        return self.status or f"efficiencies: {efficiency.status}"


NAPKIN = Fidelity(
    name="napkin",
    at_peaks=True,
    by_operation=False,
    status="napkin: the lecture's formula at the spec sheet's peaks; reads every weight at any batch",
)
ROOFLINE = Fidelity(name="roofline", at_peaks=True, by_operation=True, status=f"roofline: {IDEAL.status}")
MEASURED = Fidelity(name="measured", at_peaks=False, by_operation=True)
FIDELITIES = {fidelity.name: fidelity for fidelity in (NAPKIN, ROOFLINE, MEASURED)}
