from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from ridgeline.figures.lab_adversarial import adversarial_figure
from ridgeline.figures.lab_avalanche import avalanche_figure, matrix_figure
from ridgeline.figures.lab_ddt import cryptanalysis_figure
from ridgeline.figures.lab_duality import duality_figure
from ridgeline.figures.lab_feistel import luby_rackoff_figure
from ridgeline.figures.lab_reversible import comparison_figure
from ridgeline.figures.style import style
from ridgeline.figures.theme import THEMES, Theme
from ridgeline.laboratory.adversarial import adversarial
from ridgeline.laboratory.avalanches import avalanches
from ridgeline.laboratory.cryptanalysis import S_BOXES, cryptanalysis
from ridgeline.laboratory.duality import dual_prices
from ridgeline.laboratory.judged import learned
from ridgeline.laboratory.luby_rackoff import luby_rackoff
from ridgeline.laboratory.reversible import Comparison, OfForm

WORDS = {"title": "An experiment", "subtitle": "with some numbers", "foot": "For study."}


def compared() -> Comparison:
    """As a run gives them."""
    forms = [
        ("plain", (13e6, 47e6), 1.0),
        ("checkpointed", (3.5e6, 5e6), 1.23),
        ("reversible", (2.1e6, 2.1e6), 1.32),
    ]
    return Comparison(
        device="cpu",
        layers=(4, 16),
        forms=tuple(
            OfForm(
                form=name,
                temporary_bytes=held,
                flop=ratio * 1e9,
                flop_ratio=ratio,
                gradient_time_s=0.01,
                time_ratio=1.0,
                gradient_error=0.0,
                first_loss=2.0,
                last_loss=1.0,
                peak_bytes=None,
            )
            for name, held, ratio in forms
        ),
        expected_flop_ratio=4 / 3,
        entropy=0.7,
        inversions=(),
    )


def drawn_avalanche(theme: Theme) -> Figure:
    found = avalanches(layers=8, steps=20, samples=2)
    return avalanche_figure(found, learned(rounds=2, steps=10), **WORDS, theme=theme)


FIGURES: dict[str, Callable[[Theme], Figure]] = {
    "reversible": lambda theme: comparison_figure(compared(), **WORDS, theme=theme),
    "feistel": lambda theme: luby_rackoff_figure(luby_rackoff(trials=20), **WORDS, theme=theme),
    "ddt of PRESENT": lambda theme: cryptanalysis_figure(
        cryptanalysis(keys=4), S_BOXES["PRESENT"], **WORDS, theme=theme
    ),
    "ddt of AES": lambda theme: cryptanalysis_figure(cryptanalysis(keys=4), S_BOXES["AES"], **WORDS, theme=theme),
    "duality": lambda theme: duality_figure(dual_prices(), **WORDS, theme=theme),
    "adversarial": lambda theme: adversarial_figure(adversarial(steps=150), **WORDS, theme=theme),
    "avalanche": drawn_avalanche,
    "matrix": lambda theme: matrix_figure(avalanches(layers=1, steps=1, samples=2)[0], 1, **WORDS, theme=theme),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "reversible" else pytest.mark.slow) for name in FIGURES]
)
def test_words_are_legible_and_neither_touch_nor_leave_the_picture(name: str) -> None:
    figure = FIGURES[name](THEMES["light"])
    with style():
        figure.draw_without_rendering()
    found = [one for one in figure.findobj(Text) if isinstance(one, Text) and one.get_visible() and one.get_text()]
    boxes = [(text, text.get_window_extent()) for text in found]
    for text, box in boxes:
        assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0 < box.y1 <= figure.bbox.y1, text
    for (text, box), (other, other_box) in itertools.combinations(boxes, 2):
        assert not box.overlaps(other_box), (text, other)
    assert min(float(text.get_fontsize()) for text in found) >= 12
