"""Starts and priors of the fits of engines: one TOML file, so that an engine is data here, too."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field

from ridgeline.catalog.fact_files import read_toml
from ridgeline.catalog.facts import FactFile

__all__ = ["FIRST_TOKENS", "SAME", "STARTS", "TOKENS", "Prior"]

Prior = tuple[Annotated[float, Field(ge=0)], Annotated[float, Field(gt=0)]]
"""A start value, and its prior's standard deviation in logarithms."""


class PriorFile(FactFile):
    """Contents of the file."""

    same: dict[str, str]
    tokens: dict[str, Prior]
    first_tokens: dict[str, Prior]
    passes: dict[str, dict[str, Annotated[float, Field(gt=0)]]]


_FILE = read_toml(Path(__file__).with_name("priors.toml"), PriorFile)

TOKENS = _FILE.tokens
"""Numbers that times per token determine."""

FIRST_TOKENS = _FILE.first_tokens
"""Numbers that first tokens determine."""

STARTS = _FILE.passes
"""Numbers of an engine that measured passes determine, with round values as start and prior."""

SAME = _FILE.same
"""Engines that differ from another in a single rule, and have its numbers."""
