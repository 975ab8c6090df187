"""Two pools: prompts read by one, tokens made by another; which layouts, and how many replicas of each.

A replica of the first pool reads so many prompts a second, one of the second finishes so many requests, and each of
both is a whole number of replicas: the pools are matched by rate. All pairs of layouts are looked at; of layouts of the
first pool with as many chips only the one that reads most counts, since nothing else of it matters to the second.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ridgeline.equations.serving import wait_quantile_s
from ridgeline.errors import RidgelineError
from ridgeline.estimator.placement import replicas_within
from ridgeline.glossary import require_in_range, require_whole
from ridgeline.planner.candidates import candidates, replica_budgets
from ridgeline.planner.compare import UNPROVEN
from ridgeline.planner.outcome import Constraint, Rejection
from ridgeline.planner.search import MOST_REPLICAS, ROUNDING, WORTH_WAITING_FOR, Candidate, rejection_of
from ridgeline.serving.interval import load_interval
from ridgeline.serving.load import MOST_BUSY, WAITING, PoolTimes, idle_first_token_s, prompts_per_s, rules_of
from ridgeline.serving.passes import pool_passes, pool_times
from ridgeline.serving.pool import most_sequences, sequence_grid
from ridgeline.serving.transfer import cache_move_s
from ridgeline.specs.demand import Demand
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.machine import FabricLevel
from ridgeline.specs.workload import Workload

__all__ = ["Part", "TwoPoolPlan", "TwoPools", "plan_two_pools"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One of the two pools.

    Attributes:
        deployment: a replica of it.
        replicas: copies of that.
        requests_per_s: that one replica could serve.
        busy_fraction: part of that which is asked of it.
    """

    deployment: Deployment
    replicas: int
    requests_per_s: float
    busy_fraction: float

    @property
    def chips(self) -> int:
        """Of all replicas."""
        return self.replicas * self.deployment.layout.chips


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPoolPlan:
    """One way to serve the workload with two pools.

    Attributes:
        prefill: that reads prompts.
        decode: that makes tokens.
        batch: sequences under way on one replica of ``decode``.
        tpot_s: time per output token.
        tpot_low_s: lower end of its 80 % interval.
        tpot_high_s: upper end.
        ttft_s: time to the first token, the cache's move included: in an idle system, or with the load's queue.
        ttft_low_s: lower end of its 80 % interval.
        ttft_high_s: upper end.
        ttft_quantile: part of the requests whose first token comes within ``ttft_s``; None in an idle system.
        move_s: to send a prompt's cache from one pool to the other.
        requests_per_s: of all replicas.
        output_tokens_per_s_per_chip: of the chips of both pools.
        usd_per_h: of both pools, and of what idles of a budget; None without a price.
        usd_per_input_token: of the chips of ``prefill``; None without a price.
        usd_per_output_token: of the chips of ``decode``; None without a price.
        paid_chip_s_per_request: chip-seconds of a request, idle chips of a budget among them.
    """

    prefill: Part
    decode: Part
    batch: int
    tpot_s: float
    tpot_low_s: float
    tpot_high_s: float
    ttft_s: float
    ttft_low_s: float
    ttft_high_s: float
    ttft_quantile: float | None
    move_s: float
    requests_per_s: float
    output_tokens_per_s_per_chip: float
    usd_per_h: float | None
    usd_per_input_token: float | None
    usd_per_output_token: float | None
    paid_chip_s_per_request: float

    @property
    def chips(self) -> int:
        """Of both pools."""
        return self.prefill.chips + self.decode.chips


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPools:
    """What a search for two pools found.

    Attributes:
        plans: the best pair of each layout of the decode pool, the best first.
        rejected: layouts that can serve in neither place, each with its reason.
        points_evaluated: pairs of layouts and numbers of replicas that were looked at.
    """

    plans: tuple[TwoPoolPlan, ...]
    rejected: tuple[Rejection, ...]
    points_evaluated: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reader:
    """A layout of the prefill pool: what one replica reads, and how long a lone prompt takes."""

    deployment: Deployment
    times: PoolTimes
    prompts_per_s: float
    first_s: float
    pass_s: float

    @property
    def chips(self) -> int:
        return self.deployment.layout.chips


@dataclass(frozen=True, slots=True, kw_only=True)
class _Writer:
    """A layout of the decode pool at the batch that is worth most within the limit."""

    deployment: Deployment
    batch: Array
    tpot_s: Array
    requests_per_s: Array
    best: int

    @property
    def chips(self) -> int:
        return self.deployment.layout.chips


@dataclass(frozen=True, slots=True, kw_only=True)
class _Match:
    """A pair with whole numbers of replicas."""

    reader: _Reader
    writer: _Writer
    readers: int
    writers: int
    place: int
    requests_per_s: float
    paid_chips: float
    paid: float


