"""Lengths of requests and their rate of arrival, as numbers or from a log of real requests."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console

from ridgeline.cli.arguments import WHOLE
from ridgeline.cli.output import counted, print_text
from ridgeline.errors import RidgelineError
from ridgeline.specs.workload import Workload
from ridgeline.traces import Trace, read_trace, workload_of

__all__ = [
    "AskedLengths",
    "TraceRead",
    "asked_lengths",
    "lengths_options",
    "said_of",
    "show_trace",
    "trace_read",
    "workload_inputs",
]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class AskedLengths:
    """Lengths that were asked for, with the log that they are of.

    Attributes:
        workload: workload of these lengths, with its limits.
        trace: log of requests; None where they were given as numbers.
        requests_per_s: rate of the log; None without one, and where arrivals are not to count.
        is_rate_untold: whether arrivals are to count, but are of one request or one moment, so that no rate follows.
    """

    workload: Workload
    trace: Trace | None
    requests_per_s: float | None
    is_rate_untold: bool = False


def asked_lengths(
    prompt_tokens: int | None,
    output_tokens: int | None,
    trace: Path | None,
    no_arrivals: bool,  # noqa: FBT001  a flag
    *,
    tpot_s: float | None,
    ttft_s: float | None,
    hit_fraction: float,
) -> AskedLengths:
    """Lengths by ``--prompt`` and ``--output``, or by ``--trace``.

    Raises:
        click.UsageError: there are none, or both; or a log does not read.
    """
    if trace is not None:
        _refuse_beside_trace(prompt_tokens, output_tokens)
        return _of_trace(trace, tpot_s, ttft_s, hit_fraction, no_arrivals=no_arrivals)
    _require_numbers(prompt_tokens, output_tokens, no_arrivals=no_arrivals)
    workload = Workload(
        prompt_tokens=prompt_tokens or 0,
        output_tokens=output_tokens or 0,
        tpot_s=tpot_s,
        ttft_s=ttft_s,
        hit_fraction=hit_fraction,
    )
    return AskedLengths(workload=workload, trace=None, requests_per_s=None)


def _refuse_beside_trace(prompt_tokens: int | None, output_tokens: int | None) -> None:
    given = {"--prompt": prompt_tokens, "--output": output_tokens}
    if named := " and ".join(name for name, value in given.items() if value is not None):
        raise click.UsageError(f"{named} and --trace each say how long requests are; leave {named} out")


def _require_numbers(prompt_tokens: int | None, output_tokens: int | None, *, no_arrivals: bool) -> None:
    """Refuse lengths for which nothing can be planned."""
    missing = {"--prompt": prompt_tokens, "--output": output_tokens}
    if named := " and ".join(f"'{name}'" for name, value in missing.items() if value is None):
        raise click.UsageError(f"Missing option {named}: say how long requests are, or give a log of them: --trace")
    if no_arrivals:
        raise click.UsageError("--no-arrivals is of a log; give --trace FILE, or leave it out")
    if output_tokens == 1:
        raise click.BadParameter(
            "1: reading the prompt gives the one token, and there is nothing to decode; see estimate --phase prefill",
            param_hint="--output",
        )


def _of_trace(
    path: Path, tpot_s: float | None, ttft_s: float | None, hit_fraction: float, *, no_arrivals: bool
) -> AskedLengths:
    try:
        trace = read_trace(path)
        workload = workload_of(trace, tpot_s=tpot_s, ttft_s=ttft_s, hit_fraction=hit_fraction)
    except RidgelineError as error:
        raise click.BadParameter(str(error), param_hint="--trace") from None
    rate = None if no_arrivals else trace.requests_per_s
    is_untold = rate is None and trace.arrivals_s is not None and not no_arrivals
    return AskedLengths(workload=workload, trace=trace, requests_per_s=rate, is_rate_untold=is_untold)


def lengths_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options on the lengths of requests."""
    options = (
        click.option("--prompt", "prompt_tokens", type=WHOLE, help="Input tokens of a request: 4000, 8k."),
        click.option("--output", "output_tokens", type=WHOLE, help="Output tokens of a request."),
        click.option(
            "--trace",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Log of requests in place of both: their lengths, each with its weight, and their rate. docs/traces.md"
            " lists the formats.",
        ),
        click.option(
            "--no-arrivals",
            is_flag=True,
            help="Take of --trace the lengths alone, and not its rate as the load, as --users, --rate or --batch do.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def workload_inputs(lengths: AskedLengths) -> dict[str, Any]:
    """Workload as a document repeats it; a log by its path, from which all else of it follows."""
    workload, trace = lengths.workload, lengths.trace
    given = {one.name: getattr(workload, one.name) for one in dataclasses.fields(workload) if one.name != "lengths"}
    return given | {"trace": None if trace is None else dataclasses.asdict(trace_read(trace, workload))}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class TraceRead:
    """Summary of a log.

    Attributes:
        path: path of the log.
        format: format that it is in: azure, burstgpt, mooncake and so on.
        requests: number of requests that were read.
        failed: number of requests without output, which count as failed and were left out.
        requests_per_s: mean rate of arrivals; None where the log does not tell.
        busiest_requests_per_s: rate in the busiest minute; None where the log is shorter than two minutes.
        prefix_hit_fraction: fraction of prompts' blocks that an unlimited prefix cache would have; None where the log
            names none.
        attended_tokens: mean tokens that a token in flight attends to; None where every output is one token.
        mean_prompt_tokens: mean input tokens of a request.
        median_prompt_tokens: median input tokens of a request.
        p90_prompt_tokens: input tokens that nine in ten requests stay within.
        longest_prompt_tokens: most input tokens of a request.
        mean_output_tokens: mean output tokens of a request.
        median_output_tokens: median output tokens of a request.
        p90_output_tokens: output tokens that nine in ten requests stay within.
        longest_output_tokens: most output tokens of a request.
    """

    path: str
    format: str
    requests: int
    failed: int
    requests_per_s: float | None
    busiest_requests_per_s: float | None
    prefix_hit_fraction: float | None
    attended_tokens: float | None
    mean_prompt_tokens: float
    median_prompt_tokens: float
    p90_prompt_tokens: float
    longest_prompt_tokens: float
    mean_output_tokens: float
    median_output_tokens: float
    p90_output_tokens: float
    longest_output_tokens: float


def trace_read(trace: Trace, workload: Workload | None) -> TraceRead:
    """Summary of a log; attended tokens follow from a workload of its lengths."""
    means = {"mean_prompt_tokens": trace.prompt_tokens.mean(), "mean_output_tokens": trace.output_tokens.mean()}
    quantiles = {
        f"{name}_{of}_tokens": float(np.quantile(values, part))
        for of, values in (("prompt", trace.prompt_tokens), ("output", trace.output_tokens))
        for name, part in (("median", 0.5), ("p90", 0.9), ("longest", 1.0))
    }
    return TraceRead(
        path=trace.path,
        format=trace.format,
        requests=len(trace.prompt_tokens),
        failed=trace.failed,
        requests_per_s=trace.requests_per_s,
        busiest_requests_per_s=trace.busiest_requests_per_s,
        prefix_hit_fraction=trace.prefix_hit_fraction,
        attended_tokens=None if workload is None else workload.attended_tokens,
        **{name: float(mean) for name, mean in means.items()},
        **quantiles,
    )


def show_trace(out: Console, lengths: AskedLengths) -> None:
    """Print the summary of a log, in a line; nothing without one."""
    if lengths.trace is not None:
        read, is_asked = trace_read(lengths.trace, lengths.workload), bool(lengths.workload.hit_fraction)
        print_text(out, f" {'; '.join(said_of(read, show_hits=not is_asked))}", head="Trace")


def said_of(one: TraceRead, *, show_hits: bool) -> list[str]:
    """Summary of a log, clause by clause, with the hits of a prefix cache where asked for."""
    parts = [f"{Path(one.path).name} ({one.format}): {counted(one.requests, 'request')}"]
    if one.failed:
        parts.append(f"{one.failed:,} without output left out")
    if one.requests_per_s is not None:
        busiest = one.busiest_requests_per_s
        parts.append(
            f"{one.requests_per_s:.3g}/s from the first to the last"
            + (f", {busiest:.3g}/s in the busiest minute" if busiest else "")
        )
    for name in ("prompt", "output"):
        mean, median, most, longest = (
            getattr(one, f"{which}_{name}_tokens") for which in ("mean", "median", "p90", "longest")
        )
        parts.append(
            f"{name}s of {mean:,.0f} tokens on the mean, half within {median:,.0f}, 90 % within {most:,.0f}, longest"
            f" {longest:,.0f}"
        )
    if one.attended_tokens is not None:
        parts.append(f"a token in flight attends to {one.attended_tokens:,.0f} on the mean")
    if one.prefix_hit_fraction is not None and show_hits:
        parts.append(
            f"an unlimited prefix cache would have {100 * one.prefix_hit_fraction:.0f} % of its blocks (--hit-rate)"
        )
    return parts
