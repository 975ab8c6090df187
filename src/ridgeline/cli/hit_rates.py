"""What caches of every size, and of every time held, would have of a log: ``ridgeline trace FILE --hit-rates``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from ridgeline.caching.curve import HitCurve, hit_curve
from ridgeline.caching.hit_rates import HitRates, hit_rates
from ridgeline.caching.reuse import block_uses
from ridgeline.cli.figure import draw_titled
from ridgeline.cli.output import console, print_table, print_text, show
from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.specs.model import Model
from ridgeline.specs.precision import with_formats
from ridgeline.traces import open_trace
from ridgeline.traces.trace_file import sorted_requests

__all__ = ["AskedHitRates", "ReadHitRates", "draw_hit_rates", "read_hit_rates", "show_hit_rates"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedHitRates:
    """What is asked for.

    Attributes:
        file: the log.
        model: whose cache it is; None for tokens alone.
        kv: number format of the cache; None as the model has it.
        mean_prompt_tokens: of the log.
    """

    file: Path
    model: Model | None
    kv: str | None
    mean_prompt_tokens: float

    @property
    def token_bytes(self) -> float | None:
        """Cache of a token of a prompt of the mean length, bytes."""
        if self.model is None:
            return None
        precision = with_formats(self.model.precision, kv=self.kv)
        return float(kv_bytes_held(self.model, precision, self.mean_prompt_tokens)) / self.mean_prompt_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadHitRates:
    """What was found.

    Attributes:
        rates: of every size and time.
        curve: of round ones.
    """

    rates: HitRates
    curve: HitCurve


def read_hit_rates(asked: AskedHitRates) -> ReadHitRates:
    """Go through a log once, in the order in which its requests came."""
    source = open_trace(asked.file)
    if source.block_tokens is None or not source.has_arrivals:
        raise click.UsageError(
            f"--hit-rates: a log of {source.format} names no blocks of its prompts; logs of Mooncake and Bailian do"
        )
    rates = hit_rates(block_uses([sorted_requests(source)]))
    return ReadHitRates(
        rates=rates, curve=hit_curve(rates, block_tokens=source.block_tokens, token_bytes=asked.token_bytes)
    )


def show_hit_rates(found: ReadHitRates, asked: AskedHitRates) -> None:
    """Sizes, then times."""
    out, curve = console(), found.curve
    dimension = "count" if curve.token_bytes is None else "bytes"
    enough = curve.enough_tokens if curve.enough_bytes is None else curve.enough_bytes
    of = "" if asked.model is None or curve.token_bytes is None else _of(asked.model, curve.token_bytes)
    print_text(
        out,
        f" {curve.unlimited_fraction:.1%} of {curve.blocks:,} blocks came before, which a cache of"
        f" {show(enough, dimension)}{' tokens' if dimension == 'count' else ''} has{of}; a block hits if all before it"
        " in its prompt do, and prompts are dropped from their ends, as engines do",
        head="Hit rates",
    )
    out.print()
    rows = [
        (show(one.capacity_tokens if one.capacity_bytes is None else one.capacity_bytes, dimension), one.hit_fraction)
        for one in curve.sizes
    ]
    # Of sizes that hit alike, the smallest says so.
    seen = {f"{hit:.1%}": size for size, hit in reversed(rows) if hit > 0}
    print_table(out, (_head("size", dimension), "hits"), [(size, hit) for hit, size in reversed(seen.items())], left=())
    out.print()
    held = [
        (
            show(one.hold_s, "duration"),
            f"{one.hit_fraction:.1%}",
            show(one.held_tokens if one.held_bytes is None else one.held_bytes, dimension),
        )
        for one in curve.holds
    ]
    print_table(out, ("held for", "hits", _head("keeps on the mean", dimension)), held, left=())


def _head(what: str, dimension: str) -> str:
    return f"{what}, tokens" if dimension == "count" else what


def _of(model: Model, token_bytes: float) -> str:
    return f" ({model.name}, {show(token_bytes, 'bytes')} a token)"


def draw_hit_rates(found: ReadHitRates, asked: AskedHitRates, *, path: Path, theme: str | None) -> None:
    """Draw them, write and say where."""
    # The drawing library is an extra.
    from ridgeline.figures.hit_rates import hit_rates_figure  # noqa: PLC0415

    curve = found.curve
    whose = "tokens of any model" if asked.model is None else asked.model.name
    unit = curve.block_tokens * (curve.token_bytes or 1.0)
    make = partial(hit_rates_figure, found.rates, unit, "count" if curve.token_bytes is None else "bytes")
    bytes_said = "" if curve.token_bytes is None else f", {show(curve.token_bytes, 'bytes')} a token"
    foot = (
        "Reuse distances and intervals of all blocks, from one pass: exact for every size and time. A block hits if all"
        " before it in its prompt do; prompts are dropped from their ends."
    )
    words = (
        "What a cache of prompts hits",
        f"{asked.file.name}: {curve.blocks:,} blocks of {curve.block_tokens} tokens; {whose}{bytes_said}",
        foot,
    )
    draw_titled(make, words=words, path=path, theme=theme)
