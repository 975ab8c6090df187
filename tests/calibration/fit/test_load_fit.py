"""Numbers of engines from rows under load: passes are lines in them, and a fit finds those that rows were made with."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.each import of_each

from ridgeline.calibration.cases import Case
from ridgeline.calibration.fit.load_fit import FittedLoads, LoadFit, _closed, fits_without
from ridgeline.calibration.fit.load_runs import LoadRun, known_numbers, load_runs, with_numbers
from ridgeline.calibration.fit.load_table import DECLINE, STEP_NUMBERS, LinesOf, Table, key_of, load_table
from ridgeline.calibration.fit.priors import FIRST_TOKENS, SAME, TOKENS
from ridgeline.calibration.fit.split import Split, group_of
from ridgeline.calibration.judge.load_errors import load_errors
from ridgeline.calibration.kinds.loads import loaded, times_by
from ridgeline.catalog import load_machine
from ridgeline.catalog.engines import engine_ids, load_engine
from ridgeline.specs.engine import Engine

CENTRES = {name: centre for name, (centre, _) in {**TOKENS, **FIRST_TOKENS}.items()}
REPLAYING = [name for name in engine_ids() if load_engine(name).replay is not None]


def case(kind: str, quantity: str, **facts: Any) -> Case:  # noqa: ANN401  columns
    usual: dict[str, Any] = {"chips": "8", "tp": "8", "weight_dtype": "fp8", "kv_dtype": "fp8"}
    usual |= {"prompt_tokens": "1000", "output_tokens": "300", "model": "llama-3.1-70b", "machine": "h100-sxm"}
    given_ = usual | facts
    machine = given_.pop("machine")
    return Case(
        name="made",
        family="made",
        kind=kind,
        quantity=quantity,
        machine=machine,
        measured=1.0,
        **given_,
    )


DEPLOYED: dict[str, dict[str, str]] = {
    "dense": {},
    "one chip": {"model": "llama-3.1-8b", "chips": "1", "tp": "1", "weight_dtype": "bf16", "kv_dtype": "bf16"},
    "groups with latent attention": {"model": "deepseek-v3", "machine": "h200-sxm", "tp": "1", "dp": "8", "ep": "8"},
    "narrow experts": {"model": "gpt-oss-120b", "chips": "2", "tp": "2", "weight_dtype": "mxfp4", "kv_dtype": "bf16"},
    "linear attention": {"model": "qwen3.5-397b-a17b", "machine": "b200-sxm"},
}
ENGINES = {"vllm": "vllm-0.12", "sglang": "sglang-0.5.9", "sglang-waves": "sglang-0.5.2", "tensorrt-llm": "trtllm-1.0"}


def rows(
    *kinds: tuple[str, str],
    users: tuple[int, ...] = (16,),
    deployed: Mapping[str, dict[str, str]] = DEPLOYED,
    engines: Mapping[str, str] = ENGINES,
) -> list[LoadRun]:
    cases = [
        case(kind, quantity, engine=run, **facts, **({} if kind == "saturated" else {"batch": str(batch)}))
        for kind, quantity in kinds
        for facts in deployed.values()
        for run in engines.values()
        for batch in (users if kind != "saturated" else (1,))
    ]
    found = load_runs(cases, models={}, machines=load_machine)
    assert len(found) == len(cases)
    return found


def made(runs: list[LoadRun], numbers: dict[str, float], times: int = 1) -> list[LoadRun]:
    """The rows as they would be measured with these numbers, so often, each by somebody else, so that each counts."""
    values = [
        one.quantity.value(one.run, one.passes, loaded(one.passes, with_numbers(one.passes.engine, numbers)))
        for one in runs
    ]
    return [
        dataclasses.replace(one, case=dataclasses.replace(one.case, measured=value, family=f"made {place}"))
        for place, (one, value) in enumerate(times * list(zip(runs, values, strict=True)))
    ]


# Which numbers are whose.


def test_numbers_of_an_engine_leave_all_others_as_they_are() -> None:
    assert set(REPLAYING) == set(ENGINES)
    for name in engine_ids():
        engine = load_engine(name)
        changed = with_numbers(engine, {"vllm.layer_s": 1e-3, "vllm.scheduling.first_token_s": 0.5})
        if name == "vllm":
            assert changed == dataclasses.replace(
                engine, layer_s=1e-3, scheduling=dataclasses.replace(engine.scheduling, first_token_s=0.5)
            )
        else:
            assert changed == engine


def test_shared_numbers_are_those_of_all_engines_that_replay() -> None:
    for name in engine_ids():
        engine = load_engine(name)
        changed = with_numbers(engine, {"replay.launch_fraction": 2.0, "scheduling.batch_occupancy_fraction": 0.5})
        if engine.replay is None:
            assert changed is engine
        else:
            assert changed.replay == dataclasses.replace(engine.replay, launch_fraction=2.0)
            assert changed.scheduling == dataclasses.replace(engine.scheduling, batch_occupancy_fraction=0.5)


def test_an_engine_with_waves_is_the_other_but_for_how_it_waits() -> None:
    numbers = {
        "sglang.layer_s": 1e-3,
        "sglang.scheduling.prefill_first_fraction": 0.7,
        "sglang.scheduling.stream_interval_steps": 9.0,
    }
    usual, waves = (with_numbers(load_engine(name), numbers) for name in ("sglang", "sglang-waves"))
    assert SAME == {"sglang-waves": "sglang"}
    assert usual.layer_s == waves.layer_s == 1e-3
    assert usual.scheduling.stream_interval_steps == waves.scheduling.stream_interval_steps == 9.0
    assert (usual.scheduling.prefill_first_fraction, waves.scheduling.prefill_first_fraction) == (0.0, 0.7)


@of_each("name", [*TOKENS, *FIRST_TOKENS])
def test_every_number_changes_an_engine(name: str) -> None:
    changed = [one for one in REPLAYING if with_numbers(load_engine(one), {name: 0.123}) != load_engine(one)]
    owner = name.split(".", maxsplit=1)[0]
    if owner in ENGINES:
        assert changed
        assert all(SAME.get(one, one) == owner for one in changed)
    else:
        assert changed == REPLAYING


# Passes as lines.


@pytest.fixture(scope="module")
def tokens() -> list[LoadRun]:
    return rows(("closed_loop", "tpot_s"), users=(4, 48))


@pytest.fixture(scope="module")
def table(tokens: list[LoadRun]) -> Table:
    return load_table(tokens, {})


FACTORS = st.lists(st.floats(0.0, 4.0), min_size=len(CENTRES), max_size=len(CENTRES))


@pytest.mark.slow
@given(factors=FACTORS)
@settings(max_examples=6)  # each asks forty rows
def test_lines_are_the_passes_at_any_numbers(tokens: list[LoadRun], table: Table, factors: list[float]) -> None:
    """Also of engines that share their passes, and of releases: each has lines of its own."""
    numbers = {name: centre * factor for (name, centre), factor in zip(CENTRES.items(), factors, strict=True)}
    times = table.times(numbers)
    for place, one in enumerate(tokens):
        expected = times_by(one.passes.pools[0], with_numbers(one.passes.engine, numbers))
        points = expected.step_s.shape[1]
        # Sums in another order, of slopes that are differences.
        assert times.step_s[place, :points] == pytest.approx(expected.step_s[0], rel=1e-9)
        assert times.step_s[place, points:] == pytest.approx(expected.step_s[0, -1], rel=1e-9)
        for name in ("latency_s", "alone_s", "full_s", "most_together", "groups", "admitted", "decode_steps"):
            assert getattr(times, name)[place] == pytest.approx(getattr(expected, name)[0], rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("quantity", ["tpot_s", "ttft_s"])
def test_rows_together_are_predicted_as_each_by_itself(tokens: list[LoadRun], table: Table, quantity: str) -> None:
    found = _closed(table, CENTRES)
    for place, one in enumerate(tokens):
        alone = loaded(one.passes, with_numbers(one.passes.engine, CENTRES))
        assert getattr(found, quantity)[place] == pytest.approx(getattr(alone, quantity)[0], rel=1e-9)


# Fits.

TRUE = CENTRES | {
    "vllm.layer_s": 1.6e-5,
    "replay.launch_fraction": 1.25,
    "scheduling.batch_occupancy_fraction": 0.9,
    "scheduling.arrivals_wait_fraction": 1.1,
    "vllm.scheduling.first_token_s": 2.5e-2,
    "sglang.scheduling.prefill_first_fraction": 1.2,
}
FITTED = {name: DEPLOYED[name] for name in ("dense", "one chip")}
TOLD = (
    "scheduling.arrivals_wait_fraction",
    "scheduling.batch_occupancy_fraction",
    "sglang.scheduling.prefill_first_fraction",
)
"""What the rows tell of by themselves; layers and launches are told apart only with more models."""
SOME = {name: ENGINES[name] for name in ("vllm", "sglang", "sglang-waves")}


Found = tuple[list[LoadRun], FittedLoads, dict[Hashable, dict[str, float]]]

TIMES = 16
"""How often each row was measured: the first of them stand for all where that says as much."""


def fit_and_without(
    runs: list[LoadRun], centres: Mapping[str, float] | None = None
) -> tuple[FittedLoads, dict[Hashable, dict[str, float]]]:
    """A fit, and those that leave each model on its machine out."""
    fit = LoadFit(runs, centres)
    return fit.found, fits_without(fit, runs, Split.DEPLOYMENT)


@pytest.fixture(scope="module")
def fitted() -> Found:
    kinds = ("closed_loop", "tpot_s"), ("closed_loop", "ttft_s"), ("saturated", "output_tokens_per_s")
    runs = made(rows(*kinds, users=(1, 4, 16, 64), deployed=FITTED, engines=SOME), TRUE, TIMES)
    return runs, *fit_and_without(runs)


@pytest.mark.slow
def test_a_fit_finds_the_numbers_that_rows_were_made_with(fitted: Found) -> None:
    runs, found, _ = fitted
    priors = {**TOKENS, **FIRST_TOKENS}
    for one in found.parameters:
        # What pulls back to where it starts moves it by less than that holds it.
        assert abs(np.log(one.value / TRUE[one.name])) < 2 * one.log_sd, one.name
        assert one.log_sd <= priors[one.name][1] * (1 + 1e-6)
    numbers = {one.name: one for one in found.parameters}
    for name in TOLD:
        start, prior = priors[name]
        assert numbers[name].log_sd < 0.75 * prior
        # Most of the way from where it starts to what is true; where it starts pulls for the rest.
        assert abs(np.log(numbers[name].value / TRUE[name])) < 0.4 * abs(np.log(start / TRUE[name]))
    of_tokens = [one for one in runs if one.case.quantity != "ttft_s"]
    assert numbers["replay.launch_fraction"].rows == len(of_tokens)
    vllms = [one for one in of_tokens if one.passes.engine.name == "vllm"]
    assert 0 < numbers["vllm.layer_s"].rows == len(vllms) < len(of_tokens)


@pytest.mark.slow
def test_what_no_row_tells_of_stays_where_it_starts(fitted: Found) -> None:
    _, found, _ = fitted
    silent = {"tensorrt-llm.layer_s", "replay.latent_attention_layer_s", "tensorrt-llm.scheduling.dp_balance_steps"}
    assert not silent & {one.name for one in found.parameters}
    for name in silent:
        assert found.numbers[name] == pytest.approx(CENTRES[name], rel=1e-12)  # an exponential of its logarithm


def test_a_fit_may_start_from_what_the_catalog_has() -> None:
    """Of one's own rows few numbers are told; the others stay the catalog's."""
    known = known_numbers()
    assert known["replay.experts_busy_fraction"] == load_engine("vllm").replay.experts_busy_fraction  # type: ignore[union-attr]
    assert (
        known["sglang.scheduling.prefill_first_fraction"]
        == load_engine("sglang-waves").scheduling.prefill_first_fraction
    )
    assert set(known) <= set(CENTRES)
    tpot = ("closed_loop", "tpot_s")
    runs = made(rows(tpot, users=(1, 16), deployed={"dense": {}}, engines={"vllm": "vllm-0.12"}), TRUE)
    found, left_out = fit_and_without(runs, known)
    told = {one.name for one in found.parameters}
    assert "vllm.layer_s" in told
    assert all(name == "vllm.layer_s" or name.startswith("replay.") for name in told)
    for name in set(known) - told:
        assert found.numbers[name] == pytest.approx(known[name], rel=1e-12)
    # Nothing is left once the only deployment is.
    ((_, without),) = left_out.items()
    assert without == pytest.approx({**CENTRES, **known}, rel=1e-12)


def test_what_starts_from_zero_stays_there() -> None:
    """An engine of which the catalog has no such number is not given a round one by one's own rows."""
    ttft = ("closed_loop", "ttft_s")
    runs = made(rows(ttft, users=(1, 16), deployed={"dense": {}}, engines={"vllm": "vllm-0.12"}), TRUE)
    found = LoadFit(runs, {**CENTRES, "vllm.scheduling.first_token_users_power": 0.0}).found
    assert found.numbers["vllm.scheduling.first_token_users_power"] == 0
    told = {one.name for one in found.parameters}
    assert "vllm.scheduling.first_token_s" in told
    assert "vllm.scheduling.first_token_users_power" not in told


