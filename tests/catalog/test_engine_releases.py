"""Releases of engines: which one a run means, and how overhead falls from one to the next."""

from __future__ import annotations

import dataclasses
import math
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline import decode, deploy, load_engine
from ridgeline.catalog.engine_releases import newest_release, release_of
from ridgeline.catalog.engines import engine_of, fitted_engine
from ridgeline.catalog.facts import CatalogError
from ridgeline.estimator.estimate import estimate
from ridgeline.specs.engine import Release

STEP = decode(batch=4, context_tokens=1000)


@pytest.mark.parametrize(
    ("engine", "run", "found"),
    [
        ("vllm", "vllm-0.12.0", ("0.12.0", date(2025, 12, 3))),
        ("vllm", "vllm-0.12", ("0.12", date(2025, 12, 3))),
        ("sglang", "dynamo-sglang-0.5.8.post1", ("0.5.8.post1", date(2026, 2, 5))),
        ("tensorrt-llm", "dynamo-trtllm-0.8.1.post1", ("dynamo 0.8.1.post1", date(2026, 1, 24))),  # Dynamo's own
        ("tensorrt-llm", "trtllm-1.1.0rc2.post2", ("1.1.0rc2.post2", date(2025, 8, 30))),  # of the one before it
        ("tensorrt-llm", "trtllm-gpt-oss-dev", ("gpt-oss-dev", date(2025, 8, 5))),
        ("sglang", "sglang-nightly-dev-cu13-20260628-da802ddc", ("nightly", date(2026, 6, 28))),
        ("vllm", "vllm-nightly-5e35a6f4f9bbc217", ("nightly", date(2026, 5, 29))),  # its day is not said
        ("vllm", "vllm", None),
        ("gpt-fast", "gpt-fast-1.0", None),
    ],
)
def test_a_run_means_a_release(engine: str, run: str, found: tuple[str, date] | None) -> None:
    assert release_of(engine, run) == found


def test_the_newest_release_is_what_a_name_alone_means_but_in_a_measured_row() -> None:
    newest = newest_release("vllm")
    assert newest is not None
    assert (load_engine("vllm").release.version, load_engine("vllm").release.date) == (newest[0], newest[1].isoformat())
    assert engine_of("vllm") == fitted_engine("vllm")
    assert engine_of("vllm").release == Release()


def test_an_engine_is_asked_for_by_its_release() -> None:
    assert load_engine("vllm-0.18.0") == engine_of("vllm-0.18.0")
    assert load_engine("sglang-0.5.3").name == "sglang-waves"
    with pytest.raises(CatalogError, match=r"no engine 'vllm-new'.*releases such as vllm-0\.18\.0"):
        load_engine("vllm-new")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            "vllm-9.9",
            r"'9.9' is newer than any in the index.*write vllm-0\.32\.0 or vllm-0\.33\.0; vllm alone is 0\.22\.0",
        ),
        ("vllm-0.12.7", r"'0.12.7' is not in the index; write vllm-0\.11\.2 or vllm-0\.12\.0 or vllm-0\.13\.0"),
        ("dynamo-vllm-0.9.9", r"write dynamo-vllm-0\.9\.1"),
        ("vllm-0.6.99", r"write vllm-0\.6\.6 .*or vllm-0\.7\.0"),
        ("vllm-0.12.0x", "'0.12.0x' is no release"),
    ],
)
def test_a_release_that_no_index_has_is_refused_with_those_around_it(asked: str, said: str) -> None:
    with pytest.raises(CatalogError, match=said):
        load_engine(asked)
    assert engine_of(asked).release.version  # of a measured row: it did run


def test_every_release_of_the_index_is_one_that_can_be_asked_for() -> None:
    for engine in ("vllm", "sglang", "tensorrt-llm"):
        newest = newest_release(engine)
        assert newest
        for version in (newest[0], newest[0].removesuffix(".0")):
            assert load_engine(f"{engine}-{version}").release.date == newest[1].isoformat()
    assert load_engine("sglang-glm5-hopper").release.version == "glm5-hopper"
    assert load_engine("vllm-nightly-20260501").release.date == "2026-05-01"


def test_newer_releases_take_less_besides_the_kernels_and_older_ones_as_the_oldest_measured() -> None:
    names = ("vllm-0.9.0", "vllm-0.9.1", "vllm-0.12.0", "vllm-0.18.0", "vllm-0.22.0")
    times = [estimate(deploy("llama-3.1-70b", "h100-sxm", "tp8", engine=name), STEP).step_time_s for name in names]
    assert times[0] == times[1] > times[2] > times[3] > times[4]


@given(years=st.floats(-1, 2), rate=st.floats(0, 1))
def test_overhead_falls_at_its_rate(years: float, rate: float) -> None:
    known = fitted_engine("vllm")
    assert known.replay is not None
    engine = dataclasses.replace(
        known,
        replay=dataclasses.replace(known.replay, overhead_decline_per_year=rate),
        release=Release(version="1", date="2026-01-01", years=years),
    )
    assert engine.overhead_fraction == pytest.approx(math.exp(-rate * years))
    assert dataclasses.replace(engine, replay=None).overhead_fraction == 1


def test_a_release_beyond_what_was_measured_says_so_and_is_carried_on_only_so_far() -> None:
    assert "0.33.0 is newer than 0.22.0, the newest that was measured" in load_engine("vllm-0.33.0").status
    assert "0.10.0 is older" not in load_engine("vllm-0.10.0").status
    assert "0.9.0 is older than any that was measured, and taken as of 2025-07-01" in load_engine("vllm-0.9.0").status
    assert load_engine("vllm").status == fitted_engine("vllm").status
    years = {name: load_engine(f"vllm-{name}").release.years for name in ("0.22.0", "0.26.0", "0.31.0", "0.33.0")}
    assert years["0.22.0"] < years["0.26.0"] < years["0.31.0"] == years["0.33.0"]


def test_names_of_engines_and_of_their_older_forms_are_runs_of_them() -> None:
    names = {"sglang-waves": "sglang-waves", "vllm-0.5.5": "vllm-v0", "vllm-0.7.3": "vllm-v0", "vllm-0.8.0": "vllm"}
    names |= {"sglang-0.3.0": "sglang-waves", "vllm-0.10.0": "vllm", "vllm-v0": "vllm-v0"}
    assert {run: engine_of(run).name for run in names} == names


def test_a_day_that_there_is_not_is_refused() -> None:
    with pytest.raises(CatalogError, match="no such day"):
        engine_of("vllm-nightly-20260231")
