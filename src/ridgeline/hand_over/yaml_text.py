"""Nested tables as YAML, in block style, for options files and manifests only."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

__all__ = ["yaml_text"]

PLAIN = re.compile(r"[A-Za-z][\w./-]*(:[\w./-]+)*")
"""Text that YAML reads as itself; a colon only inside a word."""

SPECIAL = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}
"""Words that YAML would read as other types."""


def yaml_text(table: Mapping[str, Any]) -> str:
    """A table as YAML.

    >>> print(yaml_text({"a": 1, "b": {"c": [True, "x: y"]}}), end="")
    a: 1
    b:
      c:
        - true
        - "x: y"
    """
    return "".join(f"{line}\n" for line in _lines(table))


def _lines(value: Mapping[str, Any] | Sequence[Any]) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if _is_nested(item):
                yield f"{key}:"
                yield from (f"  {line}" for line in _lines(item))
            else:
                yield f"{key}: {_scalar(item)}"
        return
    for item in value:
        if _is_nested(item):
            first, *rest = _lines(item)
            yield f"- {first}"
            yield from (f"  {line}" for line in rest)
        else:
            yield f"- {_scalar(item)}"


def _is_nested(item: object) -> bool:
    return isinstance(item, (Mapping, list, tuple)) and bool(item)


def _scalar(item: object) -> str:
    """One value; text that YAML might read otherwise is quoted, as in JSON."""
    if isinstance(item, str) and PLAIN.fullmatch(item) and item.lower() not in SPECIAL:
        return item
    return json.dumps(item)
