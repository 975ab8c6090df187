"""Cables of a domain, and what a torus loses: B21."""

from __future__ import annotations

import pytest

from ridgeline.boards.board import Facts, Mode
from ridgeline.boards.lecture.layouts.wires import BOARD
from ridgeline.boards.picture import Curves
from ridgeline.catalog import load_machine, load_model


def drawn(mode: Mode = Mode.LECTURE, *, view: int = 0, machine: str = "gb200-nvl72", **turned: float) -> Curves:
    facts = Facts(model=load_model("deepseek-v3"), machine=load_machine(machine))
    picture = BOARD.views[view].compute(BOARD.values(mode, turned, facts))
    assert isinstance(picture, Curves)
    return picture


def marked(picture: Curves, name: str) -> float:
    return next(one.y for one in picture.marks if one.name == name)


@pytest.mark.parametrize(("mode", "switches"), [(Mode.LECTURE, 128), (Mode.CAREFUL, 5184)])
def test_neighbours_take_half_the_cables_of_switches_at_as_many_a_chip(mode: Mode, switches: float) -> None:
    found = drawn(mode)
    assert marked(found, "cables to switches") == switches
    assert marked(found, "cables to neighbours") == switches / 2


def test_twice_the_chips_take_twice_the_cables() -> None:
    assert marked(drawn(chips=128), "cables to switches") == 2 * marked(drawn(chips=64), "cables to switches")


@pytest.mark.parametrize(("axes", "times"), [(1, 16 * 64 / 63), (3, 3 * 64 / 63)])
def test_a_torus_takes_longer(axes: float, times: float) -> None:
    assert marked(drawn(view=1, axes=axes), "chips") == pytest.approx(times)


def test_a_pod_of_tpus_has_its_own_axes_and_links() -> None:
    """TPU v4's 4,096 chips with six links each: 12,288 cables."""
    assert marked(drawn(Mode.CAREFUL, machine="tpu-v4"), "cables to neighbours") == 12288
    assert marked(drawn(Mode.CAREFUL, view=1, machine="tpu-v4"), "chips") == pytest.approx(12, rel=1e-3)
