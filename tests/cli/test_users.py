"""Users of ``plan``, ``expect`` and ``simulate``: how they begin is said beside each first token."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ridgeline.cli import commands
from ridgeline.cli.output import show

OF = "llama-3.1-70b --on h100-sxm --prompt 1000 --output 200 --users 64"
PLAN = f"plan {OF} --chips 8 --top 50"
EXPECT = f"expect {OF} --layout tp8"
SIMULATE = f"simulate {OF} --layout tp8 --no-bands"


@cache
def run(line: str) -> Result:
    result = CliRunner().invoke(commands, line.split())
    assert result.exit_code == 0, result.output
    return result


def text(line: str) -> str:
    return re.sub(r"\s+", " ", run(line).stdout)


def document(line: str) -> dict[str, Any]:
    return dict(json.loads(run(f"{line} --json").stdout))


def test_a_plan_and_what_is_expected_of_it_have_both_first_tokens_alike() -> None:
    (planned,) = (one for one in document(PLAN)["plans"] if one["chips"] == one["layout"]["tp"] == 8)
    expected = document(EXPECT)["expected"]
    assert planned["batch"] == 64
    assert expected["steady_ttft_s"] == pytest.approx(planned["ttft_s"], rel=1e-9)
    assert expected["ttft_s"] == pytest.approx(planned["benchmark_ttft_s"], rel=1e-9)
    assert expected["ttft_s"] != pytest.approx(expected["steady_ttft_s"], rel=0.01)


def test_a_plan_that_takes_less_than_its_budget_says_so_and_is_paid_for_what_it_takes() -> None:
    first = document(PLAN)["plans"][0]
    assert first["chips"] < 8
    said = text(PLAN)
    assert "on at most 8 chips of" in said
    assert f"/h for {first['chips']} chips," in said


def test_a_plan_has_no_benchmark_where_requests_come_at_random() -> None:
    at_random = PLAN.replace("--users 64", "--rate 2/s").replace("--top 50", "--top 1")
    assert document(at_random)["plans"][0]["benchmark_ttft_s"] is None


@pytest.mark.parametrize(("limit", "verdict"), [("150ms", "over"), ("5s", "within")])
def test_a_limit_on_first_tokens_without_a_load_is_beside_what_the_batch_gives(limit: str, verdict: str) -> None:
    """The limit holds in an idle system; under way, the batch has the wait that is expected of as many users."""
    asked = f"plan {OF.replace(' --users 64', '')} --tpot 30ms --top 1 --ttft {limit}"
    found = document(asked)["plans"][0]
    degrees = found["layout"]
    assert (degrees["pp"], degrees["dp"]) == (1, 1)
    line = EXPECT.replace("tp8", f"tp{degrees['tp']}").replace("--users 64", f"--users {found['batch']}")
    expected = document(line)["expected"]["ttft_s"]
    assert found["benchmark_ttft_s"] == pytest.approx(expected, rel=1e-9)
    assert found["ttft_s"] < 0.15 < expected < 5.0
    assert (
        f"TTFT at that batch: {show(expected, 's')} at the mean with the {found['batch']} requests of its batch"
        f" under way, all begun at once (expect --users {found['batch']}), {verdict} the limit of"
    ) in text(asked)
    assert ("--users or --rate apply the limit under a load" in text(asked)) is (verdict == "over")
    assert "TTFT at that batch" not in text(f"{asked} --users 8")
    unlimited = text(asked.replace(f" --ttft {limit}", ""))
    assert "TTFT at that batch" not in unlimited
    assert f"loaded TTFT {show(expected, 's')} at the mean" in text(asked)
    assert "loaded TTFT" in unlimited
    assert "loaded TTFT" not in text(f"{asked} --users 8")


def test_a_batch_that_keeps_to_a_limit_under_way_is_the_largest() -> None:
    """The remedy is tried: its batch keeps to the limit in the layout that it names, and one more does not."""
    asked = f"plan {OF.replace(' --users 64', '')} --tpot 30ms --ttft 150ms"
    ((layout, batch),) = re.findall(r"under way (\S+) keeps to it up to --batch (\d+);", text(f"{asked} --top 1"))
    limit_s = {
        number: [
            one["benchmark_ttft_s"]
            for one in document(f"{asked} --top 99 --batch {number}")["plans"]
            if f"tp{one['layout']['tp']}" == layout and one["chips"] == one["layout"]["tp"]
        ]
        for number in (int(batch), int(batch) + 1)
    }
    ((kept,), (over,)) = limit_s.values()
    assert kept <= 0.15 < over


def test_a_simulation_says_the_first_tokens_of_users_who_begin_the_other_way() -> None:
    spread, together = document(SIMULATE), document(f"{SIMULATE} --start-together")
    assert spread["begun_otherwise_ttft_s"] == together["ttft_s"]
    assert together["begun_otherwise_ttft_s"] == spread["ttft_s"]
    assert together["ttft_s"]["mean"] > 1.5 * spread["ttft_s"]["mean"]
    assert document(SIMULATE.replace("--users 64", "--rate 2/s --requests 20"))["begun_otherwise_ttft_s"] is None


def test_each_command_names_how_its_users_begin() -> None:
    assert "90 % of requests' within it, by the waits of measured closed loops after their first burst" in text(PLAN)
    assert "is the mean of a benchmark of ten requests a user, all of whom begin at once" in text(PLAN)
    assert "the mean of a benchmark of ten requests a user, all of whom begin at once and later 90 % within" in text(
        EXPECT
    )
    assert "began one after the other, over a request's time; all at once, as a benchmark's do" in text(SIMULATE)
    pools = text(PLAN.replace("--top 50", "--top 1 --pools 2"))
    assert "90 % of requests' within it, which 64 users make, each the next when answered" in pools
    assert "users began all at once, as a benchmark's do; one after the other" in text(f"{SIMULATE} --start-together")


def test_what_is_expected_needs_no_measurement() -> None:
    found, said = document(EXPECT), text(EXPECT)
    assert found["expected"]["tpot_s"] == document(f"{EXPECT} --measured-tpot 31ms")["expected"]["tpot_s"]
    assert (found["measured"], found["ratio"], found["probability"], found["causes"]) == (None, None, None, [])
    assert "expected TPOT" in said
    assert "measured TPOT" not in said
    assert "more: --measured-tpot 31ms" in said
