"""A pool under load in closed form, held against its laws, its limits and a pool that is played step by step."""

from __future__ import annotations

import dataclasses
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engines import load_engine
from ridgeline.estimator.deploy import deploy
from ridgeline.serving.load import Loaded, closed_loop, disaggregated, saturated, step_at
from ridgeline.serving.passes import pool_times
from ridgeline.serving.pool import pool_curves
from ridgeline.serving.pool_times import PoolTimes
from ridgeline.serving.rules import Rules, rules_of
from ridgeline.specs.workload import Workload

MANY = 1e9


def row(value: float) -> np.ndarray:
    return np.array([float(value)])


def pool(
    *,
    base_s: float = 0.01,
    sequence_s: float = 1e-4,
    alone_s: float = 0.1,
    full_s: float = 0.31,
    together: float = 4,
    groups: float = 1,
    admitted: float = MANY,
    steps: float = 200,
    chunks: float | None = None,
    decodes: float = 1.0,
) -> PoolTimes:
    """A pool whose decode step is a line in its sequences, and whose pass is one in its prompts."""
    sequences = np.unique(np.round(np.geomspace(1, 4096, 16)))
    return PoolTimes(
        sequences=sequences,
        step_s=(base_s + sequence_s * sequences)[None],
        pool=np.zeros(1, dtype=np.intp),
        lone_s=row(alone_s),
        latency_s=row(alone_s),
        alone_s=row(alone_s),
        full_s=row(full_s),
        most_together=row(together),
        chunks=row(1 / together if chunks is None else chunks),
        decodes=row(decodes),
        groups=row(groups),
        stages=row(1.0),
        waits_for_groups=row(float(groups > 1)),
        admitted=row(admitted),
        decode_steps=row(steps),
    )


def rules(**numbers: float) -> Rules:
    nothing = dict.fromkeys(Rules.__dataclass_fields__, 0.0)
    return Rules(**{name: row(value) for name, value in (nothing | numbers).items()})


def looped(times: PoolTimes, users: float, how: Rules | None = None, burst_share: float = 0.0) -> Loaded:
    return closed_loop(times, how or rules(), row(users), burst_share)


def stacked(records: list[Any]) -> Any:  # noqa: ANN401  the same record with a row for each
    kind = type(records[0])
    names = [name for name in kind.__dataclass_fields__ if getattr(records[0], name) is not None]
    joined = {name: np.concatenate([getattr(one, name) for one in records]) for name in names}
    if kind is PoolTimes:  # steps of all are timed at the same numbers of sequences
        joined |= {"sequences": records[0].sequences, "pool": np.arange(len(records))}
    return kind(**joined)


def pool_in_company(*, alone_s: float, together: int, share: float, **numbers: float) -> PoolTimes:
    """One whose passes lie between a prompt's and as many times that as they read: company is never dearer."""
    return pool(alone_s=alone_s, together=together, full_s=alone_s * (1 + share * (together - 1)), **numbers)


POOLS = st.builds(
    pool_in_company,
    base_s=st.floats(1e-3, 3e-2),
    sequence_s=st.floats(1e-6, 1e-4),
    alone_s=st.floats(1e-3, 0.3),
    share=st.floats(0.05, 1.0),
    together=st.sampled_from([1, 2, 4, 8]),
    groups=st.sampled_from([1, 2, 8]),
    steps=st.integers(100, 3000),
)
"""Those whose steps outlast what the prompts of a few hundred users take: where the fixed point is found."""


# What follows from counting alone.


@given(POOLS, st.integers(1, 200), st.floats(0, 0.1), st.floats(0, 5))
def test_users_are_those_who_wait_and_those_who_are_answered(
    times: PoolTimes, users: int, first_s: float, first_steps: float
) -> None:
    """Little's law: requests a second, times what each takes, are the users."""
    found = looped(times, users, rules(first_token_s=first_s, first_token_steps=first_steps), 0.1)
    request_s = found.ttft_s + times.decode_steps * found.tpot_s
    assert found.requests_per_s * request_s == pytest.approx(users, rel=1e-12)
    assert 0 < found.in_flight[0] <= users


