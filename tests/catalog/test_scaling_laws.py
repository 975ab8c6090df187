"""Fitted laws as facts: each with its source, the runs that it was fitted on, and errors where they are printed."""

from __future__ import annotations

import pytest

from ridgeline.catalog.fact_files import sources
from ridgeline.catalog.facts import CatalogError
from ridgeline.catalog.scaling_laws import FittedLaw, PowerFit, law_ids, load_law, power_law, routed_law

LAWS = [load_law(name) for name in law_ids()]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.id)
def test_a_law_says_where_it_is_from_and_where_it_ends(law: FittedLaw) -> None:
    assert any(source.address == law.address for source in sources().values())
    assert law.address.startswith("https://arxiv.org/abs/")
    assert law.locator
    for low, high in (law.params, law.tokens, law.experts):
        assert 0 < low <= high
    assert law.is_routed == (law.experts[1] > 1)
    assert 0 <= law.routed_fraction <= 1
    assert bool(law.routed_fraction) == law.is_routed


def test_ids_and_short_names_are_of_one_law_each() -> None:
    assert len({law.short for law in LAWS if not law.is_variant}) == sum(not law.is_variant for law in LAWS)
    assert [law.id for law in LAWS if isinstance(law, PowerFit) and law.errors is not None] == ["besiroglu-2024"]


def test_a_law_that_is_not_there_or_of_another_form_is_refused() -> None:
    with pytest.raises(CatalogError, match="There are hoffmann-2022"):
        load_law("kaplan-2020")
    with pytest.raises(CatalogError, match="clark-2022"):
        power_law("clark-2022")
    with pytest.raises(CatalogError, match="hoffmann-2022"):
        routed_law("hoffmann-2022")
