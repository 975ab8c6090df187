from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from ridgeline.figures.cells import GAP
from ridgeline.figures.schedule import REST, schedule_figure
from ridgeline.figures.style import style
from ridgeline.figures.theme import THEMES
from ridgeline.training.schedules import SCHEDULES, StageTimes, play

WORDS: dict[str, Any] = {"title": "A schedule: some stages", "subtitle": "12 % idle", "foot": "Stages alike."}


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize(
    ("stages", "micro_batches", "theme"), [(4, 8, "light"), pytest.param(18, 36, "dark", marks=pytest.mark.slow)]
)
def test_words_are_legible_and_neither_touch_nor_leave_the_picture(
    name: str, stages: int, micro_batches: int, theme: str
) -> None:
    schedule = SCHEDULES[name]
    times = StageTimes(1, 1, 1, 0.1).of(schedule)
    played = play(schedule, times, stages=stages, micro_batches=micro_batches)
    figure = schedule_figure(played, **WORDS, theme=THEMES[theme])
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
    assert {part.text for part in {run.part for run in played.runs}} <= {text.get_text() for text in found}
    rows, blocks = figure.axes[0].collections  # a row's ground is seen where it idles
    assert len(rows.get_paths()) == stages
    assert [np.round(path.get_extents().extents, 2).tolist() for path in blocks.get_paths()] == [
        [round(run.start_s, 2), round(run.device + GAP, 2), round(run.end_s, 2), round(run.device + 1 - GAP, 2)]
        for run in played.runs
    ]


def test_other_chunks_are_paler() -> None:
    schedule = SCHEDULES["interleaved"]
    played = play(schedule, StageTimes(1, 1, 1, 0).of(schedule), stages=2, micro_batches=2)
    figure = schedule_figure(played, **WORDS, theme=THEMES["light"])
    _, blocks = figure.axes[0].collections
    faces = [tuple(face) for face in np.asarray(blocks.get_facecolor())]
    colours = {(run.part, run.chunk // 2, face) for run, face in zip(played.runs, faces, strict=True)}
    assert len(colours) == len({colour for _, _, colour in colours}) == 4


def test_the_axis_goes_on_to_the_end_of_the_step() -> None:
    """Past the passes lies what the step takes besides: a block in each row, named."""
    schedule = SCHEDULES["1f1b"]
    played = play(schedule, StageTimes(1, 1, 1, 0).of(schedule), stages=2, micro_batches=4)
    figure = schedule_figure(played, **WORDS, theme=THEMES["light"], step_s=played.span_s + 3)
    rows = figure.axes[0]
    assert rows.get_xlim() == (0, played.span_s + 3)
    assert rows.get_ylim() == (2, 0)
    rests = [(one.get_x(), one.get_width()) for one in rows.patches if isinstance(one, Rectangle)]
    assert rests == [(played.span_s, 3.0)] * 2
    assert REST in {text.get_text() for text in figure.findobj(Text) if isinstance(text, Text)}
    assert REST not in {
        text.get_text()
        for text in schedule_figure(played, **WORDS, theme=THEMES["light"]).findobj(Text)
        if isinstance(text, Text)
    }
