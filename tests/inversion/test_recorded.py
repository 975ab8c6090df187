"""What is recorded for boards is what the inversion says of the same lists."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ridgeline.catalog.list_prices import list_price
from ridgeline.catalog.quotes import family, quote
from ridgeline.inversion.evidence import evidence_of
from ridgeline.inversion.infer import infer
from ridgeline.inversion.recorded import recorded

ROOT = Path(__file__).parents[2]
LISTS = recorded().lists
PARTS = {"p05": 0.05, "p25": 0.25, "p50": 0.5, "p75": 0.75, "p95": 0.95}

every_list = pytest.mark.parametrize("key", LISTS)


@every_list
def test_prices_are_the_lists(key: str) -> None:
    found, listed = LISTS[key], list_price(key)
    assert found.date == listed.date
    assert found.usd["input"] == pytest.approx(listed.input, rel=1e-3)
    assert found.usd["output"] == pytest.approx(listed.output, rel=1e-3)
    assert found.step_tokens == listed.threshold_tokens


@every_list
def test_cells_and_quantiles_are_of_the_same_draws(key: str) -> None:
    for name, one in LISTS[key].unknowns.items():
        assert sum(one.chances) == pytest.approx(1, abs=len(one.chances) * 5e-6), name  # each is written to 1e-5
        cells, draws = one.belief().interval(), one.interval()
        step = np.log(one.high / one.low) / len(one.chances)
        for part in PARTS:
            assert abs(np.log(getattr(cells, part) / getattr(draws, part))) < step / 2, (name, part)


@every_list
def test_questions_are_answered_by_chances(key: str) -> None:
    for name, chances in LISTS[key].questions.items():
        assert sum(chances.values()) == pytest.approx(1, abs=1e-4), name


@pytest.mark.slow
def test_the_record_is_what_would_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the digits that are written but for the last: another machine's arithmetic may round otherwise."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    script: Any = importlib.import_module("board_posteriors")
    here = script.RECORD.read_text(encoding="utf-8")
    words, wanted = (text.replace(",", " ").split() for text in (here, script.text()))
    assert len(words) == len(wanted), "run: python bench/board_posteriors.py --write"
    for ours, theirs in zip(words, wanted, strict=True):
        try:
            assert float(ours) == pytest.approx(float(theirs), rel=2e-3, abs=2e-5)
        except ValueError:
            assert ours == theirs


@pytest.mark.slow
@every_list
def test_the_record_is_what_a_walk_finds(key: str) -> None:
    """By another sampler and from another seed, within four standard errors of its effective draws."""
    one = LISTS[key]
    evidence = evidence_of(quote(key), family(one.listing))
    found = infer(evidence, seed=3)
    for name, record in one.unknowns.items():
        belief = record.belief()
        for part, below in PARTS.items():
            at = np.log(getattr(found.unknown(name).posterior, part))
            ends = belief.logs + (belief.logs[1] - belief.logs[0]) / 2
            recorded_below = float(np.interp(at, ends, np.cumsum(belief.chances)))
            error = np.sqrt(below * (1 - below) / found.effective_draws)
            assert recorded_below == pytest.approx(below, abs=4 * error), (name, part)
    for question in found.questions:
        for option in question.options:
            chance = one.questions.get(question.name, {}).get(option.name)
            if chance is not None:
                error = np.sqrt(chance * (1 - chance) / found.effective_draws)
                assert option.posterior == pytest.approx(chance, abs=4 * error + 1e-4), option.name
