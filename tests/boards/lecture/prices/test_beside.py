"""The rack beside steps of prices and caches has the numbers of their boards: lines, marks and schedules."""

from __future__ import annotations

import numpy as np
import pytest
from tests.boards.lecture.racks import EXACT, asked_at, held, known_at, painted, said, seen_at, spent

from ridgeline.boards.colour import Colour
from ridgeline.boards.walk import drawn, height, mark_named


def test_a_context_costs_what_the_line_has() -> None:
    seen, rack = seen_at("context-1:33:30")
    crossover = mark_named(seen, "without weights").x
    assert 1 / spent(rack, Colour.COMPUTE) == pytest.approx(height(seen, "cost", 2 * crossover), rel=EXACT)
    assert rack.follows_bill
    _, known = known_at("context-1:33:30")
    kv = height(seen, "KV alone", crossover)
    assert spent(known, Colour.KV) / spent(known, Colour.COMPUTE) == pytest.approx(kv, rel=EXACT)


def test_a_context_takes_the_bytes_that_his_reading_and_half_of_the_models_have() -> None:
    seen, rack = seen_at("kv-bytes-1:38:35")
    models = np.concatenate([dots.y for dots in drawn(seen).dots])
    read, usual = (held(rack, Colour.KV, place) for place in (0, 1))
    his = mark_named(seen, "crossover at that context").y
    assert usual / read == pytest.approx(float(np.median(models)) / his, rel=EXACT)


def test_a_written_token_waits_for_memory_by_what_the_mark_says() -> None:
    seen, rack = seen_at("prefill-1:45:30")
    decode = mark_named(seen, "decode").y
    assert 1 / spent(rack, Colour.COMPUTE) == pytest.approx(decode, rel=EXACT)
    # Memory falls with the tokens of a pass, as its line does; a whole prompt is bound by compute.
    prompt = seen.values[seen.mode]["context_tokens"]
    read = sum(spent(rack, colour, 1) for colour in (Colour.WEIGHTS, Colour.KV))
    assert spent(rack, Colour.COMPUTE, 1) == 1
    assert read == pytest.approx(height(seen, "memory", 1) / prompt, rel=EXACT)


def test_a_batch_before_its_contexts_reads_weights_alone() -> None:
    seen, known = known_at("prefill-1:47:40")
    batches = seen.values[seen.mode]["balance_batches"]
    assert spent(known, Colour.WEIGHTS) == pytest.approx(1 / batches, rel=EXACT)
    assert not spent(known, Colour.KV)


def test_a_long_prompt_takes_the_arithmetic_that_its_lines_have() -> None:
    seen, rack = seen_at("long-context-1:52:00")
    x = asked_at("long-context-1:52:00")
    part = height(seen, "parameters", x) / height(seen, "full", x)
    assert spent(rack, Colour.COMPUTE) == pytest.approx(part, rel=EXACT)
    assert spent(rack, Colour.BOUND) == pytest.approx(1 - part, rel=EXACT)


def test_caches_that_wait_take_what_they_take_and_move_where_lines_cross() -> None:
    seen, rack = seen_at("tiers-2:02:20")
    values = seen.values[seen.mode]
    chips = 1e9 * values["kv_bytes_per_token"] / values["hbm_bytes"]
    # To a whole chip.
    assert painted(rack, Colour.KV) * rack.cabinets[0].chips == pytest.approx(chips, abs=0.5)
    for mark in (one for one in drawn(seen).marks if " from " in one.text):
        assert mark.text in said(rack)


def test_a_vast_context_fills_what_its_line_has() -> None:
    seen, rack = seen_at("long-context-1:52:00", view=0)
    values = seen.values[seen.mode]
    there = height(seen, "full", values["context_tokens"]) / height(seen, "all chips", values["context_tokens"])
    assert held(rack, Colour.KV) == pytest.approx(there, rel=EXACT)
