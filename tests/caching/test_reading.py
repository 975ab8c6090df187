"""What reading a prompt behind its cache takes is what its passes take, one after the other."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from ridgeline.caching.reading import reading_s_of
from ridgeline.caching.reuse import BlockUses
from ridgeline.estimator.memory import limits_of
from ridgeline.serving.tabulate import step_surface
from ridgeline.verbs import deploy

TOKENS = 512


def test_whole_prompts_take_their_passes_and_known_ones_that_of_a_token() -> None:
    deployment = deploy("llama-3.1-8b", "h100-sxm", "tp1")
    most = limits_of(deployment).pass_tokens
    counts = np.array([1, most // TOKENS, most // TOKENS + 3, 5 * most // TOKENS])
    uses = BlockUses(hashes=np.arange(counts.sum()), blocks=counts, arrivals_s=np.arange(4.0))
    read_s = reading_s_of(deployment, uses, block_tokens=TOKENS)
    surface = step_surface(deployment, most_sequences=1, most_prompt_tokens=most)

    def passes_s(tokens: int, past: int = 0) -> float:
        return sum(surface.ragged_step_s(0, (), [(min(most, tokens - at), at)]) for at in range(past, tokens, most))

    whole = [passes_s(count * TOKENS) for count in counts.tolist()]
    assert read_s(np.zeros(4, dtype=np.int64)) == pytest.approx(whole)
    assert read_s(counts) == pytest.approx([passes_s(count * TOKENS + 1, count * TOKENS) for count in counts.tolist()])
    # Behind a whole pass, where parts end alike.
    assert read_s(np.minimum(counts, most // TOKENS))[2:] == pytest.approx(
        [passes_s(count * TOKENS, most) for count in counts[2:].tolist()]
    )
    # Elsewhere parts of passes differ by how they are cut, and little.
    known = np.array([0, 2, 5, 7])
    cut = [passes_s(count * TOKENS, at * TOKENS) for count, at in zip(counts.tolist(), known.tolist(), strict=True)]
    assert read_s(known) == pytest.approx(cut, rel=0.1)


def test_a_block_longer_than_a_pass_takes_several() -> None:
    deployment = deploy("llama-3.1-8b", "h100-sxm", "tp1")
    most = TOKENS // 4
    limits = (dataclasses.replace(limits_of(deployment), pass_tokens=most),)
    deployment = dataclasses.replace(deployment, engine=dataclasses.replace(deployment.engine, limits=limits))
    uses = BlockUses(hashes=np.arange(3), blocks=np.array([3]), arrivals_s=np.zeros(1))
    surface = step_surface(deployment, most_sequences=1, most_prompt_tokens=most)
    passes = [surface.ragged_step_s(0, (), [(most, at)]) for at in range(0, 3 * TOKENS, most)]
    assert reading_s_of(deployment, uses, block_tokens=TOKENS)(np.zeros(1, dtype=np.int64)) == pytest.approx(
        [sum(passes)]
    )
