"""``ridgeline lab ddt``: S-boxes by their tables, lightest trails, and a key recovered from chosen plaintexts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from ridgeline.cli.arguments import json_option
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.lab import STUDY
from ridgeline.cli.lab_options import count_option, seed_option
from ridgeline.cli.output import console, print_json, print_table, print_text
from ridgeline.laboratory.cryptanalysis import S_BOXES, Cryptanalysis, checked_s_box, cryptanalysis
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["command"]

LEAST_POWER, MOST_POWER = 4, 16
"""Powers of two between which numbers of plaintext pairs are asked for."""


class SBoxType(click.ParamType[tuple[int, ...]]):
    """S-box as a list of numbers, decimal or hexadecimal."""

    name = "VALUES"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:  # noqa: ANN401
        """Numbers as read from text, each of those below their count once."""
        if not isinstance(value, str):
            return tuple(value)
        try:
            return checked_s_box([int(part, 0) for part in value.split(",")])
        except ValueError as error:
            self.fail(
                f"{error}" if "S-box" in f"{error}" else f"{value!r} is not a list of numbers as 0xc,5,6", param, ctx
            )


@click.command("ddt", epilog=STUDY)
@click.option(
    "--cipher",
    "ciphers",
    type=click.Choice(list(S_BOXES), case_sensitive=False),
    multiple=True,
    help="Whose S-box; may be given twice.  [default: both]",
)
@click.option("--s-box", type=SBoxType(), help="One of your own instead: 0xc,5,6,... with each value once.")
@count_option("--rounds", 4, "Of the small cipher that is attacked, from 2.")
@count_option("--most-pairs", 4096, "Pairs of plaintexts for each difference, up to 65,536.")
@count_option("--keys", 50, "Ciphers to attack, with keys of their own.")
@seed_option
@figure_options("difference tables, trails and the attack's success")
@json_option
def command(
    *,
    ciphers: tuple[str, ...],
    s_box: tuple[int, ...] | None,
    rounds: int,
    most_pairs: int,
    keys: int,
    seed: int,
    figure: Path | None,
    theme: str | None,
    as_json: bool,
) -> None:
    """Show what S-boxes give away, find the likeliest trails of a small cipher, and recover its key.

    The uniformity of an S-box is the largest entry of its difference distribution table: how many inputs share one
    change of the output. All trails of the cipher of 16 bits are searched; its last round's key is recovered from
    chosen plaintexts.
    """
    refuse_theme_alone(figure, theme)
    if ciphers and s_box is not None:
        raise click.BadParameter("give a cipher's S-box or one of your own, not both", param_hint="--s-box")
    if rounds < 2:  # noqa: PLR2004  a trail and a round to guess
        raise click.BadParameter("a trail runs through all rounds but the last; give 2 or more", param_hint="--rounds")
    if not 2**LEAST_POWER <= most_pairs <= 2**MOST_POWER:
        raise click.BadParameter(
            f"{most_pairs:,} pairs; give {2**LEAST_POWER} to {2**MOST_POWER:,}, all that a cipher of 16 bits has",
            param_hint="--most-pairs",
        )
    boxes: Mapping[str, tuple[int, ...]] = (
        {"own": s_box} if s_box is not None else {name: S_BOXES[name] for name in ciphers or S_BOXES}
    )
    powers = range(LEAST_POWER, int(most_pairs).bit_length())
    pairs = tuple(sorted({*(2**power for power in powers), most_pairs}))
    found = cryptanalysis(s_boxes=boxes, rounds=rounds, pairs=pairs, keys=keys, seed=seed)
    asked = {"s_boxes": list(boxes), "rounds": rounds, "pairs": list(pairs), "keys": keys, "seed": seed}
    if as_json:
        print_json({"inputs": asked | {"s_box": s_box}, **asdict(found), "notes": [STUDY]})
    else:
        _print(found, rounds)
    if figure is not None:
        _draw(found, boxes, rounds, figure, theme)


def _print(found: Cryptanalysis, rounds: int) -> None:
    out = console()
    print_text(out, _answer(found, rounds))
    out.print()
    rows = [
        (
            one.name,
            f"{one.inputs}",
            f"{one.uniformity}",
            f"{one.likeliest_fraction:.4g}",
            f"{one.linearity}",
            f"{one.largest_correlation:.4g}",
        )
        for one in found.ciphers
    ]
    headers = ("S-box", "inputs", "uniformity", "likeliest change", "linearity", "largest correlation")
    print_table(out, headers, rows)
    out.print()
    print_text(out, "The likeliest trails of a cipher of 16 bits with PRESENT's S-box, by exact search", style="bold")
    print_table(
        out,
        ("rounds", "from", "to", "trail", "all trails", "counted", "parities' correlation", "AES: active S-boxes"),
        [
            (
                f"{one.rounds}",
                f"{one.differences[0]:04x}",
                f"{one.differences[-1]:04x}",
                _chance(one.trail_chance),
                _chance(one.end_chance),
                _chance(one.measured_chance),
                _chance(one.parity_correlation),
                f"{active}",
            )
            for one, active in zip(found.trails, found.aes_active_s_boxes, strict=False)
        ],
        left=(),
        spare=(1, 2),
    )
    out.print()
    print_text(out, f"The last key of {rounds} rounds of that cipher, from chosen plaintexts", style="bold")
    print_table(
        out,
        ("plaintexts", "right pairs", "recovered"),
        [
            (
                f"{one.chosen_plaintexts:,}",
                f"{one.right_pairs:.2g}",
                f"{format_quantity(one.success_fraction, 'fraction')} ±{100 * one.standard_error:.0f}",
            )
            for one in found.recoveries
        ],
        left=(),
    )
    print_text(out, STUDY)


HALF = 0.5
"""Fraction of keys recovered from which a key is said to be given away."""


def _answer(found: Cryptanalysis, rounds: int) -> str:
    """Sentences on what the S-boxes give away, and on what it takes to recover a key."""
    boxes = ", ".join(f"{one.name} {one.uniformity} of {one.inputs}" for one in found.ciphers)
    needed = [one for one in found.recoveries if one.success_fraction >= HALF]
    key = f"the last key of a small cipher of {rounds} rounds"
    recovered = (
        f"{key} is recovered from {needed[0].chosen_plaintexts:,} of them in"
        f" {format_quantity(needed[0].success_fraction, 'fraction')} of trials"
        if needed
        else f"{key} is recovered in less than half of trials from {found.recoveries[-1].chosen_plaintexts:,} of them"
    )
    return (
        f"An S-box turns a change of its input into its likeliest change for so many inputs: {boxes}. Rounds multiply"
        f" such chances: a trail has {_chance(found.trails[0].trail_chance)} after one round,"
        f" {_chance(found.trails[-1].trail_chance)} after {found.trails[-1].rounds}. By chosen plaintexts {recovered}."
    )


def _chance(value: float) -> str:
    return format_number(value, 2)


def _draw(
    found: Cryptanalysis, boxes: Mapping[str, tuple[int, ...]], rounds: int, path: Path, theme: str | None
) -> None:
    # The drawing library is an extra.
    from ridgeline.figures.lab_ddt import cryptanalysis_figure  # noqa: PLC0415

    name, table = list(boxes.items())[-1]
    words = (
        "A cipher differentiated: which change of the input gives which of the output",
        f"{name}'s S-box; a cipher of 16 bits with PRESENT's, whose last key of {rounds} rounds is recovered",
        f"Trails by exact search, over independent round keys. Bars: one standard error. {STUDY}",
    )
    draw_titled(partial(cryptanalysis_figure, found, table), words=words, path=path, theme=theme)
