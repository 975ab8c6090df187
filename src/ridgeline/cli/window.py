"""Requests longer than a model's window, and doubtful units: said before all numbers, and not again in the notes."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console

from ridgeline.cli.output import print_text
from ridgeline.estimator.notes import length_caveat
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model

__all__ = ["notes_beside_window", "show_doubtful_units", "show_window"]


def show_window(out: Console, model: Model, tokens: float) -> None:
    """Print that sequences are longer than those that a model was made for; nothing where they are not."""
    for caveat in length_caveat(model, tokens):
        print_text(out, f"{caveat}; servers refuse them unless told otherwise", head="Beyond the model's window: ")


def show_doubtful_units(out: Console, machine: Machine) -> None:
    """Print facts of a machine that are far from those of all others, as by a slip of a unit."""
    for doubt in machine.unit_doubts:
        print_text(out, doubt, head="A slip of a unit? ")


def notes_beside_window(notes: Iterable[str], model: Model, tokens: float, machines: Iterable[Machine]) -> list[str]:
    """Notes that ``show_window`` and ``show_doubtful_units`` have not said."""
    said = {*length_caveat(model, tokens), *(doubt for machine in machines for doubt in machine.unit_doubts)}
    return [note for note in notes if note not in said]
