"""What more stages bring and what they cost, each in a small frame."""

from __future__ import annotations

import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.flows import Facet, Facets
from ridgeline.boards.lecture.not_wise.not_wise import BOARD


def drawn(mode: Mode = Mode.LECTURE, **turned: float) -> Facets:
    picture = BOARD.views[0].compute(BOARD.values(mode, turned))
    assert isinstance(picture, Facets)
    return picture


def facet(found: Facets, name: str) -> Facet:
    return next(one for one in found.facets if one.name.startswith(name))


@pytest.mark.parametrize("mode", list(Mode))
def test_weights_shrink_keys_and_values_stay_and_the_rest_grows(mode: Mode) -> None:
    found = drawn(mode)
    weights, kv = facet(found, "weights").y, facet(found, "KV").y
    assert [y * x for x, y in zip(found.x, weights, strict=True)] == pytest.approx([weights[0]] * len(weights))
    assert kv == pytest.approx([kv[0]] * len(kv))
    for name in ("bubble", "vectors, a few", "vectors, all"):
        y = facet(found, name).y
        assert list(y) == sorted(y)
        assert y[0] < y[-1]
    assert facet(found, "wait").y[0] == 0


@pytest.mark.parametrize("stages", [2, 7, 16])
def test_values_are_written_at_the_chosen_number_of_stages(stages: int) -> None:
    found = drawn(stages=stages)
    assert found.x[found.chosen] == stages
    # A bubble of p - 1 in m + p - 1, with the lecture's four micro-batches.
    assert facet(found, "bubble").y[found.chosen] == pytest.approx((stages - 1) / (4 + stages - 1))
    assert all(max(one.y) <= one.top for one in found.facets)


@pytest.mark.parametrize(
    ("stages", "texts"), [(4, ("3.91 GB", "42.9 %", "12", "150")), (8, ("1.95 GB", "63.6 %", "28", "350"))]
)
def test_texts_say_what_the_equations_do(stages: int, texts: tuple[str, ...]) -> None:
    found = drawn(stages=stages)
    names = "weights", "bubble", "vectors, a few", "vectors, all"
    assert tuple(facet(found, name).text for name in names) == texts


def test_every_control_changes_a_frame() -> None:
    """In one mode at least: what computes no faster than it reads does not show its FLOP."""
    for control in BOARD.controls:
        ends = control.low, control.high
        assert any(drawn(mode, **{control.name: end}) != drawn(mode) for mode in Mode for end in ends), control.name