@given(POOLS, st.integers(8, 64))
def test_as_many_requests_leave_as_prompts_are_read(times: PoolTimes, users_of_group: int) -> None:
    """Sequences of a step over their steps are the rate, where nothing but prompts delays first tokens.

    A step holds those that decode while one asks for it, too, whose share falls with the users: of eight in a group,
    with prompts for a fifth of the time at most, 2 %.
    """
    found = looped(times, users_of_group * times.groups[0])
    assume(found.requests_per_s * found.prompt_s < 0.2)
    read_per_s = found.decoding / (times.decode_steps * found.tpot_s)
    assert read_per_s == pytest.approx(found.requests_per_s, rel=0.03)


@given(POOLS, st.integers(1, 1000), st.integers(1, 3000))
def test_no_pool_answers_more_requests_than_it_reads_prompts_of(times: PoolTimes, users: int, steps: int) -> None:
    """However short answers are, and however many ask."""
    found = looped(dataclasses.replace(times, decode_steps=row(steps)), users, burst_share=0.1)
    assert found.requests_per_s * found.prompt_s <= 1 + 1e-12


@given(POOLS, st.integers(2, 200))
def test_tokens_take_a_step_and_others_prompts(times: PoolTimes, users: int) -> None:
    found = looped(times, users)
    assert found.step_s == pytest.approx(step_at(times, found.decoding), rel=1e-12)
    prompts_s = times.decode_steps * (found.tpot_s - found.step_s)
    # Each of the others asks once in a round, of which a part is before one's own first token.
    assert prompts_s <= times.alone_s / times.groups * (users - 1) * (1 + 1e-12)
    before = found.decoding / users
    assert prompts_s >= times.more_s / times.groups * (users - 1) * before * (1 - 1e-2)


# What rises and falls.


@given(POOLS, st.integers(1, 100), st.floats(1.05, 2.0))
def test_more_users_wait_longer_for_every_token(times: PoolTimes, users: int, factor: float) -> None:
    few, many = (looped(times, count, rules(first_token_steps=2), 0.1) for count in (users, users * factor))
    assert many.tpot_s >= few.tpot_s * (1 - 1e-3)  # that the fixed point may still move
    steps = times.decode_steps
    assert many.ttft_s + steps * many.tpot_s >= (few.ttft_s + steps * few.tpot_s) * (1 - 1e-3)
    # Where prompts take most of the time, longer steps let more of them be read together, so that less of a request's
    # wait lies before its first token; and the closed form's rate is off by up to a sixth, either way.
    if many.tpot_s < 2 * many.step_s:
        assert many.ttft_s >= few.ttft_s * (1 - 1e-3)
        assert many.requests_per_s >= few.requests_per_s * (1 - 1e-2)


@given(POOLS, st.integers(2, 100), st.floats(1.05, 2.0))
def test_longer_prompts_delay_first_tokens_and_all_others(times: PoolTimes, users: int, factor: float) -> None:
    longer = dataclasses.replace(
        times, latency_s=times.latency_s * factor, alone_s=times.alone_s * factor, full_s=times.full_s * factor
    )
    before, after = (looped(one, users, rules(first_token_steps=2), 0.1) for one in (times, longer))
    assert after.ttft_s > before.ttft_s
    # Fewer are in flight while more wait for their prompts, which shortens steps; their prompts weigh more.
    assert after.tpot_s - after.step_s > before.tpot_s - before.step_s
    assert after.requests_per_s < before.requests_per_s


@given(POOLS, st.integers(1, 200), st.floats(1.05, 4.0))
def test_a_pool_that_is_so_many_times_faster_answers_so_many_times_sooner(
    times: PoolTimes, users: int, factor: float
) -> None:
    names = ("step_s", "lone_s", "latency_s", "alone_s", "full_s")
    faster = dataclasses.replace(times, **{name: getattr(times, name) / factor for name in names})
    slow, fast = (looped(one, users, rules(first_token_steps=2), 0.1) for one in (times, faster))
    for name in ("tpot_s", "ttft_s", "step_s"):
        assert getattr(fast, name) * factor == pytest.approx(getattr(slow, name), rel=1e-9)
    assert fast.requests_per_s == pytest.approx(factor * slow.requests_per_s, rel=1e-9)
    assert fast.in_flight == pytest.approx(slow.in_flight, rel=1e-9)


