"""Options that make a run faster in its own layout: each gives what it says, and none that does not pay."""

from __future__ import annotations

import pytest

from ridgeline.training.outcome import Training
from ridgeline.verbs import train

RUN = {"tokens": 1e12, "batch_tokens": 2**22, "sequence_tokens": 4096, "count": 1}
LAYOUT = "pp16,cp2,dp64,ep8"
"""Of 2,048 chips, which hold DeepSeek-V3 where everything is computed again."""


@pytest.mark.slow
def test_what_is_named_faster_is_so_when_it_is_asked_for() -> None:
    found = train("deepseek-v3", "h800-sxm", layout=LAYOUT, recompute="full", **RUN)  # type: ignore[arg-type]
    assert {way.option for way in found.faster if way.option.count("--") == 1} == {
        "--dispatcher deepep",
        "--hide-dispatch",
        "--schedule zb-v",
        "--format fp8-block",
    }
    assert "--format fp8-block" in found.faster[0].options
    for way in found.faster:
        given = {
            "dispatcher": "deepep" if "deepep" in way.option else "alltoall",
            "hides_dispatch": "--hide-dispatch" in way.option,
            "schedule": "zb-v" if "zb-v" in way.option else None,
            "recompute": "full",
            "number_format": "fp8-block" if "fp8-block" in way.option else "bf16",
        }
        asked = train("deepseek-v3", "h800-sxm", layout=str(way.plan.job.layout), **RUN, **given)  # type: ignore[arg-type]
        assert asked.plans[0].time.step_time_s == pytest.approx(way.plan.time.step_time_s, rel=1e-12)
        assert found.plans[0].time.step_time_s / way.times_faster == pytest.approx(way.plan.time.step_time_s)


def test_of_the_dispatch_what_was_not_asked_for_is_named() -> None:
    """With the dispatcher given, hiding it is left; each option of a way saves something beside the others."""
    asked = {"dispatcher": "deepep", "schedule": "1f1b", "number_format": "fp8-block"}
    found = train("deepseek-v3", "h800-sxm", layout=LAYOUT, recompute="full", **RUN, **asked)  # type: ignore[arg-type]
    assert [way.option for way in found.faster] == ["--hide-dispatch"]


LLAMA = {"tokens": 15.6e12, "batch_tokens": 2**24, "sequence_tokens": 8192}


@pytest.mark.slow
def test_the_best_number_of_parts_is_named_and_taken() -> None:
    """As Llama 3 was trained, but for the parts of the layers that a stage holds."""

    def found(layout: str, schedule: str | None = None) -> Training:
        return train("llama-3.1-405b", "h100-sxm", layout=layout, schedule=schedule, measured_s=6, **LLAMA)  # type: ignore[arg-type]

    plain = found("tp8,pp16,dp128")
    by_parts = {f"tp8,pp16,dp128,vpp{parts}": found(f"tp8,pp16,dp128,vpp{parts}") for parts in (2, 4, 8)}
    best = min(by_parts, key=lambda layout: by_parts[layout].plans[0].time.step_time_s)
    best_s = by_parts[best].plans[0].time.step_time_s
    way = plain.faster[0]
    assert (way.option, way.plan.time.step_time_s) == (f"--layout {best}", best_s)
    assert not [way for way in by_parts[best].faster if "vpp" in way.option]
    # The schedule alone takes as many; so does the best of all.
    for schedule in ("interleaved", "all"):
        one = found("tp8,pp16,dp128", schedule)
        assert str(one.plans[0].job.layout) == best
        assert one.plans[0].time.step_time_s == best_s
        assert f"interleaved in {best} is the fastest of" in one.notes[0]
    # A step that is faster than can be said by chance is explained by what comes nearest to it.
    assert plain.explanation == way
    assert by_parts[best].explanation is None


def test_what_was_asked_for_is_not_named_again() -> None:
    asked = {"dispatcher": "deepep", "hides_dispatch": True, "schedule": "zb-v", "number_format": "fp8-block"}
    assert not train("deepseek-v3", "h800-sxm", layout=LAYOUT, recompute="full", **RUN, **asked).faster  # type: ignore[arg-type]
    # Without experts there is nothing to dispatch, without stages no schedule.
    assert not train("llama-3.1-8b", "h100-sxm", layout="tp2,dp8", **RUN).faster  # type: ignore[arg-type]


def test_eight_bits_are_named_where_the_model_is_published_so_and_the_chip_multiplies_so() -> None:
    """DeepSeek-V3's weights are in blocks of 8 bits, which an A100 has no arithmetic for; Llama's are 16 bits."""
    asked = {"layout": LAYOUT, "recompute": "full", "dispatcher": "deepep", "hides_dispatch": True, "schedule": "1f1b"}

    def named(model: str, machine: str, **more: object) -> list[str]:
        return [way.option for way in train(model, machine, **RUN, **more).faster]  # type: ignore[arg-type]

    assert named("deepseek-v3", "h800-sxm", **asked) == ["--format fp8-block"]
    assert not named("deepseek-v3", "h800-sxm", **asked | {"number_format": "fp8"})
    assert not named("deepseek-v3", "a100-80-sxm", **asked)
    assert not named("llama-3.1-8b", "h100-sxm", layout="tp2,dp8")
