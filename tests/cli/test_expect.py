from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from ridgeline.cli import commands

RUN = "expect llama-3.1-70b --on h100-sxm --layout tp8 --users 64 --prompt 1000 --output 1000 --measured-tpot 31ms"


def run(line: str) -> Result:
    return CliRunner().invoke(commands, line.split())


def test_as_json() -> None:
    result = run(f"{RUN} --json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert {"tpot_s", "low_s", "high_s"} <= set(found["expected"])
    assert found["measured"] == 0.031
    assert found["ratio"] == found["measured"] / found["expected"]["tpot_s"]
    assert 0 <= found["probability"] <= 1
    assert all(cause["would_explain_s"] > 0 for cause in found["causes"])
    assert found["inputs"]["users"] == 64


def test_for_people() -> None:
    text = " ".join(run(RUN).stdout.split())
    assert "80 % interval" in text
    assert "what may be otherwise" in text
    assert "Each by itself; several may be true at once." in text


def test_what_is_inside_the_interval_needs_no_cause() -> None:
    usual = json.loads(run(f"{RUN} --json").stdout)["expected"]["tpot_s"]
    text = run(RUN.replace("31ms", f"{usual}s")).stdout
    assert "Nothing to explain" in text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("31ms", "0s"), "must be above 0; write what was measured"),
        (("tp8", "tp7"), "7"),
        (("tp8", "tp1"), "does not fit on h100-sxm in layout tp1"),
        (("--output 1000", "--output 1"), "one token has no time between tokens"),
        (("31ms", "31"), "has no unit"),
        (("31ms", "5ms"), "no token takes a measured 5 ms: a step of one sequence alone takes"),
    ],
)
def test_refusals(change: tuple[str, str], said: str) -> None:
    result = run(RUN.replace(*change))
    assert result.exit_code != 0
    assert said in " ".join(result.stderr.replace("│", " ").split())
    assert not result.stdout
    assert "measured_tpot_s" not in result.stderr


@pytest.mark.parametrize("users", [64, 900])
def test_who_waits_for_memory_is_counted(users: int) -> None:
    line = RUN.replace("--users 64", f"--users {users}").replace("--prompt 1000", "--prompt 16000")
    found = json.loads(run(f"{line} --json").stdout)["expected"]
    admitted = found["admitted"]
    said = f"the other {users - admitted:,.0f} users wait for room"
    shown = " ".join(run(line).stdout.split())
    assert 64 < admitted < 900 if users == 900 else admitted == 64
    assert found["admitted_by"] == ("memory" if users == 900 else None)
    assert (f"KV cache full with {admitted:.1f} requests" in shown) is (users == 900)
    assert (said in shown) is (users == 900)


def test_who_waits_for_the_engine_is_not_said_to_wait_for_memory() -> None:
    """Memory has room for 88 of such requests, and the engine takes 64."""
    line = RUN.replace("--users 64", "--users 900 --max-sequences 64").replace("--prompt 1000", "--prompt 16000")
    shown = " ".join(run(line).stdout.split())
    found = json.loads(run(f"{line} --json").stdout)["expected"]
    assert (found["admitted"], found["admitted_by"]) == (64, "engine")
    assert "engine takes 64 requests at once and no more (--max-sequences); those of the other 836 users wait" in shown
    assert "KV cache full" not in shown


def test_a_time_that_is_far_off_is_asked_about_its_unit() -> None:
    line = "expect llama-3.1-70b --on h100-sxm --layout tp8 --users 64 --prompt 1000 --output 1000 --measured-tpot"
    said = " ".join(CliRunner().invoke(commands, [*line.split(), "31s"]).output.split())
    assert "times the expected: is it 31 ms?" in said
    assert "is it" not in CliRunner().invoke(commands, [*line.split(), "31ms"]).output


def test_a_mean_above_what_nine_of_ten_stay_within_is_explained() -> None:
    """The mean has the burst in it, and what later requests stay within has not: either may be the longer one."""
    line = "expect llama-3.1-8b --on h100-sxm --layout tp1 --prompt 1000 --output 1000 --users {}"
    seen = set()
    for users in (8, 64):
        expected = json.loads(run(f"{line.format(users)} --json").stdout)["expected"]
        is_below = expected["steady_ttft_s"] < expected["ttft_s"]
        said = " ".join(run(line.format(users)).stdout.split())
        assert ("as in a plan for these users; the mean has the burst's waits in it" in said) is is_below
        seen.add(is_below)
    assert True in seen
