"""Admission: sequences that KV memory and engine limits allow, and prompts that one prefill pass reads."""

from __future__ import annotations

import math

import numpy as np

from ridgeline.estimator.memory import Memory, cache_bytes_per_chip, limits_of, memory_per_chip, sequence_cache_bytes
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.workload import Workload, passes_of

__all__ = [
    "admitted_sequences",
    "chunks_per_prompt",
    "longest_beside",
    "pool_memory",
    "prompts_of_a_pass",
    "room",
    "sequence_limit",
    "tokens_per_pass",
]


def tokens_per_pass(deployment: Deployment) -> int:
    """Prompt tokens that a ``dp`` group takes in one pass, over all chips that share a context."""
    return limits_of(deployment).pass_tokens * deployment.layout.cp


def prompts_of_a_pass(deployment: Deployment, workload: Workload) -> int:
    """Prompts that a group reads in one pass, as many in each stage."""
    return max(1, int(tokens_per_pass(deployment) // workload.read_tokens)) * deployment.layout.pp


def chunks_per_prompt(deployment: Deployment, workload: Workload) -> int:
    """Passes in which a prompt is read; more than one where it is longer than a pass."""
    return passes_of(workload.read_tokens, tokens_per_pass=tokens_per_pass(deployment))


def sequence_limit(deployment: Deployment) -> int:
    """Engine's maximum sequences of a group in a step, regardless of memory."""
    return limits_of(deployment).sequences


def admitted_sequences(deployment: Deployment, workload: Workload) -> float:
    """Sequences of a group that memory has room for, as a mean, so not a whole number; 0 where none fits.

    Room is the memory beside weights and the largest prefill pass.
    """
    limits = limits_of(deployment)
    empty = memory_per_chip(deployment, rows=limits.pass_tokens, sampled=1, kv_bytes=0.0)
    of_one = float(np.mean(sequence_cache_bytes(deployment, workload.held_tokens(limits.output_fraction))))
    if not of_one:
        return math.inf if empty.free_bytes >= 0 else 0.0
    held_at_once = float(empty.free_bytes) / of_one
    if held_at_once < 1:
        return 0.0
    # Groups that each keep their own sequences are filled evenly.
    whole = math.floor(held_at_once)
    return whole * deployment.layout.kv_dp + (held_at_once - whole)


def room(deployment: Deployment, workload: Workload) -> float:
    """Sequences of a group that fit and that its engine admits, with a fraction of the next; 0 where none fits."""
    return min(admitted_sequences(deployment, workload), float(sequence_limit(deployment)))


def pool_memory(deployment: Deployment, workload: Workload, sequences: int) -> Memory:
    """Memory of a chip when each group holds a given number of sequences, beside the largest prefill pass."""
    limits = limits_of(deployment)
    kv_bytes = cache_bytes_per_chip(deployment, sequences, workload.held_tokens(limits.output_fraction))
    if workload.lengths is not None:
        kv_bytes = float(np.mean(kv_bytes))
    return memory_per_chip(deployment, rows=limits.pass_tokens, sampled=1, kv_bytes=kv_bytes)


def longest_beside(deployment: Deployment, workload: Workload) -> tuple[float, float]:
    """KV cache of the longest sequence at its end on a chip, and the room for all KV caches, bytes.

    Where lengths differ, memory may have room for more than one mean sequence, and yet not for the longest one.
    """
    limits = limits_of(deployment)
    empty = memory_per_chip(deployment, rows=limits.pass_tokens, sampled=1, kv_bytes=0.0)
    return float(sequence_cache_bytes(deployment, workload.longest_tokens)), float(empty.free_bytes)
