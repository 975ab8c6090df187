"""Layers of a model that no number counts, with the option that does."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.estimator.notes import UNCOUNTED
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.verbs.speculations import own_draft

__all__ = ["naming_option"]


def naming_option(notes: Iterable[str], model: Model, machine: Machine) -> list[str]:
    """Notes of a command that takes ``--speculate``: that on layers that could draft names what counts them."""
    draft = own_draft(model, machine)
    option = f"; --speculate {draft} counts it" if draft else ""
    return [note + option if note.startswith(UNCOUNTED) else note for note in notes]
