"""Settings of engines for speculative decoding."""

from __future__ import annotations

from typing import Any

from ridgeline.hand_over.replica import CannotHandOverError, Replica
from ridgeline.specs.speculation import Draft, Speculation

__all__ = ["checkpoint_of", "sglang_values", "vllm_config"]

LOOKED_UP = 4
"""Longest n-gram that is looked up, in tokens, as in vLLM's examples."""

SGLANG_WORDS = {"mtp": "EAGLE", "ngram": "NGRAM"}
"""SGLang's names for kinds of drafts whose weights are the model's own, or none."""


def checkpoint_of(engine: str, speculation: Speculation, draft: Draft) -> str:
    """Checkpoint that an engine loads for a draft with weights of its own.

    Raises:
        CannotHandOverError: no checkpoint is known; the message says what to do.
    """
    found = None if draft.layers is None else draft.layers.checkpoint
    if found is None:
        raise CannotHandOverError(
            f"no checkpoint of the draft {speculation} is known, which {engine} loads beside the model's; name a model"
            " of the catalog as the draft, or plan without --speculate and add the draft by hand"
        )
    return found


def vllm_config(replica: Replica) -> dict[str, Any] | None:
    """VLLM's ``--speculative-config``; None without speculation.

    Raises:
        CannotHandOverError: no checkpoint of the draft is known.
    """
    speculation = replica.deployment.speculation
    draft = speculation.draft
    if draft is None:
        return None
    told: dict[str, Any] = {"method": draft.name, "num_speculative_tokens": speculation.drafted_tokens}
    if draft.name == "ngram":
        return told | {"prompt_lookup_max": LOOKED_UP}
    if draft.shares_ends:  # whose weights lie in the model's own checkpoint
        return told
    method = draft.name if draft.is_known_kind else "draft_model"
    return told | {"method": method, "model": checkpoint_of("vllm", speculation, draft)}


def sglang_values(replica: Replica) -> dict[str, Any]:
    """SGLang's settings of speculation, by quantity; empty without speculation.

    Raises:
        CannotHandOverError: SGLang does not support the kind, or no checkpoint of the draft is known.
    """
    speculation = replica.deployment.speculation
    draft = speculation.draft
    if draft is None:
        return {}
    checked = {"checked_tokens": speculation.checked_tokens}
    if draft.name == "ngram":
        if replica.deployment.layout.dp > 1:
            raise CannotHandOverError("sglang looks up n-grams beside no groups of dp; plan with mtp, or take dp1")
        return {"draft_kind": SGLANG_WORDS[draft.name], **checked}
    chain = {"drafted_tokens": speculation.drafted_tokens, "draft_branches": 1, **checked}
    if draft.name in SGLANG_WORDS:
        return {"draft_kind": SGLANG_WORDS[draft.name], **chain}
    if draft.is_known_kind and draft.name != "eagle3":
        raise CannotHandOverError(f"sglang has no word for {draft.name}; plan with mtp, eagle3, ngram or a model's id")
    word = "EAGLE3" if draft.is_known_kind else "STANDALONE"
    return {"draft_kind": word, "draft_checkpoint": checkpoint_of("sglang", speculation, draft), **chain}
