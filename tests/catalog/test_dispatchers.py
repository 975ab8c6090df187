"""What is known of dispatchers is data, each fact sourced."""

from __future__ import annotations

import pytest

from ridgeline.catalog.dispatchers import DISPATCHERS, load_dispatcher
from ridgeline.catalog.fact_files import sources
from ridgeline.catalog.facts import CatalogError
from ridgeline.catalog.harnesses import harness_of


def test_fewer_units_of_hybridep_move_more() -> None:
    deepep, hybridep = load_dispatcher("deepep"), load_dispatcher("hybridep")
    assert hybridep.units < deepep.units == harness_of("deepep-v1-normal").exchange_units
    # Of 16 bits, of two kernels of which one follows the other, 7/8 by way of links: its README's table of B200.
    dispatch, combine = 734.95e9, 673.84e9
    over_links = 2 / (1 / dispatch + 1 / combine) * 7 / 8
    assert hybridep.unit_bytes_per_s == pytest.approx(over_links / hybridep.units, rel=0.005)


def test_what_is_not_known_is_refused_and_what_is_has_an_address() -> None:
    with pytest.raises(CatalogError, match=r"'pigeons' is not in the catalog; known: deepep, hybridep"):
        load_dispatcher("pigeons")
    text = DISPATCHERS.read_text(encoding="utf-8")
    for name in ("megatron-core-config", "deepep-hybrid-ep"):
        assert name in text
        assert sources()[name].address.startswith("https://github.com/")
