"""Hit rates of a log for caches of every size, and of every time held: ``ridgeline trace FILE --hit-rates``."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from ridgeline.caching.curve import HitCurve, hit_curve
from ridgeline.caching.hit_lines import hit_lines
from ridgeline.caching.hit_rates import HitRates, hit_rates
from ridgeline.caching.reuse import block_uses
from ridgeline.cli.arguments import MODEL, NamedType, ignore_unknown_option, kv_option, parts_of
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.output import console, percent, print_table, print_text, show
from ridgeline.cli.tier_mixes import FoundMixes, draw_mixes, mixes_options, read_mixes, refuse_mixes, show_mixes
from ridgeline.cli.trace import TraceRead
from ridgeline.errors import RidgelineError
from ridgeline.estimator.parameters import kv_bytes_held
from ridgeline.quantity_text import QuantityError, parse_quantity
from ridgeline.specs.model import Model
from ridgeline.specs.precision import with_formats
from ridgeline.traces import open_trace
from ridgeline.traces.trace_file import sorted_requests

__all__ = [
    "draw_hit_rates",
    "found_hit_rates",
    "hit_rates_document",
    "hit_rates_inputs",
    "hit_rates_options",
    "refuse_hit_rates",
    "show_hit_rates",
]

Asked = Mapping[str, Any]
"""Options by the names of their parameters."""

PICTURES = ("hits", "mixes")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class FoundHitRates:
    """Hit rates of a log, and the mixes of tiers for it.

    Attributes:
        file: path of the log.
        model: model whose cache it is; None for tokens of any.
        rates: hit rates of every size and time.
        curve: hit rates of round sizes and times, and of those that were asked for.
        sizes: sizes that the user asked for.
        mixes: mixes of tiers; None without a machine.
    """

    file: Path
    model: Model | None
    rates: HitRates
    curve: HitCurve
    sizes: tuple[float, ...]
    mixes: FoundMixes | None


def _holds_s(text: str) -> tuple[float, ...]:
    """Hold times that the user asked for, s."""
    found = tuple(parse_quantity(part, "duration") for part in parts_of(text))
    if any(held_s <= 0 for held_s in found):
        raise ValueError("a hold time must be above 0; write 7min,2h")
    return found


def _sizes(asked: Asked) -> list[float]:
    """Sizes that the user asked for, bytes; tokens without a model."""
    dimension = "count" if asked["model"] is None else "bytes"
    try:
        found = [parse_quantity(part, dimension) for part in asked["sizes"]]
    except QuantityError as error:
        unit = "tokens, such as 500k, or --model MODEL for bytes" if dimension == "count" else "bytes, such as 2TB"
        raise click.BadParameter(f"{error}; write {unit}", param_hint="--size") from None
    if any(size <= 0 for size in found):
        raise click.BadParameter("a cache must be larger than 0", param_hint="--size")
    return found


def hit_rates_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options on hit rates."""
    asks = click.option(
        "--hit-rates",
        "has_hit_rates",
        is_flag=True,
        help="Show what caches of every size, and of every time held, have of the prompts' blocks that the log names.",
    )
    model = click.option("--model", type=MODEL, help="With --hit-rates: whose cache it is, so that sizes are bytes.")
    picture = click.option(
        "--picture",
        type=click.Choice(PICTURES),
        help="What --figure draws: --hit-rates against size, or with --on what a sooner first token costs."
        f"  [default: {PICTURES[0]}]",
    )
    sizes = click.option(
        "--size",
        "sizes",
        type=NamedType("SIZES", parts_of),
        default=(),
        help="With --hit-rates: of caches of your own sizes, too: 2TB,30TB; without --model in tokens: 500k.",
    )
    ttls = click.option(
        "--ttl",
        "ttls_s",
        type=NamedType("TIMES", _holds_s),
        default=(),
        help="With --hit-rates: of caches of your own hold times, too: 7min,2h.",
    )
    figure = figure_options("what caches hit")
    for option in (picture, figure, mixes_options, ttls, sizes, kv_option, ignore_unknown_option, model):
        command = option(command)
    return asks(command)


def refuse_hit_rates(asked: Asked, *, is_written: bool) -> None:
    """Refuse options that do not go together, and say what to add or to leave out."""
    refuse_theme_alone(asked["figure"], asked["theme"])
    refuse_mixes(asked)
    given = {"--model": asked["model"], "--kv": asked["kv"], "--figure": asked["figure"]}
    given |= {"--size": asked["sizes"] or None, "--ttl": asked["ttls_s"] or None}
    named = " and ".join(name for name, value in given.items() if value is not None)
    if named and not asked["has_hit_rates"]:
        raise click.UsageError(f"{named}: of what caches hit; add --hit-rates, or leave it out")
    if asked["picture"] is not None and asked["figure"] is None:
        raise click.UsageError("--picture: of a figure; add --figure FILE, or leave it out")
    if asked["picture"] == "mixes" and asked["machine"] is None:
        raise click.UsageError("--picture mixes: of mixes of tiers on a machine; add --on MACHINE, or leave it out")
    if asked["kv"] is not None and asked["model"] is None:
        raise click.UsageError("--kv: of a model's cache; add --model, or leave it out")
    if is_written and asked["has_hit_rates"]:
        raise click.UsageError("--hit-rates shows a log, and --to writes one; leave one of them out")