@pytest.mark.slow
def test_rows_are_predicted_better_than_before(fitted: Found) -> None:
    runs, found, left_out = fitted

    def off(numbers: dict[str, float]) -> float:
        errors = load_errors(runs[: len(runs) // TIMES], FittedLoads(numbers=numbers, parameters=()), {})
        return float(
            np.sqrt(np.mean([one.log_ratio**2 for bands in errors.values() for of in bands.values() for one in of]))
        )

    assert off(TRUE) == pytest.approx(0, abs=1e-12)
    # What holds the numbers where they start keeps the rest of the error.
    assert off(found.numbers) < 0.25 * off(CENTRES)
    assert set(left_out) == {("llama-3.1-70b", "h100-sxm"), ("llama-3.1-8b", "h100-sxm")}


@pytest.mark.slow
def test_a_deployment_that_is_left_out_says_nothing_of_itself(fitted: Found) -> None:
    """With its rows half as fast, the fit without it is the same."""
    runs, _, left_out = fitted
    group = ("llama-3.1-8b", "h100-sxm")
    others = [one for one in runs if one.case.deployed != group]
    assert len(others) == len(runs) / 2
    slower = [
        one
        if one.case.deployed != group
        else dataclasses.replace(one, case=dataclasses.replace(one.case, measured=2 * (one.case.measured or 0)))
        for one in runs
    ]
    again, without = fit_and_without(slower)
    assert again.numbers["vllm.scheduling.first_token_s"] > 1.1 * TRUE["vllm.scheduling.first_token_s"]
    # It starts elsewhere, and stops within the fit's tolerance of the same.
    assert list(without[group].values()) == pytest.approx(list(left_out[group].values()), rel=0.03)


def test_passes_as_lines_give_the_errors_of_the_whole_model(fitted: Found) -> None:
    runs, found, left_out = fitted
    some = runs[: len(runs) // TIMES]
    lines: LinesOf = {}
    load_table(some, lines)
    assert {key_of(one) for one in some} == set(lines)
    whole, quick = load_errors(some, found, left_out), load_errors(some, found, left_out, lines=lines)
    for engine, bands in whole.items():
        for band, errors in bands.items():
            # Sums of some ten numbers in another order.
            assert [one.log_ratio for one in quick[engine][band]] == pytest.approx(
                [one.log_ratio for one in errors], abs=1e-12
            )


def test_errors_are_those_of_the_quantity_by_engine_and_band(fitted: Found) -> None:
    runs, found, left_out = fitted
    errors = load_errors(runs[: len(runs) // TIMES], found, left_out)
    assert set(errors) == {"vllm", "sglang"}  # waves are counted with the engine that they are
    for bands in errors.values():
        assert set(bands) == {"tpot_s", "ttft_s", "saturated"}
        for band, found_ in bands.items():
            for one in found_:
                assert one.kernels_width > 0
                ratio = one.predicted_s / one.time_s
                assert np.log(ratio) == pytest.approx(one.log_ratio * (-1 if band == "saturated" else 1), rel=1e-9)


def test_rows_that_are_not_measured_or_not_predicted_fit_nothing() -> None:
    silent = dataclasses.replace(case("closed_loop", "tpot_s", batch="4"), measured=None)
    unknown = case("closed_loop", "mfu", batch="4")
    other = dataclasses.replace(case("closed_loop", "tpot_s", batch="4"), machine="h101")
    assert not load_runs([silent, unknown, other], models={}, machines=load_machine)


def test_an_engine_that_does_not_replay_is_what_it_was() -> None:
    engine = Engine(name="vllm", status="made up")
    assert with_numbers(engine, CENTRES) is engine


def test_steps_are_lines_in_numbers_of_times_and_launches_alone() -> None:
    assert {name for name in TOKENS if "scheduling" not in name} - {DECLINE} == set(STEP_NUMBERS)


# What is left out.


def test_rows_are_left_out_by_what_is_new_of_them() -> None:
    runs = rows(("closed_loop", "tpot_s"), engines={"vllm": "vllm-0.12", "sglang": "sglang-0.5.14"})
    groups = {split: {group_of(one.case, split) for one in runs} for split in Split}
    assert groups[Split.NOTHING] == {None}
    assert groups[Split.MODEL] == {one.case.model for one in runs}
    assert groups[Split.DEPLOYMENT] == {one.case.deployed for one in runs}
    assert groups[Split.MACHINE] == {one.case.machine for one in runs}
    assert groups[Split.ENGINE] == {"vllm", "sglang"}
    assert {group_of(one.case, Split.LATER) for one in runs if one.case.engine == "vllm-0.12"} == {None}
    assert None not in {group_of(one.case, Split.LATER) for one in runs if one.case.engine == "sglang-0.5.14"}


def test_an_engine_that_is_left_out_is_taken_for_another() -> None:
    runs = made(rows(("closed_loop", "tpot_s"), users=(1, 16), deployed=FITTED, engines=SOME), TRUE)
    fit = LoadFit(runs)
    without = fits_without(fit, runs, Split.ENGINE)
    assert set(without) == {"vllm", "sglang"}
    assert without["sglang"]["sglang.layer_s"] == without["sglang"]["vllm.layer_s"]
    assert without["vllm"]["vllm.layer_s"] == without["vllm"]["sglang.layer_s"]
    assert without["sglang"]["sglang.scheduling.stream_interval_steps"] == 0  # vLLM has none


def test_a_fit_finds_how_fast_overhead_falls() -> None:
    true = CENTRES | {DECLINE: 0.8}
    releases = {"vllm": "vllm-0.11.0", "tensorrt-llm": "trtllm-1.0.0"}
    newer = {"vllm": "vllm-0.22.0", "tensorrt-llm": "trtllm-1.3.0rc14"}
    of_both = [
        one
        for engines in (releases, newer)
        for one in rows(("closed_loop", "tpot_s"), users=(1, 4, 16), deployed=FITTED, engines=engines)
    ]
    found = LoadFit(made(of_both, true, TIMES)).found.numbers[DECLINE]
    assert found == pytest.approx(0.8, rel=0.1)  # where it starts, 0.3, pulls a little
