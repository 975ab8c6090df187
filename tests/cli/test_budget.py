"""``ridgeline budget``: its table, the document's contract, its pictures, and what is refused."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ridgeline.catalog.scaling_laws import law_ids, load_law
from ridgeline.cli import commands
from ridgeline.glossary import ImplausibleError
from ridgeline.verbs import budget

FEW = ("--law", "besiroglu-2024", "--law", "hoffmann-2022", "--draws", "50")
LAW_FIELDS = {"law", "active_params", "tokens", "rl_tokens", "total_cost", "shares", "over_training", "extrapolates"}


def run(*asked: str, columns: int = 80) -> Result:
    return CliRunner(env={"COLUMNS": str(columns)}).invoke(commands, ["budget", *asked])


def document(*asked: str) -> dict[str, Any]:
    result = run(*asked, "--json")
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.stdout))


def test_without_an_argument_every_law_answers_the_lectures_example() -> None:
    result = run("--draws", "50")
    assert result.exit_code == 0, result.output
    assert max(map(len, result.output.splitlines())) <= 80
    rows = re.findall(r"^(\S+-20\d\d\S*)  (.*)$", result.output, re.MULTILINE)
    assert [name for name, _ in rows] == [name for name in law_ids() if not load_law(name).is_variant]
    found = {name: row.split() for name, row in rows}
    assert found["hoffmann-2022"] == ["88.4B", "267T", "3.54e26", "40/30/30", "26×", "17×", "+1.7", "%"]
    assert found["besiroglu-2024"] == ["111B", "117T", "3.46e26", "23/39/39", "58×", "111×", "+4.2", "%"]
    assert found["llama-3-2024"] == ["59×"]
    text = re.sub(r"\s+", " ", result.output)
    for said in (
        "each costing as much as one trained on; RL costing as much as serving (133T tokens)",
        "217B (sardana-2023) to 11.8T (hoffmann-2022), of which 200T are 924× to 17×",
        "3 fits to the same runs (Hoffmann et al.) say 17× to 111×",
        "Rows are not to be averaged",
        "Extrapolation, in multiples",
        "80 % of draws",
        "dense laws disagree",
    ):
        assert said in text, said


def test_tokens_of_rl_stand_where_they_differ() -> None:
    assert re.search(r"tokens +RL +cost", run(*FEW, "--rl-cost", "0.1", columns=120).output)
    assert "left out at 70 columns: RL" in run(*FEW, "--rl-cost", "0.1", columns=70).output
    assert not re.search(r"tokens +RL +cost", run(*FEW).output)


@pytest.mark.slow
def test_a_cost_is_in_the_unit_of_all_costs() -> None:
    timed = ("--on", "h100-sxm", "--like", "llama-3.1-8b", "--chips", "64", "--batch-tokens", "4Mi")
    hours = document(*FEW, *timed, "--unit", "chip-hours", "--cost", "10M")["laws"][0]
    dollars = document(*FEW, *timed, "--cost", "$29.5M")["laws"][0]
    assert hours["total_cost"] == pytest.approx(3.6e10)
    assert dollars["active_params"] == pytest.approx(hours["active_params"], rel=1e-9)


def test_the_document_keeps_its_contract() -> None:
    found = document(*FEW)
    first = found["laws"][0]
    assert set(first) >= LAW_FIELDS
    assert set(first["shares"]) == {"pretraining", "rl", "serving"}
    assert sum(first["shares"].values()) == pytest.approx(1)
    assert first["extrapolates"] is True
    assert [one["law"] for one in found["laws"]] == found["inputs"]["laws"] == [FEW[1], FEW[3]]
    assert found["inputs"]["goal"] == {"kind": "AsGoodAs", "params": 1e11, "tokens": 2e14, "experts": 1, "name": ""}
    assert (found["unit"], found["phases"], first["bands"]["answered_fraction"]) == ("flop", None, 1)
    again = document(*FEW, "--seed", "0")
    assert again == found
    assert document(*FEW, "--seed", "1")["laws"][0]["bands"] != first["bands"]


def test_a_law_without_a_loss_leaves_its_fields_empty() -> None:
    (_, llama) = document(*FEW[:2], "--law", "llama-3-2024")["laws"]
    assert {llama[name] for name in LAW_FIELDS - {"law", "extrapolates"}} == {None}
    assert llama["as_asked_over_training"] == pytest.approx(59.3, abs=0.05)
    assert "no loss" in llama["why"]


def test_without_any_answer_the_command_fails_and_says_why() -> None:
    result = run("--loss", "1.5", *FEW)
    assert result.exit_code == 1
    assert "no law has an answer; besiroglu-2024, hoffmann-2022: no model reaches the loss" in result.stderr
    assert "No band" not in result.output


def test_more_is_said_where_more_is_asked() -> None:
    more = ("--model", "deepseek-v3", "--distil", "5B:2T", "--unique", "30T", "--cheaper", "1.4", "--rate", "5Mtok/s")
    result = run(*FEW, *more, "--life", "700d", "--details")
    assert result.exit_code == 0, result.output
    assert max(map(len, result.output.splitlines())) <= 80
    text = re.sub(r"\s+", " ", result.output)
    for said in (
        "as good as DeepSeek-V3",
        "are 20 times the rule of thumb",
        "0.49 (hoffmann-2022) to 2 (besiroglu-2024) times its pre-training",
        "A distilled model",
        "text that is read again",
        "on the mean of the life",
        "https://arxiv.org/abs/2404.10102, table 1",
    ):
        assert said in text, said


@pytest.mark.parametrize(
    ("asked", "advice"),
    [
        (("--law", "kaplan"), "There are hoffmann-2022"),
        (("--law", "Chinchilla"), "nearest: hoffmann-2022, "),
        (("--cost", "$5M"), "those of a machine: add --on h100-sxm"),
        (("--served", "-5"), "'--served': '-5' is below zero"),
        (("--params", "1e40"), "'1e40' is outside [1000, 1e+15]"),
        (("--cost", "lots"), "'lots' is not a number"),
        (("--cost", "$5", "--unit", "flop"), "leave out --unit"),
        (("--distil", "20B"), "20B:2T"),
        (("--rate", "50Mtok/s"), "--life 60d"),
        (("--theme", "dark"), "--figure"),
        (("--efficiency", "0"), "such as 0.33"),
        (("--life", "60d"), "--rate"),
        (("--cost", "1", "--law", "besiroglu-2024"), "pays for no model"),
        (("--unique", "1M", "--law", "besiroglu-2024"), "with that text"),
        (("--within-domain",), "--on h100-sxm"),
        (("--model", "qwen3-32b", "--loss", "2"), "keep one"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_what_to_write(asked: tuple[str, ...], advice: str) -> None:
    result = run(*asked)
    assert result.exit_code in {1, 2}
    assert advice in re.sub(r"\s+", " ", result.stderr)


def test_a_refusal_in_the_shell_speaks_of_no_base_units() -> None:
    """Python does, where numbers have no units; and writes no forty digits."""
    refused = run("--distil", "1e40:2T").stderr
    assert "budget: active_params=1e+40 is outside [1000, 1e+15]" in re.sub(r"\s+", " ", refused)
    refused = run("--distil", "20B:1").stderr
    assert "tokens=1.0 is outside" in refused
    assert "base units" not in refused
    with pytest.raises(ImplausibleError, match=r"base units: write 8k tokens as 8000"):
        budget(tokens=1.0)


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        ("iso-loss", "Models of one loss"),
        ("costs", "A smaller model costs more before"),
        ("shares", "What each phase takes"),
        ("over-training", "How far past the optimum"),
    ],
)
@pytest.mark.slow
def test_a_picture_is_drawn_of_the_answer(picture: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "out.svg"
    result = run(*FEW, "--picture", picture, "--figure", str(path))
    assert result.exit_code == 0, result.output
    text = " ".join("".join(node.itertext()) for node in ET.parse(path).iter())  # noqa: S314  our own
    comments = path.read_text()
    assert said in text or said in comments
