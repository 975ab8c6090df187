"""What an engine can run: which cuts of a model, which attention, which number formats on which chips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ridgeline.specs.frozen import freeze_mappings

__all__ = ["EngineSupport", "PartSupport"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartSupport:
    """What an engine makes of one degree of a layout.

    Attributes:
        has: whether the engine knows degrees above 1.
        whole: whether the degree is 1 or all chips of ``tp`` and ``dp``, and none between.
        without: degrees that are 1 beside it.
        note: what to know, in a clause.
    """

    has: bool = True
    whole: bool = False
    without: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSupport:
    """What is known of what an engine can run; what is not named in a mapping is not known.

    Attributes:
        parts: by degree of a layout.
        other_parts: of the degrees that are not named; None where nothing is known of them.
        attention: whether it runs an attention kind, by the name of its record.
        chips: whether it runs on chips, by their family.
        weights: families of chips on which it runs weights, by number format; 16 bits go without saying.
        kv: the same for the format of the cache.
        drafts: whether it checks tokens of a draft, by its kind; "model" for those of a smaller model.
        unverified: what of this is known only from memory: "attention", "chips", a degree, "others" of degrees,
            "fp8 weights", "fp8 KV", "drafts".
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
