"""Load to serve, as it is asked for on the command line: users, a rate, a batch, and how surely."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ridgeline.cli.arguments import ELECTRICITY, POWER, PUE_HELP, RATE, WHOLE
from ridgeline.cli.number_range import NumberRange
from ridgeline.cli.output import counted, show
from ridgeline.cli.trace import AskedLengths
from ridgeline.seconds import KWH_J
from ridgeline.specs.demand import MIDDLE, USUAL_QUANTILE, Demand
from ridgeline.specs.workload import Workload

__all__ = ["demand_of", "demand_options", "limits_said", "load_said"]


def demand_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options on the load, and on how surely its limits are kept."""
    options = (
        click.option(
            "--users", type=WHOLE, help="Serve so many requests under way at once, with as few chips as possible."
        ),
        click.option(
            "--rate", "requests_per_s", type=RATE, help="Serve so many requests a second with as few chips: 20/s."
        ),
        click.option(
            "--ttft-quantile",
            type=NumberRange(0.5, 1, max_open=True),
            help="Part of a load's requests whose first token must come within --ttft.  [default: 0.9]",
        ),
        click.option("--batch", type=WHOLE, help="Requests under way on each replica.  [default: what is cheapest]"),
        click.option(
            "--sure",
            type=NumberRange(0.5, 1, max_open=True),
            help="Chance that limits are kept, by the intervals of predictions: 0.9.  [default: 0.5]",
        ),
        click.option(
            "--power",
            "site_power_w",
            type=POWER,
            help="Power that all replicas may draw, of two pools together, --pue included: 1MW. Without --chips each"
            " plan has as many replicas as it feeds at that layout's own draw, and the cheapest request comes first.",
        ),
        click.option(
            "--pue",
            type=NumberRange(1, example=1.3),
            help=f"{PUE_HELP}  [default: 1]",
        ),
        click.option(
            "--electricity",
            "electricity_usd_per_j",
            type=ELECTRICITY,
            help="Price of electricity, added to --price of a chip of your own: 0.08/kWh."
            "  [default: none, since rental prices have it]",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def demand_of(
    users: int | None,
    requests_per_s: float | None,
    batch: int | None,
    ttft_quantile: float | None,
    sure: float | None,
    site_power_w: float | None,
    pue: float | None,
    electricity_usd_per_j: float | None,
    *,
    lengths: AskedLengths,
) -> Demand:
    """Demand as asked for, or that of a log of requests where none was.

    Raises:
        click.UsageError: two loads at once, a rate of nothing, or a quantile of a queue where there is none.
    """
    if sum(one is not None for one in (users, requests_per_s, batch)) > 1:
        raise click.UsageError("--users, --rate and --batch each say how much is under way; give one of them")
    if requests_per_s is not None and requests_per_s <= 0:
        raise click.BadParameter(
            f"{requests_per_s:g}/s asks for nothing; write what arrives, such as 20/s", param_hint="--rate"
        )
    if all(one is None for one in (users, requests_per_s, batch)):
        requests_per_s = lengths.requests_per_s
        if lengths.is_rate_untold and lengths.trace is not None:
            requests = counted(len(lengths.trace.prompt_tokens), "request")
            raise click.BadParameter(
                f"{lengths.trace.path} has {requests}, in no time from first to last, of which no rate follows; say the"
                " load by --rate, --users or --batch, or take the lengths alone: --no-arrivals",
                param_hint="--trace",
            )
    if ttft_quantile is not None and users is None and requests_per_s is None and lengths.workload.lengths is None:
        raise click.BadParameter(
            "is of a load's queue, or of lengths that differ; give --users or --rate, or --trace",
            param_hint="--ttft-quantile",
        )
    if pue is not None and site_power_w is None and electricity_usd_per_j is None:
        raise click.BadParameter(
            "is of power that is limited or paid for; give --power or --electricity", param_hint="--pue"
        )
    return Demand(
        users=users,
        requests_per_s=requests_per_s,
        batch=batch,
        ttft_quantile=USUAL_QUANTILE if ttft_quantile is None else ttft_quantile,
        sure=MIDDLE if sure is None else sure,
        site_power_w=site_power_w,
        pue=1.0 if pue is None else pue,
        electricity_usd_per_j=electricity_usd_per_j,
    )


def load_said(demand: Demand) -> list[str]:
    """Load as asked for, clause by clause."""
    said = []
    if demand.users is not None:
        said.append(f"; for {counted(demand.users, 'user')}")
    if demand.requests_per_s is not None:
        said.append(f"; for {_rate(demand.requests_per_s)} requests/s")
    if demand.batch is not None:
        said.append(f"; {counted(demand.batch, 'request')} under way on each replica")
    overhead = f" at a PUE of {demand.pue:g}" if demand.pue > 1 else ""
    if demand.site_power_w is not None:
        said.append(f"; at most {show(demand.site_power_w, 'w')}{overhead}")
    if demand.electricity_usd_per_j is not None:
        said.append(f"; electricity at ${demand.electricity_usd_per_j * KWH_J:.3g}/kWh{overhead}")
    if demand.sure > MIDDLE:
        said.append(f"; limits to hold with a probability of {100 * demand.sure:.6g} %")
    return said


def _rate(requests_per_s: float) -> str:
    """Rate with four digits, and all that stand before the point."""
    return f"{requests_per_s:,.0f}" if requests_per_s >= WHOLE_FROM else f"{requests_per_s:.4g}"


WHOLE_FROM = 1000


def limits_said(workload: Workload) -> list[str]:
    """Limits on both times, as clauses."""
    hits = (
        [f", {100 * workload.hit_fraction:.3g} % of each prompt in the prefix cache"] if workload.hit_fraction else []
    )
    limits = {"mean TPOT": workload.tpot_s, "TTFT": workload.ttft_s}
    return hits + [f"; {name} at most {show(value, 's')}" for name, value in limits.items() if value is not None]
