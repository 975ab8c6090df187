"""Plans as launch lines and manifests: nothing that matters is dropped, no flag is made up, and refusals say why."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ridgeline
from ridgeline.catalog import load_machine, load_model, model_ids
from ridgeline.catalog.engine_flags import flags_of
from ridgeline.errors import RidgelineError
from ridgeline.hand_over import dynamo, sglang, tensorrt_llm, vllm
from ridgeline.hand_over.hand_over import TARGETS, hand_over, replica_of
from ridgeline.hand_over.launch import Launch
from ridgeline.hand_over.replica import CannotHandOverError, Replica
from ridgeline.hand_over.yaml_text import yaml_text
from ridgeline.planner.outcome import Planning
from ridgeline.planner.plan import plan
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.feed_forward import RoutedExperts
from ridgeline.specs.layout import Layout
from ridgeline.specs.model import Model
from ridgeline.specs.workload import Workload

WORKLOAD = Workload(prompt_tokens=9000, output_tokens=1000)
ENGINES = ("vllm", "sglang", "tensorrt-llm")
DENSE = ("tp1", "tp8", "tp4,pp2", "tp16")
SPARSE = ("tp8", "tp8,ep8", "dp8,ep8", "tp2,dp4,ep8", "tp2,dp4", "dp8,ep4", "tp4,pp2,ep4", "dp16,ep16")


def deployed(
    model: Model | str,
    engine: str,
    layout: str = "tp1",
    machine: str = "h200-sxm",
    weights: str | None = None,
    kv: str | None = None,
) -> Deployment:
    return ridgeline.deploy(model, machine, layout, engine=engine, weights=weights, kv=kv)


def replica(
    model: Model | str = "llama-3.1-8b",
    engine: str = "vllm",
    layout: str = "tp1",
    *,
    batch: int = 75,
    machine: str = "h200-sxm",
    kv: str | None = None,
) -> Replica:
    """One by hand, whatever a search would find."""
    return Replica(
        deployment=deployed(model, engine, layout, machine, kv=kv),
        checkpoint="org/name",
        is_own_checkpoint=True,
        batch=batch,
        most_at_once=batch,
        replicas=2,
        prompt_tokens=int(WORKLOAD.prompt_tokens),
        context_tokens=int(WORKLOAD.longest_tokens),
        kv_capacity_tokens=123_456,
        is_memory_raised=False,
    )


def has_experts(model: Model) -> bool:
    return any(isinstance(group.feed_forward, RoutedExperts) for group in model.groups)


def everywhere() -> Iterator[tuple[str, str, str]]:
    for model, engine in itertools.product(model_ids(), ENGINES):
        for layout in SPARSE if has_experts(load_model(model)) else DENSE:
            yield model, engine, layout


def by_flag(words: tuple[str, ...]) -> dict[str, str]:
    """Flags with what stands behind them."""
    found, name = {}, ""
    for word in words:
        if word.startswith("--"):
            name = word
            assert name not in found, f"{name} twice"
            found[name] = ""
        elif name:
            found[name] = f"{found[name]} {word}".strip()
    return found


def test_every_launch_of_the_catalog_is_made_of_known_flags_and_says_all_of_the_plan() -> None:
    """All models in a few layouts by all engines: numbers are read back out of the words, as the engine counts them."""
    refused, made = [], 0
    for model, engine, layout in everywhere():
        one = replica(model, engine, layout, batch=70)
        try:
            launch = TARGETS[engine](one)
        except CannotHandOverError as error:
            refused.append((engine, layout, str(error)))
            continue
        made += 1
        said = by_flag(launch.command) | (by_flag(launch.further_command) if launch.further_command else {})
        known = flags_of(engine).flags
        assert set(said) - {"--headless"} <= set(known)
        options = keys_of(launch.manifest or "")
        assert options <= set(known), options
        assert_says_all(one, engine, said, launch)
    # vLLM spreads experts over all chips or none, and TensorRT-LLM has no groups of several chips.
    assert {(engine, layout) for engine, layout, _ in refused} == {
        ("vllm", "dp8,ep4"),
        ("tensorrt-llm", "tp2,dp4,ep8"),
        ("tensorrt-llm", "tp2,dp4"),
    }
    assert made > 2 * len(model_ids()) * len(ENGINES)


def keys_of(text: str) -> set[str]:
    """Keys of the leaves of an options file, with dots between levels."""
    found: set[str] = set()
    path: list[str] = []
    for line in text.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        key, _, value = line.strip().partition(":")
        path = [*path[:depth], key]
        if value:
            found.add(".".join(path))
    return found


def assert_says_all(one: Replica, engine: str, said: dict[str, str], launch: Launch) -> None:
    layout, manifest = one.deployment.layout, launch.manifest or ""
    chips, notes = layout.tp * layout.dp, " ".join(launch.notes)
    pp = {"vllm": "--pipeline-parallel-size", "sglang": "--pp-size", "tensorrt-llm": "--pp_size"}[engine]
    assert int(said.get(pp, 1)) == layout.pp
    if engine == "vllm":
        assert int(said["--tensor-parallel-size"]) == layout.tp
        assert int(said.get("--data-parallel-size", 1)) == layout.dp
        assert ("--enable-expert-parallel" in said) == (layout.ep == chips > 1)
        assert int(said["--max-num-seqs"]) * layout.dp >= one.batch > (int(said["--max-num-seqs"]) - 1) * layout.dp
        assert int(said["--max-num-batched-tokens"]) == one.step_tokens
        assert float(said["--gpu-memory-utilization"]) == one.limits.memory_fraction
        assert int(said["--max-model-len"]) == WORKLOAD.longest_tokens
    elif engine == "sglang":
        assert int(said["--tp-size"]) == chips
        assert int(said.get("--dp-size", 1)) == layout.dp
        assert ("--enable-dp-attention" in said) == (layout.dp > 1)
        assert int(said.get("--ep-size", 1)) == layout.ep
        # Both are divided by the server among its groups.
        assert int(said["--max-running-requests"]) // layout.dp == one.group_sequences
        assert int(said["--chunked-prefill-size"]) // layout.dp == one.step_tokens
        assert "memory fraction is left to sglang" in notes
        assert int(said["--context-length"]) == WORKLOAD.longest_tokens
    else:
        assert int(said["--tp_size"]) == chips
        assert f"enable_attention_dp: {str(layout.dp > 1).lower()}" in manifest
        assert int(said.get("--ep_size", 1)) == layout.ep
        assert int(said["--max_batch_size"]) * layout.dp * layout.pp >= one.batch
        assert int(said["--max_num_tokens"]) == one.step_tokens
        assert f"free_gpu_memory_fraction: {one.limits.cache_fraction:g}" in manifest
        assert "enable_chunked_prefill: true" in manifest  # the prompt is longer than a step
        assert int(said["--max_seq_len"]) == WORKLOAD.longest_tokens
    assert "weights in" in notes
    assert f"KV cache {one.deployment.precision.kv.name}" in notes
    assert "123,456 tokens" in notes
    assert launch.nodes == -(-layout.chips // 8)
    assert (launch.further_command != ()) == (launch.nodes > 1 and engine != "tensorrt-llm")


@pytest.mark.parametrize("layout", ["tp8,cp2", "tp8,kv_dp8", "tp8,tp_rows4", "dp8,fsdp8"])
@pytest.mark.parametrize("engine", ENGINES)
def test_what_an_engine_does_not_do_is_refused_with_what_it_is(engine: str, layout: str) -> None:
    found = searched(engine, "llama-3.1-8b", chips=1)
    other = dataclasses.replace(found.plans[0], layout=Layout.from_text(layout))
    with pytest.raises(CannotHandOverError, match=layout.split(",")[1].rstrip("0123456789")):
        replica_of(deployed("llama-3.1-8b", engine), WORKLOAD, other)


def searched(engine: str, model: str, *, chips: int, weights: str | None = None) -> Planning:
    return plan(deployed(model, engine, weights=weights), WORKLOAD, chips=chips, weights=weights)


def test_a_machine_that_an_engine_does_not_run_on_is_refused() -> None:
    found = searched("tensorrt-llm", "llama-3.1-8b", chips=1)
    elsewhere = dataclasses.replace(deployed("llama-3.1-8b", "tensorrt-llm"), machine=load_machine("mi300x"))
    with pytest.raises(CannotHandOverError, match="does not run on cdna3"):
        replica_of(elsewhere, WORKLOAD, found.plans[0])


def test_weights_in_another_format_are_quantised_while_loading_where_the_engine_does_that() -> None:
    deployment, found = (
        deployed("llama-3.1-70b", "vllm", weights="fp8"),
        searched("vllm", "llama-3.1-70b", chips=8, weights="fp8"),
    )
    made = hand_over(deployment, WORKLOAD, found, "vllm")
    assert by_flag(made.command)["--quantization"] == "fp8_per_tensor"
    assert made.command[2] == "meta-llama/Meta-Llama-3.1-70B"
    assert any("quantised to fp8" in note for note in made.notes)


def test_weights_that_no_engine_makes_need_a_checkpoint() -> None:
    deployment = deployed("llama-3.1-70b", "vllm", weights="int4")
    found = searched("vllm", "llama-3.1-70b", chips=8, weights="int4")
    with pytest.raises(CannotHandOverError, match=r"weights in int4.*--checkpoint"):
        hand_over(deployment, WORKLOAD, found, "vllm")
    made = hand_over(deployment, WORKLOAD, found, "vllm", checkpoint="org/llama-awq")
    assert made.command[2] == "org/llama-awq"
    assert "--quantization" not in made.command
    assert any("org/llama-awq holding its weights in int4" in note for note in made.notes)


def test_a_plan_of_another_engine_is_not_handed_over() -> None:
    deployment, found = deployed("llama-3.1-8b", "vllm"), searched("vllm", "llama-3.1-8b", chips=1)
    with pytest.raises(CannotHandOverError, match=r"of engine vllm.*--engine sglang"):
        hand_over(deployment, WORKLOAD, found, "sglang")
    assert hand_over(deployment, WORKLOAD, found, "dynamo").engine == "dynamo"


def test_a_model_of_which_no_weights_are_published_is_refused() -> None:
    with pytest.raises(CannotHandOverError, match="no checkpoint of GPT-3"):
        hand_over(deployed("gpt3-175b", "vllm"), WORKLOAD, searched("vllm", "gpt3-175b", chips=8), "vllm")


def test_better_plans_that_cannot_be_told_are_named_and_passed_over() -> None:
    deployment, found = deployed("qwen3-30b-a3b", "tensorrt-llm"), searched("tensorrt-llm", "qwen3-30b-a3b", chips=4)
    grouped = dataclasses.replace(found.plans[0], layout=Layout.from_text("dp2,ep2,cp2"))
    worse = dataclasses.replace(found, plans=[grouped, *found.plans[:3]])
    made = hand_over(deployment, WORKLOAD, worse, "tensorrt-llm")
    assert made.plan == 2
    assert made.notes[0].startswith("plan 1 (ep2,dp2,cp2) is passed over: tensorrt-llm does not share a context")


def test_options_of_the_operator_are_said_or_refused() -> None:
    eager = ridgeline.load_engine("vllm", options={"enforce_eager": True, "async_scheduling": False})
    told = vllm.launch(dataclasses.replace(replica(), deployment=with_engine("llama-3.1-8b", eager))).command
    assert {"--enforce-eager", "--no-async-scheduling"} <= set(told)
    assert "--async-scheduling" not in told
    later = ridgeline.load_engine("vllm", options={"prefill_schedule_interval": 4})
    with pytest.raises(CannotHandOverError, match=r"vllm 0\.22\.0 has no flag for prefill_schedule_interval"):
        vllm.launch(dataclasses.replace(replica(), deployment=with_engine("llama-3.1-8b", later)))
    waits = ridgeline.load_engine("tensorrt-llm", options={"batch_wait_timeout_iters": 3, "cuda_graph_config": "null"})
    manifest = tensorrt_llm.launch(
        dataclasses.replace(replica(), deployment=with_engine("llama-3.1-8b", waits))
    ).manifest
    assert manifest is not None
    assert "batch_wait_timeout_iters: 3" in manifest
    assert "cuda_graph_config: null" in manifest


@pytest.mark.parametrize(
    ("engine", "largest", "none"),
    [
        ("vllm", "max_cudagraph_capture_size", "--enforce-eager"),
        ("sglang", "cuda_graph_max_bs", "--cuda-graph-backend-decode disabled"),
        ("tensorrt-llm", "cuda_graph_config.max_batch_size", "cuda_graph_config: null"),
    ],
)
def test_a_largest_graph_of_no_sequences_is_said_as_none(engine: str, largest: str, none: str) -> None:
    for given in (0, 4):
        run = ridgeline.load_engine(engine, options={largest: given})
        made = TARGETS[engine](dataclasses.replace(replica(), deployment=with_engine("llama-3.1-8b", run)))
        said = f"{' '.join(made.command)} {made.manifest}"
        assert (none in said) == (given == 0)


def with_engine(model: str, engine: ridgeline.Engine) -> Deployment:
    return ridgeline.deploy(model, "h200-sxm", engine=engine)


def test_memory_that_the_plan_raises_is_said() -> None:
    one = dataclasses.replace(replica(), is_memory_raised=True)
    assert float(by_flag(vllm.launch(one).command)["--gpu-memory-utilization"]) == one.limits.raised_fraction
    two = dataclasses.replace(replica(engine="sglang"), is_memory_raised=True)
    assert float(by_flag(sglang.launch(two).command)["--mem-fraction-static"]) == two.limits.raised_fraction


def test_experts_held_twice_are_said() -> None:
    layout = "dp72,ep72,redundant32"
    told = by_flag(vllm.launch(replica("deepseek-v3", "vllm", layout, machine="gb200-nvl72")).command)
    assert json.loads(told["--eplb-config"]) == {"num_redundant_experts": 32}
    assert told["--nnodes"] == "18"  # four chips a host
    told = by_flag(sglang.launch(replica("deepseek-v3", "sglang", layout, machine="gb200-nvl72")).command)
    assert told["--ep-num-redundant-experts"] == "32"
    made = tensorrt_llm.launch(replica("deepseek-v3", "tensorrt-llm", layout, machine="gb200-nvl72"))
    assert "num_slots: 288" in (made.manifest or "")


def test_hosts_that_are_filled_in_part_are_refused() -> None:
    with pytest.raises(CannotHandOverError, match=r"12 chips fills hosts of 8 unevenly"):
        vllm.launch(replica("llama-3.1-8b", layout="tp4,pp3"))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_manifest_has_both_pools(engine: str) -> None:
    prompts = dataclasses.replace(replica("llama-3.1-8b", engine, "tp2"), role="prefill", replicas=3)
    tokens = dataclasses.replace(replica("llama-3.1-8b", engine, "tp8"), role="decode", batch=200, most_at_once=200)
    made = dynamo.of_pools((prompts, tokens))
    text = made.manifest or ""
    assert re.findall(r"^    - name: (\w+)", text, re.MULTILINE) == ["frontend", "prefill", "decode"]
    assert re.findall(r"^      replicas: (\d)", text, re.MULTILINE) == ["1", "3", "2"]
    assert re.findall(r'nvidia.com/gpu: "(\d)"', text) == ["2", "8"]
    assert re.findall(r'"--disaggregation-mode"\n +- (\w+)', text) == ["prefill", "decode"]
    assert any(word in text for word in ("NixlConnector", "nixl", "cache_transceiver_config"))
    with pytest.raises(CannotHandOverError, match="one of prefill and one of decode"):
        dynamo.of_pools((prompts, prompts))


def test_dynamo_is_for_nvidias_chips_and_the_engines_that_it_has() -> None:
    with pytest.raises(CannotHandOverError, match="mi300x has others; take --export vllm"):
        dynamo.launch(replica(machine="mi300x"))
    with pytest.raises(CannotHandOverError, match="not gpt-fast"):
        dynamo.launch(replica(engine="gpt-fast"))


def test_a_cache_that_an_engine_has_no_word_for_is_refused() -> None:
    assert by_flag(vllm.launch(replica(kv="fp8")).command)["--kv-cache-dtype"] == "fp8"
    assert by_flag(vllm.launch(replica("deepseek-v3.2", layout="tp8")).command)["--kv-cache-dtype"] == "bfloat16"
    with pytest.raises(CannotHandOverError, match="no KV cache in int8"):
        vllm.launch(replica(kv="int8"))


def test_where_weights_lie_is_no_part_of_a_model(tmp_path: Path) -> None:
    """Two folders of one shape give one set of numbers."""
    folder = tmp_path / "mine"
    folder.mkdir()
    shape = {"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32}
    rest = {"num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256, "torch_dtype": "bfloat16"}
    (folder / "config.json").write_text(json.dumps({**shape, **rest, "tie_word_embeddings": False}))
    model = load_model(str(folder))
    assert model.checkpoint == str(folder)
    assert model == dataclasses.replace(model, checkpoint="elsewhere")
    # A folder without a config.json is none that an engine loads.
    (folder / "config.json").rename(folder / "llama.json")
    assert load_model(str(folder / "llama.json")).checkpoint is None
    assert load_model("deepseek-r1").checkpoint is None
    assert load_model("deepseek-v3").checkpoint == "deepseek-ai/DeepSeek-V3"


def test_what_is_no_target_is_refused() -> None:
    with pytest.raises(RidgelineError, match="not to 'ollama'"):
        hand_over(deployed("llama-3.1-8b", "vllm"), WORKLOAD, searched("vllm", "llama-3.1-8b", chips=1), "ollama")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("a: b", '"a: b"'),
        ("yes", '"yes"'),
        ("8", '"8"'),
        ("", '""'),
        ([], "[]"),
        (None, "null"),
        ("x/y:1.6", "x/y:1.6"),
    ],
)
def test_yaml_quotes_what_it_would_read_otherwise(value: object, written: str) -> None:
    assert yaml_text({"key": value}) == f"key: {written}\n"
