from __future__ import annotations

import dataclasses
from typing import Any, cast

import numpy as np
import pytest

from ridgeline.catalog import load_machine
from ridgeline.glossary import GLOSSARY, ImplausibleError
from ridgeline.specs.layout import Layout, LayoutError
from ridgeline.specs.passes import decode, prefill
from ridgeline.specs.workload import Workload


def test_a_prefix_left_in_is_caught_with_the_remedy() -> None:
    chip = load_machine("h100-sxm").chip
    with pytest.raises(ImplausibleError, match=r"hbm_bytes_per_s=3\.35 is outside .* write 3\.35 TB/s as 3\.35e12"):
        dataclasses.replace(chip, hbm_bytes_per_s=3.35)


def test_each_value_of_a_mapping_is_checked() -> None:
    chip = load_machine("h100-sxm").chip
    with pytest.raises(ImplausibleError, match=r"flop_per_s\['fp8'\]=1979 "):
        dataclasses.replace(chip, flop_per_s={**chip.flop_per_s, "fp8": 1979})


def test_layouts_of_no_chips_are_refused() -> None:
    with pytest.raises(LayoutError, match="tp=0"):
        Layout(tp=0)


def test_a_text_of_a_layout_out_of_range_is_a_layout_error() -> None:
    for text in ("tp0", "tp999999", f"tp{'9' * 5000}"):
        with pytest.raises(LayoutError, match=r"[lL]ayout"):
            Layout.from_text(text)


@pytest.mark.parametrize("given", [8.0, 8.5, True, "8", None, float("nan")])
def test_counts_are_whole_numbers(given: Any) -> None:  # noqa: ANN401  whatever a caller has
    with pytest.raises(LayoutError, match=r"Layout: tp=.* must be a whole number"):
        Layout(tp=given)
    with pytest.raises(ImplausibleError, match=r"Workload: prompt_tokens=.* must be a whole number"):
        Workload(prompt_tokens=given, output_tokens=10)


def test_counts_of_numpy_become_pythons_own() -> None:
    count = cast("int", np.int8(64))
    layout = Layout(tp=count, dp=count)
    assert (type(layout.tp), layout.chips) == (int, 64 * 64)


@pytest.mark.parametrize("given", [0, -1.0, 1e300, float("nan"), float("inf"), True, "8", np.array([4.0, 0.5])])
def test_numbers_of_a_pass_are_checked(given: Any) -> None:  # noqa: ANN401  whatever a caller has
    with pytest.raises(ImplausibleError, match="decode: batch="):
        decode(batch=given, context_tokens=10)
    with pytest.raises(ImplausibleError, match="prefill: prompt_tokens="):
        prefill(batch=1, prompt_tokens=given)


def test_ranges_and_units_are_stated_for_all() -> None:
    units = {
        "_s": "s",
        "_bytes": "bytes",
        "_bytes_per_s": "bytes/s",
        "_flop_per_s": "FLOP/s",
        "_tokens_per_s": "tokens/s",
        "_w": "W",
    }
    for quantity in GLOSSARY.values():
        assert quantity.low < quantity.high
        assert quantity.meaning
        suffix = max((end for end in units if f"_{quantity.name}".endswith(end)), key=len, default=None)
        if suffix and not quantity.name.startswith("usd"):
            assert quantity.unit == units[suffix], quantity.name
