"""``ridgeline lab feistel``: networks there and back, and tests that tell them from random permutations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

from ridgeline.cli.arguments import json_option
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.lab import STUDY
from ridgeline.cli.lab_options import count_option, seed_option
from ridgeline.cli.output import console, print_json, print_table, print_text
from ridgeline.laboratory.distinguishers import Advantage
from ridgeline.laboratory.luby_rackoff import LubyRackoff, luby_rackoff
from ridgeline.quantity_text import format_quantity

__all__ = ["command"]

CLEAR = 3
"""Standard errors from zero beyond which an advantage is said to tell something."""


@click.command("feistel", epilog=STUDY)
@count_option("--half-bits", 8, "Of a half of the words.")
@count_option("--queries", 48, "Of the test that takes as many as it is given.")
@count_option("--rounds", 5, "Of the longest network.")
@count_option("--trials", 400, "Networks of each kind, and as many random permutations.")
@seed_option
@figure_options("advantages by rounds and by queries")
@json_option
def command(
    *,
    half_bits: int,
    queries: int,
    rounds: int,
    trials: int,
    seed: int,
    figure: Path | None,
    theme: str | None,
    as_json: bool,
) -> None:
    """Invert Feistel networks, and tell them from random permutations.

    Round functions are drawn at random and have no inverse; the networks have one. Tests of Luby and Rackoff tell two
    and three rounds from a random permutation, and four they do not tell.
    """
    refuse_theme_alone(figure, theme)
    asked = {"half_bits": half_bits, "queries": queries, "rounds": rounds, "trials": trials, "seed": seed}
    found = luby_rackoff(**asked)
    if as_json:
        print_json({"inputs": asked, **asdict(found), "notes": [STUDY]})
    else:
        _print(found, queries)
    if figure is not None:
        _draw(found, asked, figure, theme)


def _print(found: LubyRackoff, queries: int) -> None:
    out = console()
    print_text(out, f"{_returned(found)} {_verdict(found.advantages)}")
    out.print()
    headers = ("kept bits", "changed bits", "rounds", "inputs of f that share an output", "words", "came back")
    rows = [
        (
            f"{one.source_bits}",
            f"{one.target_bits}",
            f"{one.rounds}",
            format_quantity(one.shared_fraction, "fraction"),
            f"{one.words:,}",
            format_quantity(one.recovered_fraction, "fraction"),
        )
        for one in found.inverted
    ]
    print_table(out, headers, rows, left=())
    out.print()
    names = list(dict.fromkeys(one.distinguisher for one in found.advantages))
    counts = sorted({one.rounds for one in found.advantages})
    told = {(one.distinguisher, one.rounds): one for one in found.advantages}
    print_text(out, "How much better than a guess a network is told from a random permutation", style="bold")
    by_rounds = ("rounds", *(f"{name} ({told[name, counts[0]].queries} queries)" for name in names))
    print_table(
        out, by_rounds, [(f"{count}", *(_said(told[name, count]) for name in names)) for count in counts], left=()
    )
    print_text(out, f"1: always told, 0: no better than a guess. {_promised(found.bounds[-1], queries)} {STUDY}")


def _promised(bound: float, queries: int) -> str:
    """Sentence on what theory says of tests that were not run."""
    if bound == 1:
        return f"Of {queries} queries theory promises nothing for halves so narrow: other tests may tell more rounds."
    return (
        f"By Luby and Rackoff's theorem no test of {queries} queries does better than {bound:.2g} on 3 rounds with"
        " plaintexts alone, or on 4 with ciphertexts too."
    )


def _returned(found: LubyRackoff) -> str:
    """Sentence on the words that came back, and on how far round functions are from having an inverse."""
    words = sum(one.words for one in found.inverted)
    back = sum(round(one.words * one.recovered_fraction) for one in found.inverted)
    shared = format_quantity(max(one.shared_fraction for one in found.inverted), "fraction")
    return (
        f"A Feistel network is undone whatever its round functions are: {back:,} of {words:,} words came back, though"
        f" up to {shared} of a function's inputs share their output with another."
    )


def _said(one: Advantage) -> str:
    return f"{one.advantage:.3f} ±{one.standard_error:.3f}"


def _verdict(advantages: Sequence[Advantage]) -> str:
    """Sentence on the most rounds that any test tells from a random permutation."""
    told = [one.rounds for one in advantages if one.advantage > CLEAR * one.standard_error]
    most = max(one.rounds for one in advantages)
    if not told:
        return f"None of these tests tells any of up to {most} rounds from a random permutation."
    beyond = " and no more" if max(told) < most else ", the most that were tried"
    return (
        f"These tests tell up to {max(told)} rounds from a random permutation{beyond} (beyond {CLEAR} standard errors)."
    )


def _draw(found: LubyRackoff, asked: dict[str, int], path: Path, theme: str | None) -> None:
    # The drawing library is an extra.
    from ridgeline.figures.lab_feistel import luby_rackoff_figure  # noqa: PLC0415

    subtitle = f"{2 * asked['half_bits']}-bit words, {asked['trials']} networks and as many permutations each"
    words = (
        "Who can tell a Feistel network from a random permutation?",
        subtitle,
        f"Bars: one standard error. {STUDY}",
    )
    draw_titled(partial(luby_rackoff_figure, found), words=words, path=path, theme=theme)
