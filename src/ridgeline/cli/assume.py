"""``--assume NAME=VALUE``: unknowns by the names of the table or of the document, values with their units."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from ridgeline.cli.output import show
from ridgeline.errors import RidgelineError
from ridgeline.quantity_text import QuantityError, parse_quantity

__all__ = ["assume_option", "assumed_text"]

WORDS = {
    "active": "active_params",
    "active_parameters": "active_params",
    "total": "total_params",
    "total_parameters": "total_params",
    "kv": "kv_bytes_per_token",
    "kv_bytes": "kv_bytes_per_token",
    "kv_bytes_stored": "kv_bytes_per_token",
    "kv_bytes_stored_a_token": "kv_bytes_per_token",
    "batch_sequences": "batch",
    "context": "context_tokens",
    "mean_context": "context_tokens",
    "mean_context_tokens": "context_tokens",
    "prefill": "prefill_fraction",
    "peak_reached_in_prefill": "prefill_fraction",
    "decode": "decode_fraction",
    "roofline_reached_in_decode": "decode_fraction",
    "utilisation": "utilisation_fraction",
    "utilisation_over_the_day": "utilisation_fraction",
    "margin": "price_over_cost",
    "model": "kind",
    "caches": "tier",
}
"""Aliases of unknowns; blanks, commas and hyphens are underscores here."""

EXAMPLES = (
    "active_params=100B, total_params=1T (beside active_params), kv_bytes=70kB, read_fraction=0.5, batch=500,"
    " context=10k, prefill=30%, decode=40%, utilisation=60%, chip_price_ratio=1.2, byte_price_ratio=1,"
    " price_over_cost=3, kind=dense or experts, tier=HBM, DDR, flash or disk"
)


def _assumed(context: click.Context, option: click.Parameter, written: Sequence[str]) -> dict[str, float | str]:
    """Unknowns as ``NAME=VALUE``, by their own names and in base units."""
    # NumPy, which the inversion needs, takes a while.
    from ridgeline.inversion.assumed import ASSUMABLE, assumed_of  # noqa: PLC0415

    found: dict[str, float | str] = {}
    written_as: dict[str, str] = {}
    for text in written:
        key, sign, value = text.partition("=")
        plain = re.sub(r"[^a-z0-9]+", "_", key.strip().lower())
        name = WORDS.get(plain, plain)
        if not sign or name in found:
            raise click.BadParameter(f"{text!r}: write NAME=VALUE once for each: {EXAMPLES}", context, option)
        if name in ASSUMABLE:
            found[name] = _value(key.strip(), value, ASSUMABLE[name].dimension, context, option)
        elif name in {"kind", "tier"}:
            found[name] = value.strip()
        else:
            raise click.BadParameter(f"no unknown {key!r} to assume; there are {EXAMPLES}", context, option)
        written_as[name] = key.strip()
    try:
        assumed_of(found)
    except RidgelineError as error:
        said = str(error)
        for name, key in written_as.items():
            if said.startswith(f"{name} cannot be "):
                said = key + said.removeprefix(name)
        raise click.BadParameter(said, context, option) from None
    return found


def _value(key: str, text: str, dimension: str, context: click.Context, option: click.Parameter) -> float:
    try:
        if dimension == "bytes" and text.strip()[-1:].isdigit():
            return parse_quantity(f"{text} B", "bytes")
        return parse_quantity(text, "count" if dimension == "ratio" else dimension)
    except QuantityError as error:
        raise click.BadParameter(f"{key}: {error}", context, option) from None


assume_option = click.option(
    "--assume",
    "assumed",
    metavar="NAME=VALUE",
    multiple=True,
    callback=_assumed,
    help="Take an unknown as known: active_params=100B, kv_bytes=70kB, kind=dense, price_over_cost=3; repeatable.",
)


def assumed_text(given: dict[str, float | str]) -> str:
    """Assumptions in words: "active parameters 49B"."""
    from ridgeline.inversion.assumed import ASSUMABLE  # noqa: PLC0415  loads NumPy
    from ridgeline.inversion.said import NAMED  # noqa: PLC0415  loads NumPy

    said = []
    for name, value in given.items():
        words = NAMED[name].words.partition(",")[0] if name in NAMED else OTHERS.get(name, name)
        if isinstance(value, str):
            said.append(f"{words} {value}")
        else:
            dimension = ASSUMABLE[name].dimension if name in ASSUMABLE else "ratio"
            said.append(f"{words} {_shown(value, dimension)}")
    return ", ".join(said)


OTHERS = {
    "extra_expansion": "total over active parameters, less one",
    "read_fraction": "part of the cache that a step reads",
    "chip_price_ratio": "price of a chip over the market's",
    "byte_price_ratio": "price of storage over the market's",
    "price_over_cost": "price over cost of all lines",
    "kind": "model",
    "tier": "caches in",
}


def _shown(value: float, dimension: str) -> str:
    if dimension == "ratio":
        return f"{value:.3g} x"
    return f"{100 * value:.3g} %" if dimension == "fraction" else show(value, dimension)
