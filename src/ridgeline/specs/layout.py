"""How one replica of a model is laid over chips."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

from ridgeline.errors import RidgelineError
from ridgeline.glossary import ImplausibleError, require_plausible

__all__ = ["Layout", "LayoutError"]


class LayoutError(RidgelineError):
    """A layout whose numbers are out of range, that contradicts itself, or that does not fit a model or a machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Degrees of parallelism of one replica; ``tp * pp * dp * cp`` chips.

    Chips are numbered so that those of a ``tp`` group are neighbours, then those of ``dp``, then of ``cp``; stages lie
    farthest apart. Degrees from ``tp_rows`` on cut no further: they say how the chips above share what they hold.

    Attributes:
        tp: chips that share every matrix of attention and dense blocks.
        pp: pipeline stages, each with some of the layers.
        ep: groups of chips among which experts are spread; laid over ``tp * dp``.
        dp: groups that each serve their own sequences with their own copy of attention.
        cp: chips that share a sequence's context, each with a copy of the weights.

        tp_rows: chips of ``tp`` among which the input side of matrices is cut; the rest cut the output side. 1 is the
            usual cut, in one dimension.
        kv_dp: groups of ``tp`` that each keep the keys and values of their own sequences; 1 cuts them by heads.
        fsdp: chips of ``dp`` among which weights are sharded; all gather a layer's weights before it runs.
        redundant_experts: experts of each layer that are held twice, to balance load and make their number divisible.
    """

    tp: int = 1
    pp: int = 1
    ep: int = 1
    dp: int = 1
    cp: int = 1
    tp_rows: int = 1
    kv_dp: int = 1
    fsdp: int = 1
    redundant_experts: int = 0

    def __post_init__(self) -> None:
        try:
            require_plausible(self)
        except ImplausibleError as error:
            raise LayoutError(str(error)) from None
        for part, of, whole, why in (
            ("ep", "tp*dp", self.tp * self.dp, "experts lie over the chips of tp and dp together: dp8,ep8"),
            ("tp_rows", "tp", self.tp, "it cuts what the chips of tp share: tp16,tp_rows4"),
            ("kv_dp", "tp", self.tp, "sequences are kept by groups of the chips of tp: tp8,kv_dp8"),
            ("fsdp", "dp", self.dp, "weights lie spread over the groups of dp: dp8,fsdp8"),
        ):
            degree = getattr(self, part)
            if whole % degree:
                raise LayoutError(f"layout {self}: {part}={degree} does not divide {of}={whole}; {why}")

    def __str__(self) -> str:
        degrees = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        spread = degrees.pop("redundant_experts")
        words = [f"{name}{degree}" for name, degree in degrees.items() if degree > 1]
        return ",".join([*words, *([f"redundant{spread}"] if spread else [])]) or "tp1"

    @property
    def chips(self) -> int:
        """Chips of one replica."""
        return self.tp * self.pp * self.dp * self.cp

    @property
    def attention_tp(self) -> int:
        """Chips that share the heads of one sequence."""
        return self.tp // self.kv_dp

    @property
    def expert_tp(self) -> int:
        """Chips that share one expert."""
        return self.tp * self.dp // self.ep

    @classmethod
    def from_text(cls, text: str) -> Layout:
        """A layout from text such as "tp8,ep8"; degrees left out are 1.

        Raises:
            LayoutError: the text does not parse, names a degree twice, is out of range, or contradicts itself.

        >>> Layout.from_text("tp2,dp4,ep8").chips
        8
        >>> Layout.from_text("dp72,ep72,redundant32").redundant_experts
        32
        """
        names = {field.name.removesuffix("_experts"): field.name for field in dataclasses.fields(cls)}
        degrees: dict[str, int] = {}
        for part in re.split(r"[,\s·]+|(?<=\d)x(?=[a-z])", text.strip().lower()):
            match = re.fullmatch(r"([a-z_]+)=?(\d{1,9})", part)
            name = names.get(match[1].removesuffix("_experts")) if match else None
            if match is None or name is None:
                raise LayoutError(f"layout {text!r}: {part!r} is not one of {', '.join(names)} with a number: tp8,ep8")
            if name in degrees:
                raise LayoutError(f"layout {text!r}: {match[1]} is given twice")
            degrees[name] = int(match[2])
        return cls(**degrees)