# What is left where there is nothing to share or to wait for.


@given(POOLS)
def test_one_user_sees_the_lone_step_and_no_queue(times: PoolTimes) -> None:
    found = looped(times, 1, burst_share=0.1)
    assert found.tpot_s == pytest.approx(times.step_s[:, 0], rel=1e-12)
    assert found.ttft_s == pytest.approx(times.alone_s, rel=1e-12)


def test_the_host_and_steps_come_before_a_first_token() -> None:
    times = pool(groups=2)
    bare = looped(times, 32)
    host = looped(times, 32, rules(first_token_s=0.02, first_token_users_power=0.4))
    assert host.ttft_s - bare.ttft_s == pytest.approx(0.02 * 32**0.4)
    steps = looped(times, 32, rules(first_token_steps=3, dp_balance_steps=20))
    # Those of others, who are 31 of 32; a lone user waits for none.
    assert steps.ttft_s - bare.ttft_s == pytest.approx(23 * 31 / 32 * steps.step_s)
    lone, bare = (looped(times, 1, one) for one in (rules(first_token_steps=3, dp_balance_steps=20), rules()))
    assert lone.ttft_s == bare.ttft_s
    chunks = looped(times, 1, rules(stream_interval_steps=15))
    assert chunks.ttft_s - bare.ttft_s == pytest.approx(15 * chunks.step_s)
    alone = pool()
    balanced, free = (looped(alone, 32, rules(dp_balance_steps=steps)) for steps in (20, 0))
    assert balanced.ttft_s == free.ttft_s  # a single group waits for no other


def test_a_clients_clock_starts_with_the_first_token_that_it_is_sent() -> None:
    """Where the interval is stated; the whole request takes as long."""
    times = pool(steps=100)
    bare, late = looped(times, 8), looped(times, 8, rules(stream_interval_steps=9, stated_chunk_steps=9))
    assert late.ttft_s - bare.ttft_s == pytest.approx(9 * bare.step_s)
    assert 100 * late.tpot_s + late.ttft_s == pytest.approx(100 * bare.tpot_s + bare.ttft_s)


def test_prompts_that_are_held_back_are_read_together_later() -> None:
    times = pool(alone_s=0.1, full_s=0.11, together=8, steps=100)
    bare, held = looped(times, 32), looped(times, 32, rules(prompt_hold_steps=20, gap_steps=20))
    assert held.tpot_s < bare.tpot_s
    assert held.ttft_s > bare.ttft_s
    lone = looped(times, 1, rules(prompt_hold_steps=20, gap_steps=20))
    assert lone.ttft_s == looped(times, 1).ttft_s  # nobody's steps pass while it waits
    few = pool(alone_s=1e-9, full_s=1e-9, together=8, steps=10**6)
    waits = looped(few, 2, rules(prompt_hold_steps=20, gap_steps=20)).ttft_s - looped(few, 2).ttft_s
    # Half of the time another user is there, and prompts come so rarely that each waits for all of it.
    assert waits == pytest.approx(20 / 2 * looped(few, 2).step_s, rel=1e-3)


def test_tokens_wait_for_no_more_prompts_than_may_run_and_users_for_the_others() -> None:
    """A gap of three steps: at most a pass in four, and where they read too few, their rate is that of all."""
    times = pool(alone_s=1.0, full_s=1.0, together=1, steps=10)
    free, apart = looped(times, 64), looped(times, 64, rules(gap_steps=3))
    # One's own pass is followed by a gap: of ten tokens the last seven have a prompt each four.
    assert apart.tpot_s == pytest.approx(apart.step_s + (10 - 3) / 4 / 10, rel=1e-12)
    assert apart.tpot_s < free.tpot_s
    # A prompt of a second in four steps, in all of which somebody decodes but for one user's part of them.
    assert apart.requests_per_s == pytest.approx(1 / (4 * apart.step_s + 1), rel=1 / 64)
    assert apart.decoding[0] == pytest.approx(10 / 4, rel=0.1)  # none in a tenth of the steps


