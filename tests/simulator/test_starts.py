"""Users of a closed loop begin one after the other, so that none stay together in waves."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline import Requests, deploy, simulate
from ridgeline.errors import RidgelineError
from ridgeline.simulator.outcome import Simulation
from ridgeline.simulator.served import ServedRequests

USERS, ROUNDS = 24, 6


def played(
    *, starts_together: bool, prompts: int = 2000, kv_blocks: int | None = None
) -> tuple[Simulation, ServedRequests]:
    count = USERS * ROUNDS
    requests = Requests(
        arrivals_s=np.zeros(count), prompt_tokens=np.full(count, prompts), output_tokens=np.full(count, 200)
    )
    return simulate(
        deploy("llama-3.1-8b", "h100-sxm"),
        requests,
        users=USERS,
        starts_together=starts_together,
        kv_blocks=kv_blocks,
        has_bands=False,
    )


def test_prompts_of_users_who_are_spread_wait_for_no_others() -> None:
    """Those who begin together read their prompts together in every round: the first token waits for a wave of them."""
    spread, together = (played(starts_together=one)[0] for one in (False, True))
    assert spread.ttft_s.p90 < 0.5 * together.ttft_s.p90
    assert spread.completed == together.completed == USERS * ROUNDS


def test_requests_come_in_the_order_in_which_they_are_asked() -> None:
    """Some are done before the last user has begun: those that they ask next come before that one's first."""
    _, served = played(starts_together=False)
    comes = served.arrivals_s[np.argsort(served.number)]
    assert comes[0] == 0.0
    assert 0.0 < comes[1] < served.e2e_s.min() < comes[USERS - 1]
    assert np.all(np.diff(comes) >= 0)


def test_more_blocks_than_a_chip_holds_are_refused() -> None:
    with pytest.raises(RidgelineError, match="more than a replica holds"):
        played(starts_together=False, kv_blocks=10**7)
    assert played(starts_together=False, kv_blocks=20_000)[0].capacity.blocks == 20_000