def found_hit_rates(asked: Asked, file: Path, read: TraceRead) -> FoundHitRates | None:
    """Read a log once, in the order in which its requests came; None where nobody asks."""
    if not asked["has_hit_rates"]:
        return None
    source, model, sizes = open_trace(file), asked["model"], _sizes(asked)
    if source.block_tokens is None:
        raise click.UsageError(
            f"--hit-rates: a log of {source.format} names no blocks of its prompts; logs of Mooncake and Bailian do"
        )
    try:
        uses = block_uses([sorted_requests(source)])
        rates = hit_rates(uses)
    except RidgelineError as error:
        raise click.UsageError(f"--hit-rates: {error}") from None
    token_bytes = None if model is None else _token_bytes(model, asked["kv"], read.mean_prompt_tokens)
    return FoundHitRates(
        file=file,
        model=model,
        rates=rates,
        curve=hit_curve(
            rates, block_tokens=source.block_tokens, token_bytes=token_bytes, sizes=sizes, holds_s=asked["ttls_s"]
        ),
        sizes=tuple(sizes),
        mixes=None if asked["machine"] is None else read_mixes(asked, uses, source.block_tokens),
    )


def _token_bytes(model: Model, kv: str | None, tokens: float) -> float:
    """Cache bytes of a token, in a prompt of ``tokens`` tokens."""
    return float(kv_bytes_held(model, with_formats(model.precision, kv=kv), tokens)) / tokens


def hit_rates_inputs(asked: Asked) -> dict[str, Any]:
    """Options as they were resolved, so that the command can be run again."""
    repeated = ("kv", "sizes", "ttls_s", "tiers", "ttft_s", "budget_usd_per_s", "part", "kernels")
    return {
        **{name: asked[name] and asked[name].id for name in ("model", "machine")},
        "layout": asked["layout"] and dataclasses.asdict(asked["layout"]),
        **{name: asked[name] for name in repeated},
    }


def hit_rates_document(found: FoundHitRates | None) -> dict[str, Any]:
    """JSON document of the hit rates and of the mixes, by name."""
    mixes = found and found.mixes
    return {
        "hit_rates": found and dataclasses.asdict(found.curve),
        "mixes": mixes and dataclasses.asdict(mixes.of),
        "chosen_mix": mixes and mixes.chosen and dataclasses.asdict(mixes.chosen),
    }


def show_hit_rates(found: FoundHitRates | None) -> None:
    """Print hit rates by size and by hold time, and mixes of tiers; nothing where nobody asks."""
    if found is None:
        return
    out, curve = console(), found.curve
    dimension = "count" if curve.token_bytes is None else "bytes"
    enough = curve.enough_tokens if curve.enough_bytes is None else curve.enough_bytes
    of = ""
    if found.model is not None and curve.token_bytes is not None:
        of = f" ({found.model.name}, {show(curve.token_bytes, 'bytes')} a token)"
    out.print()
    print_text(
        out,
        f": {percent(curve.unlimited_fraction)} of {curve.blocks:,} blocks were used before; an LRU cache of"
        f" {show(enough, dimension)}{' tokens' if dimension == 'count' else ''} hits them all{of}. A block hits if all"
        " before it in its prompt do; prompts are evicted from their ends, as by engines",
        head="Hit rates",
    )
    for size in found.sizes:
        hit = next(one for one in curve.sizes if size in (one.capacity_bytes, one.capacity_tokens)).hit_fraction
        said = f" of {show(size, dimension)}{' tokens' if dimension == 'count' else ''} should hit {percent(hit)}"
        print_text(
            out, f"{said}, {percent(hit / (curve.unlimited_fraction or 1))} of what any can", head="An LRU cache"
        )
    out.print()
    rows = [
        (show(one.capacity_tokens if one.capacity_bytes is None else one.capacity_bytes, dimension), one.hit_fraction)
        for one in curve.sizes
    ]
    # Of sizes with equal hit rates, the smallest is shown.
    seen = {percent(hit): size for size, hit in reversed(rows) if hit > 0}
    print_table(
        out, (_head("LRU size", dimension), "hits"), [(size, hit) for hit, size in reversed(seen.items())], left=()
    )
    out.print()
    held = [
        (
            show(one.hold_s, "duration"),
            percent(one.hit_fraction),
            show(one.held_tokens if one.held_bytes is None else one.held_bytes, dimension),
        )
        for one in curve.holds
    ]
    print_table(out, ("TTL", "hits", _head("mean size", dimension)), held, left=())
    if found.mixes is not None:
        show_mixes(found.mixes, found.file)


def _head(what: str, dimension: str) -> str:
    return f"{what}, tokens" if dimension == "count" else what


def draw_hit_rates(found: FoundHitRates | None, asked: Asked) -> None:
    """Draw hit rates or mixes where a figure is asked for, write and say where."""
    if found is None or asked["figure"] is None:
        return
    if asked["picture"] == "mixes" and found.mixes is not None:
        draw_mixes(found.mixes, asked, f"{found.file.name}: {found.curve.blocks:,} blocks")
        return
    # The drawing library is an extra.
    from ridgeline.figures.hit_rates import hit_rates_figure  # noqa: PLC0415

    curve = found.curve
    whose = "tokens of any model" if found.model is None else found.model.name
    unit = curve.block_tokens * (curve.token_bytes or 1.0)
    make = partial(hit_rates_figure, hit_lines(found.rates), unit, "count" if curve.token_bytes is None else "bytes")
    bytes_said = "" if curve.token_bytes is None else f", {show(curve.token_bytes, 'bytes')} a token"
    foot = (
        "Reuse distances and intervals of all blocks, from one pass: exact for every size and time. A block hits if all"
        " before it in its prompt do; prompts are evicted from their ends."
    )
    words = (
        "What a cache of prompts hits",
        f"{found.file.name}: {curve.blocks:,} blocks of {curve.block_tokens} tokens; {whose}{bytes_said}",
        foot,
    )
    draw_titled(make, words=words, path=asked["figure"], theme=asked["theme"])
