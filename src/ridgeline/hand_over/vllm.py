"""vLLM: ``vllm serve``. Every group has its own scheduler; experts lie over all chips, or all chips share each."""

from __future__ import annotations

import dataclasses
from typing import Any

from ridgeline.catalog.engine_flags import flags_of
from ridgeline.hand_over.drafts import vllm_config
from ridgeline.hand_over.launch import FIRST_NODE, NODE_RANK, Launch, notes_of
from ridgeline.hand_over.replica import CannotHandOverError, Replica
from ridgeline.hand_over.words import cache_word, common_values, weights_word, words

__all__ = ["NAME", "launch", "values"]

NAME = "vllm"

CAPTURES = "--max-cudagraph-capture-size"


def values(replica: Replica) -> dict[str, Any]:
    """Settings for vLLM, by quantity, without those of nodes.

    Raises:
        CannotHandOverError: the engine cannot run the plan.
    """
    layout, captured = replica.deployment.layout, _captured_tokens(replica)
    chips = layout.tp * layout.dp
    if layout.ep not in {1, chips}:
        raise CannotHandOverError(
            f"vllm spreads experts over all {chips} chips of tp*dp or none, not over {layout.ep}; ask for a plan with"
            f" ep{chips}"
        )
    if layout.redundant_experts and layout.ep == 1:
        raise CannotHandOverError("vllm holds experts twice only where it spreads them over chips (ep)")
    by_default = flags_of(NAME).flags[CAPTURES].default or 0
    is_given = replica.deployment.engine.options.captured_sequences is not None
    return {
        **common_values(replica),
        "tp": layout.tp,
        "dp": layout.dp if layout.dp > 1 else None,
        "spreads_experts": layout.ep > 1,
        "has_redundant_experts": layout.redundant_experts > 0,
        "eplb": {"num_redundant_experts": layout.redundant_experts} if layout.redundant_experts else None,
        "kv": cache_word(NAME, replica),
        "speculation": vllm_config(replica),
        "weights": weights_word(NAME, replica),
        # vLLM itself captures up to twice the maximum sequences, as far as its default goes.
        "captured_sequences": captured if is_given or (captured or 0) > by_default else None,
    }


def _captured_tokens(replica: Replica) -> int | None:
    """Tokens of vLLM's largest graph, one for each token that a step verifies; None without graphs."""
    captured = replica.captured_sequences
    return captured if captured is None else captured * replica.deployment.speculation.checked_tokens


def launch(replica: Replica) -> Launch:
    """Launch of one replica.

    Raises:
        CannotHandOverError: vLLM cannot run the plan; the message says what it can.
    """
    facts, told = flags_of(NAME), values(replica)
    start = (*facts.command, replica.checkpoint)
    made = Launch(
        engine=NAME,
        version=facts.version,
        plan=1,
        layout=str(replica.deployment.layout),
        replicas=replica.replicas,
        nodes=replica.nodes,
        command=(*start, *words(NAME, told)),
        notes=notes_of(NAME, replica),
    )
    if replica.nodes == 1:
        return made
    nodes = {"nodes": replica.nodes, "first_node": FIRST_NODE}
    return dataclasses.replace(
        made,
        command=(*start, *words(NAME, told | nodes | {"node_rank": 0})),
        further_command=(*start, *words(NAME, told | nodes | {"node_rank": NODE_RANK}), *facts.further_node),
    )
