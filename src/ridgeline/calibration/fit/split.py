"""Groups of rows that are left out of fits together, to be predicted unseen."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from enum import StrEnum

from ridgeline.calibration.cases import Case
from ridgeline.calibration.fit.priors import SAME
from ridgeline.catalog.engines import USUAL, engine_of

__all__ = [
    "Split",
    "group_of",
    "stand_in",
]


class Split(StrEnum):
    """Groups of rows that are left out of a fit together, and then predicted by it."""

    NOTHING = "nothing"
    DEPLOYMENT = "model on its machine"
    MODEL = "model"
    MACHINE = "machine"
    LATER = "later releases"
    USERS = "more users"
    ENGINE = "engine"


LATER_FROM = "2026-04-01"
"""Date that divides releases: half a year of the public benchmark's runs before it, and as much after it."""


MANY_USERS = 64
"""Users above which rows are left out together: four more doublings lie above, and most rows below."""


def group_of(case: Case, split: Split) -> Hashable | None:
    """Group with which a row is left out; None for one that never is."""
    return GROUPS[split](case)


def _engine(case: Case) -> Hashable | None:
    engine = engine_of(case.engine)
    return SAME.get(engine.name, engine.name) if engine.replay else None


GROUPS: dict[Split, Callable[[Case], Hashable | None]] = {
    Split.NOTHING: lambda _: None,
    Split.DEPLOYMENT: lambda case: case.deployed,
    Split.MODEL: lambda case: case.model,
    Split.MACHINE: lambda case: case.machine,
    Split.LATER: lambda case: Split.LATER if engine_of(case.engine).release.date >= LATER_FROM else None,
    Split.USERS: lambda case: Split.USERS if (case.batch or 0) > MANY_USERS else None,
    Split.ENGINE: _engine,
}
"""Functions from a row to its group, by split."""


def stand_in(engine: str) -> str:
    """Engine that stands in for one that is left out: the usual one, and for that the one that has versions."""
    return USUAL if engine != USUAL else next(iter(SAME.values()))
