"""``ridgeline lab adversarial``: small changes that turn what a trained network sees, beside a cipher's avalanche."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import click

from ridgeline.cli.arguments import json_option
from ridgeline.cli.figure import draw_titled, figure_options, refuse_theme_alone
from ridgeline.cli.lab import STUDY
from ridgeline.cli.lab_options import SHARE, count_option, network_options, seed_option
from ridgeline.cli.output import console, print_json, print_table, print_text
from ridgeline.laboratory.adversarial import Adversarial, adversarial
from ridgeline.quantity_text import format_quantity

__all__ = ["command"]

FOOT = (
    "Apart: 1 is the distance between unrelated inputs at the same depth. Foretold: the cosine between a difference and"
    " the derivative, or the chance of a cipher's likeliest difference."
)


@click.command("adversarial", epilog=STUDY)
@network_options
@click.option(
    "--epsilon",
    type=SHARE,
    default=0.1,
    show_default=True,
    help="Change of every dot that is followed through the layers, in ink.",
)
@count_option("--rounds", 8, "Of the cipher beside.")
@seed_option
@figure_options("the attack's success and how differences spread")
@json_option
def command(
    *,
    layers: int,
    steps: int,
    epsilon: float,
    rounds: int,
    seed: int,
    figure: Path | None,
    theme: str | None,
    as_json: bool,
) -> None:
    """Attack trained networks with their gradients' signs, and follow small changes through them and through a cipher.

    Four classifiers of digits: plain, with norms, with residual connections, with both. Beside the attack stands the
    same change with random signs.
    """
    refuse_theme_alone(figure, theme)
    asked = {"layers": layers, "steps": steps, "epsilon": epsilon, "rounds": rounds, "seed": seed}
    found = adversarial(layers=layers, steps=steps, epsilon=epsilon, rounds=rounds, seed=seed)
    if as_json:
        print_json({"inputs": asked, **asdict(found), "notes": [STUDY]})
    else:
        _print(found)
    if figure is not None:
        _draw(found, figure, theme)


def _print(found: Adversarial) -> None:
    out = console()
    print_text(out, _answer(found))
    out.print()
    print_text(out, "Change of every dot that turns half of the images", style="bold")
    print_table(
        out,
        ("network", "right", "stretch", "gradient's signs", "random signs", "ratio"),
        [
            (
                one.network,
                f"{100 * one.accuracy_fraction:.1f} %",
                f"{one.stretch:.3g}",
                _ink(one.half_gradient),
                _ink(one.half_random),
                ""
                if one.half_gradient is None or one.half_random is None
                else f"{one.half_random / one.half_gradient:.2g}x",
            )
            for one in found.attacked
        ],
    )
    out.print()
    head = f"A change of {format_quantity(found.epsilon, 'fraction')} of ink, or one bit, on its way"
    print_text(out, head, style="bold")
    print_table(
        out,
        ("through", "change", "apart at first", "apart at the end", "foretold by the derivative"),
        [
            (
                one.name,
                one.change,
                f"{one.distance_fraction[0]:.2f}",
                f"{one.distance_fraction[-1]:.2f}",
                f"{one.foretold_fraction[-1]:.2g}",
            )
            for one in found.propagated
        ],
        left=(0, 1),
    )
    print_text(
        out,
        f"{FOOT} {STUDY}",
        style="dim",
    )


def _answer(found: Adversarial) -> str:
    """Sentences on the change that the attack needs, and on what derivatives foretell."""
    gradient = [one.half_gradient for one in found.attacked if one.half_gradient is not None]
    *networks, cipher = found.propagated
    foretold = [one.foretold_fraction[-1] for one in networks]
    needed = (
        f"{_between(gradient, '.2g')} of ink more or less on every dot, by its signs, turns half of the images"
        if gradient
        else "no change that was tried, by its signs, turns half of the images"
    )
    return (
        f"A trained network can be steered because its gradient foretells it: {needed}. After the last layer the"
        f" derivative still points along the true difference (cosine {_between(foretold, '.2f')}); after"
        f" {len(cipher.foretold_fraction) - 1} rounds of a cipher even the likeliest difference has a chance of only"
        f" {cipher.foretold_fraction[-1]:.2g}."
    )


def _between(values: Sequence[float], form: str) -> str:
    return f"{min(values):{form}} to {max(values):{form}}"


def _ink(value: float | None) -> str:
    return "none of those tried" if value is None else f"{value:.3f}"


def _draw(found: Adversarial, path: Path, theme: str | None) -> None:
    # The drawing library is an extra.
    from ridgeline.figures.lab_adversarial import adversarial_figure  # noqa: PLC0415

    words = (
        "An adversarial example is an avalanche in a network",
        f"Classifiers of digits; changes of {found.epsilon:g} of ink on every dot, or of one bit of a cipher's 16",
        f"{FOOT} {STUDY}",
    )
    draw_titled(partial(adversarial_figure, found), words=words, path=path, theme=theme)
