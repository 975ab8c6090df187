"""Where nothing serves, the exit code is 1 for every command, and with --json a document is printed all the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

from ridgeline.cli import commands
from ridgeline.cli.asked import Asked
from ridgeline.planner.outcome import Planning
from ridgeline.specs.deployment import Deployment

SIMULATE = ["simulate", "llama-3.1-8b", "--on", "h100-sxm", "--layout", "tp1", "--rate", "2/s", "--requests", "20"]
UNSERVED = {
    "memory of a simulation": ["simulate", "llama-3.1-405b", "--on", "h100-sxm", "--layout", "tp8", "--rate", "2/s"],
    "memory of a training": [
        "train",
        "llama-3.1-405b",
        "--on",
        "h100-sxm",
        "--chips",
        "8",
        "--tokens",
        "1T",
        "--batch-tokens",
        "4M",
    ],
    "a request that no cache holds": [*SIMULATE, "--prompt", "1000000", "--output", "200"],
    "a rate that no limit allows": [*SIMULATE, "--prompt", "1000", "--output", "20", "--find-rate", "--ttft", "1ms"],
    "no plan": ["plan", "llama-3.1-405b", "--on", "h100-sxm", "--chips", "1", "--prompt", "1000", "--output", "200"],
}


@pytest.mark.parametrize("name", UNSERVED)
def test_where_nothing_serves_the_code_is_1_and_a_document_is_printed(name: str) -> None:
    arguments = UNSERVED[name]
    if name == "memory of a simulation":
        arguments = [*arguments, "--prompt", "1000", "--output", "200"]
    said = CliRunner().invoke(commands, [*arguments, "--json"])
    assert said.exit_code == 1, said.output
    document = json.loads(said.stdout)
    assert document["inputs"]
    if name != "no plan":
        assert document["unserved"] in said.stderr
    assert said.stderr.startswith("Error: ") or name == "no plan"


def test_a_cache_that_was_stated_too_small_is_to_be_stated_larger() -> None:
    said = CliRunner().invoke(commands, [*SIMULATE, "--prompt", "1000", "--output", "200", "--kv-blocks", "10"])
    assert said.exit_code == 1
    assert "raise --kv-blocks (10; a request needs 75)" in " ".join(said.stderr.split())


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("--chips 1", "--chips 2 are enough"),
        ("--budget $3/h", "--budget '$5.90/h' rents 2 chips, which are enough"),
        ("--memory-fraction 0.1", "raise --memory-fraction from 0.1 to 0.23, which serves"),
        ("--tpot 10us", "the fastest token takes"),
    ],
)
def test_where_no_plan_serves_what_is_nearest_is_said_alone(more: str, said: str) -> None:
    line = f"plan llama-3.1-70b --on h100 --prompt 2k --output 500 {more}"
    found = CliRunner().invoke(commands, line.split())
    assert (found.exit_code, found.stdout) == (1, "")
    assert said in " ".join(found.stderr.split())
    assert "Rejected" in CliRunner().invoke(commands, [*line.split(), "--details"]).stdout


def test_the_part_of_memory_that_is_offered_serves_and_less_does_not() -> None:
    line = "plan llama-3.1-70b --on h100 --prompt 2k --output 500 --memory-fraction"
    assert CliRunner().invoke(commands, [*line.split(), "0.23"]).exit_code == 0
    assert CliRunner().invoke(commands, [*line.split(), "0.22"]).exit_code == 1


def test_the_part_of_memory_is_searched_by_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """With all of the memory a token still takes too long: not each part below it is planned with."""
    searches, of_one = [], Asked.plan_of

    def counting(self: Asked, deployment: Deployment, **more: Any) -> Planning:  # noqa: ANN401  as it takes
        searches.append(deployment)
        return of_one(self, deployment, **more)

    monkeypatch.setattr(Asked, "plan_of", counting)
    line = "plan llama-3.1-70b --on h100 --prompt 2k --output 500 --tpot 10us --memory-fraction 0.1"
    said = CliRunner().invoke(commands, line.split())
    assert said.exit_code == 1
    assert "raise --memory-fraction" not in said.stderr
    assert 2 < len(searches) < 20


def test_a_training_that_does_not_fit_says_how_many_chips_are_enough() -> None:
    line = "train llama-3.1-70b --on h100 --tokens 1T --batch-tokens 4M --chips"
    found = CliRunner().invoke(commands, [*line.split(), "8"])
    enough = found.stderr.rpartition("with more memory; ")[2].split(" chips are enough")[0]
    assert "4Mi" not in found.stderr
    assert CliRunner().invoke(commands, [*line.split(), enough]).exit_code == 0
    assert CliRunner().invoke(commands, [*line.split(), str(int(enough) // 2)]).exit_code == 1
