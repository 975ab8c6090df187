"""Who looks on changes nothing, and what is noted adds up to what was found."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from ridgeline.simulator.journal import Journal, StepWatch
from ridgeline.simulator.outcome import Simulation
from ridgeline.simulator.player import Player
from ridgeline.simulator.policies import CONTINUOUS, POLICIES, departures
from ridgeline.simulator.policy import Policy
from ridgeline.simulator.request_file import RequestFile
from ridgeline.simulator.served import ServedRequests, joined
from ridgeline.simulator.tally import Tally
from ridgeline.simulator.timeline import TimelineWatch
from ridgeline.simulator.watch import Watch
from ridgeline.specs.deployment import Deployment
from ridgeline.traces import Requests
from ridgeline.verbs import deploy

SAME = 1e-9
"""Sums in another order."""

ALL = [*POLICIES.values(), departures(0.02)]
FLEETS = pytest.mark.parametrize(
    ("replicas", "users", "router"),
    [
        (1, None, "round-robin"),
        (3, None, "round-robin"),
        (2, 12, "round-robin"),
        (3, None, "least-loaded"),
        (2, 12, "least-loaded"),
        (2, 12, "prefix-aware"),
    ],
)


@functools.cache
def deployment() -> Deployment:
    return deploy("llama-3.1-8b", "h100-sxm", "tp1", engine="vllm")


def requests(count: int = 400, requests_per_s: float = 30.0) -> Requests:
    rng = np.random.default_rng(1)
    gaps_s = rng.exponential(1 / requests_per_s, count)
    gaps_s[count // 2] = 30.0  # all is idle for a while
    return Requests(
        arrivals_s=np.cumsum(gaps_s),
        prompt_tokens=rng.integers(10, 3000, count),
        output_tokens=rng.integers(1, 200, count),
    )


def player(policy: Policy, replicas: int = 1, users: int | None = None, router: str = "round-robin") -> Player:
    return Player(
        deployment=deployment(),
        requests=requests(),
        policy=policy,
        replicas=replicas,
        users=users,
        router=router,
        kv_blocks=2000,
    )


def played(one: Player, watch: Watch | None = None) -> tuple[Simulation, ServedRequests, Tally]:
    parts: list[ServedRequests] = []
    tally = Tally()
    return one.play(tally=tally, each=parts.append, watch=watch), joined(parts), tally


@pytest.mark.slow
@pytest.mark.parametrize("policy", ALL, ids=lambda one: one.name)
@FLEETS
def test_nobody_who_looks_on_changes_a_time(policy: Policy, replicas: int, users: int | None, router: str) -> None:
    asked = player(policy, replicas, users, router)
    _, alone, _ = played(asked)
    for watch in (TimelineWatch(), StepWatch()):
        _, seen, _ = played(asked, watch)
        for name in ServedRequests.__dataclass_fields__:
            np.testing.assert_allclose(getattr(seen, name), getattr(alone, name), rtol=SAME, atol=SAME, err_msg=name)


@FLEETS
def test_slices_of_a_time_line_add_up_to_the_means(replicas: int, users: int | None, router: str) -> None:
    watch = TimelineWatch()
    found, _, tally = played(player(POLICIES["continuous"], replicas, users, router), watch)
    line = watch.timeline(tally.first_s, tally.last_s)
    busy = found.busy_fraction
    # The client's clock ends a host's first-token time after the last step.
    close = functools.partial(pytest.approx, rel=2e-3)
    assert line.batch.mean() == close(found.mean_batch * busy)
    assert line.kv_used_fraction.mean() == close(found.kv_used_fraction * busy)
    assert line.waiting.mean() == close(found.mean_waiting * busy, abs=1e-3)
    assert len(line.times_s) * line.slice_s == pytest.approx(found.simulated_s)
    if users is None:
        assert line.batch.min() == pytest.approx(0.0, abs=1e-9)  # while nothing came


def test_a_time_line_of_weeks_has_no_more_notes() -> None:
    weeks = Requests(
        arrivals_s=np.linspace(0.0, 3e6, 200), prompt_tokens=np.full(200, 100), output_tokens=np.full(200, 50)
    )
    watch = TimelineWatch()
    played(Player(deployment=deployment(), requests=weeks), watch)
    assert all(len(one.notes) <= 1025 for one in watch.samples.values())


def journal_of(asked: Player) -> Journal:
    watch = StepWatch()
    played(asked, watch)
    return watch.journal()


@pytest.mark.parametrize("policy", ALL, ids=lambda one: one.name)
def test_a_journal_tells_who_is_in_each_step(policy: Policy) -> None:
    found = journal_of(player(policy))
    assert len(found.steps) == 120
    for before, after in zip(found.steps, found.steps[1:], strict=False):
        assert before.start_s < before.end_s <= after.start_s + SAME
    ends_s = [one.end_s for one in found.steps]
    assert [one.number for one in found.passengers] == list(range(len(found.passengers)))
    assert len(found.passengers) > 10
    for one in found.passengers:
        assert one.arrival_s <= found.boarded_s(one) + SAME
        assert found.boarded_s(one) < one.first_s or found.boarded_s(one) == math.inf
        for when_s in (one.first_s, one.done_s):
            if when_s <= ends_s[-1]:
                assert min(abs(end_s - when_s) for end_s in ends_s) < SAME


@pytest.mark.parametrize("policy", [one for one in ALL if not one.reads_alone], ids=lambda one: one.name)
def test_those_between_their_first_and_last_tokens_decode(policy: Policy) -> None:
    few = requests(requests_per_s=5.0 if policy.period_s else 12.0)
    found = journal_of(Player(deployment=deployment(), requests=few, policy=policy))
    assert 2 < len(found.passengers) < 24  # all that came are known
    for step in found.steps:
        inside = [
            one for one in found.passengers if one.first_s < step.end_s - SAME and one.done_s > step.start_s + SAME
        ]
        assert step.decoding == len(inside)


def test_steps_of_departures_begin_at_the_multiples_of_their_period() -> None:
    found = journal_of(player(departures(0.02)))
    short = [one for one in found.steps if one.end_s - one.start_s < 0.02 + SAME]
    assert len(short) > 20
    for one in short:
        assert one.end_s - one.start_s == pytest.approx(0.02, abs=SAME)


def test_of_a_journal_with_a_long_pause_the_longer_row_is_kept() -> None:
    whole = requests(requests_per_s=8.0).only(np.arange(3))
    late = dataclasses.replace(whole, arrivals_s=np.array([0.0, 60.0, 60.1]), output_tokens=np.array([20, 30, 30]))
    found = journal_of(Player(deployment=deployment(), requests=late))
    row = found.together()
    assert found.steps[0].start_s == 0
    assert row.steps[0].start_s == 60
    assert len(row.steps) < len(found.steps)
    assert [one.number for one in row.passengers] == [1, 2]
    assert row.together() == row
    assert journal_of(player(CONTINUOUS)).together() == journal_of(player(CONTINUOUS))


class InBlocks:
    """Requests in small blocks, as a long log has them."""

    name, format, block_tokens, has_arrivals = "made up", "synthetic", None, True

    def __init__(self, whole: Requests, size: int) -> None:
        self.whole, self.size = whole, size

    def blocks(self, most: int = 0) -> Iterator[Requests]:
        size = min(self.size, most) if most else self.size
        for begin in range(0, len(self.whole), size):
            yield self.whole.only(np.arange(begin, min(begin + size, len(self.whole))))


@pytest.mark.parametrize("replicas", [1, 3])
def test_blocks_are_handed_on_as_they_are_done(tmp_path: Path, replicas: int) -> None:
    asked = Player(deployment=deployment(), requests=InBlocks(requests(), 40), replicas=replicas, kv_blocks=2000)
    parts: list[ServedRequests] = []
    tally = Tally()
    with RequestFile(tmp_path / "rows.parquet") as file:

        def each(served: ServedRequests) -> None:
            parts.append(served)
            file.add(served)

        found = asked.play(tally=tally, each=each)
    assert len([part for part in parts if len(part)]) > 5 * replicas
    whole, served, _ = played(Player(deployment=deployment(), requests=requests(), replicas=replicas, kv_blocks=2000))
    again = joined(parts)
    np.testing.assert_allclose(again.e2e_s, served.e2e_s, rtol=SAME)
    assert found.e2e_s.p99 == pytest.approx(whole.e2e_s.p99, rel=SAME)
    rows = duckdb.connect().execute(f"SELECT number, e2e_s FROM '{tmp_path}/rows.parquet'").fetchall()  # noqa: S608  ours
    assert rows == list(zip(again.number.tolist(), again.e2e_s.tolist(), strict=True))
