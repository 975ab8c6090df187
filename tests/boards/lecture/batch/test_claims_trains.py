"""Numbers of the claims on trains, tokens a second and sparsity."""

from __future__ import annotations

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.claim import Claim
from ridgeline.boards.lecture import CLAIMS, board, fleet
from ridgeline.boards.lecture.batch.trains import sweep_s
from ridgeline.catalog import machine_ids
from ridgeline.equations import departures

BY_ID: dict[str, Claim] = {claim.id: claim for claim in CLAIMS}
WITH_GDDR = ("a40", "l40s", "rtx-4090", "rtx-pro-6000")


def careful(claim_id: str) -> float:
    found = BY_ID[claim_id].careful()
    assert found is not None
    return found


def test_sweeps_of_high_bandwidth_memories_go_from_13_to_46_ms() -> None:
    """A15: within a factor of 2.3 of the 20 ms, while cards with another kind of memory reach 69 ms."""
    sweeps_s = {machine: sweep_s(machine) for machine in machine_ids()}
    others_s = [sweeps_s.pop(machine) for machine in WITH_GDDR]
    assert round(1e3 * max(others_s)) == 69
    assert min(sweeps_s, key=lambda name: sweeps_s[name]) == "vr200-nvl144"
    assert max(sweeps_s, key=lambda name: sweeps_s[name]) == "mi325x"
    assert (round(1e3 * min(sweeps_s.values())), round(1e3 * max(sweeps_s.values()))) == (13, 46)
    assert all(1 / 2.3 < each / 0.020 < 2.3 for each in sweeps_s.values())


def test_careful_numbers_of_trains_are_the_boards() -> None:
    found = board("departures").values(Mode.CAREFUL)
    assert careful("A15") == pytest.approx(found["period_s"], rel=1e-3)  # but for what no whole sequence fills
    assert careful("A17") == 2 * found["period_s"]
    assert careful("A18") == pytest.approx(found["seats"] / found["period_s"])


def test_a_thousandth_is_of_128_million() -> None:
    """A19: of the hundreds of millions that Google published, a hundredth to a ten-thousandth."""
    (_, first), *rest = BY_ID["A19"].bridge()
    assert first == pytest.approx(128e3 / 100e6)
    published = dict(rest)
    assert published["what Google published for Oct 2025"] == pytest.approx(1 / 3918, rel=1e-3)
    assert all(1e-4 < each < 1e-3 for each in published.values())


def test_the_fleet_runs_two_to_three_times_its_own_balance_batch_in_near_50_ms() -> None:
    """A26; by the lecture's 32 of 256 experts it would be five times."""
    assert BY_ID["A26"].lecture_mode() == pytest.approx(fleet.decode_batch() / 2400)
    assert 2 <= careful("A26") == fleet.balance_batches() <= 3
    steps_s = [1 / departures.tokens_per_s(batch=rate, period_s=1.0) for rate in (20, 22)]
    assert steps_s == pytest.approx([0.050, 0.045], rel=0.02)  # 45.5 ms, rounded


def test_experts_are_worth_less_than_they_hold() -> None:
    """A23 and A32, and the router that says less."""
    assert BY_ID["A23"].lecture_mode() == pytest.approx(3.7, rel=5e-3)  # two digits
    assert careful("A23") == pytest.approx(2.7, rel=5e-3)
    assert BY_ID["A23"].contrast
    assert BY_ID["A32"].lecture_mode() == 64
    assert careful("A32") == pytest.approx(22)


def test_twice_the_sparsity_takes_twice_the_users() -> None:
    assert BY_ID["A24"].lecture_mode() == pytest.approx(2)
    assert BY_ID["A24"].value({"times": 5.0}) == pytest.approx(5)
