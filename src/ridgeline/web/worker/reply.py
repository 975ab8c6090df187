"""Entry point of the page's worker: a question in, its answer out, both as JSON."""

from __future__ import annotations

import json
from typing import Any

from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped
from ridgeline.web.fields import FieldError

__all__ = ["keep", "reply"]

_DROPPED = Dropped()
"""Models that were dropped on the page; they never leave it."""


def reply(path: str, fields: str) -> str:
    """The document that a path and its fields ask for, or what is wrong with them.

    Args:
        path: path of the question, without the server's ``api/``.
        fields: JSON object of texts by name.
    """
    try:
        return _written({"answer": answers(path, json.loads(fields), _DROPPED)})
    except FieldError as error:
        return _written({"refusal": error.document()})


def keep(config: bytes | memoryview) -> str:
    """The name of a dropped configuration, or why it cannot be read."""
    try:
        return _written({"answer": {"model": _DROPPED.keep(bytes(config))}})
    except ValueError as error:
        return _written({"refusal": FieldError("config", str(error)).document()})


def _written(document: dict[str, Any]) -> str:
    return json.dumps(document, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
