"""The board of long contexts: kinds of attention as published, and what a hundred million tokens take."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.boards.board import ControlError, Facts, Mode
from ridgeline.boards.lecture.mechanisms import BLOCKS, indexed_pair_flop, indexed_read, reading_all, state_bytes
from ridgeline.boards.lecture.prices.long_context import BOARD
from ridgeline.boards.lecture.walk import walk_document
from ridgeline.boards.picture import Curves
from ridgeline.catalog import load_machine, load_model
from ridgeline.equations import attention
from ridgeline.estimator.attention import cores
from ridgeline.estimator.kernels import work
from ridgeline.estimator.parameters import flop_per_pair, kv_bytes_read
from ridgeline.specs.passes import decode, prefill

CONTEXT = 1e8


def views(mode: Mode, **turned: float) -> tuple[Curves, ...]:
    found = BOARD.pictures(BOARD.values(mode, turned))
    assert all(isinstance(picture, Curves) for picture in found)
    return tuple(picture for picture in found if isinstance(picture, Curves))


def end(picture: Curves, name: str) -> float:
    return next(float(line.y[-1]) for line in picture.lines if line.name == name)


def test_published_kinds_are_the_catalogs() -> None:
    """DeepSeek-V3.2-Exp's report, section 2: 2,048 tokens; 576 values of 16 bits beside 128 of 8 bits and a scale."""
    assert indexed_read() == {"top_k": 2048, "index_bytes": 128 + 4, "bytes_per_token": 576 * 2}
    # 64 heads of 128 against 128 of 192 + 128; absorbed, of 576 + 512.
    assert indexed_pair_flop() == {
        "top_k": 2048,
        "scored_flop_fraction": pytest.approx(64 * 128 / (128 * 320)),
        "chosen_flop_ratio": pytest.approx((576 + 512) / 320),
    }
    assert state_bytes() == 60 * 64 * 128 * 128 * 4


@pytest.mark.parametrize("tokens", [4096.0, 163_840.0])
def test_what_the_board_draws_for_an_indexer_is_what_the_estimator_counts(tokens: float) -> None:
    model, plain = load_model("deepseek-v3.2"), load_model("deepseek-v3")
    read = kv_bytes_read(model, model.precision, decode(batch=1, context_tokens=tokens).lanes[0])
    per_token = kv_bytes_read(plain, plain.precision, decode(batch=1, context_tokens=1).lanes[0])
    assert attention.indexed_tokens(context_tokens=tokens, **indexed_read()) == pytest.approx(read / per_token)
    (lane,) = prefill(batch=1, prompt_tokens=tokens).lanes
    flop = sum(
        group.layers * float(work(kernel).flop)
        for group in model.groups
        for kernel in cores(group.attention, lane, sequences=1, tp=1, kv_format=model.precision.kv).values()
    )
    pairs = attention.indexed_pairs(prompt_tokens=tokens, **indexed_pair_flop())
    assert pairs * flop_per_pair(plain) == pytest.approx(flop)


@pytest.mark.parametrize(
    ("model_id", "flop"), [("llama-3.1-405b", 126 * 4 * 128 * 128), ("deepseek-v3", 61 * 2 * 128 * (128 + 64 + 128))]
)
def test_a_pair_costs_its_products_in_all_layers(model_id: str, flop: int) -> None:
    assert flop_per_pair(load_model(model_id)) == pytest.approx(flop, rel=1e-9)  # differences of large sums


def test_pairs_of_blocks_are_the_sum_of_what_each_token_reads() -> None:
    tokens = np.arange(1.0, 4097.0)
    read = attention.block_sparse_tokens(context_tokens=tokens, **BLOCKS)
    assert attention.block_sparse_pairs(prompt_tokens=4096, **BLOCKS) == np.sum(read)