def plan_two_pools(
    prefill: Sequence[Deployment],
    decode: Sequence[Deployment],
    workload: Workload,
    *,
    chips: int | None,
    demand: Demand,
    usd_per_chip_s: dict[str, float] | None = None,
) -> TwoPools:
    """Search pairs of layouts for the cheapest two pools.

    Args:
        prefill: what may read prompts: a deployment a machine, whose layout does not matter.
        decode: what may make tokens; the same.
        workload: lengths of requests and limits on their latency.
        chips: the budget of both pools; None for as many as a load needs.
        demand: the load; left open, as much as the budget gives.
        usd_per_chip_s: price of a chip by the machine's id; None where one is not known.
    """
    if chips is None and not demand.has_load:
        raise RidgelineError("chips are missing: give a budget of both pools, or a load (users, requests_per_s)")
    if chips is not None:
        require_in_range("plan_two_pools", "chips", require_whole("plan_two_pools", "chips", chips))
    rejected: dict[tuple[str, str], Rejection] = {}
    able: list[Deployment] = []
    for largest in replica_budgets(decode, chips):
        rejected.clear()
        able = _able(decode, workload, largest, rejected)
        if able:
            break
    alike = able if decode == prefill else _able(prefill, workload, largest, rejected)
    readers = _best_readers(_readers(alike, workload, demand))
    writers = [one for one in _writers(able, workload, demand) if one is not None]
    prices = usd_per_chip_s or {}
    points, matches = 0, []
    for writer in writers:
        found = [match for reader in readers for match in _matches(reader, writer, workload, chips, demand, prices)]
        points += len(found)
        if found:
            matches.append(min(found, key=lambda one: _rank(one, has_load=demand.has_load)))
    matches.sort(key=lambda one: _rank(one, has_load=demand.has_load))
    return TwoPools(
        plans=tuple(_plan(one, workload, demand, usd_per_chip_s) for one in matches),
        rejected=tuple(rejected.values()),
        points_evaluated=points,
    )


def _rank(match: _Match, *, has_load: bool) -> tuple[float, float]:
    """What pairs are sorted by: cost, of which stages must save what is unproven of them; then speed."""
    stages = max(match.reader.deployment.layout.pp, match.writer.deployment.layout.pp) > 1
    cost = (match.paid if has_load else match.paid / match.requests_per_s) * (1 + UNPROVEN * stages)
    return cost, match.reader.first_s + float(match.writer.tpot_s[match.place])


def _able(
    machines: Sequence[Deployment], workload: Workload, chips: int, rejected: dict[tuple[str, str], Rejection]
) -> list[Deployment]:
    """Deployments in all layouts that can serve."""
    found = []
    for one in machines:
        for layout in candidates(one.model, one.machine, chips, prompt_tokens=workload.prompt_tokens):
            laid = dataclasses.replace(one, layout=layout)
            reason = rejection_of(Candidate(deployment=laid, weights=None), workload)
            if reason is None:
                found.append(laid)
            elif reason.kind is not Constraint.DIVIDES:
                rejected[one.machine.id, str(layout)] = reason
    return found


def _readers(deployments: Sequence[Deployment], workload: Workload, demand: Demand) -> Iterator[_Reader]:
    """Layouts that read a lone prompt within the limit."""
    if not deployments:
        return
    times = pool_times(deployments, workload, 1.0)
    rules = rules_of(deployments[0].engine, equal_lengths=False, is_benchmark=False)
    first_s = idle_first_token_s(
        rules, groups=times.groups, latency_s=times.lone_s, step_s=times.step_s[:, 0], users=np.ones(1)
    )
    rates, limit_s = prompts_per_s(times), math.inf if workload.ttft_s is None else workload.ttft_s
    for number, deployment in enumerate(deployments):
        if first_s[number] * _margin(deployment, workload, demand, "ttft_s") <= limit_s:
            yield _Reader(
                deployment=deployment,
                times=times.cases(np.array([number])),
                prompts_per_s=float(rates[number]),
                first_s=float(first_s[number]),
                pass_s=float(times.full_s[number]),
            )


def _best_readers(readers: Iterable[_Reader]) -> list[_Reader]:
    """Of those with as many chips of a machine, the ones that no other beats in prompts a second and in latency."""
    found: dict[tuple[str, int], list[_Reader]] = {}
    for one in sorted(readers, key=lambda one: (-_worth(one), one.first_s)):
        kept = found.setdefault((one.deployment.machine.id, one.chips), [])
        if all(one.first_s < other.first_s for other in kept):
            kept.append(one)
    return [one for kept in found.values() for one in kept]


