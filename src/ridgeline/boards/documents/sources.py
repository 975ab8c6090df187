"""Sources of careful numbers as plain data: each source once, and facts and bases that refer to it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NotRequired, TypedDict

from ridgeline.boards.basis import Basis
from ridgeline.catalog import machine_entry, model_entry
from ridgeline.catalog.fact_files import sources
from ridgeline.catalog.facts import Fact
from ridgeline.catalog.machines import MachineFacts
from ridgeline.catalog.models import ModelFacts
from ridgeline.catalog.rentals import MARKETS

__all__ = ["BasisDocument", "FactDocument", "SourceDocument", "SourcesDocument", "address_of", "sources_document"]

FORMATS = {"bf16": "BF16", "fp8": "FP8", "fp4": "FP4"}
"""Number formats whose peaks are told, by their name on a spec sheet."""
KINDS_OF_MODEL = {"published_params": "total", "published_active_params": "active", "trained_tokens": "trained tokens"}
"""Facts that a model's maker publishes, each in a word."""
KINDS_OF_LINKS = {
    "chips": "chips",
    "bytes_per_s": "links",
    "links": "links of a chip",
    "cables_per_link": "cables of a link",
    "switches": "switches",
}
"""Facts of a level of the fabric, in a word or two."""
CONFIG = re.compile(r"config\.json of ([\w.-]+/[\w.-]+)")
ARXIV = re.compile(r"arXiv (\d{4}\.\d{5})")


class SourceDocument(TypedDict):
    """A source.

    Attributes:
        title: title of the source, with its author.
        address: address of the source; empty where it has none.
    """

    title: str
    address: str


class FactDocument(TypedDict):
    """A value as its source has it.

    Attributes:
        value: value with its unit; empty where the source as a whole is meant.
        source: place of its source in the list of all.
        date: day of the source, or of its reading.
        kind: kind of the value among those of its source: format of a peak, market of a price.
        note: remark on the value.
    """

    value: str
    source: int
    date: str
    kind: NotRequired[str]
    note: NotRequired[str]


class BasisDocument(TypedDict):
    """Basis of a careful number.

    Attributes:
        how: how it follows, in a sentence or two; empty where a fact is taken as it stands.
        facts: names of facts of the model and the machine.
        cites: further sources of the number.
    """

    how: str
    facts: list[str]
    cites: list[FactDocument]


class SourcesDocument(TypedDict):
    """``sources``: bases, facts and sources of careful numbers.

    Attributes:
        sources: sources, each once.
        bases: bases, by the name that controls refer to.
        facts: facts by model or machine and by name; several values of one where its source has several.
    """

    sources: list[SourceDocument]
    bases: dict[str, BasisDocument]
    facts: dict[str, dict[str, list[FactDocument]]]


def sources_document(bases: Mapping[str, Basis], models: Iterable[str], machines: Iterable[str]) -> SourcesDocument:
    """Bases, the facts of some models and machines of the catalog, and the sources of both."""
    found: dict[tuple[str, str], int] = {}

    def place(title: str, address: str) -> int:
        return found.setdefault((title, address), len(found))

    def told(fact: Fact, kind: str = "") -> FactDocument:
        known = sources().get(fact.source)
        title, address = (known.title, known.address) if known else (fact.source, address_of(fact.source))
        doubt = ("not verified",) if fact.unverified else ()
        return _fact(
            fact.written, place(title, address), fact.date, kind, "; ".join((*doubt, *filter(None, [fact.note])))
        )

    facts: dict[str, dict[str, list[FactDocument]]] = {}
    for name in models:
        if (model := model_entry(name).facts) is not None:
            config = _fact("", place(model.source, address_of(model.source)), model.date)
            facts[name] = {"config": [config]} | {
                key: [told(fact, KINDS_OF_MODEL[key])] for key, fact in _of_model(model)
            }
    for name in machines:
        machine = machine_entry(name).facts
        facts[name] = {key: [told(fact, kind) for kind, fact in each.items()] for key, each in _of_machine(machine)}
        # The newest of each kind, the usual one first.
        rents = {
            one.kind: one.usd_per_chip_s for one in sorted(machine.rental, key=lambda one: one.usd_per_chip_s.date)
        }
        told_rents = [told(rents[kind], kind) for kind in MARKETS if kind in rents]
        facts[name] |= {"rental": told_rents} if told_rents else {}
    written: dict[str, BasisDocument] = {
        name: {
            "how": one.how,
            "facts": list(one.facts),
            "cites": [_fact("", place(cited.title, cited.address), cited.date) for cited in one.cites],
        }
        for name, one in bases.items()
    }
    return {
        "sources": [{"title": title, "address": address} for title, address in found],
        "bases": written,
        "facts": facts,
    }


def _fact(value: str, source: int, date: dt.date, kind: str = "", note: str = "") -> FactDocument:
    found: FactDocument = {"value": value, "source": source, "date": date.isoformat()}
    if kind:
        found["kind"] = kind
    if note:
        found["note"] = note
    return found


def _of_model(facts: ModelFacts) -> Iterator[tuple[str, Fact]]:
    for name in KINDS_OF_MODEL:
        if (fact := getattr(facts, name)) is not None:
            yield name, fact


def _of_machine(facts: MachineFacts) -> Iterator[tuple[str, dict[str, Fact]]]:
    """Facts by name, and of each its values by kind."""
    chip, inside, outside = facts.chip, facts.fabric[0], facts.fabric[-1]
    yield "flop_per_s", {text: chip.flop_per_s[name] for name, text in FORMATS.items() if name in chip.flop_per_s}
    plain = {"hbm_bytes": chip.hbm_bytes, "hbm_bytes_per_s": chip.hbm_bytes_per_s}
    yield from ((name, {"": fact}) for name, fact in plain.items())
    for name, kind in KINDS_OF_LINKS.items():
        if (fact := getattr(inside, name)) is not None:
            yield f"inside.{name}", {kind: fact}
    yield "outside.bytes_per_s", {"links to others": outside.bytes_per_s}


def address_of(source: str) -> str:
    """Address of a source that is given in words; empty where these name none.

    >>> address_of("config.json of deepseek-ai/DeepSeek-V3")
    'https://huggingface.co/deepseek-ai/DeepSeek-V3/blob/main/config.json'
    >>> address_of("DeepSeek-V3 technical report, arXiv 2412.19437"), address_of("class of drives")
    ('https://arxiv.org/abs/2412.19437', '')
    """
    if config := CONFIG.fullmatch(source):
        return f"https://huggingface.co/{config[1]}/blob/main/config.json"
    if paper := ARXIV.search(source):
        return f"https://arxiv.org/abs/{paper[1]}"
    return source.partition(", ")[0] if source.startswith("https://") else ""
