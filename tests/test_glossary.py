from __future__ import annotations

import dataclasses

import pytest

from ridgeline.catalog import load_machine
from ridgeline.glossary import GLOSSARY, ImplausibleError
from ridgeline.specs.layout import Layout


def test_a_prefix_left_in_is_caught_with_the_remedy() -> None:
    chip = load_machine("h100-sxm").chip
    with pytest.raises(ImplausibleError, match=r"hbm_bytes_per_s=3\.35 is outside .* write 3\.35 TB/s as 3\.35e12"):
        dataclasses.replace(chip, hbm_bytes_per_s=3.35)


def test_each_value_of_a_mapping_is_checked() -> None:
    chip = load_machine("h100-sxm").chip
    with pytest.raises(ImplausibleError, match=r"flop_per_s\['fp8'\]=1979 "):
        dataclasses.replace(chip, flop_per_s={**chip.flop_per_s, "fp8": 1979})


def test_layouts_of_no_chips_are_refused() -> None:
    with pytest.raises(ImplausibleError, match="tp=0"):
        Layout(tp=0)


def test_ranges_and_units_are_stated_for_all() -> None:
    units = {"_s": "s", "_bytes": "bytes", "_bytes_per_s": "bytes/s", "_flop_per_s": "FLOP/s", "_w": "W"}
    for quantity in GLOSSARY.values():
        assert quantity.low < quantity.high
        assert quantity.meaning
        suffix = max((end for end in units if f"_{quantity.name}".endswith(end)), key=len, default=None)
        if suffix and not quantity.name.startswith("usd"):
            assert quantity.unit == units[suffix], quantity.name
