"""How much wider intervals are by distance: the factors that errors were made with, and how far rows lie."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from ridgeline.calibration.cases import Case
from ridgeline.calibration.fit.split import Split, group_of
from ridgeline.calibration.judge.bands import StepError, weighted_quantile
from ridgeline.calibration.judge.distance import Distances, found_novelty
from ridgeline.catalog.engines import widened_by
from ridgeline.specs.evidence import Asked, Evidence

RNG = np.random.default_rng(11)
SPREAD, GROWTH, FARTHER = 0.1, 1.3, 2.0
MACHINES = ("h100-sxm", "b200-sxm")
OWN_KIND = {"model 0": "linear_attention_layer_s", "model 1": "compressed_attention_layer_s"}
"""Models that alone have a kind of layer."""
MODELS = [f"model {number}" for number in range(8)]


Found = dict[str, dict[str, list[StepError]]]


def error(model: str, machine: str, band: str, chips: int, spread: float, engine: str = "vllm-0.18.0") -> StepError:
    case = Case(
        name="made",
        family="made",
        kind="closed_loop",
        quantity=band,
        machine=machine,
        model=model,
        engine=engine,
        chips=chips,
        tp=chips,
        batch=16,
        measured=1.0,
    )
    kinds = (OWN_KIND[model],) if model in OWN_KIND else ()
    return StepError(
        case=case,
        log_ratio=spread * GROWTH ** math.log2(chips) * RNG.standard_normal(),
        time_s=1.0,
        predicted_s=1.0,
        kernels_width=0.0,
        asked=Asked(model=model, machine=machine, layer_kinds=kinds, chips=chips, users=16, released="2026-03-20"),
    )


def errors(spread_of: dict[str, float] | None = None, engines: tuple[str, ...] = ("vllm", "sglang")) -> Found:
    """Rows of each model on each machine and layout."""
    found: Found = {}
    for engine in engines:
        found[engine] = {
            band: [
                error(model, machine, band, chips, (spread_of or {}).get(model, SPREAD), f"{engine}-0.18.0")
                for model in MODELS
                for machine in MACHINES
                for chips in (1, 2, 4, 8)
                for _ in range(12)
            ]
            for band in ("tpot_s", "ttft_s")
        }
    return found


@pytest.fixture(scope="module")
def usual() -> Found:
    """Rows that err alike; tests change none of them."""
    return errors()


@pytest.mark.slow
def test_factors_come_back_that_errors_were_made_with() -> None:
    news = {split: errors() for split in Split}
    news[Split.MODEL] = errors(dict.fromkeys(OWN_KIND, FARTHER * SPREAD))
    news[Split.ENGINE] = errors(dict.fromkeys(MODELS, FARTHER * SPREAD))
    news[Split.NOTHING] = errors(dict.fromkeys(MODELS, SPREAD / FARTHER))
    found = found_novelty(news)
    for band in ("tpot_s", "ttft_s"):
        # Of 1536 rows a slope to a twentieth, and of the 384 of two kinds of layers a quantile to a seventh.
        assert found["chips"][band] == pytest.approx(GROWTH, rel=0.06)
        assert found["layer_kind"][band] == pytest.approx(FARTHER, rel=0.15)
        assert found["engine"][band] == pytest.approx(FARTHER, rel=0.15)
        assert found["known"][band] == pytest.approx(1 / FARTHER, rel=0.15)
        assert 1 <= found["machine"][band] < 1.15
    assert found["release"] == found["users"] == {}  # no row is so new, or of so many


def test_intervals_so_widened_hold_four_of_five_wherever_a_row_lies(usual: Found) -> None:
    factors = widened_by({"chips": {"tpot_s": GROWTH}, "layer_kind": {"tpot_s": FARTHER}})
    distances = Distances(usual, factors)
    width = distances.width("vllm", "tpot_s", usual["vllm"])
    middle = 2**1.5  # chips of 1 to 8
    assert width == pytest.approx(1.28 * SPREAD * GROWTH ** math.log2(middle), rel=0.1)
    far = errors(dict.fromkeys(OWN_KIND, FARTHER * SPREAD))["vllm"]["tpot_s"]
    for is_far in (False, True):
        for chips in (1, 8):
            rows = [one for one in far if (one.case.model in OWN_KIND) is is_far and one.case.chips == chips]
            inside = [
                abs(one.log_ratio) <= width * distances.widening("vllm", one, "tpot_s", Split.MODEL) for one in rows
            ]
            assert np.mean(inside) == pytest.approx(0.8, abs=0.15)  # of 48 rows and more, three deviations


def test_a_quantity_of_few_rows_is_no_surer_than_the_latency_that_it_follows(usual: Found) -> None:
    mine = usual["vllm"]
    few = mine | {"requests_per_s": [dataclasses.replace(one, log_ratio=1e-6) for one in mine["tpot_s"][:12]]}
    distances = Distances({"vllm": few}, Evidence())
    assert distances.width("vllm", "requests_per_s", few) == distances.width("vllm", "tpot_s", few) > 0


def test_the_worst_of_few_series_is_not_a_width_of_their_own(usual: Found) -> None:
    """One deployment that is off by far makes no band for all others of its engine; five are enough to tell."""
    mine = usual["vllm"]
    for series, is_own in ((2, False), (5, True)):
        far = [
            dataclasses.replace(one, case=dataclasses.replace(one.case, model=f"far {number}"), log_ratio=2.0)
            for number in range(series)
            for one in mine["tpot_s"][:1] * 6
        ]
        both = mine | {"requests_per_s": far}
        distances = Distances({"vllm": both}, Evidence())
        width, of_latency = (distances.width("vllm", band, both) for band in ("requests_per_s", "tpot_s"))
        assert width == pytest.approx(2.0 if is_own else of_latency)
        assert of_latency < 1.0


def test_a_row_lies_far_where_its_group_alone_was_near_it(usual: Found) -> None:
    distances = Distances(usual, Evidence())
    alone, shared = (error(model, "h100-sxm", "tpot_s", 2, SPREAD) for model in ("model 0", "model 7"))
    assert distances.powers("vllm", alone, Split.MODEL)["of_layer_kind"] == 1
    assert distances.powers("vllm", alone, Split.DEPLOYMENT)["of_layer_kind"] == 0  # it runs on the other machine, too
    assert distances.powers("vllm", shared, Split.MODEL)["of_layer_kind"] == 0
    assert distances.powers("vllm", shared, Split.MACHINE)["of_machine"] == 1
    assert distances.powers("vllm", shared, Split.NOTHING)["of_known"] == 1
    assert distances.powers("vllm", shared, Split.DEPLOYMENT)["of_known"] == 0
    assert distances.powers("vllm", shared, Split.ENGINE)["of_known"] == 0
    assert distances.powers("vllm", dataclasses.replace(shared, asked=None)) == {}


def test_what_an_engine_is_known_by_is_counted(usual: Found) -> None:
    known = Distances(usual, widened_by({"chips": {"tpot_s": GROWTH}})).evidence("vllm")
    assert known.machines == tuple(sorted(MACHINES))
    assert known.deployments == tuple(sorted((model, machine) for model in MODELS for machine in MACHINES))
    assert known.layer_kinds == tuple(sorted(OWN_KIND.values()))
    assert (known.users, known.newest) == (16, "2026-03-20")
    assert known.chips == pytest.approx(2**1.5)
    assert known.of_chips == {"tpot_s": GROWTH}


def test_rows_of_many_users_are_left_out_together() -> None:
    few = error("model 7", "h100-sxm", "tpot_s", 2, SPREAD).case
    assert group_of(few, Split.USERS) is None
    assert group_of(dataclasses.replace(few, batch=65), Split.USERS) is Split.USERS


def test_a_quantile_counts_by_weights() -> None:
    assert weighted_quantile([3.0, 1.0, 2.0], [1, 1, 1], 0.5) == 2.0
    assert weighted_quantile([3.0, 1.0, 2.0], [8, 1, 1], 0.5) == 3.0
