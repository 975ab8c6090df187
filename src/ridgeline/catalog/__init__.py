"""Dated, sourced facts about models and machines as TOML, and their readers."""

from ridgeline.catalog.facts import CatalogError, Fact
from ridgeline.catalog.machines import MachineEntry, load_machine, machine_entry, machine_ids
from ridgeline.catalog.models import ModelEntry, load_model, model_entry, model_ids

__all__ = [
    "CatalogError",
    "Fact",
    "MachineEntry",
    "ModelEntry",
    "load_machine",
    "load_model",
    "machine_entry",
    "machine_ids",
    "model_entry",
    "model_ids",
]