def test_only_groups_are_aligned() -> None:
    how = rules(aligned_gap_steps=3)
    for groups, is_changed in ((1, False), (4, True)):
        times = pool(groups=groups, alone_s=0.2, full_s=0.2, together=1, steps=20)
        is_faster = looped(times, 64, how).tpot_s[0] < looped(times, 64).tpot_s[0]
        assert bool(is_faster) is is_changed


def test_a_burst_waits_for_half_of_it() -> None:
    times = pool(alone_s=0.1, full_s=0.1, together=1)
    bare, burst = looped(times, 21), looped(times, 21, rules(), 0.1)
    # Those who come later meet a little more rarely, as they come once in a round that the burst makes longer.
    assert burst.ttft_s - bare.ttft_s == pytest.approx(0.1 * 20 / 2 * 0.1, rel=1e-3)


def test_prompts_that_come_together_wait_as_the_root_of_those_who_may() -> None:
    times = pool(alone_s=0.1, full_s=0.1, together=1)
    bare, found = looped(times, 21), looped(times, 21, rules(arrivals_wait_fraction=1.5))
    busy = found.decoding / times.decode_steps * 0.1 / found.tpot_s  # of the time, for prompts
    assert 0 < busy < 1
    assert found.ttft_s == pytest.approx(0.1 + 1.5 * np.sqrt(20 * busy) * 0.1)
    assert 0.1 < bare.ttft_s[0] < found.ttft_s[0]  # of users who come at random some meet, whatever engines show


def test_waves_hold_every_first_token_up_and_tokens_half_as_much() -> None:
    times = pool(alone_s=0.1, full_s=0.1, together=1, steps=2000)
    usual, waves = looped(times, 21), looped(times, 21, rules(prefill_first_fraction=1.0))
    assert waves.ttft_s == pytest.approx(0.1 + 20 / 2 * 0.1)
    # Both have the 21 in flight but for a few, who wait for prompts that take 5 % of the time.
    assert waves.tpot_s - waves.step_s == pytest.approx((usual.tpot_s - usual.step_s) / 2, rel=0.02)


def test_requests_of_different_lengths_stay_in_no_wave() -> None:
    engine = load_engine("sglang-waves")
    alike, mixed = (rules_of(engine, equal_lengths=equal, is_benchmark=True) for equal in (True, False))
    assert alike.prefill_first_fraction == engine.scheduling.prefill_first_fraction > 0
    assert mixed.prefill_first_fraction == 0


def test_groups_that_do_not_wait_for_each_other_each_hold_all_up() -> None:
    """A prompt of one group stops the tokens of all, unless they start their prefills together."""
    times = pool(groups=4, alone_s=0.2, full_s=0.2, together=1, steps=2000)
    together, apart = looped(times, 64, rules()), looped(times, 64, rules(starts_prefills_alone=1))
    # So few prompts come that hardly two meet in a step.
    assert apart.tpot_s - apart.step_s == pytest.approx(4 * (together.tpot_s - together.step_s), rel=0.05)
    aligned = looped(times, 64, rules(starts_prefills_alone=1, aligned_gap_steps=99))
    assert together.tpot_s < aligned.tpot_s < apart.tpot_s
    busy = pool(groups=4, alone_s=0.001, full_s=0.001, together=1, steps=10)
    both = [looped(busy, 4000, rules(starts_prefills_alone=alone)).tpot_s[0] for alone in (0, 1)]
    assert both[0] == pytest.approx(both[1], rel=0.01)  # every group has a prompt in every step


def test_only_a_benchmarks_servers_send_tokens_in_chunks() -> None:
    engine = load_engine("sglang")
    measured, served = (rules_of(engine, equal_lengths=True, is_benchmark=which) for which in (True, False))
    assert measured.stream_interval_steps == engine.scheduling.stream_interval_steps > 0
    assert served == dataclasses.replace(measured, stream_interval_steps=served.stream_interval_steps)
    assert served.stream_interval_steps == 0