def test_the_lectures_hundred_million_tokens_fill_three_chips_and_cost_hundreds_of_dollars() -> None:
    """D11: out of reach is the square's part, fifty times the parameters', not the memory of 2 kB a token."""
    held, decode, prompt = views(Mode.LECTURE)
    assert end(held, "full") == pytest.approx(200e9)
    # A chip holds what it reads in 20 ms: 66.7 GB at 3.33 TB/s.
    assert 3 * end(held, "one chip") == pytest.approx(end(held, "full"))
    assert end(held, "full") < end(held, "all chips")
    # 200 GB over 72 chips of 3.33 TB/s.
    assert end(decode, "full") == pytest.approx(200e9 / (72 * 1e15 / 300))
    assert end(prompt, "full") / end(prompt, "parameters") == pytest.approx(51, rel=1e-6)
    flop = 2 * 100e9 * CONTEXT + 2e5 * CONTEXT**2 / 2
    assert end(prompt, "full") == pytest.approx(flop / 2e15 * 2 / 3600, rel=1e-6)


def test_a_single_chip_has_one_level() -> None:
    held, *_ = views(Mode.LECTURE, chips=1)
    assert {line.name for line in held.lines} == {"one chip", "state", "full"}


def test_with_real_numbers_the_price_is_what_is_out_of_reach() -> None:
    """DeepSeek-V3 on a rack of GB200: 7 TB of its 13.4, and thousands of dollars to read once."""
    held, decode, prompt = views(Mode.CAREFUL)
    assert end(held, "full") == pytest.approx(70_272 * CONTEXT)
    assert end(held, "one chip") < end(held, "full") < end(held, "all chips")
    assert end(decode, "full") == pytest.approx(70_272 * CONTEXT / (72 * 8e12))
    assert end(prompt, "full") > 1000 * end(prompt, "parameters")
    for picture in (decode, prompt):
        order = [end(picture, name) for name in ("square root", "NSA", "DSA", "full")]
        assert order == sorted(order)


def test_full_attention_of_a_model_with_an_indexer_is_what_it_would_be_without() -> None:
    """DeepSeek-V3.2 is DeepSeek-V3 but for its indexer, so that the board draws both alike.

    But for a thousandth: every token is multiplied with the indexer's own matrices too.
    """
    machine = load_machine("gb200-nvl72")
    sparse, plain = (
        BOARD.pictures(BOARD.values(Mode.CAREFUL, facts=Facts(model=load_model(model), machine=machine)))
        for model in ("deepseek-v3.2", "deepseek-v3")
    )
    for ours, others in zip(sparse, plain, strict=True):
        assert isinstance(ours, Curves)
        assert isinstance(others, Curves)
        for name in {line.name for line in ours.lines} & {"full", "DSA"}:
            assert end(ours, name) == pytest.approx(end(others, name), rel=1e-3), name


@pytest.mark.parametrize("model", ["deepseek-v3", "llama-3.1-405b", "qwen3.5-397b-a17b", "gpt-oss-120b"])
def test_a_model_that_chooses_nothing_is_left_as_it_is(model: str) -> None:
    assert reading_all(load_model(model)) == load_model(model)


def test_what_full_attention_would_be_has_to_be_set_where_tokens_are_only_kept_as_summaries() -> None:
    facts = Facts(model=load_model("deepseek-v4-pro"), machine=load_machine("gb200-nvl72"))
    with pytest.raises(ControlError, match="has no kv_bytes_per_token"):
        BOARD.values(Mode.CAREFUL, facts=facts)


@pytest.mark.parametrize("mode", list(Mode))
def test_marks_follow_the_chosen_context(mode: Mode) -> None:
    for at, again in zip(views(mode, context_tokens=1e6), views(mode), strict=True):
        assert at.marks[0].x == 1e6
        assert again.marks[0].x == CONTEXT
        assert at.marks[0].y < again.marks[0].y


def test_a_hundred_million_tokens_fit_a_rack_and_take_long_to_read() -> None:
    """By hand: 61 layers of 576 values of 2 bytes are 70.3 kB a token, 7.03 TB in all, read at 576 TB/s.

    A rack costs 72 times $4.54 an hour: 9.08 cents a second.
    """
    (step,) = (one for one in walk_document()["steps"] if one["board"] == BOARD.name)
    assert "reading it takes 12.2\N{NO-BREAK SPACE}ms a token: a million cost $1,110" in step["sentence"]
    assert pytest.approx(1110, rel=3e-3) == 12.2e-3 * 0.0908 * 1e6
    # A time is of a number of chips, which the mark says.
    assert views(Mode.CAREFUL)[2].marks[0].text.endswith("h on 72 chips")
