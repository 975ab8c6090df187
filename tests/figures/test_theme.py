from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from numpy.typing import NDArray
from tests.each import of_each

from ridgeline.boards.picture import Colour
from ridgeline.figures.theme import THEMES, Theme

LINES = ("ink", "compute", "weights", "kv", "links", "estimate")
"""That share pictures."""
SUBJECTS = (*(colour.value for colour in Colour), "estimate")
"""Colours of boards, and that of a guess."""
COLOURS = (*SUBJECTS, "right", "wrong")
CHALK = Path(__file__).parents[2] / "page" / "src" / "shell" / "chalk.css"
VISIONS = {
    "all colours": np.eye(3),
    # Machado, Oliveira and Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency".
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "no blue": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}


def linear(colour: str) -> NDArray[np.float64]:
    part = np.array(to_rgb(colour))
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(np.maximum(to_xyz @ np.clip(rgb, 0, 1) / [0.9505, 1, 1.089], 1e-6))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@of_each("theme", THEMES.values(), ids=lambda theme: theme.name)
@of_each("name", COLOURS)
def test_every_colour_reads_as_text(theme: Theme, name: str) -> None:
    """WCAG 2, level AA: 4.5 to 1, on all that may lie behind it."""
    on_interval = {"estimate", "ink"}  # what is written inside the panels
    for behind in (theme.background, theme.beyond, *([theme.interval] if name in on_interval else [])):
        darker, lighter = sorted((luminance(getattr(theme, name)), luminance(behind)))
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def _contrast(one: str | tuple[float, ...], other: str) -> float:
    darker, lighter = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))  # type: ignore[arg-type]
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize(("part", "name"), [("heavy", "weights"), ("heavier", "also")])
def test_areas_that_are_lightened_are_seen_and_written_on(part: str, name: str) -> None:
    """WCAG 2, level AA: 3 to 1 for what is drawn, and 4.5 to 1 for words in the background's colour upon it."""
    (opacity,) = set(re.findall(rf"--{part}: ([\d.]+);", CHALK.read_text(encoding="utf-8")))
    light = THEMES["light"]
    own, behind = (np.array(to_rgb(colour)) for colour in (getattr(light, name), light.background))
    area = tuple(float(opacity) * own + (1 - float(opacity)) * behind)
    assert _contrast(area, light.beyond) >= 3
    assert _contrast(area, light.background) >= 4.5


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize("vision", VISIONS)
def test_lines_can_be_told_apart_by_everyone(theme: Theme, vision: str) -> None:
    """Ten times the difference that is just noticed, about 2.3, would be 23; names and dashes help besides."""
    for one, other in itertools.combinations(SUBJECTS, 2):
        seen = [lab(VISIONS[vision] @ linear(getattr(theme, name))) for name in (one, other)]
        least = 20 if {one, other} <= set(LINES) else 14
        assert np.linalg.norm(seen[0] - seen[1]) >= least, (one, other)
