"""What all prices of the lists that the lecture reads say together, for boards, which have no sampler.

python bench/board_posteriors.py            print it
python bench/board_posteriors.py --check    and compare it with src/ridgeline/inversion/recorded.toml
python bench/board_posteriors.py --write    and put it there

After a change of the inversion or of its priors; takes a minute.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ridgeline.catalog.list_prices import list_price
from ridgeline.catalog.quotes import family, quote
from ridgeline.inversion.evidence import Evidence, evidence_of
from ridgeline.inversion.infer import Sampled, named, sampled, unknowns_of
from ridgeline.inversion.quantities import quantities
from ridgeline.inversion.questions import questions
from ridgeline.inversion.recorded import RECORD

LISTS = ("gemini-3-1-pro", "claude-opus-4-5")
"""Of the catalog: whose step he reads, and whose other prices."""

UNKNOWNS = {"read_bytes_per_token": (1e2, 1e7, 80), "balance_batches": (1e-3, 1e3, 120)}
"""Ends of the cells, and how many: a ninth of the widths that are drawn, or less."""

DRAWS, SEED = 2**18, 0
"""Quasi-random, of which a half count: a cell of 2 % is known to a hundredth of itself."""

DIGITS, CHANCE_DIGITS = 4, 5
"""That are written: fewer than arithmetic on other machines may change."""


def main() -> None:
    """Print the record, compare it, or write it."""
    found = text()
    if sys.argv[1:] == ["--write"]:
        RECORD.write_text(found, encoding="utf-8")
    elif sys.argv[1:] == ["--check"]:
        if found != RECORD.read_text(encoding="utf-8"):
            sys.exit(f"{RECORD.name} is not what the inversion says now; python bench/board_posteriors.py --write")
    else:
        print(found, end="")


def text() -> str:
    """The record as it should be."""
    return "".join(_written())


def _written() -> Iterator[str]:
    yield "# What all prices of a list say together: written by bench/board_posteriors.py --write; do not edit.\n"
    for key in LISTS:
        yield from _list(key)


def _list(key: str) -> Iterator[str]:
    listed = quote(key)
    evidence = evidence_of(listed, family(_listing(key)))
    guesses = sampled(evidence, seed=SEED, is_preview=True, draws=DRAWS)
    unknowns = unknowns_of(guesses, seed=SEED)
    yield f"\n[lists.{key}]\n"
    for name, value in _facts(key, evidence, guesses):
        yield f"{name} = {value}\n"
    for name in ("usd", "rounding_log_sd"):
        yield f"{name} = {_table({line: _number(usd) for line, usd in getattr(evidence, name).items()})}\n"
    shared = {one.line: str(one.shared_by) for one in evidence.multipliers}
    policy = {one.line: json.dumps(one.is_policy) for one in evidence.multipliers}
    yield f"shared_by = {_table(shared)}\nis_policy = {_table(policy)}\n"
    learnt = quantities(guesses.likelihood, guesses.draws.deviations, guesses.chosen, with_prices=True, seed=SEED)
    for name, (low, high, cells) in UNKNOWNS.items():
        unknown = named(unknowns, name)
        yield f"\n[lists.{key}.unknowns.{name}]\nlow = {low}\nhigh = {high}\n"
        chances = _cells(learnt[name], guesses.draws.weights, (low, high, cells))
        yield f"chances = [{', '.join(f'{chance:.{CHANCE_DIGITS}f}' for chance in chances)}]\n"
        for part in ("p05", "p25", "p50", "p75", "p95"):
            yield f"{part} = {_number(getattr(unknown.posterior, part))}\n"
        yield f"learnt_nats = {unknown.learnt_nats:.3f}\n"
    yield f"\n[lists.{key}.questions]\n"
    for question in questions(guesses.likelihood, guesses.explained, guesses.draws.weights):
        if question.name in {"tier", "step"}:
            answers = {one.name: f"{one.posterior:.{CHANCE_DIGITS}f}" for one in question.options}
            yield f"{question.name} = {_table(dict(sorted(answers.items())))}\n"


def _listing(key: str) -> str:
    return list_price(key).listing


def _facts(key: str, evidence: Evidence, guesses: Sampled) -> Iterator[tuple[str, str]]:
    yield "name", json.dumps(evidence.name)
    yield "listing", json.dumps(_listing(key))
    yield "provider", json.dumps(evidence.provider)
    yield "date", evidence.date.isoformat()
    yield "source", json.dumps(evidence.source)
    if evidence.step is not None:
        yield "step_tokens", _number(evidence.step.threshold_tokens)
        yield "step_shared_by", str(evidence.step.shared_by)
    yield "seed", str(SEED)
    yield "draws", str(DRAWS)
    yield "effective_draws", f"{guesses.draws.effective:.0f}"


def _cells(
    values: NDArray[np.float64], weights: NDArray[np.float64], cells: tuple[float, float, int]
) -> NDArray[np.float64]:
    """The weight in each cell; what lies beyond either end is in the last one there."""
    low, high, count = cells
    edges = np.geomspace(low, high, count + 1)
    found, _ = np.histogram(np.clip(values, edges[0], edges[-1]), bins=edges, weights=weights)
    return np.asarray(found / found.sum(), dtype=float)


def _number(value: float) -> str:
    return repr(float(f"{value:.{DIGITS}g}"))


def _table(fields: dict[str, str]) -> str:
    return f"{{ {', '.join(f'{name} = {value}' for name, value in fields.items())} }}"


if __name__ == "__main__":
    main()
