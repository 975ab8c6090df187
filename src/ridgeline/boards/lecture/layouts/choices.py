"""Questions with a few answers on racks: what a second rack does to the traffic, and how much a next one grows."""

from __future__ import annotations

from ridgeline.boards.choice import Choice, Sketch, nearest
from ridgeline.boards.lecture.layouts.racks import introduced
from ridgeline.boards.walk import Seen, at_mark, cell, height, mark_named

__all__ = ["REAL_GROWTH", "TWO_RACKS", "chips", "more_dies", "slower_half"]


def slower_half(seen: Seen) -> float:
    """Time of the all-to-all over that inside one rack."""
    return height(seen, "all-to-all", mark_named(seen, "racks").x)


def _two_racks_why(seen: Seen) -> str:
    ratio = seen.values[seen.mode]["link_ratio"]
    return f"half of the traffic now waits for links that are {ratio:g} times slower"


TWO_RACKS = Choice(
    prompt="How long does the all-to-all take then, compared with one rack?",
    options=nearest(slower_half, {"half as long": 0.5, "as long": 1.0, "4 times as long": 4.0, "8 times as long": 8.0}),
    why=_two_racks_why,
    sentences=2,
    terms=1,
    sketch=Sketch(
        asked="all-to-all",
        lines=("all-to-all",),
        marks=("one rack",),
        until=at_mark("one rack"),
        asked_at=at_mark("racks"),
    ),
)


def chips(seen: Seen, machine: str, column: str) -> float:
    """Packages or dies of a machine's domain."""
    return float(cell(seen, machine, column, view=1))


def more_dies(seen: Seen) -> float:
    """Dies of the next rack over those of the one before it."""
    return chips(seen, "Rubin Ultra", "dies") / chips(seen, "Vera Rubin", "dies")


def _growth_prompt(seen: Seen) -> str:
    after, before = chips(seen, "Rubin Ultra", "dies"), chips(seen, "Vera Rubin", "packages")
    each = chips(seen, "Vera Rubin", "dies") / before
    return (
        f"NVIDIA counts {before:g} chips in one rack and {after:g} in the next. But the {before:g} are packages, and"
        f" the {after:g} are dies, the pieces of silicon inside. Each of the {before:g} holds {each:g}. By what factor"
        " does a rack's silicon grow?"
    )


def _growth_why(seen: Seen) -> str:
    after, before, packages = (
        chips(seen, *one) for one in (("Rubin Ultra", "dies"), ("Vera Rubin", "dies"), ("Vera Rubin", "packages"))
    )
    return f"{packages:g} packages of {before / packages:g} dies are {before:g} dies, and {after:g} come next"


REAL_GROWTH = Choice(
    prompt=_growth_prompt,
    options=nearest(more_dies, {"2 times": 2.0, "4 times": 4.0, "8 times": 8.0}),
    why=_growth_why,
    sentences=1,
    sketch=Sketch(
        asked="dies",
        lines=("packages",),
        until=lambda _: introduced("Vera Rubin"),
        asked_at=lambda _: introduced("Rubin Ultra"),
    ),
)
