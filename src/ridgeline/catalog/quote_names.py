"""Names of price lists as people write them: in any case, in part, or wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher, get_close_matches
from itertools import takewhile

__all__ = ["as_listed", "containing", "near", "near_provider", "newest"]

NEAR = 0.6
"""Part of two names that must be alike for one to be meant by the other."""

NEAR_PROVIDER = 0.8
"""The same of providers, whose names are short."""


def as_listed(name: str, known: Sequence[str]) -> str:
    """The name as it is listed, where it differs in the case of letters alone; else as it is.

    >>> as_listed("zai/glm-5", ("zai/GLM-5", "zai/GLM-5.1"))
    'zai/GLM-5'
    """
    if name in known:
        return name
    return next((one for one in known if one.lower() == name.lower()), name)


def containing(text: str, known: Sequence[str]) -> tuple[str, ...]:
    """Names of models that have a text in them, whatever stands between its letters and digits.

    >>> containing("llama 3.3-70b", ("groq/llama-3.3-70b-versatile", "groq/llama-3.1-8b-instant"))
    ('groq/llama-3.3-70b-versatile',)
    """
    asked = _bare(text)
    return tuple(one for one in known if asked and asked in _bare(one.rpartition("/")[2]))


def near(name: str, known: Sequence[str], most: int = 3) -> list[str]:
    """Names that may be meant: those that contain the model's, then those that are alike, the provider's own first.

    >>> near("mistral/mistral-large-latest", ("mistral/mistral-ocr-latest", "mistral/mistral-large-2512"))
    ['mistral/mistral-large-2512', 'mistral/mistral-ocr-latest']
    """
    provider, slash, model = name.lower().partition("/")
    if not slash:
        provider, model = "", provider
    found = []
    for one in known:
        by, _, its = one.lower().partition("/")
        likeness = SequenceMatcher(None, model, its).ratio()
        if likeness >= NEAR or (model and _bare(model) in _bare(its)):
            common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(model, its, strict=False)))
            is_within = bool(model) and _bare(model) in _bare(its)
            found.append((not is_within, by != provider, -common, -likeness, one))
    return [one for *_, one in sorted(found)[:most]]


def near_provider(name: str, known: Sequence[str]) -> str | None:
    """The provider that may be meant by a name that is none.

    >>> near_provider("Anthropicc", ("anthropic", "openai")), near_provider("llama", ("meta", "openai"))
    ('anthropic', None)
    """
    return next(iter(get_close_matches(name.lower(), known, 1, NEAR_PROVIDER)), None)


def newest(known: Sequence[str], most: int = 3) -> list[str]:
    """Models of a provider with the highest versions, of the line that most of its models are of.

    >>> newest(("anthropic/claude-2", "anthropic/claude-opus-5-5", "anthropic/claude-opus-4-8"), 2)
    ['anthropic/claude-opus-5-5', 'anthropic/claude-opus-4-8']
    """
    lines = Counter(_line(one) for one in known)
    return sorted(known, key=lambda one: (-lines[_line(one)], -_version(one), len(one), one))[:most]


def _bare(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _line(listing: str) -> str:
    """The first word of a model's name."""
    return re.split(r"[^a-z]", listing.rpartition("/")[2].lower(), maxsplit=1)[0]


def _version(listing: str) -> float:
    """The first number of a name that is no size or day, the next as decimals: 5.5 of opus-5-5; or 0."""
    name = re.sub(r"\d{4}-\d{2}-\d{2}", "", listing.rpartition("/")[2].lower())
    met = re.search(r"(?<![0-9])(\d{1,2})(?:[.-](\d{1,2}))?(?![0-9b])", name)
    return 0.0 if met is None else float(f"{met[1]}.{met[2] or 0}")
