"""Drafts as engines are told of them: in their own words, or refused with what to ask for instead."""

from __future__ import annotations

import dataclasses
import json

import pytest

import ridgeline
from ridgeline.hand_over.hand_over import TARGETS, hand_over
from ridgeline.hand_over.replica import CannotHandOverError, Replica
from ridgeline.planner.plan import plan
from ridgeline.specs.workload import Workload


def replica(engine: str, model: str, layout: str, speculate: str) -> Replica:
    """One by hand, whatever a search would find."""
    return Replica(
        deployment=ridgeline.deploy(model, "h200-sxm", layout, engine=engine, speculate=speculate),
        checkpoint="org/name",
        is_own_checkpoint=False,
        batch=75,
        most_at_once=75,
        replicas=1,
        prompt_tokens=9000,
        context_tokens=10_000,
        kv_capacity_tokens=100_000,
        is_memory_raised=False,
    )


def flags(command: tuple[str, ...]) -> dict[str, str]:
    """What stands behind each flag on speculation."""
    return {word: command[place + 1] for place, word in enumerate(command) if word.startswith("--speculative")}


@pytest.mark.parametrize(
    ("model", "speculate", "expected"),
    [
        ("deepseek-v3", "mtp:3=2.4", {"method": "mtp", "num_speculative_tokens": 3}),
        ("qwen3-32b", "ngram:4=1.5", {"method": "ngram", "num_speculative_tokens": 4, "prompt_lookup_max": 4}),
        (
            "qwen3-32b",
            "qwen3-0.6b:2=2",
            {"method": "draft_model", "num_speculative_tokens": 2, "model": "Qwen/Qwen3-0.6B"},
        ),
    ],
)
def test_vllm_is_told_as_json(model: str, speculate: str, expected: dict[str, object]) -> None:
    launch = TARGETS["vllm"](replica("vllm", model, "tp8", speculate))
    (written,) = flags(launch.command).values()
    assert json.loads(written) == expected
    assert any("the plan counts on" in note and speculate.partition("=")[0] in note for note in launch.notes)


@pytest.mark.parametrize(
    ("model", "speculate", "expected"),
    [
        (
            "deepseek-v3",
            "mtp:3=2.4",
            {"algorithm": "EAGLE", "num-steps": "3", "eagle-topk": "1", "num-draft-tokens": "4"},
        ),
        ("qwen3-32b", "ngram:4=1.5", {"algorithm": "NGRAM", "num-draft-tokens": "5"}),
        (
            "qwen3-32b",
            "qwen3-0.6b:2=2",
            {
                "algorithm": "STANDALONE",
                "draft-model-path": "Qwen/Qwen3-0.6B",
                "num-steps": "2",
                "eagle-topk": "1",
                "num-draft-tokens": "3",
            },
        ),
    ],
)
def test_sglang_is_told_by_flags_of_their_own(model: str, speculate: str, expected: dict[str, str]) -> None:
    launch = TARGETS["sglang"](replica("sglang", model, "tp8", speculate))
    assert flags(launch.command) == {f"--speculative-{name}": value for name, value in expected.items()}


@pytest.mark.parametrize(
    ("engine", "model", "layout", "speculate", "said"),
    [
        ("vllm", "kimi-k2.5", "tp8", "eagle3:3", "no checkpoint of the draft eagle3:3 is known"),
        ("sglang", "deepseek-v4-pro", "tp8", "dspark:3", "sglang has no word for dspark"),
        ("sglang", "qwen3-30b-a3b", "dp2,ep2", "ngram:2=1.4", "beside no groups of dp"),
        ("tensorrt-llm", "deepseek-v3", "tp8", "mtp:1", "plan without --speculate"),
    ],
)
def test_what_an_engine_has_no_word_for_is_refused(
    engine: str, model: str, layout: str, speculate: str, said: str
) -> None:
    with pytest.raises(CannotHandOverError, match=said):
        TARGETS[engine](replica(engine, model, layout, speculate))


def test_without_speculation_nothing_is_written_of_it() -> None:
    for engine in ("vllm", "sglang"):
        launch = TARGETS[engine](replica(engine, "deepseek-v3", "tp8", "none"))
        assert not flags(launch.command)


def test_a_plan_hands_over_what_it_chose_to_draft_and_graphs_for_all_that_it_checks() -> None:
    deployment = ridgeline.deploy("deepseek-v3", "h200-sxm", engine="vllm")
    workload = Workload(prompt_tokens=2000, output_tokens=500)
    drafted = ridgeline.deploy("deepseek-v3", "h200-sxm", engine="vllm", speculate="mtp:1").speculation
    found = plan(deployment, workload, speculations=[deployment.speculation, drafted])
    launch = hand_over(deployment, workload, found, "vllm")
    chosen = found.plans[launch.plan - 1]
    assert bool(flags(launch.command)) is bool(chosen.speculation)
    many = dataclasses.replace(replica("vllm", "deepseek-v3", "tp8", "mtp:1"), batch=400, most_at_once=400)
    command = TARGETS["vllm"](many).command
    assert command[command.index("--max-cudagraph-capture-size") + 1] == "800"
