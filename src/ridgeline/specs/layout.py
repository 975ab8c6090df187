"""How one replica of a model is laid over chips."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

from ridgeline.glossary import require_plausible

__all__ = ["Layout", "LayoutError"]


class LayoutError(ValueError):
    """A layout that contradicts itself, or does not fit a model or a machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Degrees of parallelism of one replica; ``tp * pp * dp * cp`` chips.

    Attributes:
        tp: chips that share every matrix of attention and dense blocks.
        pp: pipeline stages.
        ep: groups of chips among which experts are spread; laid over ``tp * dp``.
        dp: groups that each serve their own sequences with their own copy of attention.
        cp: chips that share a sequence's context.
    """

    tp: int = 1
    pp: int = 1
    ep: int = 1
    dp: int = 1
    cp: int = 1

    def __post_init__(self) -> None:
        require_plausible(self)
        if (self.tp * self.dp) % self.ep:
            raise LayoutError(
                f"layout {self}: ep={self.ep} does not divide tp*dp={self.tp * self.dp};"
                " experts lie over the chips of tp and dp together"
            )

    def __str__(self) -> str:
        degrees = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return ",".join(f"{name}{degree}" for name, degree in degrees.items() if degree > 1) or "tp1"

    @property
    def chips(self) -> int:
        """Chips of one replica."""
        return self.tp * self.pp * self.dp * self.cp

    @property
    def expert_tp(self) -> int:
        """Chips that share one expert."""
        return self.tp * self.dp // self.ep

    @classmethod
    def from_text(cls, text: str) -> Layout:
        """A layout from text such as "tp8,ep8"; degrees left out are 1.

        Raises:
            LayoutError: the text does not parse, names a degree twice, or contradicts itself.

        >>> Layout.from_text("tp2,dp4,ep8").chips
        8
        """
        names = [field.name for field in dataclasses.fields(cls)]
        degrees: dict[str, int] = {}
        for part in re.split(r"[,\s·x]+", text.strip().lower()):
            match = re.fullmatch(r"([a-z]+)=?(\d+)", part)
            if match is None or match[1] not in names:
                raise LayoutError(f"layout {text!r}: {part!r} is not one of {', '.join(names)} with a number: tp8,ep8")
            if match[1] in degrees:
                raise LayoutError(f"layout {text!r}: {match[1]} is given twice")
            degrees[match[1]] = int(match[2])
        return cls(**degrees)
