"""Acceptance lengths as facts: of models that there are, between what a step adds by itself and all that it checks."""

from __future__ import annotations

import math
import statistics

import pytest

from ridgeline.catalog import load_model
from ridgeline.catalog.acceptance import (
    Acceptance,
    acceptances,
    acceptances_of,
    accepted,
    known_drafts,
    models_with_drafts,
    spread_of,
)
from ridgeline.catalog.fact_files import sources
from ridgeline.catalog.facts import CatalogError
from ridgeline.specs.speculation import KINDS


@pytest.mark.parametrize("one", acceptances(), ids=lambda one: f"{one.model} {one.draft} {one.mode} {one.note}")
def test_every_measured_draft_is_of_a_model_and_adds_what_it_can(one: Acceptance) -> None:
    assert load_model(one.model).id == one.model
    assert one.draft in KINDS
    assert sources()[one.source].address.startswith("https://")
    assert all(1 < value <= drafted + 1 for drafted, value in enumerate(one.accepted_tokens, 1))
    # A longer block may be guessed worse from its start: DSpark's of 8 adds 0.26 less than that of 7, the most of all.
    assert all(
        after > before - 0.3 for before, after in zip(one.accepted_tokens, one.accepted_tokens[1:], strict=False)
    )


def test_a_number_is_the_mean_over_modes_and_its_spread_that_of_all_drafts() -> None:
    measured = [one.with_drafted(2) for one in acceptances_of("deepseek-v4-pro") if one.draft == "mtp"]
    assert accepted("deepseek-v4-pro", "mtp", 2) == statistics.fmean(value for value in measured if value)
    assert accepted("deepseek-v4-pro", "mtp", 9) is None
    assert accepted("deepseek-v3", "mtp", 2) is None
    assert known_drafts("deepseek-v4-pro") == {"dspark": 8, "mtp": 8}
    width, count = spread_of(3)
    values = [value for one in acceptances() if (value := one.with_drafted(3))]
    assert count == len(values)
    assert width == pytest.approx(1.2816 * statistics.stdev(map(math.log, values)))
    assert spread_of(1)[0] < width < spread_of(8)[0]
    assert spread_of(16) == (0.0, 0)


def test_a_model_of_which_nothing_was_measured_is_refused_with_those_of_which_something_was() -> None:
    with pytest.raises(CatalogError, match=", ".join(models_with_drafts())):
        acceptances_of("llama-3.1-70b")