def _worth(reader: _Reader) -> float:
    """Prompts a second, less what stages have to save: of no engine has a run with stages been measured."""
    return reader.prompts_per_s * (1 - UNPROVEN if reader.deployment.layout.pp > 1 else 1.0)


def _writers(deployments: Sequence[Deployment], workload: Workload, demand: Demand) -> Iterator[_Writer | None]:
    """Layouts whose steps keep to the limit at some batch."""
    if not deployments:
        return
    most = [most_sequences(one, workload) for one in deployments]
    times = pool_times(deployments, workload, max(most))
    for number, (deployment, sequences) in enumerate(zip(deployments, most, strict=True)):
        grid = sequence_grid(sequences)
        if demand.batch is not None:
            asked = demand.batch / deployment.layout.dp
            grid = np.array([asked] if asked <= sequences and asked % 1 == 0 else [])
            if not len(grid):
                yield None
                continue
        step_s = np.interp(grid, times.sequences, times.step_s[number]) * deployment.correction.tpot_factor
        tpot_s = step_s / deployment.speculation.accepted_tokens
        allowed = tpot_s * _margin(deployment, workload, demand, "tpot_s") <= (workload.tpot_s or math.inf)
        batch = grid * deployment.layout.dp
        if not allowed.any():
            yield None
            continue
        rate = batch / (workload.decode_steps * tpot_s)
        slack = WORTH_WAITING_FOR if workload.tpot_s is None else 0.0
        worth = allowed & (rate >= rate[allowed].max() * (1 - slack))
        yield _Writer(
            deployment=deployment, batch=batch, tpot_s=tpot_s, requests_per_s=rate, best=int(np.flatnonzero(worth)[0])
        )


def _margin(deployment: Deployment, workload: Workload, demand: Demand, quantity: str) -> float:
    """By how much a time must stay below its limit to be as sure as is asked."""
    if not demand.widths_kept:
        return 1.0
    _, high = load_interval(pool_passes(deployment, workload, 1.0), f"disaggregated_{quantity}")
    return float(high**demand.widths_kept)


def _matches(
    reader: _Reader,
    writer: _Writer,
    workload: Workload,
    chips: int | None,
    demand: Demand,
    prices: dict[str, float],
) -> Iterator[_Match]:
    """Numbers of replicas of both that serve the load, or fill the budget best."""
    if demand.has_load:
        found = _for_load(reader, writer, workload, demand)
    elif chips is not None and _keeps_first(reader, writer, workload, demand, None):
        found = _for_budget(reader, writer, chips)
    else:
        found = None
    if found is None:
        return
    readers, writers, place, rate = found
    if not _fits(reader, writer, readers, writers, chips):
        return
    first, second = (prices.get(one.deployment.machine.id, 1.0) for one in (reader, writer))
    used = readers * reader.chips + writers * writer.chips
    idle = 0 if chips is None or demand.has_load else chips - used
    yield _Match(
        reader=reader,
        writer=writer,
        readers=readers,
        writers=writers,
        place=place,
        requests_per_s=rate,
        paid_chips=used + idle,
        paid=readers * reader.chips * first + writers * writer.chips * second + idle * min(first, second),
    )


def _fits(reader: _Reader, writer: _Writer, readers: int, writers: int, chips: int | None) -> bool:
    """Whether replicas of both lie inside domains of the budget."""
    if chips is None:
        return max(readers, writers) <= MOST_REPLICAS
    left = chips - writers * writer.chips
    return writers <= _within(writer, chips)[chips] and left >= 0 and readers <= _within(reader, chips)[left]


def _within(side: _Reader | _Writer, chips: int) -> Array:
    """Replicas that lie inside domains of so many chips, for every number of them up to the budget."""
    return _replicas_within(side.deployment.machine.fabric, side.chips, chips)


@lru_cache(maxsize=512)
def _replicas_within(fabric: tuple[FabricLevel, ...], of_one: int, chips: int) -> Array:
    return np.array([replicas_within(fabric, budget, of_one) for budget in range(chips + 1)], dtype=float)


