"""What is known of the documents of some commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Fields"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """Of some commands.

    Attributes:
        examples: what is run for each command, so that every field of its document is seen and none is always null.
        records: whose attributes the fields at a place are.
        words: what no record and no glossary says; by the end of a field's place, and the longest that fits goes first.
        named: objects whose keys are names of things: they are shown as ``*``.
        ends: what is listed elsewhere on the page, or has the fields of one record of several.
    """

    examples: Mapping[str, tuple[str, ...]]
    records: Mapping[str, tuple[type[Any], ...]] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    named: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
