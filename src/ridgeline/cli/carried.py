"""Carriers of a time, as they are shown beside it: one line, and the parts that rest on least."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from ridgeline.cli.output import print_table, print_text, show
from ridgeline.specs.provenance import Carrier, Grade, summary

__all__ = ["OF_A_REQUEST", "show_carriers", "show_summary"]

OF_A_REQUEST = "a replica spends on one request, a step's time being shared by all that decode in it"
"""Words for the time that the carriers of a load share."""

WORTH_NAMING = 0.05
"""Fraction of the time from which a carrier that was not measured is named by itself."""

MOST_NAMED = 3


def show_summary(out: Console, carriers: Sequence[Carrier]) -> None:
    """Print the line on the carriers, with the heaviest of those that were not measured on this chip."""
    print_text(out, summary(carriers), head="carried by ")
    doubtful = [one for one in carriers if one.source.grade is not Grade.MEASURED and one.time_fraction > WORTH_NAMING]
    # Where all parts have one source, the line has said it.
    if len({one.source for one in carriers}) > 1:
        for one in doubtful[:MOST_NAMED]:
            print_text(out, f"{100 * one.time_fraction:.0f} % {one.part}: {one.source.text}", indent=2, hang=2)


def show_carriers(out: Console, carriers: Sequence[Carrier], *, of: str) -> None:
    """Print all carriers, worst first.

    Args:
        out: console to print to.
        carriers: parts of a time with what they rest on.
        of: words for their sum: "the step takes".
    """
    rows = [(one.part, one.source.text, show(one.time_s, "s"), f"{100 * one.time_fraction:.1f}") for one in carriers]
    print_table(out, ("carried by", "source", "time", "%"), rows, left=(0, 1))
    whole_s = sum(one.time_s for one in carriers)
    print_text(out, f"time: of the {show(whole_s, 's')} that {of}", style="dim")
