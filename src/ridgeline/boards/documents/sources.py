"""Sources of careful numbers as plain data: each source once, and what numbers rest on by reference to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TypedDict

from ridgeline.boards.basis import Basis, Cited
from ridgeline.catalog import machine_entry, model_entry, model_ids
from ridgeline.catalog.fact_files import sources
from ridgeline.catalog.facts import Fact
from ridgeline.catalog.machines import MachineFacts
from ridgeline.catalog.models import ModelFacts
from ridgeline.catalog.rentals import MARKETS

__all__ = [
    "CiteDocument",
    "GroundDocument",
    "SourceDocument",
    "SourcesDocument",
    "Wanted",
    "address_of",
    "sources_document",
]

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


class CiteDocument(TypedDict):
    """Reference to a source.

    Attributes:
        source: place of the source in the list of all.
        said: values that it gives, and the day of the source or of its reading.
    """

    source: int
    said: str


class GroundDocument(TypedDict):
    """Ground of a careful number.

    Attributes:
        how: derivation in a sentence or two; empty where a fact is taken as it stands.
        cites: sources of the number.
    """

    how: str
    cites: list[CiteDocument]


class SourcesDocument(TypedDict):
    """``sources``: grounds of careful numbers, and all their sources.

    Attributes:
        sources: sources, each once.
        grounds: grounds by "MODEL MACHINE", and by "CONTROL", or "BOARD/CONTROL" where the board has another.
        first: sources of the first view's numbers, each with words before it.
    """

    sources: list[SourceDocument]
    grounds: dict[str, dict[str, GroundDocument]]
    first: list[CiteDocument]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A model on a machine, and the bases of the numbers that are taken from both.

    Attributes:
        model: id of the model; one that is not in the catalog is its own source.
        machine: id of the machine.
        bases: bases by name.
    """

    model: str
    machine: str
    bases: Mapping[str, Basis]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """A value with its source, as it is told.

    Attributes:
        source: title and address of the source.
        said: kind and value, with a remark; empty where the source as a whole is meant.
        date: day of the source, or of its reading; empty where it has none.
    """

    source: tuple[str, str]
    said: str
    date: str


def sources_document(wanted: Iterable[Wanted], first: Wanted) -> SourcesDocument:
    """Grounds of all numbers that are wanted, the sources of the first view's, and each source once.

    Args:
        wanted: models on machines, with bases.
        first: model on a machine of the first view, with the basis of its contexts.
    """
    found: dict[tuple[str, str], int] = {}

    def cite(source: tuple[str, str], said: str) -> CiteDocument:
        return {"source": found.setdefault(source, len(found)), "said": said}

    def ground(basis: Basis, known: Mapping[str, list[_Known]]) -> GroundDocument:
        by_source: dict[tuple[str, str], list[_Known]] = {}
        for one in (*chain.from_iterable(known.get(name, ()) for name in basis.facts), *map(_of_cited, basis.cites)):
            by_source.setdefault(one.source, []).append(one)
        cites = [cite(source, _together(told)) for source, told in by_source.items()]
        return {"how": basis.how, "cites": cites}

    grounds: dict[str, dict[str, GroundDocument]] = {}
    for one in wanted:
        known = _facts(one)
        told = {name: ground(basis, known) for name, basis in one.bases.items()}
        grounds.setdefault(f"{one.model} {one.machine}", {}).update(told)
    line = [cite(source, said) for source, said in _first(first)]
    return {
        "sources": [{"title": title, "address": address} for title, address in found],
        "grounds": grounds,
        "first": line,
    }


def _first(one: Wanted) -> Iterator[tuple[tuple[str, str], str]]:
    """Sources of the first view's numbers: of its price and others that are asked, its chip, model and contexts."""
    known, between = _facts(one), "Price: "
    for kind, price in _rents(machine_entry(one.machine).facts).items():
        yield _told(price).source, f"{between}{price.written} {kind} ({price.date:%Y-%m}), "
        between = "; "
    rest = {
        "Chip": [*known["flop_per_s"], *known["hbm_bytes"]],
        "Model": known["config"],
        "Contexts": [_of_cited(cited) for basis in one.bases.values() for cited in basis.cites],
    }
    for name, all_of_it in rest.items():
        before = f"{'' if between == 'Price: ' else '. '}{name}: "
        for source in dict.fromkeys(each.source for each in all_of_it):
            yield source, before
            before = between = ", "


def _together(told: Iterable[_Known]) -> str:
    """Values of one source, and its day."""
    *others, last = told
    said = ", ".join(dict.fromkeys(one.said for one in (*others, last) if one.said))
    return "; ".join(filter(None, (said, last.date)))


def _of_cited(cited: Cited) -> _Known:
    return _Known(source=(cited.title, cited.address), said="", date=cited.date.isoformat())


def _told(fact: Fact, kind: str = "") -> _Known:
    known = sources().get(fact.source)
    source = (known.title, known.address) if known else (fact.source, address_of(fact.source))
    remarks = ", ".join(filter(None, ("not verified" if fact.unverified else "", fact.note)))
    words = filter(None, (kind, fact.written, f"({remarks})" if remarks else ""))
    return _Known(source=source, said=" ".join(words), date=fact.date.isoformat())


def _facts(one: Wanted) -> dict[str, list[_Known]]:
    """Facts of a model and a machine by name; several values of one where its source has several."""
    machine = machine_entry(one.machine).facts
    found = {key: [_told(fact, kind) for kind, fact in each.items()] for key, each in _of_machine(machine)}
    if rents := _rents(machine):
        found["rental"] = [_told(fact, kind) for kind, fact in rents.items()]
    model = model_entry(one.model).facts if one.model in model_ids() else None
    if model is None:
        return found | {"config": [_Known(source=("Your config.json", ""), said="", date="")]}
    config = _Known(source=(model.source, address_of(model.source)), said="", date=model.date.isoformat())
    return found | {"config": [config]} | {key: [_told(fact, KINDS_OF_MODEL[key])] for key, fact in _of_model(model)}


def _rents(facts: MachineFacts) -> dict[str, Fact]:
    """Newest price of each market, the usual one first."""
    newest = {one.kind: one.usd_per_chip_s for one in sorted(facts.rental, key=lambda one: one.usd_per_chip_s.date)}
    return {kind: newest[kind] for kind in MARKETS if kind in newest}


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
