"""``ridgeline trace``: contents of a log of requests, cache hits of it, and the log in Mooncake's format."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import click
import numpy as np

from ridgeline.cli.arguments import RATE, WHOLE, json_option
from ridgeline.cli.hit_rates import (
    draw_hit_rates,
    found_hit_rates,
    hit_rates_document,
    hit_rates_inputs,
    hit_rates_options,
    refuse_hit_rates,
    show_hit_rates,
)
from ridgeline.cli.kernels import say_kernels
from ridgeline.cli.number_range import NumberRange
from ridgeline.cli.output import console, counted, print_json, print_text
from ridgeline.cli.progress import progress
from ridgeline.cli.trace import TraceRead, said_of, trace_read
from ridgeline.traces import TraceFile, open_trace, paced, read_trace, workload_of
from ridgeline.traces.arrivals import Poisson
from ridgeline.traces.requests import Requests
from ridgeline.traces.trace_file import sorted_requests
from ridgeline.traces.write_mooncake import write_mooncake

__all__ = ["command"]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """File of requests that was written from a log.

    Attributes:
        path: path of the file.
        requests: number of requests that were written.
        failed: requests of the log without output, which count as failed and were left out.
        span_s: time from the first arrival to the last, s.
        block_tokens: tokens of the blocks that the log names; None where it names none, so that none are shared.
    """

    path: str
    requests: int
    failed: int
    span_s: float
    block_tokens: int | None


FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def _require_finite(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    """Number, which has to be finite; click's range lets others through."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a finite number; write 2 for twice the rate")
    return value


@click.command("trace")
@click.argument("file", type=FILE)
@click.option(
    "--to",
    type=(click.Choice(["mooncake"]), click.Path(dir_okay=False, path_type=Path)),
    metavar="mooncake OUT",
    help="Write the log sorted by arrival, from 0 on, as Mooncake's JSON lines.",
)
@click.option(
    "--rate-scale",
    type=NumberRange(min=1e-9, max=1e9),
    callback=_require_finite,
    help="With --to: arrivals so many times as often; 2 halves the time between them.",
)
@click.option(
    "--rate",
    "requests_per_s",
    type=RATE,
    help="With --to: requests come at random at this rate, 20/s, in the order of the log; of a log without arrivals.",
)
@click.option("--seed", type=click.IntRange(min=0), help="Of --rate; left out, 0.")
@click.option("--requests", "most", type=WHOLE, help="With --to: so many requests, the first to come.")
@click.option("--force", is_flag=True, help="With --to: in place of the file that is there.")
@hit_rates_options
@json_option
def command(
    *,
    file: Path,
    to: tuple[str, Path] | None,
    rate_scale: float | None,
    requests_per_s: float | None,
    seed: int | None,
    most: int | None,
    force: bool,
    as_json: bool,
    **of_hits: Any,  # noqa: ANN401  what caches hit
) -> None:
    """Show what a log of requests has, what caches of its prompts would hit, or write it in Mooncake's format.

    Simulators and load generators share that format.
    """
    refuse_hit_rates(of_hits, is_written=to is not None)
    if to is None:
        given = {"--rate-scale": rate_scale, "--rate": requests_per_s, "--seed": seed, "--requests": most}
        _refuse_without_to(given | {"--force": force or None})
    read = _read(file) if as_json or to is None else None  # before a file that may be the same is written
    written = None
    if to is not None:
        source = _paced(open_trace(file), requests_per_s, seed)
        written = _convert(source, to[1], rate_scale or 1.0, most, force=force)
    hits = None if read is None else found_hit_rates(of_hits, file, read)
    if as_json and read is not None:
        inputs = {
            "file": file,
            "to": to and to[1],
            "rate_scale": rate_scale or 1.0,
            "requests_per_s": requests_per_s,
            "seed": seed or 0,
            "requests": most,
            "force": force,
            **hit_rates_inputs(of_hits),
        }
        document = {"trace": dataclasses.asdict(read), "written": written and dataclasses.asdict(written)}
        print_json({"inputs": inputs, **document, **hit_rates_document(hits)})
    elif read is not None:
        print_text(console(), f" {'; '.join(said_of(read, show_hits=True))}", head="Trace")
        show_hit_rates(hits)
        say_kernels(of_hits["kernels"], of_hits["machine"])
    elif written is not None:
        _say(written)
    draw_hit_rates(hits, of_hits)
    if hits is not None and hits.mixes is not None and hits.mixes.is_missed:
        raise SystemExit(1)


def _read(file: Path) -> TraceRead:
    trace = read_trace(file)
    return trace_read(trace, workload_of(trace) if trace.output_tokens.max() > 1 else None)


def _refuse_without_to(given: dict[str, Any]) -> None:
    if named := " and ".join(name for name, value in given.items() if value is not None):
        raise click.UsageError(f"{named}: of what is written; give --to mooncake OUT, or leave it out")


def _paced(source: TraceFile, requests_per_s: float | None, seed: int | None) -> TraceFile:
    if requests_per_s is not None:
        return paced(source, Poisson(requests_per_s), seed or 0)
    if seed is not None:
        raise click.UsageError("--seed: of arrivals at random; give --rate 20/s, or leave it out")
    return source


def _convert(source: TraceFile, to: Path, rate_scale: float, most: int | None, *, force: bool) -> Written:
    """Write a log in Mooncake's format, and return a summary of it."""
    if to.exists() and not force:
        raise click.BadParameter(f"'{to}' is there; name another file, or write over it: --force", param_hint="--to")
    with progress("Reading", None) as told:
        requests = sorted_requests(source, told)
    chosen = _first(requests, most or len(requests), rate_scale)
    try:
        with progress("Writing", len(chosen)) as told:
            write_mooncake(chosen, to, block_tokens=source.block_tokens, told=told)
    except OSError as error:
        raise click.ClickException(f"{str(to)!r} is not written: {error.strerror}; name another file") from None
    return Written(
        path=str(to),
        requests=len(chosen),
        failed=requests.failed,
        span_s=float(chosen.arrivals_s[-1]),
        block_tokens=source.block_tokens,
    )


def _first(requests: Requests, most: int, rate_scale: float) -> Requests:
    """First ``most`` requests, which come ``rate_scale`` times as fast."""
    chosen = requests.only(np.arange(min(most, len(requests))))
    return dataclasses.replace(chosen, arrivals_s=chosen.arrivals_s / rate_scale)


def _say(one: Written) -> None:
    failed = f"; {one.failed:,} without output left out" if one.failed else ""
    blocks = "" if one.block_tokens else "; the log names no blocks, so that no prompts share any"
    said = f" {counted(one.requests, 'request')} over {one.span_s:,.6g} s in {one.path}{failed}{blocks}"
    print_text(console(), said, head="Written")