@given(
    users=st.integers(1, 2000), alone_s=st.floats(0.01, 0.5), admitted=st.floats(1.0, 500.0), steps=st.integers(1, 900)
)
def test_as_many_are_in_flight_as_come_while_one_is(users: int, alone_s: float, admitted: float, steps: int) -> None:
    """Little's law, to rounding, of all that is said of a load: in one pool, filled, and in two."""
    times = pool(alone_s=alone_s, full_s=3 * alone_s, admitted=admitted, steps=steps)
    filled = saturated(times, row(256), row(0.9))
    two = disaggregated(
        times,
        times,
        rules(stated_chunk_steps=8),
        users=row(users),
        prefill_workers=row(1),
        decode_workers=row(2),
        prompts_at_once=row(1),
        move_s=row(0.01),
    )
    for found in (looped(times, users, rules(arrivals_wait_fraction=0.5)), filled, two):
        assert found.in_flight == pytest.approx(found.requests_per_s * steps * found.tpot_s, rel=1e-9)


def test_memory_caps_those_in_flight_and_the_others_wait_to_be_let_in() -> None:
    roomy, tight = (looped(pool(admitted=admitted), 200) for admitted in (MANY, 50))
    assert tight.decoding == pytest.approx(50 * 200 / 201, rel=1e-4)  # a place has a prompt in one step of 201
    assert roomy.in_flight[0] > 150
    assert tight.tpot_s < roomy.tpot_s
    round_s = 50 / saturated(pool(), row(50), row(1.0)).requests_per_s
    queued = looped(pool(), 50).ttft_s
    assert tight.ttft_s == pytest.approx(queued + 3 * round_s)  # three before each place
    assert tight.requests_per_s < roomy.requests_per_s
    # The pool does not work faster for those who wait outside.
    more = looped(pool(admitted=50), 2000)
    assert more.tpot_s == tight.tpot_s
    assert more.requests_per_s == pytest.approx(tight.requests_per_s, rel=0.02)


@given(st.lists(POOLS, min_size=2, max_size=4), st.integers(1, 300))
def test_rows_are_each_other_s_neighbours_and_no_more(several: list[PoolTimes], users: int) -> None:
    how = rules(first_token_steps=2, prefill_first_fraction=1.0)
    apart = stacked([looped(one, users, how) for one in several])
    at_once = closed_loop(
        stacked(several), stacked([how] * len(several)), np.full(len(several), float(users)), burst_share=0.0
    )
    for name in Loaded.__dataclass_fields__:
        assert getattr(at_once, name) == pytest.approx(getattr(apart, name), rel=1e-12)


def test_steps_lie_between_those_that_were_timed_and_one_more_on_the_line_changes_nothing() -> None:
    times = pool()
    at = np.concatenate([times.sequences, [0.5, 3.7, 1000.5, 5000.0]])
    many = stacked([times] * len(at))
    assert step_at(many, at) == pytest.approx(0.01 + 1e-4 * np.maximum(at, 1), rel=1e-12)
    finer = dataclasses.replace(
        times,
        sequences=np.insert(times.sequences, 5, times.sequences[4:6].mean()),
        step_s=np.insert(times.step_s, 5, times.step_s[:, 4:6].mean(), axis=1),
    )
    for flying in (1.0, 5.0, 8.5, 77.0, 4096.0):
        assert step_at(finer, row(flying)) == pytest.approx(step_at(times, row(flying)), rel=1e-12)


# Requests without end.


@given(POOLS, st.integers(1, 300))
def test_requests_without_end_are_a_closed_loop_of_endless_users(times: PoolTimes, admitted: int) -> None:
    times = dataclasses.replace(times, admitted=row(admitted))
    endless = looped(times, 1e12)
    found = saturated(times, row(1e6), row(1.0))
    assert found.in_flight == pytest.approx(endless.in_flight, rel=1e-9)
    assert found.tpot_s == pytest.approx(endless.tpot_s, rel=1e-9)
    assert found.requests_per_s == pytest.approx(endless.requests_per_s, rel=1e-6)
    part = saturated(times, row(1e6), row(0.9))
    assert part.requests_per_s == pytest.approx(0.9 * found.requests_per_s, rel=1e-12)
    assert part.tpot_s == found.tpot_s


def test_an_engine_takes_no_more_sequences_than_a_step_of_its_groups_has() -> None:
    for admitted, most in ((MANY, 256), (100, 100)):
        # Where prompts are read alone, every place has a token in every step.
        assert saturated(pool(groups=4, admitted=admitted, decodes=0), row(64), row(1.0)).decoding == most


# Two pools in a row.


