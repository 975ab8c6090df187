"""``ridgeline lab avalanche``: how far one changed bit reaches in ciphers and in networks, and what networks learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from ridgeline.cli.arguments import json_option
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.lab import STUDY
from ridgeline.cli.lab_options import count_option, network_options, seed_option
from ridgeline.cli.output import console, percent, print_json, print_table, print_text
from ridgeline.laboratory.avalanches import Avalanche, avalanches, find_avalanche
from ridgeline.laboratory.judged import Judged, Learned, judged, learned
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["command"]


@click.command("avalanche", epilog=STUDY)
@network_options
@count_option("--samples", 32, "Inputs, each with each of its bits changed.")
@count_option("--rounds", 5, "Of the longest cipher that a network is to learn.")
@click.option("--matrix", "name", metavar="NAME", help='Of which --figure draws the matrix: AES, "trained plain".')
@click.option("--after", type=click.IntRange(0), help="Rounds or layers before that.  [default: all]")
@seed_option
@figure_options("how far a changed bit reaches, and where learning stops")
@json_option
def command(
    *,
    layers: int,
    steps: int,
    samples: int,
    rounds: int,
    name: str | None,
    after: int | None,
    seed: int,
    figure: Path | None,
    theme: str | None,
    as_json: bool,
) -> None:
    """Follow one changed bit through ciphers and networks, judge networks as ciphers, and let one learn a cipher.

    A cipher wants each bit of the input to change each of the output half of the time; a network is trained to keep
    what it is shown in sight.
    """
    refuse_theme_alone(figure, theme)
    if after is not None and name is None:
        raise click.BadParameter("of which matrix? add --matrix NAME", param_hint="--after")
    asked = {"layers": layers, "steps": steps, "samples": samples, "rounds": rounds, "seed": seed}
    found = avalanches(layers=layers, steps=steps, samples=samples, seed=seed)
    chosen = None if name is None else find_avalanche(found, name, after or 0)
    place = after if after is not None or chosen is None else len(chosen.matrices) - 1
    stood, told = judged(seed=seed), learned(rounds=rounds, seed=seed)
    if as_json:
        document = {
            "inputs": asked | {"matrix": name, "after": place},
            "avalanches": [_document(one) for one in found],
            "matrix": None if chosen is None or place is None else chosen.matrices[place].tolist(),
            "judged": list(map(asdict, stood)),
            "learned": list(map(asdict, told)),
        }
        print_json(document | {"notes": [STUDY]})
    else:
        _print(found, stood, told)
    if figure is not None:
        _draw(found, told, samples, chosen, place, figure, theme)


CLEAR = 4
"""Standard errors from a guess beyond which bits are said to be foretold."""


def _answer(found: Sequence[Avalanche], told: Sequence[Learned]) -> str:
    """Sentences on a bit's reach in ciphers and trained networks, and on the rounds up to which a network learns."""
    ciphers, trained = (
        [one.changed_fraction[-1] for one in found if one.kind == kind] for kind in ("cipher", "trained network")
    )
    learned_rounds = [one.rounds for one in told if one.right_fraction - 0.5 > CLEAR * one.standard_error]
    return (
        f"One changed bit of the input ends up changing {percent(min(ciphers))} to {percent(max(ciphers))} of a"
        f" cipher's output bits, and {percent(min(trained))} to {percent(max(trained))} of a trained network's: a"
        " cipher hides its input, a network keeps it recognisable. A network learns to foretell a cipher of up to"
        f" {max(learned_rounds, default=0)} rounds better than by guessing, of {told[-1].rounds} that were tried."
    )


def _document(one: Avalanche) -> dict[str, Any]:
    """JSON document of an avalanche, but for the matrices, of which one is printed where it is asked for."""
    return {key: value for key, value in asdict(one).items() if key != "matrices"}


def _print(found: Sequence[Avalanche], stood: Sequence[Judged], told: Sequence[Learned]) -> None:
    out = console()
    print_text(out, _answer(found, told))
    out.print()
    print_text(out, "Part of the output's bits that one changed bit of the input changes", style="bold")
    print_table(
        out,
        ("", "of", "bits", "after 1", "2", "4", "at the end", "from 1/2, by bit", "stretch"),
        [
            (
                one.name,
                one.kind,
                f"{one.bits}",
                *(f"{one.changed_fraction[place]:.3f}" for place in (1, 2, 4) if place < len(one.changed_fraction)),
                *("" for place in (1, 2, 4) if place >= len(one.changed_fraction)),
                f"{one.changed_fraction[-1]:.3f}",
                f"{one.deviation[-1]:.3f}",
                "-" if one.stretch is None else f"{one.stretch[-1]:.3g}",
            )
            for one in found
        ],
        left=(0, 1),
        spare=(2,),
    )
    print_text(
        out,
        "from 1/2, by bit: of the chances that each bit changes each; coins would show"
        f" {found[0].chance_deviation:.3f}. stretch: of a small change, at most",
        style="dim",
    )
    out.print()
    print_text(out, "Judged as ciphers of 16 bits", style="bold")
    print_table(
        out,
        ("", "outputs that differ", "bits changed", "worst bit from 1/2", "likeliest difference", "correlation"),
        [
            (
                one.name,
                format_quantity(one.distinct_fraction, "fraction"),
                f"{one.changed_fraction:.3f}",
                f"{one.worst_bit:.3f}",
                format_number(one.likeliest_difference, 2),
                f"{one.largest_correlation:.3f}",
            )
            for one in stood
        ],
    )
    out.print()
    print_text(out, "Learned from texts of a cipher of 16 bits with one key", style="bold")
    print_table(
        out,
        ("rounds", "bits foretold", "the best of them"),
        [
            (f"{one.rounds}", f"{100 * one.right_fraction:.1f} %", f"{100 * one.best_bit_fraction:.1f} %")
            for one in told
        ],
        left=(),
    )
    print_text(out, f"Guessing foretells 50 ±{100 * told[0].standard_error:.1f} %. {STUDY}")


def _draw(
    found: Sequence[Avalanche],
    told: Sequence[Learned],
    samples: int,
    chosen: Avalanche | None,
    place: int | None,
    path: Path,
    theme: str | None,
) -> None:
    # The drawing library is an extra.
    from ridgeline.figures.lab_avalanche import avalanche_figure, matrix_figure  # noqa: PLC0415

    words = (
        "How far one changed bit reaches",
        f"{samples} inputs with each of their bits changed; a network's bit: whether a value lies above its median",
        f"Networks 64 wide, trained on digits of 8 by 8 dots; learned: a cipher of 16 bits with one key. {STUDY}",
    )
    if chosen is not None and place is not None:
        make: Callable[..., Any] = partial(matrix_figure, chosen, place)
    else:
        make = partial(avalanche_figure, found, told)
    draw_titled(make, words=words, path=path, theme=theme)
