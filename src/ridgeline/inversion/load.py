"""Load that does not fill its chips: what it takes at its most, and what it uses of that on average."""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.inversion.operating import Operating

__all__ = ["Load", "load_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """A load and the chips for it.

    Attributes:
        requests_per_s: requests a second on average over the day.
        most_requests_per_s: requests a second in the busiest hour, for which there are chips.
        operating: operating point of the deployment in that hour.
        replicas: replicas of its layout; of two pools 1, all of them together.
        filled_fraction: mean fraction of what these chips can serve that is asked of them.
    """

    requests_per_s: float
    most_requests_per_s: float
    operating: Operating
    replicas: int
    filled_fraction: float


def load_of(found: Operating, at_work: Operating, *, requests_per_s: float, utilisation_fraction: float) -> Load:
    """Load with its chips and the fraction of them that it fills.

    Args:
        found: operating point at the load's most.
        at_work: operating point at which the chips are full.
        requests_per_s: mean requests a second of the day.
        utilisation_fraction: mean load over its most.
    """
    # A layout that is not among those for full chips is taken to serve as much a chip as the best of them.
    unit = next((one for one in at_work.units if one.layout == found.layout), at_work.units[0])
    return Load(
        requests_per_s=requests_per_s,
        most_requests_per_s=requests_per_s / utilisation_fraction,
        operating=found,
        replicas=max(round(found.chips / found.units[0].chips), 1),
        filled_fraction=requests_per_s / (unit.requests_per_s * found.chips / unit.chips),
    )
