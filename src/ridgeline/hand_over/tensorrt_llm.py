"""TensorRT-LLM: ``trtllm-serve`` and its options file. Every chip of a stage has its own sequences, or none has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ridgeline.catalog.engine_flags import flags_of
from ridgeline.hand_over.launch import Launch, notes_of
from ridgeline.hand_over.replica import CannotHandOverError, Replica
from ridgeline.hand_over.words import cache_word, common_values, options, weights_word, words
from ridgeline.hand_over.yaml_text import yaml_text
from ridgeline.numeric import ceil
from ridgeline.specs.feed_forward import RoutedExperts

__all__ = ["NAME", "launch", "values"]

NAME = "tensorrt-llm"

OPTIONS_FILE = "options.yaml"

MPI_LAUNCHER = "trtllm-llmapi-launch"
"""Command that starts the server in every process of an MPI job, one per chip."""


def values(replica: Replica) -> dict[str, Any]:
    """Settings for TensorRT-LLM, by quantity.

    Raises:
        CannotHandOverError: the engine cannot run the plan.
    """
    layout, asked = replica.deployment.layout, common_values(replica)
    if layout.dp > 1 and layout.tp > 1:
        raise CannotHandOverError(
            f"tensorrt-llm gives every chip sequences of its own (enable_attention_dp) or none, and has no groups of"
            f" {layout.tp} chips; ask for a plan with dp{layout.tp * layout.dp} or tp{layout.tp * layout.dp}"
        )
    micro_batch = int(ceil(asked.pop("group_sequences") / layout.pp))
    if micro_batch > replica.step_tokens:
        raise CannotHandOverError(
            f"tensorrt-llm steps {micro_batch} sequences of a chip in at most max_num_tokens={replica.step_tokens}"
            f" tokens; plan with --max-step-tokens {micro_batch} or more"
        )
    if replica.deployment.speculation:
        raise CannotHandOverError(
            "tensorrt-llm's options for drafts (speculative_config) have other names from release to release, and are"
            " not written; plan without --speculate, and add them by hand"
        )
    weights_word(NAME, replica)  # which refuses: it quantises nothing while it loads
    captured = asked["captured_sequences"]
    return {
        **asked,
        "captured_sequences": captured and min(captured, micro_batch),
        "pads_graphs": True if captured else None,
        "micro_batch_sequences": micro_batch,
        "has_dp": layout.dp > 1,
        "ep": layout.ep if layout.ep > 1 else None,
        "chunks_prompts": replica.prompt_tokens > replica.step_tokens,
        "expert_slots": _experts(replica) + layout.redundant_experts if layout.redundant_experts else None,
        "balanced_layers": 1 if layout.redundant_experts else None,
        "kv": cache_word(NAME, replica),
        "node_chips": replica.node_chips if replica.nodes > 1 else None,
    }


def _experts(replica: Replica) -> int:
    """Routed experts of a layer."""
    blocks = (group.feed_forward for group in replica.deployment.model.groups)
    return max(block.experts for block in blocks if isinstance(block, RoutedExperts))


def launch(replica: Replica) -> Launch:
    """Launch of one replica, with its options file.

    Raises:
        CannotHandOverError: TensorRT-LLM cannot run the plan; the message says what it can.
    """
    facts, told = flags_of(NAME), values(replica) | {"options_file": OPTIONS_FILE}
    start = (*(() if replica.nodes == 1 else (MPI_LAUNCHER,)), *facts.command, replica.checkpoint)
    return Launch(
        engine=NAME,
        version=facts.version,
        plan=1,
        layout=str(replica.deployment.layout),
        replicas=replica.replicas,
        nodes=replica.nodes,
        command=(*start, *words(NAME, told)),
        manifest=yaml_text(options(NAME, told)),
        manifest_file=OPTIONS_FILE,
        notes=(*notes_of(NAME, replica), *_on_nodes(replica)),
    )


def _on_nodes(replica: Replica) -> Iterator[str]:
    if replica.nodes > 1:
        yield (
            f"start it in one MPI job of {replica.deployment.layout.chips} processes on {replica.nodes} nodes, one a"
            f" chip: srun --mpi=pmix -N {replica.nodes} --ntasks-per-node {replica.node_chips}"
        )
