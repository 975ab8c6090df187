"""Small pictures of boards: each is drawn, stays small, and has its board's own lines."""

from __future__ import annotations

import gzip
import json
import re

import pytest
from tests.each import of_each

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture import BOARDS, board
from ridgeline.boards.lecture.featured import FEATURED, PICTURED
from ridgeline.boards.picture import Curves
from ridgeline.boards.thumbnails import HEIGHT, WIDTH, Look, thumbnail
from ridgeline.web.thumbnails import thumbnails_document

MOST_BYTES = 10_000
"""Size of all of them as sent: a tenth of what the first load may weigh."""
COMMANDS = re.compile(r"([MlhvHVza])([^MlhvHVza]*)")


def points(path: str) -> list[tuple[float, float]]:
    """Corners of a path."""
    found, x, y = [], 0.0, 0.0
    for command, text in COMMANDS.findall(path):
        numbers = [float(one) for one in re.findall(r"-?\d+", text)]
        if command == "M":
            x, y = numbers
            found.append((x, y))
        elif command == "l":
            for across, down in zip(numbers[::2], numbers[1::2], strict=True):
                x, y = x + across, y + down
                found.append((x, y))
        elif command == "a":
            x, y = x + numbers[-2], y + numbers[-1]
            found.append((x, y))
        elif command in "hv":
            x, y = (x + numbers[0], y) if command == "h" else (x, y + numbers[0])
            found.append((x, y))
    return found


@of_each("name", [one.name for one in BOARDS])
def test_each_is_drawn_on_its_sheet(name: str) -> None:
    strokes = thumbnail(board(name), PICTURED.get(name, 0))
    corners = [corner for stroke in strokes for corner in points(stroke.path)]
    assert sum(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in corners) >= 4
    # Something is seen of most of its width and of a third of its height.
    inside = [(x, y) for x, y in corners if 0 <= y <= HEIGHT]
    assert max(x for x, _ in inside) - min(x for x, _ in inside) > WIDTH / 2
    assert max(y for _, y in inside) - min(y for _, y in inside) > HEIGHT / 3


def test_lines_are_the_boards_own() -> None:
    """The bold line of the cost board lies where the board's frame has it."""
    one = board("cost")
    view = one.views[0]
    picture = view.compute(one.values(Mode.CAREFUL))
    assert isinstance(picture, Curves)
    (bold,) = (stroke for stroke in thumbnail(one) if stroke.look is Look.BOLD)
    (line,) = (each for each in picture.lines if each.is_bold)
    low, high = picture.ends(view.y)
    ends = points(bold.path)[0], points(bold.path)[-1]
    for (_, y), usd in zip(ends, (line.y[0], line.y[-1]), strict=True):
        assert low * (high / low) ** (1 - y / HEIGHT) == pytest.approx(usd, rel=0.03)  # half a unit of the sheet


def test_all_of_them_are_sent_in_little() -> None:
    text = json.dumps(thumbnails_document(), separators=(",", ":")).encode()
    assert len(gzip.compress(text)) < MOST_BYTES


def test_featured_boards_are_boards_in_their_order() -> None:
    names = [one.name for one in BOARDS]
    assert sorted(FEATURED, key=names.index) == list(FEATURED)
