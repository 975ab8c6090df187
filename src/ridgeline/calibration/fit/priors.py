"""What fits of engines start from and are held by: one TOML file, so that an engine is data here, too."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from ridgeline.catalog.facts import FactFile, read_toml

__all__ = ["FIRST_TOKENS", "SAME", "STARTS", "TOKENS", "Prior"]

Prior = tuple[Annotated[float, Field(ge=0)], Annotated[float, Field(gt=0)]]
"""A number to start from, and how far off in logarithms it may be."""


class PriorFile(FactFile):
    """The file."""

    same: dict[str, str]
    tokens: dict[str, Prior]
    first_tokens: dict[str, Prior]
    passes: dict[str, dict[str, Annotated[float, Field(gt=0)]]]


_FILE = read_toml(Path(__file__).with_name("priors.toml"), PriorFile)

TOKENS = _FILE.tokens
"""Numbers that tokens show."""

FIRST_TOKENS = _FILE.first_tokens
"""Numbers that first tokens show."""

STARTS = _FILE.passes
"""The numbers that measured passes tell of an engine, and round ones to start from and to be held by."""

SAME = _FILE.same
"""Engines that are another but for one rule, and have its numbers."""
