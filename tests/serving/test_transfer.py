"""Links over which a KV cache moves from one pool to the other."""

from __future__ import annotations

import dataclasses

import pytest

from ridgeline.serving.transfer import cache_move_s, level_between
from ridgeline.specs.layout import Layout
from ridgeline.verbs import deploy

ONE = Layout()


@pytest.mark.parametrize(
    ("machine", "chips", "level"),
    [
        ("h100-sxm", 2, "scale_up"),
        ("h100-sxm", 8, "scale_up"),
        ("h100-sxm", 9, "scale_out"),
        ("gb200-nvl72", 72, "scale_up"),
        ("gb200-nvl72", 73, "scale_out"),
        ("gh200", 2, "scale_out"),
    ],
)
def test_caches_move_over_the_innermost_links_that_join_both_pools(machine: str, chips: int, level: str) -> None:
    one = deploy("llama-3.1-8b", machine)
    found = level_between(one, one, chips)
    assert found.name == level
    (expected,) = (each for each in one.machine.fabric if each.name == level)
    assert found == expected


def test_of_more_chips_than_any_domain_has_the_outermost_links_count() -> None:
    one = deploy("llama-3.1-8b", "rubin-ultra-nvl576")
    fabric = one.machine.fabric
    assert level_between(one, one, 10**6) == fabric[-1]
    inner = [level for level in fabric if level.chips is not None]
    assert [level_between(one, one, level.chips or 0) for level in inner] == inner


def test_pools_on_two_machines_are_joined_by_the_slower_outermost_links() -> None:
    slow, fast = (deploy("llama-3.1-8b", name) for name in ("h100-sxm", "gb300-nvl72"))
    assert slow.machine.fabric[-1].bytes_per_s < fast.machine.fabric[-1].bytes_per_s
    times = {cache_move_s(*pair, 1000.0, chips=2) for pair in ((fast, slow), (slow, fast))}
    assert times == {cache_move_s(slow, slow, 1000.0, chips=100)}


def test_a_move_is_faster_inside_by_as_much_as_its_links_are() -> None:
    one = deploy("llama-3.1-8b", "gb200-nvl72")
    up, *_, out = one.machine.fabric
    inside, outside = (cache_move_s(one, one, 1000.0, chips=chips) for chips in (72, 144))
    assert outside / inside == pytest.approx(up.bytes_per_s / out.bytes_per_s, rel=1e-12)


def test_a_prompt_moves_over_the_links_of_its_own_group() -> None:
    groups = Layout(dp=8)
    one = deploy("llama-3.1-8b", "h100-sxm")
    many = dataclasses.replace(one, layout=groups)
    assert cache_move_s(many, many, 1000.0, chips=64) == cache_move_s(one, one, 1000.0, chips=64)
    wide = dataclasses.replace(one, layout=Layout(tp=8))
    assert cache_move_s(wide, wide, 1000.0, chips=64) == cache_move_s(one, one, 1000.0, chips=64) / 8
