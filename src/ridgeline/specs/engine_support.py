"""Capabilities of an engine: cuts of a model, attention kinds, and number formats by chip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ridgeline.specs.frozen import freeze_mappings

__all__ = ["EngineSupport", "PartSupport"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartSupport:
    """Support of an engine for one degree of a layout.

    Attributes:
        has: whether the engine supports degrees above 1.
        whole: whether the degree is 1 or all chips of ``tp`` and ``dp``, and nothing between.
        without: degrees that have to be 1 beside it.
        note: remark on its use, in a clause.
    """

    has: bool = True
    whole: bool = False
    without: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSupport:
    """Known capabilities of an engine; a key missing from a mapping is unknown.

    Attributes:
        parts: support for each degree of a layout, by name.
        other_parts: support for degrees not named in ``parts``; None where nothing is known of them.
        attention: whether it runs an attention kind, by the name of its record.
        chips: whether it runs on chips, by their family.
        weights: families of chips on which it runs weights, by number format; 16-bit formats are always supported.
        kv: families of chips on which it keeps a KV cache, by number format.
        drafts: whether it verifies draft tokens, by kind of draft; "model" for a smaller model.
        unverified: entries known only from memory: "attention", "chips", a degree, "others" of degrees, "fp8 weights",
            "fp8 KV", "drafts".
    """

    parts: Mapping[str, PartSupport]
    other_parts: PartSupport | None = None
    attention: Mapping[str, bool]
    chips: Mapping[str, bool]
    weights: Mapping[str, tuple[str, ...]]
    kv: Mapping[str, tuple[str, ...]]
    drafts: Mapping[str, bool] = field(default_factory=dict)
    unverified: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        freeze_mappings(self)
