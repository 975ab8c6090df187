"""The ledger's rows of the lecture's first hour are complete, computed and as their verdicts say."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable

import pytest

from ridgeline.boards.claim import Claim, Verdict
from ridgeline.boards.claims_inference import CLAIMS as INFERENCE
from ridgeline.boards.claims_racks import CLAIMS as RACKS
from ridgeline.catalog import load_machine, machine_ids
from ridgeline.equations import departures, roofline
from ridgeline.glossary import GLOSSARY

ALL = INFERENCE + RACKS
BY_ID = {claim.id: claim for claim in ALL}
EACH = pytest.mark.parametrize("claim", ALL, ids=list(BY_ID))
CHAPTERS = {"roofline", "departures", "sparsity", "racks", "pipelines", "memory"}
EXACT = 1e-12
"""What floating point leaves of a claim that holds exactly."""


def test_every_claim_of_the_two_sections_is_there_once() -> None:
    of_the_lecture = [claim.id for claim in INFERENCE if claim.id != "A8q"]
    assert of_the_lecture == [f"A{number}" for number in range(1, 27)]
    assert [claim.id for claim in INFERENCE].index("A8q") == of_the_lecture.index("A8") + 1
    assert [claim.id for claim in RACKS] == [f"B{number}" for number in range(1, 19)]


@EACH
def test_a_claim_is_said_and_judged_in_one_line_each(claim: Claim) -> None:
    for text in (claim.claim, claim.why):
        assert text.endswith(".")
        assert "\n" not in text
    assert claim.chapter in CHAPTERS


@EACH
def test_what_reproduces_lies_within_its_tolerance_and_what_does_not_lies_outside(claim: Claim) -> None:
    if claim.verdict is Verdict.NOT_DERIVABLE:
        # What others published may stand as careful.
        assert (claim.lecture_mode, claim.equation) == (None, "")
        assert claim.careful is None or "source" in claim.inputs
        return
    assert claim.lecture_mode is not None
    computed = claim.lecture_mode()
    assert math.isfinite(computed)
    if claim.lecture is None:
        return
    off = abs(computed - claim.lecture) / (abs(claim.lecture) or 1.0)
    if claim.verdict is Verdict.DOES_NOT_REPRODUCE:
        assert off > claim.tolerance > 0
    elif claim.verdict in (Verdict.REPRODUCES, Verdict.ROUNDED):
        assert off <= claim.tolerance + EXACT


@EACH
def test_careful_mode_computes(claim: Claim) -> None:
    if claim.careful is not None:
        found = claim.careful()
        assert isinstance(found, float)
        assert math.isfinite(found)


@EACH
def test_the_equation_is_a_function(claim: Claim, behind: Callable[[str], object]) -> None:
    if claim.equation:
        assert inspect.isfunction(behind(claim.equation))


@EACH
def test_inputs_are_the_glossarys_or_words(claim: Claim) -> None:
    for name, value in claim.inputs.items():
        assert name in GLOSSARY or "_" not in name, name
        if name in GLOSSARY and isinstance(value, float):
            assert GLOSSARY[name].low <= value <= GLOSSARY[name].high, name


def careful(claim_id: str) -> float:
    found = BY_ID[claim_id].careful
    assert found is not None
    return found()


LOOKED_UP = 129280 * 7168
"""DeepSeek-V3's input embedding, which is neither read whole nor multiplied."""

DEEPSEEK_READ_S = (673.15e9 - LOOKED_UP * 2) / 8e12
"""Its weights over a GB200's bandwidth, the embedding's in 16 bits."""

DEEPSEEK_TOKEN_S = 2 * ((37.551e9 - LOOKED_UP - 1.033e9) / 5e15 + 1.033e9 / 2.5e15)
"""A token's arithmetic on one: in 8 bits but for the head and the routers."""


def test_careful_mode_says_what_the_reasons_say() -> None:
    """The numbers that one-line reasons quote, computed."""
    assert careful("A7") == pytest.approx(0.6)
    assert careful("A12") == pytest.approx(DEEPSEEK_READ_S / DEEPSEEK_TOKEN_S, rel=1e-3)  # figures of four digits
    assert 2 <= careful("A26") <= 3
    assert careful("B3") == 18
    assert careful("B5") == 144
    assert 0.5 <= careful("B8") < 1
    assert careful("B16") < 0.03 * BY_ID["B16"].lecture  # type: ignore[operator]
    assert careful("B18") == 2


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


WITH_GDDR = ("a40", "l40s", "rtx-4090", "rtx-pro-6000")


def test_sweeps_of_high_bandwidth_memories_go_from_13_to_46_ms() -> None:
    """A15: within a factor of 2.3 of the 20 ms, while cards with another kind of memory reach 69 ms."""
    chips = {machine_id: load_machine(machine_id).chip for machine_id in machine_ids()}
    sweeps_s = {
        machine_id: float(roofline.memory_sweep_time_s(hbm_bytes=chip.hbm_bytes, hbm_bytes_per_s=chip.hbm_bytes_per_s))
        for machine_id, chip in chips.items()
    }
    others_s = [sweeps_s.pop(machine_id) for machine_id in WITH_GDDR]
    assert round(1e3 * max(others_s)) == 69
    assert min(sweeps_s, key=lambda name: sweeps_s[name]) == "vr200-nvl144"
    assert max(sweeps_s, key=lambda name: sweeps_s[name]) == "mi325x"
    assert (round(1e3 * min(sweeps_s.values())), round(1e3 * max(sweeps_s.values()))) == (13, 46)
    assert all(1 / 2.3 < each / 0.020 < 2.3 for each in sweeps_s.values())


def test_the_fleets_step_takes_near_50_ms() -> None:
    """A26: a user's 20 to 22 tokens a second."""
    steps_s = [1 / departures.tokens_per_s(batch=rate, period_s=1.0) for rate in (20, 22)]
    assert steps_s == pytest.approx([0.050, 0.045], rel=0.02)
