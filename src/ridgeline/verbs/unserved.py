"""Plans of a search that found none: asked for one, they say what would serve."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, overload

from ridgeline.errors import UnservedError

if TYPE_CHECKING:
    from ridgeline.planner.outcome import Plan

__all__ = ["NoPlanError", "NoPlans"]

ARGUMENTS = {"--tpot": "tpot_s", "--ttft": "ttft_s"}
"""Arguments whose names differ from the command line's by more than dashes."""


class NoPlanError(UnservedError, IndexError):
    """A plan is asked for where none serves; the message says what comes nearest, and what to give."""


class NoPlans(Sequence["Plan"]):
    """An empty sequence of plans, which knows why it is empty."""

    def __init__(self, why: Callable[[], str]) -> None:
        self._why = why

    def __repr__(self) -> str:
        return "NoPlans(why() says what would serve)"

    def why(self) -> str:
        """Reason why nothing serves, and the arguments that would; it may search for them."""
        return re.sub(r"--[a-z]+", lambda found: ARGUMENTS.get(found[0], found[0][2:]), self._why())

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[Plan]:
        return iter(())

    @overload
    def __getitem__(self, place: int) -> Plan: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Plan, ...]: ...
    def __getitem__(self, place: int | slice) -> Plan | tuple[Plan, ...]:
        if isinstance(place, slice):
            return ()
        raise NoPlanError(f"plan: no layout serves this; {self.why()}")
