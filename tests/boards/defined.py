"""Words of the field that a text says, as the page finds them."""

from __future__ import annotations

import re

from ridgeline.boards.definitions import DEFINITIONS, PATTERN, Definition

WORDS = re.compile(PATTERN)


def defined_in(text: str) -> list[Definition]:
    """Definitions of the words in a text, in the order in which these first stand there."""
    return list(dict.fromkeys(DEFINITIONS[found.lastindex - 1] for found in WORDS.finditer(text) if found.lastindex))
