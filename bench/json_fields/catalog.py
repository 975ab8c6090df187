"""Fields of the documents of ``catalog``: what is run to see them, and what they mean."""

from __future__ import annotations

from typing import Any

from json_fields.fields import Fields
from ridgeline.caching.memory_wall import MemoryBought, MemoryTaken
from ridgeline.catalog.acceptance import Acceptance
from ridgeline.catalog.facts import Fact
from ridgeline.catalog.memory_costs import MemoryShare
from ridgeline.catalog.quote import Cliff, Prices, Quote
from ridgeline.catalog.storage import StorageDevice
from ridgeline.estimator.bounds import Bounds
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import LayerGroup, Model

EXAMPLES = {
    "catalog models": ("catalog models deepseek-v3", "catalog models"),
    "catalog machines": ("catalog machines h100-sxm --model llama-3.1-8b --kernels OWN", "catalog machines"),
    "catalog storage": ("catalog storage ddr5-socket", "catalog storage"),
    "catalog prices": (
        "catalog prices gemini-3-1-pro",
        "catalog prices openai/gpt-6.1-sol",
        "catalog prices claude-haiku-5-5",
        "catalog prices deepseek",
        "catalog prices deepseek/deepseek-v4-pro --since 2026-05-01",
    ),
    "catalog memory": ("catalog memory --model llama-3.1-8b",),
    "catalog acceptance": ("catalog acceptance deepseek-v3", "catalog acceptance"),
}
RECORDS: dict[str, tuple[type[Any], ...]] = {
    "catalog acceptance:acceptance[]": (Acceptance,),
    "catalog models:models[]": (Model,),
    "catalog models:models[].groups[]": (LayerGroup,),
    "catalog machines:machines[]": (Machine,),
    "catalog machines:machines[].facts.*": (Fact,),
    "catalog machines:machines[].rental[]": (Fact,),
    "catalog machines:machines[].implied": (Bounds,),
    "catalog storage:storage[]": (StorageDevice,),
    "catalog storage:storage[].facts.*": (Fact,),
    "catalog storage:storage[].bought[]": (Fact,),
    "catalog memory:costs[]": (MemoryShare,),
    "catalog memory:costs[].facts.*": (Fact,),
    "catalog memory:bought[]": (MemoryBought,),
    "catalog memory:machines[]": (MemoryTaken,),
    "catalog prices:prices[]": (Quote,),
    "catalog prices:prices[].cliffs[]": (Cliff,),
    "catalog prices:prices[].cliffs[].usd_per_token": (Prices,),
    "catalog prices:prices[].usd_per_token": (Prices,),
    "catalog prices:prices[].modes.*": (Prices,),
}
WORDS = {
    "inputs.id": "catalog id that was asked for; null for all",
    "catalog acceptance:acceptance": "how many tokens a step adds, by model and draft, as measured",
    "machines[].family": "of chips, which share efficiencies",
    "machines[].bands_by": "what bands of `efficiency.bands` were found on, by kind",
    "machines[].bands_by.*": "what it was found on",
    "models": "one object a model",
    "also": "other names of the same shape",
    "published_params": "parameters as published; null where none are",
    "models[].groups": "layers that are alike, first to last",
    "groups[].attention": "its kind, a record of `ridgeline/specs/attention`, and the fields of that record",
    "groups[].feed_forward": "its kind, a record of `ridgeline/specs/feed_forward.py`, and the fields of that record",
    "models[].active_params": "parameters that one token touches, the input embedding's look-up included",
    "models[].multiplied_params": "active parameters without the input embedding, which is looked up: those that a"
    " token is multiplied by, as in balance batches",
    "models[].kv_bytes_per_token": "keys and values that each further token of a long context leaves, in all layers; 0"
    " where all have windows or states",
    "models[].kv_bytes_per_first_token": "keys and values that each of the first tokens leaves, in all layers",
    "models[].weight_bytes": "all weights of the published checkpoint",
    "formats": "published number formats, by component",
    "formats.*": "number format of its weights",
    "released": "year",
    "announced": "whether it was not shipping when its sources were read",
    "memory_sweep_time_s": "time to read all of the memory once",
    "scale_up_chips": "chips of one scale-up domain",
    "facts": "each fact with its source and date",
    "facts.*": "one fact",
    "fabric[].name": "level of the fabric",
    "technology": "of the links",
    "topology": "switch, bus, mesh or torus",
    "torus": "chips along each side of a torus; empty for others",
    "wraps_every": "chips along an axis from which on its ends are joined",
    "rental": "prices of a chip, oldest first",
    "rental[].kind": "on-demand, spot, contract or list",
    "implied": "what the numbers imply for the model of --model, over one scale-up domain",
    "implied.model": "catalog id",
    "largest_params": "parameters that the domain's memory holds",
    "implied.fits": "whether the model's weights do",
    "implied.notes": "departures from the published formats",
    "drain_time_s": "time to read all of it once",
    "storage[].usd": "the newest price of it; null where none is known, or it is rented",
    "storage[].usd_per_byte": "the newest price of a byte; null where none is known, or it is rented",
    "storage[].bought": "what it cost to buy, at each date",
    "usd_per_token_s": "list price for keeping a token",
    "costs": "one object a published bill",
    "costs[].machine": "whose bill it is; null for an industry's",
    "costs[].of": "what the bill is for",
    "catalog prices:prices[].cache_kept": "for how long and where its provider says that caches are kept; may be empty",
    "costs[].memory_fraction": "memory's part of it, in the middle of what is published",
    "catalog memory:bought": "memory's part of what machines are sold for, at an early and at its newest price",
    "catalog memory:machines": "one object a machine, the oldest first",
    "costs[].facts": "what is published of it",
    "costs[].facts.*": "one of the numbers, with its source",
    "catalog prices:inputs.since": "earlier day that is compared with",
    "catalog prices:before": "with --since: the same models on that day; those that were not sold are left out",
    "catalog prices:prices[].retired": "whether it is sold no longer, and these are its last prices",
    "catalog prices:inputs.time": "hour of the prices, UTC",
    "catalog prices:prices[].listing": "provider and model",
    "cliffs[].usd_per_token": "prices of a request with more input",
    "modes.*": "prices of the mode, each null where there is none",
    "changed": "days from which the prices changed, as far as they are known",
    "catalog prices:prices[].date": "day of the prices",
    "storage[].bytes_per_s": "bandwidth at which it is read",
    "unverified": "whether the fact is known only from memory",
    "fabric": "links, from the innermost on",
}
NAMED = frozenset(
    {
        "catalog machines:machines[].bands_by",
        "catalog machines:machines[].facts",
        "catalog memory:costs[].facts",
        "catalog models:models[].formats",
        "catalog prices:prices[].modes",
        "catalog storage:storage[].facts",
    }
)
ENDS = frozenset(
    {
        "catalog models:models[].groups[].attention",
        "catalog models:models[].groups[].feed_forward",
        "catalog prices:before[]",
    }
)
FIELDS = Fields(examples=EXAMPLES, records=RECORDS, words=WORDS, named=NAMED, ends=ENDS)