def _for_budget(reader: _Reader, writer: _Writer, chips: int) -> tuple[int, int, int, float] | None:
    """The split of a budget that serves most, of those whose replicas lie inside domains."""
    rate = float(writer.requests_per_s[writer.best])
    most = min((chips - reader.chips) // writer.chips, int(_within(writer, chips)[chips]))
    writers = np.arange(1, most + 1)
    if not len(writers):
        return None
    wanted = np.ceil(writers * rate / reader.prompts_per_s - ROUNDING)
    readers = np.minimum(wanted, _within(reader, chips)[chips - writers * writer.chips])
    served = np.minimum(readers * reader.prompts_per_s, writers * rate)
    best = int(np.argmax(served))
    if not served[best]:
        return None
    return int(readers[best]), int(writers[best]), writer.best, float(served[best])


def _for_load(
    reader: _Reader, writer: _Writer, workload: Workload, demand: Demand
) -> tuple[int, int, int, float] | None:
    """As few replicas as serve a load; prompts then wait no longer than the limit on the first token allows."""
    if demand.users is not None:
        writers = math.ceil(demand.users / float(writer.batch[writer.best]))
        place = int(np.searchsorted(writer.batch, math.ceil(demand.users / writers)))
        cycle_s = workload.decode_steps * float(writer.tpot_s[place]) + reader.first_s
        rate = demand.users / cycle_s
    else:
        rate = float(demand.requests_per_s or 0.0)
        writers = math.ceil(rate / float(writer.requests_per_s[writer.best]) - ROUNDING)
        # Rates rise with the batch but for dips, behind which they come up again.
        place = int(np.argmax(writer.requests_per_s >= rate / writers * (1 - ROUNDING)))
    fewest = max(math.ceil(rate / (MOST_BUSY * reader.prompts_per_s)), 1)
    for readers in range(fewest, 2 * fewest + 2):
        if _keeps_first(reader, writer, workload, demand, rate / readers):
            return readers, writers, place, rate
    return None


def _keeps_first(
    reader: _Reader, writer: _Writer, workload: Workload, demand: Demand, requests_per_s: float | None
) -> bool:
    """Whether the first token keeps to its limit, as surely as is asked."""
    if workload.ttft_s is None:
        return True
    first_s = _first_token_s(reader, writer, workload, demand, requests_per_s)
    return _margin(reader.deployment, workload, demand, "ttft_s") * first_s <= workload.ttft_s


def _first_token_s(
    reader: _Reader, writer: _Writer, workload: Workload, demand: Demand, requests_per_s: float | None
) -> float:
    """Time to the first token, the cache's move included, s.

    Args:
        reader: that reads the prompt.
        writer: to which its cache is sent.
        workload: lengths of requests.
        demand: the load.
        requests_per_s: of a replica of the first pool; None in an idle system.
    """
    read_s = reader.first_s
    if requests_per_s is not None:
        busy = requests_per_s / reader.prompts_per_s
        mean_s = WAITING * busy / (1 - busy) * reader.pass_s
        read_s += float(wait_quantile_s(mean_wait_s=mean_s, busy=busy, quantile=demand.ttft_quantile))
    move_s = cache_move_s(reader.deployment, writer.deployment, workload.prompt_tokens)
    return reader.deployment.correction.ttft_factor * (read_s + move_s)


def _plan(match: _Match, workload: Workload, demand: Demand, prices: dict[str, float] | None) -> TwoPoolPlan:
    reader, writer = match.reader, match.writer
    tpot_s, batch = float(writer.tpot_s[match.place]), float(writer.batch[match.place])
    move_s = cache_move_s(reader.deployment, writer.deployment, workload.prompt_tokens)
    each = match.requests_per_s / match.readers if demand.has_load else None
    first_s = _first_token_s(reader, writer, workload, demand, each)
    sequences = max(batch / writer.deployment.layout.dp, 1.0)
    low, high = load_interval(pool_passes(writer.deployment, workload, sequences), "disaggregated_tpot_s")
    first_low, first_high = load_interval(pool_passes(reader.deployment, workload, 1.0), "disaggregated_ttft_s")
    parts = (
        Part(
            deployment=one.deployment,
            replicas=replicas,
            requests_per_s=rate,
            busy_fraction=match.requests_per_s / (replicas * rate),
        )
        for one, replicas, rate in (
            (reader, match.readers, reader.prompts_per_s),
            (writer, match.writers, float(writer.requests_per_s[match.place])),
        )
    )
    prefill, decode = parts
    costs = [
        None if prices is None else one.chips * prices[one.deployment.machine.id] / match.requests_per_s
        for one in (prefill, decode)
    ]
    used = prefill.chips + decode.chips
    return TwoPoolPlan(
        prefill=prefill,
        decode=decode,
        batch=int(batch),
        tpot_s=tpot_s,
        tpot_low_s=tpot_s * low,
        tpot_high_s=tpot_s * high,
        ttft_s=first_s,
        ttft_low_s=first_s * first_low,
        ttft_high_s=first_s * first_high,
        ttft_quantile=demand.ttft_quantile if demand.has_load else None,
        move_s=move_s,
        requests_per_s=match.requests_per_s,
        output_tokens_per_s_per_chip=match.requests_per_s * workload.output_tokens / used,
        usd_per_h=None if prices is None else match.paid * 3600.0,
        usd_per_input_token=None if costs[0] is None else costs[0] / workload.prompt_tokens,
        usd_per_output_token=None if costs[1] is None else costs[1] / workload.output_tokens,
        paid_chip_s_per_request=match.paid_chips / match.requests_per_s,
    )
