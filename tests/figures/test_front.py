"""Pictures of what speed costs: labels lie on nothing, however crowded the fronts are."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from ridgeline.catalog import load_machine, load_model
from ridgeline.estimator.deploy import deploy
from ridgeline.figures.front import front_figure
from ridgeline.figures.pen import DOT_POINTS
from ridgeline.figures.style import DPI, style
from ridgeline.figures.theme import DARK, LIGHT, Theme
from ridgeline.planner.fronts import Front, Place, front_of_one
from ridgeline.planner.plan import plan
from ridgeline.specs.workload import Workload

RADIUS = DPI * DOT_POINTS / 2 / 72
TOUCHING = 5 * RADIUS
"""From the centre of a dot to the next, with both inside what a label keeps off: twice their size."""

USUAL = Workload(prompt_tokens=4000, output_tokens=1000)


def searched(model: str, machines: Sequence[str], chips: int, workload: Workload = USUAL) -> list[Front]:
    found = [
        front_of_one(
            name if len(machines) > 1 else "",
            plan(deploy(load_model(model), load_machine(name)), workload, chips=chips),
        )
        for name in machines
    ]
    return [one for one in found if one is not None]


def alike(count: int) -> list[Front]:
    """Fronts that begin and end close to each other."""
    found = []
    for number in range(count):
        places = tuple(
            Place(
                tokens_per_s=3.0 + 2.5 * number + 2.0 * step,
                chip_s=1.0,
                usd=1e-3 * (1 + 0.07 * number) * math.exp(0.09 * step),
                said="12 x tp4,pp2,ep36,dp36\nbatch 12,345",
            )
            for step in range(50)
        )
        found.append(Front(name=f"two pools on machine-{number}", places=places, plan=places[0]))
    return found


CASES = {
    "one": lambda: searched("deepseek-v3", ["gb200-nvl72"], 72),
    "three": lambda: searched("deepseek-v3", ["gb200-nvl72", "h200-sxm", "b200-sxm"], 32),
    "five": lambda: searched("llama-3.1-70b", ["h100-sxm", "h200-sxm", "b200-sxm", "mi300x", "tpu-v5p"], 8),
    "limited": lambda: searched(
        "llama-3.1-70b", ["h100-sxm", "b200-sxm"], 8, Workload(prompt_tokens=9, output_tokens=9, tpot_s=0.02)
    ),
    "alike": lambda: alike(5),
}


# Each case is searched and drawn once, by one worker; its geometry is that of either theme.
@pytest.fixture(
    scope="module", params=[pytest.param(one, marks=pytest.mark.xdist_group(f"front {one}")) for one in CASES]
)
def fronts(request: pytest.FixtureRequest) -> list[Front]:
    return CASES[request.param]()


@pytest.fixture(scope="module")
def figure(fronts: list[Front]) -> Figure:
    return drawn(fronts, DARK if len(fronts) == 1 else LIGHT)


def drawn(fronts: Sequence[Front], theme: Theme) -> Figure:
    figure = front_figure(fronts, title="A title", subtitle="lengths", foot="prices", output_tokens=1000, theme=theme)
    with style():
        figure.draw_without_rendering()
    return figure


@pytest.mark.slow
def test_nothing_lies_on_a_label(fronts: list[Front], figure: Figure) -> None:
    texts = [one for one in figure.findobj(Text) if isinstance(one, Text) and one.get_visible() and one.get_text()]
    boxes = {one: one.get_window_extent() for one in texts}
    for one, other in itertools.combinations(texts, 2):
        assert not boxes[one].overlaps(boxes[other]), (one.get_text(), other.get_text())
    words = [one for one in figure.axes[0].texts if one.get_text() and one.get_transform() == figure.axes[0].transAxes]
    assert len(words) >= 2 * len(fronts)
    for text in words:
        assert figure.axes[0].bbox.padded(1).containsx(boxes[text].x0), text.get_text()
        assert figure.bbox.containsx(boxes[text].x1), text.get_text()
        for line in figure.axes[0].lines:
            path = line.get_transform().transform_path(line.get_path())
            assert not path.intersects_bbox(boxes[text], filled=False), text.get_text()


@pytest.mark.slow
def test_a_leader_hides_no_other_mark(figure: Figure) -> None:
    lines = [line for line in figure.axes[0].lines if isinstance(line, Line2D)]
    dots = {dot for line in lines if line.get_marker() == "o" for dot in points_of(line)}
    leaders = [points_of(line) for line in lines if line.get_transform() == figure.axes[0].transAxes]
    assert leaders
    for label, end in leaders:
        own = min(dots, key=lambda dot: math.dist(dot, end))
        # Of dots that touch no leader can keep off both.
        if min((math.dist(own, dot) for dot in dots - {own}), default=math.inf) > TOUCHING:
            for dot in dots - {own}:
                assert distance(dot, (label, end)) > RADIUS


def distance(dot: tuple[float, float], ends: Sequence[tuple[float, float]]) -> float:
    """From a dot to a stroke."""
    (x, y), (to_x, to_y) = ends
    along = ((dot[0] - x) * (to_x - x) + (dot[1] - y) * (to_y - y)) / (math.dist(*ends) ** 2 or 1)
    part = min(max(along, 0.0), 1.0)
    return math.dist(dot, (x + part * (to_x - x), y + part * (to_y - y)))


def points_of(line: Line2D) -> list[tuple[float, float]]:
    found = line.get_transform().transform(line.get_xydata())
    return [(float(x), float(y)) for x, y in found]


@pytest.mark.slow
def test_every_plan_is_told_in_full(fronts: list[Front], figure: Figure) -> None:
    said = [text.get_text() for text in figure.axes[0].texts]
    for one in fronts:
        if one.plan is not None:
            layout, batch = one.plan.said.splitlines()
            assert any(layout in row and batch in row and "$" in row for row in said)
            assert one.name in said or "the plan" in said
