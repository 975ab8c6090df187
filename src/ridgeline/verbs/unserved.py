"""Plans of a search that found none: asked for one, they say what would serve."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, overload

from ridgeline.errors import UnservedError
from ridgeline.quantity_text import parse_quantity

if TYPE_CHECKING:
    from ridgeline.planner.outcome import Plan

__all__ = ["NoPlanError", "NoPlans", "in_arguments"]

ARGUMENTS = {
    "--batch": "Demand(batch=...)",
    "--chips": "chips",
    "--engine": "engine",
    "--kv": "kv",
    "--power": "Demand(site_power_w={power_w:.12g})",
    "--tpot": "tpot_s",
    "--ttft": "ttft_s",
    "--weights": "weights",
}
"""Arguments by the options that ``remedy`` names."""


def in_arguments(remedy: str) -> str:
    """Advice on options of the command line as advice on arguments.

    >>> in_arguments("relax --tpot, or give --power 1.4kW")
    'relax tpot_s, or give Demand(site_power_w=1400)'
    """
    return re.sub(r"(--[a-z-]+)(?: ([\d.,]+\w?W)\b)?", _argument, remedy)


def _argument(option: re.Match[str]) -> str:
    """Argument in place of an option; one that is no argument, such as an engine's own flag, stays."""
    power_w = parse_quantity(option[2], "w") if option[2] else math.nan
    return ARGUMENTS.get(option[1], option[0]).format(power_w=power_w)


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
        return in_arguments(self._why())

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
