"""Requests longer than a model's window: said before all numbers, and not once more among the notes."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console

from ridgeline.cli.output import print_text
from ridgeline.estimator.notes import length_caveat
from ridgeline.specs.model import Model

__all__ = ["notes_beside_window", "show_window"]


def show_window(out: Console, model: Model, tokens: float) -> None:
    """Print that sequences are longer than those that a model was made for; nothing where they are not."""
    for caveat in length_caveat(model, tokens):
        print_text(out, f"{caveat}; servers refuse them unless told otherwise", head="Beyond the model's window: ")


def notes_beside_window(notes: Iterable[str], model: Model, tokens: float) -> list[str]:
    """Notes that ``show_window`` has not said."""
    said = length_caveat(model, tokens)
    return [note for note in notes if note not in said]
