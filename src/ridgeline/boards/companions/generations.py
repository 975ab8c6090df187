"""Scale-up domains as they grow: packages with the dies in each, all at one scale. Declarations alone."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Generation", "Generations"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """A domain of as many packages, each with as many dies.

    Attributes:
        names: names of the machines that are alike in this, in their order.
        packages: packages of the domain.
        dies: dies of a package.
        all_dies: dies of the domain.
    """

    names: tuple[str, ...]
    packages: int
    dies: int
    all_dies: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Generations:
    """Domains beside one another, the last of which is covered by as many of the one before as it has times its dies.

    Attributes:
        generations: domains, from the left.
        growth_ratio: dies of the last domain, over those of the one before.
        text: summary in a few words.
    """

    generations: tuple[Generation, ...]
    growth_ratio: float
    text: str
