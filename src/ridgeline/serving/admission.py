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
    "sequence_limit",
    "tokens_per_pass",
]


def tokens_per_pass(deployment: Deployment) -> int:
    """Prompt tokens that a ``dp`` group takes in one pass, each of the chips that share a context its part."""
    return limits_of(deployment).pass_tokens * deployment.layout.cp


def prompts_of_a_pass(deployment: Deployment, workload: Workload) -> int:
    """Prompts that a group reads in one pass, as many in each stage."""
    return max(1, int(tokens_per_pass(deployment) // workload.read_tokens)) * deployment.layout.pp


def chunks_per_prompt(deployment: Deployment, workload: Workload) -> int:
    """Passes in which a prompt is read that is longer than one."""
    return passes_of(workload.read_tokens, tokens_per_pass=tokens_per_pass(deployment))


def sequence_limit(deployment: Deployment) -> int:
    """Most sequences of a group that an engine takes in a step, whatever memory holds."""
    return limits_of(deployment).sequences


def admitted_sequences(deployment: Deployment, workload: Workload) -> float:
    """Sequences of a group for which memory has room, a mean that is no whole number; 0 where not one has.

    Room is what weights and the largest pass of prompts leave.
    """
    limits = limits_of(deployment)
    empty = memory_per_chip(deployment, rows=limits.pass_tokens, sampled=1, kv_bytes=0.0)
    of_one = float(np.mean(sequence_cache_bytes(deployment, workload.held_tokens(limits.output_fraction))))
    if not of_one:
        return math.inf if empty.free_bytes >= 0 else 0.0
    held_at_once = float(empty.free_bytes) / of_one
    if held_at_once < 1:
        return 0.0
    # Of groups that each keep their own sequences, all have as many before one has more.
    whole = math.floor(held_at_once)
    return whole * deployment.layout.kv_dp + (held_at_once - whole)


def pool_memory(deployment: Deployment, workload: Workload, sequences: int) -> Memory:
    """The memory of a chip when each group holds so many sequences, beside the largest pass of prompts."""
    limits = limits_of(deployment)
    kv_bytes = cache_bytes_per_chip(deployment, sequences, workload.held_tokens(limits.output_fraction))
    if workload.lengths is not None:
        kv_bytes = float(np.mean(kv_bytes))
    return memory_per_chip(deployment, rows=limits.pass_tokens, sampled=1, kv_bytes=kv_bytes)


def longest_beside(deployment: Deployment, workload: Workload) -> tuple[float, float]:
    """Cache of the longest sequence at its end on a chip, and the room that there is for all, bytes.

    With lengths that differ, memory has room for more than one on the mean, and yet the longest may not fit.
    """
    limits = limits_of(deployment)
    empty = memory_per_chip(deployment, rows=limits.pass_tokens, sampled=1, kv_bytes=0.0)
    return float(sequence_cache_bytes(deployment, workload.longest_tokens)), float(empty.free_bytes)
