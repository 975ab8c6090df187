"""The time line of domains, models and contexts: B7, B20, B23, B26."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.boards.reading import curves_of

from ridgeline.boards.board import Mode
from ridgeline.boards.companions.bars import Bars
from ridgeline.boards.lecture.layouts.domains import BOARD, is_pod_first
from ridgeline.boards.picture import Curves, Dots
from ridgeline.catalog import load_machine, model_entry
from ridgeline.estimator.parameters import total_params

drawn = partial(curves_of, BOARD)


def dots(picture: Curves, name: str) -> Dots:
    return next(one for one in picture.dots if one.name == name)


def largest(picture: Curves, year: float) -> float:
    bold = next(one.y for one in picture.lines if one.is_bold)
    return float(bold[np.searchsorted(picture.x, year) - 1])


def test_a_domain_holds_its_memory_in_parameters() -> None:
    rack = load_machine("gb200-nvl72")
    held = rack.scale_up_chips * rack.chip.hbm_bytes * rack.efficiency.usable_hbm_fraction
    assert largest(drawn(), 2025) == pytest.approx(held)
    assert largest(drawn(bytes_per_param=2), 2025) == pytest.approx(held / 2)


def test_five_trillion_parameters_wait_for_a_rack_of_blackwells_unless_a_pipeline_holds_them() -> None:
    """B7 beside B17."""
    first, waited_in = drawn().marks
    assert first.text == "GB200 holds it:\n14.3 TB, sold as 13.4 TB"
    assert waited_in.x < first.x
    assert drawn(total_params=2e12).marks[0].text == first.text
    assert drawn(total_params=1e12).marks[0].text.startswith("8 H200 holds it:")
    assert drawn(total_params=1e12, stages=2).marks[0].text.startswith("8 A100 holds it:")
    assert drawn(total_params=1e14).marks[0].text.startswith("Rubin Ultra holds it:")


def test_deepseek_v3_does_not_fit_eight_of_the_first_hoppers_but_eight_of_the_second() -> None:
    """671 GB of 684 are too much once the runtime has its part; of 1,206 they are not."""
    picture = drawn(Mode.CAREFUL)
    first = picture.marks[0]
    assert first.text == "8 H200 holds it:\n1.21 TB, sold as 1.13 TB"
    second = load_machine("h200-sxm")
    held = second.scale_up_chips * second.chip.hbm_bytes * second.efficiency.usable_hbm_fraction
    # Each parameter has a byte, and its scales a little more.
    assert 1 < held / first.y < 1.01
    assert isinstance(picture.companion, Bars)
    bars = picture.companion.groups[0].bars
    assert [bar.name for bar in bars if bar.is_strong] == ["weights", "8 H200", "GB200"]


def test_pods_were_larger_all_along() -> None:
    """B23."""
    found = drawn()
    pods = dots(found, "Google's pods")
    pod = dict(zip(pods.labels, zip(pods.x, pods.y, strict=True), strict=True))["TPU v4"]
    assert pod[1] > 100 * largest(found, pod[0])


@pytest.mark.parametrize(("params", "is_first"), [(100e9, False), (1e12, True), (5e12, True)])
def test_a_pod_is_named_where_it_had_the_room_before_any_rack(params: float, *, is_first: bool) -> None:
    """Eight A100 hold 100 billion parameters of one byte in 2020, a pod of TPU v4 more than 100 trillion in 2021."""
    assert is_pod_first(BOARD.values(Mode.LECTURE, {"total_params": params})) is is_first


def test_models_stand_in_their_month_with_their_size() -> None:
    """A record is named: it is larger by a fifth than any model before it. The first has none before."""
    models = dots(drawn(), "models")
    entry = model_entry("deepseek-v3")
    assert entry.facts is not None
    assert entry.facts.released is not None
    place = models.labels.index("deepseek-v3")
    assert models.x[place] == pytest.approx(entry.facts.released.value)
    assert models.y[place] == total_params(entry.model)
    for at, label in enumerate(models.labels):
        assert bool(label) == (models.y[at] > 1.2 * max(models.y[:at], default=np.inf)), label
    assert np.all(np.diff(models.x) >= 0)


def test_no_open_model_reached_the_rumour_for_two_years() -> None:
    rumour, models = dots(drawn(), "rumoured"), dots(drawn(), "models")
    above = models.x[models.y >= rumour.y[0]]
    assert above.min() > rumour.x[0] + 2


def test_contexts_are_those_of_the_catalog() -> None:
    contexts = dots(drawn(view=1), "contexts of models")
    place = contexts.labels.index("llama-4-scout")
    assert contexts.y[place] == model_entry("llama-4-scout").model.max_context_tokens