def two_pools(users: float, prefill: PoolTimes, decode: PoolTimes, workers: float = 1, **more: np.ndarray) -> Loaded:
    given_ = {"decode_workers": row(1), "prompts_at_once": row(1), "move_s": row(0.02)} | more
    return disaggregated(prefill, decode, rules(), users=row(users), prefill_workers=row(workers), **given_)


def test_the_second_pool_starves_where_the_first_is_slow() -> None:
    decode = pool(steps=200)
    fed, starved = (two_pools(500, pool(alone_s=alone_s, full_s=alone_s), decode) for alone_s in (1e-3, 0.5))
    assert starved.requests_per_s == pytest.approx(2.0)  # a prompt each half a second, and no more
    assert starved.in_flight[0] < 10
    assert fed.in_flight[0] > 400
    assert starved.tpot_s < fed.tpot_s
    assert starved.ttft_s > 100 * fed.ttft_s
    for found in (fed, starved):
        request_s = found.ttft_s + 200 * found.tpot_s
        # Of the tenth that come at once each waits for half of the others, in the loop and by itself: 5 %.
        assert found.requests_per_s * request_s == pytest.approx(500, rel=0.06)


def test_workers_of_the_first_pool_feed_the_second_in_step() -> None:
    slow, decode = pool(alone_s=0.5, full_s=0.5), pool(steps=200)
    one, three = (two_pools(500, slow, decode, workers=count) for count in (1, 3))
    assert three.requests_per_s == pytest.approx(3 * one.requests_per_s)
    # A prompt by itself reads 2 a second; in company of 4, 0.31 s each four.
    company = two_pools(500, pool(alone_s=0.5, full_s=0.8), decode, prompts_at_once=row(4))
    assert company.requests_per_s == pytest.approx(4 / 0.8)


def test_one_user_of_two_pools_sees_the_prompt_the_move_and_the_lone_step() -> None:
    decode = pool()
    found = two_pools(1, pool(), decode)
    assert found.ttft_s == pytest.approx(0.12)
    assert found.tpot_s == pytest.approx(decode.step_s[:, 0])
    assert found.requests_per_s == pytest.approx(1 / (0.12 + 200 * found.tpot_s))


def test_prompts_never_delay_tokens_of_a_pool_of_their_own() -> None:
    together = looped(pool(alone_s=0.2, full_s=0.2), 50)
    apart = two_pools(50, pool(alone_s=0.01, full_s=0.01), pool())
    assert apart.tpot_s == apart.step_s < together.tpot_s


def test_a_second_pool_lets_in_what_it_has_room_for() -> None:
    found = two_pools(500, pool(alone_s=1e-3, full_s=1e-3), pool(admitted=40), decode_workers=row(2))
    assert found.in_flight == pytest.approx(80)
    assert found.tpot_s == pytest.approx(0.01 + 40e-4)


# A pool that is played.


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """Means over the second half of what was played."""

    tpot_s: float
    ttft_s: float
    in_flight: float
    requests_per_s: float


def played(times: PoolTimes, users: int, requests: int) -> Played:
    """A closed loop step by step: as many waiting prompts as a pass takes are read, then all in flight gain a token.

    Lengths are even over 0.8 to 1.2 of the mean, as equal ones stay in the waves in which they begin.
    """
    random = np.random.default_rng(7)
    alone_s, more_s, steps = times.alone_s[0], times.more_s[0], times.decode_steps[0]
    base_s, sequence_s = times.step_s[0, 0], (times.step_s[0, -1] - times.step_s[0, 0]) / (times.sequences[-1] - 1)
    most, places = int(times.most_together[0]), int(min(users, times.admitted[0]))
    left = random.integers(1, int(steps), size=places)  # all begin somewhere on their way
    lengths, firsts = left.copy(), np.zeros(places)
    asked = deque([0.0] * (users - places))
    now_s, since_s, area, ended = 0.0, np.inf, 0.0, 0
    answered_s, answered_tokens, waited = 0.0, 0, []
    while ended < requests:
        count = min(len(asked), most, places - len(left))
        pass_s = alone_s + more_s * (count - 1) if count else 0.0
        step_s = base_s + sequence_s * (len(left) + count - 1)
        if now_s >= since_s:
            area += pass_s * len(left) + step_s * (len(left) + count)
        now_s += pass_s
        begun = [asked.popleft() for _ in range(count)]
        waited += [now_s - one for one in begun if one >= since_s]
        new = np.rint(steps * random.uniform(0.8, 1.2, size=count)).astype(int)
        left, lengths = np.concatenate([left, new]) - 1, np.concatenate([lengths, new])
        firsts = np.concatenate([firsts, np.full(count, now_s)])
        now_s += step_s
        done = left == 0
        ended += int(done.sum())
        whole = done & (firsts >= since_s)
        answered_s += float((now_s - firsts[whole]).sum())
        answered_tokens += int(lengths[whole].sum())
        asked.extend([now_s] * int(done.sum()))
        left, lengths, firsts = left[~done], lengths[~done], firsts[~done]
        if since_s == np.inf and ended >= requests / 2:
            since_s, ended_before = now_s, ended
    played_s = now_s - since_s
    return Played(
        tpot_s=answered_s / answered_tokens,
        ttft_s=float(np.mean(waited)),
        in_flight=area / played_s,
        requests_per_s=(ended - ended_before) / played_s,
    )


