"""Lookup of price lists by names in any case, in part, or misspelt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher, get_close_matches
from itertools import takewhile

__all__ = ["as_listed", "containing", "near", "near_provider", "newest"]

NEAR = 0.6
"""Similarity of two names from which one may mean the other."""

NEAR_PROVIDER = 0.8
"""Similarity of two providers' names, which are short, from which one may mean the other."""


def as_listed(name: str, known: Sequence[str]) -> str:
    """The name as it is listed, where it differs only in case; otherwise unchanged.

    >>> as_listed("zai/glm-5", ("zai/GLM-5", "zai/GLM-5.1"))
    'zai/GLM-5'
    """
    if name in known:
        return name
    return next((one for one in known if one.lower() == name.lower()), name)


def containing(text: str, known: Sequence[str]) -> tuple[str, ...]:
    """Names of models that contain a text, whatever stands between its letters and digits.

    >>> containing("llama 3.3-70b", ("groq/llama-3.3-70b-versatile", "groq/llama-3.1-8b-instant"))
    ('groq/llama-3.3-70b-versatile',)
    """
    asked = _bare(text)
    return tuple(one for one in known if asked and asked in _bare(one.rpartition("/")[2]))


def near(name: str, known: Sequence[str], most: int = 3) -> list[str]:
    """Likely meanings of a name: those that contain the model's, then similar ones, the provider's own first.

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
    """Provider that may be meant by an unknown name.

    >>> near_provider("Anthropicc", ("anthropic", "openai")), near_provider("llama", ("meta", "openai"))
    ('anthropic', None)
    """
    return next(iter(get_close_matches(name.lower(), known, 1, NEAR_PROVIDER)), None)


def newest(known: Sequence[str], most: int = 3) -> list[str]:
    """Models of a provider with the highest versions, in its largest series.

    >>> newest(("anthropic/claude-2", "anthropic/claude-opus-5-5", "anthropic/claude-opus-4-8"), 2)
    ['anthropic/claude-opus-5-5', 'anthropic/claude-opus-4-8']
    """
    lines = Counter(_line(one) for one in known)
    return sorted(known, key=lambda one: (-lines[_line(one)], -_version(one), len(one), one))[:most]


def _bare(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _line(listing: str) -> str:
    """First word of a model's name."""
    return re.split(r"[^a-z]", listing.rpartition("/")[2].lower(), maxsplit=1)[0]


def _version(listing: str) -> float:
    """Version in a name: its first number that is no size or day, the next as decimals: 5.5 of opus-5-5; or 0."""
    name = re.sub(r"\d{4}-\d{2}-\d{2}", "", listing.rpartition("/")[2].lower())
    met = re.search(r"(?<![0-9])(\d{1,2})(?:[.-](\d{1,2}))?(?![0-9b])", name)
    return 0.0 if met is None else float(f"{met[1]}.{met[2] or 0}")
