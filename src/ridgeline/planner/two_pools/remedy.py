"""Advice where no two pools serve: a limit that nothing meets, power, chips or formats."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ridgeline.numeric import minimum
from ridgeline.planner.compare import enough_power, least_memory
from ridgeline.planner.outcome import Constraint, Rejection
from ridgeline.planner.two_pools.matching import Match, match_of
from ridgeline.planner.two_pools.sides import Reader, Writer
from ridgeline.planner.two_pools.spent import site_power_w
from ridgeline.planner.two_pools.terms import Terms
from ridgeline.quantity_text import format_quantity

__all__ = ["remedy_of"]


def remedy_of(
    rejected: Sequence[Rejection], readers: Sequence[Reader], writers: Sequence[Writer], terms: Terms, *, points: int
) -> str:
    """Advice where no pair serves.

    Args:
        rejected: rejected layouts, each with its reason.
        readers: layouts of the prefill pool.
        writers: layouts of the decode pool.
        terms: conditions of the search.
        points: pairs that were evaluated.
    """
    kinds = {one.kind for one in rejected}
    if writers and all(one.best is None for one in writers):
        fast = min(writers, key=lambda one: float(one.tpot_s.min()))
        reached = format_quantity(float(fast.tpot_s.min()), "s")
        return f"the fastest token takes {reached} ({fast.deployment.layout}); relax --tpot"
    if readers and writers and not points:
        soon = min(readers, key=lambda one: one.first_s)
        reached = format_quantity(soon.first_s, "s")
        return f"the fastest first token takes {reached} ({soon.deployment.layout}); relax --ttft"
    if readers and writers:
        return _hungry(readers, writers, terms) or _short(readers, writers, terms)
    if Constraint.BATCH in kinds:
        return "no layout takes as large a batch: give a smaller --batch, or more --chips"
    if least := least_memory(rejected):
        return f"{least}; give it more --chips, or narrower --weights or --kv"
    return "no layout splits the model and the chips evenly: try another number of --chips, or another --engine"


def _short(readers: Sequence[Reader], writers: Sequence[Writer], terms: Terms) -> str:
    """Clause on the number of missing chips, and on alternatives among the options that were given."""
    pairs = [(reader, writer) for reader in readers for writer in writers if writer.best is not None]
    has_load, workload = terms.demand.has_load, terms.workload
    limits = [("--tpot", workload.tpot_s), ("--ttft", workload.ttft_s)]
    others = [f"relax {name}" for name, limit_s in limits if limit_s is not None]
    if has_load:
        free = dataclasses.replace(terms, chips={})
        served = [match.chips for pair in pairs if (match := match_of(*pair, free)) is not None]
        least, what = min(served, default=None), "both pools for this load take"
        others.append("a smaller load")
    else:
        least = min((reader.chips + writer.chips for reader, writer in pairs), default=None)
        what = "one replica of either pool takes"
    sides: list[Reader | Writer] = [*readers, *writers]
    if len({side.deployment.machine.id for side in sides}) == 1:
        others.append("--pools 1")
    most = max(terms.chips.values(), default=None)
    if least is None or most is None or least <= most:
        return f"no two pools keep to all limits: {', or '.join(others) or 'take another machine'}"
    return f"{what} {least:,} chips at least, over {most:,}: {', or '.join([f'give --chips {least}', *others])}"


def _hungry(readers: Sequence[Reader], writers: Sequence[Writer], terms: Terms) -> str | None:
    """Clause on the power of one replica of each pool, or of all for a load; None where it suffices."""
    limit_w = terms.demand.site_power_w
    if limit_w is None:
        return None
    pairs = [(reader, writer) for reader in readers for writer in writers if writer.best is not None]
    if terms.demand.has_load:
        free = _with_power(terms, None)
        least_w = min(
            (_drawn_w(match, terms) for pair in pairs if (match := match_of(*pair, free)) is not None), default=limit_w
        )
        what, more = "what serves the load draws", ", or a smaller load"
    else:
        drawn = sorted(((_one_each_w(*pair, terms), pair) for pair in pairs), key=lambda one: one[0])
        least_w = next((watts for watts, pair in drawn if match_of(*pair, _fed(terms, pair, watts))), limit_w)
        what, more = "one replica of either pool draws", ""
    if least_w <= limit_w:
        return None
    drawn_w, most_w = format_quantity(least_w, "w"), format_quantity(limit_w, "w")
    return f"{what} {drawn_w} at least, over {most_w}: give {enough_power(least_w)}{more}"


def _fed(terms: Terms, pair: tuple[Reader, Writer], site_power_w: float) -> Terms:
    """Conditions with as much power; where that alone determines the chips, with those of one replica of each."""
    if terms.is_fed:
        terms = dataclasses.replace(terms, chips=dict.fromkeys(terms.chips, sum(one.chips for one in pair)))
    return _with_power(terms, site_power_w)


def _with_power(terms: Terms, site_power_w: float | None) -> Terms:
    return dataclasses.replace(terms, demand=dataclasses.replace(terms.demand, site_power_w=site_power_w))


def _drawn_w(match: Match, terms: Terms) -> float:
    """Power of a match, W."""
    writer, rate = match.writer.at(match.place), match.requests_per_s
    return float(site_power_w(match.reader, writer, match.readers, match.writers, rate, terms.demand))


def _one_each_w(reader: Reader, writer: Writer, terms: Terms) -> float:
    """Power of one replica of each pool at the rate that both serve, W."""
    at = writer.at(writer.best or 0)
    return float(site_power_w(reader, at, 1, 1, minimum(reader.prompts_per_s, at.requests_per_s), terms.demand))