@pytest.mark.parametrize(
    ("times", "users", "requests", "tolerance"),
    [
        # Drawn lengths move the rate by 1 %.
        pytest.param(pool(alone_s=0.02, full_s=0.05), 4, 200, 0.02, id="light load"),
        pytest.param(pool(steps=50), 1, 300, 0.02, id="one user"),
        pytest.param(pool(), 32, 800, 0.02, id="prompts for two fifths of the time"),
        pytest.param(pool(groups=1, steps=1000), 64, 600, 0.02, id="long answers"),
        pytest.param(pool(alone_s=0.05, full_s=0.12, steps=500), 512, 2000, 0.02, id="many users"),
        pytest.param(pool(alone_s=0.3, full_s=1.1, steps=50), 64, 1000, 0.02, id="prompts for nine tenths"),
        pytest.param(pool(alone_s=0.05, full_s=0.15, admitted=50), 200, 1500, 0.02, id="more users than room"),
    ],
)
def test_a_closed_loop_takes_what_it_takes_step_by_step(
    times: PoolTimes, users: int, requests: int, tolerance: float
) -> None:
    """Tokens' times, those in flight and the rate, prompts that are read in between included."""
    found, true = looped(times, users), played(times, users, requests)
    assert found.tpot_s == pytest.approx(true.tpot_s, rel=tolerance)
    assert found.in_flight == pytest.approx(true.in_flight, rel=tolerance)
    assert found.requests_per_s == pytest.approx(true.requests_per_s, rel=tolerance)


def test_a_prompt_waits_for_part_of_a_step_and_of_a_pass() -> None:
    """Own prompt, and the half of a pass in company on the mean: engines' own steps are numbers of theirs."""
    for users in (1, 32):
        true, found = played(pool(), users, 20 * users), looped(pool(), users)
        assert found.ttft_s <= true.ttft_s * (1 + 1e-9)
        assert true.ttft_s <= found.ttft_s + 0.5 * (0.1 + found.step_s)


def test_more_users_than_room_wait_as_long_as_step_by_step() -> None:
    times = pool(alone_s=0.05, full_s=0.15, admitted=50)
    # As above; the wait is three answers long, each with its part of prompts.
    assert looped(times, 200).ttft_s == pytest.approx(played(times, 200, 1500).ttft_s, rel=0.05)


def test_a_plans_first_token_is_that_of_a_lone_user() -> None:
    """But for the chunks in which a server under test streamed."""
    model, machine, engine = load_model("llama-3.1-8b"), load_machine("h100-sxm"), load_engine("sglang")
    workload = Workload(prompt_tokens=1000, output_tokens=200)
    deployment = deploy(model, machine, engine=engine)
    times = pool_times([deployment], workload, 1)
    found = closed_loop(times, rules_of(engine, equal_lengths=False, is_benchmark=False), np.ones(1))
    (planned,) = pool_curves(times, [deployment], workload, [np.ones(1)])
    assert planned.first_token_s == pytest.approx(float(found.ttft_s[0]), rel=1e-9)
