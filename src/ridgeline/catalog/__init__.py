"""Dated, sourced facts about models and machines as TOML, and their readers."""

from ridgeline.catalog.engines import engine_ids, engine_of, load_engine
from ridgeline.catalog.facts import CatalogError, Fact
from ridgeline.catalog.machines import MachineEntry, load_machine, machine_entry, machine_ids
from ridgeline.catalog.models import ModelEntry, load_model, model_entry, model_ids

__all__ = [
    "CatalogError",
    "Fact",
    "MachineEntry",
    "ModelEntry",
    "engine_ids",
    "engine_of",
    "load_engine",
    "load_machine",
    "load_model",
    "machine_entry",
    "machine_ids",
    "model_entry",
    "model_ids",
]
