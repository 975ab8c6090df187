"""Numbers of the claims on the roofline of a decode step, some of them worked by hand."""

from __future__ import annotations

import math

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.claim import Claim
from ridgeline.boards.lecture import CLAIMS, board, fleet
from ridgeline.boards.lecture.batch.step import step_times
from ridgeline.catalog import load_machine, machine_ids
from ridgeline.equations import roofline

BY_ID: dict[str, Claim] = {claim.id: claim for claim in CLAIMS}

LOOKED_UP = 129280 * 7168
"""DeepSeek-V3's input embedding, which is neither read whole nor multiplied."""

DEEPSEEK_READ_S = (673.15e9 - LOOKED_UP * 2) / 8e12
"""Its weights over a GB200's bandwidth, the embedding's in 16 bits."""

DEEPSEEK_TOKEN_S = 2 * ((37.551e9 - LOOKED_UP - 1.033e9) / 5e15 + 1.033e9 / 2.5e15)
"""A token's arithmetic on one: in 8 bits but for the head and the routers."""

FOUR_DIGITS = 1e-3
"""Of the numbers above."""


def careful(claim_id: str) -> float:
    found = BY_ID[claim_id].careful()
    assert found is not None
    return found


@pytest.mark.parametrize("claim_id", ["A11", "A12", "A14"])
def test_deepseek_balances_at_what_its_weights_and_tokens_take(claim_id: str) -> None:
    assert careful(claim_id) == pytest.approx(DEEPSEEK_READ_S / DEEPSEEK_TOKEN_S, rel=FOUR_DIGITS)


def test_the_floor_is_that_of_a_rack_and_the_boards() -> None:
    """A6, which is also the step at the balance batch (A20)."""
    assert careful("A6") == pytest.approx(DEEPSEEK_READ_S / 72, rel=FOUR_DIGITS)
    assert careful("A20") == pytest.approx(careful("A6"))
    at = board("latency").values(Mode.CAREFUL)
    assert careful("A6") == pytest.approx(
        at["active_params"] * at["expansion"] * at["bytes_per_param"] / at["chips"] / at["hbm_bytes_per_s"]
    )


def test_one_sequence_reads_its_active_parameters_alone() -> None:
    """A6's last step: one of 18 parameters."""
    *_, (_, whole), (_, alone) = BY_ID["A6"].bridge()
    assert whole / alone == pytest.approx(18.3, rel=5e-3)  # three digits


def test_the_way_from_2400_to_no_balance() -> None:
    """A11: experts, dense attention, formats, and then contexts."""
    values = [value for _, value in BY_ID["A11"].bridge()]
    assert values[:2] == [2400, 9600]
    assert values[-2] == pytest.approx(13.4e3, rel=5e-3)  # three digits
    assert math.isinf(values[-1])
    crossover = fleet.crossover_tokens("gb200-nvl72")
    assert values[-2] == pytest.approx(values[-3] / (1 - 1000 / crossover))
    assert crossover < fleet.MEAN_CONTEXT_TOKENS


def test_half_the_crossover_doubles_the_balance_batch() -> None:
    """A25, and that the careful number is the one on A11's way."""
    assert BY_ID["A25"].lecture_mode() == 2
    assert careful("A25") * careful("A11") == pytest.approx(dict(BY_ID["A11"].bridge())["1,000 tokens of context"])


def test_without_overlap_a_step_takes_at_most_twice_its_bound() -> None:
    assert BY_ID["A1"].lecture_mode() == pytest.approx(2)
    for batches in (0.01, 0.5, 2.0, 100.0):
        value = BY_ID["A1"].value({"batch_over_balance": batches})
        assert value == pytest.approx(1 + min(batches, 1 / batches))


def test_a_token_on_an_h100() -> None:
    """A2: 38.06 microseconds, the head and the routers in 16 bits."""
    assert careful("A2") == pytest.approx(DEEPSEEK_TOKEN_S * 5e15 / 1.979e15, rel=FOUR_DIGITS)


def test_contexts_count_in_what_a_step_reads() -> None:
    """A3: 8 times 37 GB and 2,400 times 20,000 tokens of 2 kB; 16-bit weights add as much as 8-bit ones."""
    assert BY_ID["A3"].lecture_mode() == pytest.approx((8 * 37e9 + 2400 * 20e3 * 2e3) / (72 * 1e15 / 300))
    *_, (_, eight_bits), (_, sixteen_bits) = BY_ID["A3"].bridge()
    assert sixteen_bits - eight_bits == pytest.approx(careful("A6"), rel=5e-3)  # 8-bit weights have scales beside


def test_ratios_of_the_catalogs_chips_go_from_37_to_560() -> None:
    ratios = {}
    for machine_id in machine_ids():
        chip = load_machine(machine_id).chip
        ratios[machine_id] = roofline.balance_ratio(
            flop_per_s=chip.flop_per_s["bf16"], hbm_bytes_per_s=chip.hbm_bytes_per_s, bytes_per_param=2
        )
    assert min(ratios, key=lambda name: float(ratios[name])) == "h20-sxm"
    assert max(ratios, key=lambda name: float(ratios[name])) == "tpu-v6e"
    assert (round(float(ratios["h20-sxm"])), round(float(ratios["tpu-v6e"]))) == (37, 560)


def test_the_ratio_is_near_300_on_some_chips_and_not_on_others() -> None:
    """A10, as its reason says."""
    bridge = BY_ID["A10"].bridge()
    values = [round(value) for _, value in bridge]
    assert values == [295, 312, 469, 153, 206, 560, 37]
    assert [BY_ID["A10"].is_near(value) for value in values] == [True, True, *[False] * 5]


def test_deepseek_has_671_billion_parameters() -> None:
    assert BY_ID["A5"].lecture_mode() == pytest.approx(671e9, rel=FOUR_DIGITS)


def test_a_step_at_the_balance_batch_is_as_long_as_the_line_of_the_weights() -> None:
    """A20, on the board's own chip: not below the floor that the picture beside it draws."""
    assert BY_ID["A20"].lecture_mode() == pytest.approx(step_times(board("latency").values(Mode.LECTURE)).weights_s)


def test_deepseeks_weights_fill_a_twentieth_of_a_racks_memory_and_not_of_a_chips() -> None:
    """A20: 671 GB, several times one chip's memory."""
    rack_bytes = 72 * load_machine("gb200-nvl72").chip.hbm_bytes
    assert BY_ID["A20"].answer.endswith(f"fill {100 * 671e9 / rack_bytes:.2g} % of a GB200 rack's memory")
