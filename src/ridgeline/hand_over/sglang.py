"""SGLang: ``sglang.launch_server``. Its tp counts all chips of a stage; groups divide them, and the limits of all."""

from __future__ import annotations

import dataclasses
from typing import Any

from ridgeline.catalog.engine_flags import flags_of
from ridgeline.hand_over.drafts import sglang_values
from ridgeline.hand_over.launch import FIRST_NODE, NODE_RANK, Launch, notes_of
from ridgeline.hand_over.replica import Replica
from ridgeline.hand_over.words import cache_word, common_values, weights_word, words
from ridgeline.specs.feed_forward import DenseFeedForward, NoFeedForward, RoutedExperts

__all__ = ["NAME", "launch", "values"]

NAME = "sglang"

PORT = 5000
"""Port at which nodes find each other; any free one."""


def values(replica: Replica) -> dict[str, Any]:
    """Settings for SGLang, by quantity, without those of nodes."""
    layout, asked = replica.deployment.layout, common_values(replica)
    kinds = {type(group.feed_forward) for group in replica.deployment.model.groups} - {NoFeedForward}
    shares_no_dense = layout.dp > 1 and layout.tp == 1 and kinds == {DenseFeedForward, RoutedExperts}
    # SGLang divides both limits among its groups.
    together = {
        "all_sequences": asked.pop("group_sequences") * layout.dp,
        "all_step_tokens": asked.pop("step_tokens") * layout.dp,
    }
    return {
        **asked,
        **together,
        "dp": layout.dp if layout.dp > 1 else None,
        "has_dp": layout.dp > 1,
        "dense_tp": 1 if shares_no_dense else None,
        "ep": layout.ep if layout.ep > 1 else None,
        "redundant_experts": layout.redundant_experts or None,
        "kv": cache_word(NAME, replica),
        **sglang_values(replica),
        "weights": weights_word(NAME, replica),
    }


def launch(replica: Replica) -> Launch:
    """Launch of one replica.

    Raises:
        CannotHandOverError: SGLang cannot express the plan.
    """
    facts, told = flags_of(NAME), values(replica) | {"checkpoint": replica.checkpoint}
    made = Launch(
        engine=NAME,
        version=facts.version,
        plan=1,
        layout=str(replica.deployment.layout),
        replicas=replica.replicas,
        nodes=replica.nodes,
        command=(*facts.command, *words(NAME, told)),
        notes=notes_of(NAME, replica),
    )
    if replica.nodes == 1:
        return made
    told |= {"nodes": replica.nodes, "first_node": f"{FIRST_NODE}:{PORT}"}
    return dataclasses.replace(
        made,
        command=(*facts.command, *words(NAME, told | {"node_rank": 0})),
        further_command=(*facts.command, *words(NAME, told | {"node_rank": NODE_RANK})),
    )
