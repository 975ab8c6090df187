"""Text on layouts that cannot serve, by the constraint that they break."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console

from ridgeline.cli.output import counted, print_text
from ridgeline.planner.outcome import Constraint, FrontPoint, Plan, Rejection

__all__ = ["WHAT_REJECTS", "layout_name", "show_rejected"]

WHAT_REJECTS = {
    Constraint.DIVIDES: ("does", "do", "not split the model or the chips evenly"),
    Constraint.ENGINE: ("is", "are", "not run by the engine"),
    Constraint.MEMORY: ("does", "do", "not fit in memory"),
    Constraint.TTFT: ("is", "are", "too slow to the first token"),
    Constraint.TPOT: ("is", "are", "too slow per output token"),
    Constraint.CHIPS: ("needs", "need", "more chips for the load than there are"),
    Constraint.BATCH: ("does", "do", "not take as large a batch"),
    Constraint.POWER: ("draws", "draw", "more power than there is"),
}
"""Verbs for one layout and for several, and the rest of the clause, by constraint."""


def layout_name(one: Plan | FrontPoint | Rejection) -> str:
    """Layout in words, with the weights' format that was asked for, and the drafts."""
    return " ".join(filter(None, (str(one.layout), one.weights, one.speculate)))


def show_rejected(out: Console, rejected: Sequence[Rejection], *, undivided: int = 0, details: bool = False) -> None:
    """Print how many layouts break which constraint; in detail with an example of each.

    Args:
        out: console to print to.
        rejected: layouts with their reasons.
        undivided: number of layouts that do not divide, of which only some are kept with their reasons.
        details: whether to give examples.
    """
    if not rejected:
        return
    examples = {one.kind: f"{layout_name(one)}: {one.reason}" for one in rejected}
    counts = dict(Counter(one.kind for one in rejected)) | ({Constraint.DIVIDES: undivided} if undivided else {})
    out.print()
    said = [_said(count, kind) for kind, count in counts.items()]
    head = f"Rejected ({counted(sum(counts.values()), 'layout')})"
    if not details:
        print_text(out, f": {', '.join(said)}", head=head)
        return
    print_text(out, "", head=head)
    for kind, line in zip(counts, said, strict=True):
        print_text(out, line + (f"; such as {examples[kind]}" if kind in examples else ""), indent=2)


def _said(count: int, kind: Constraint) -> str:
    one, several, what = WHAT_REJECTS[kind]
    return f"{count:,} {one if count == 1 else several} {what}"
