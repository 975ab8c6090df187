"""The board of all models' KV bytes, and the shapes behind it."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.boards.board import Mode
from ridgeline.boards.lecture.prices.kv_bytes import BOARD
from ridgeline.boards.lecture.prices.shapes import KINDS, kind_of, shape_kv_bytes, shapes
from ridgeline.boards.picture import Colour, Curves
from ridgeline.catalog import load_model, model_ids

STEP = 200e3


def drawn(mode: Mode = Mode.LECTURE, **turned: float) -> Curves:
    (picture,) = BOARD.pictures(BOARD.values(mode, turned))
    assert isinstance(picture, Curves)
    return picture


def test_every_model_of_the_catalog_is_a_dot_inside_and_is_named_once() -> None:
    found = drawn()
    assert sum(len(dots.x) for dots in found.dots) == len(model_ids())
    names = [name for dots in found.dots for label in dots.labels if label for name in label.split(", ")]
    assert len(set(names)) == len(names) == len(model_ids())
    for dots in found.dots:
        assert found.x[0] < dots.x.min() <= dots.x.max() < found.x[-1]
        assert found.bottom is not None
        assert found.top is not None
        assert found.bottom < dots.y.min() <= dots.y.max() < found.top


def test_the_line_is_the_lectures_at_a_hundred_billion() -> None:
    """D3: 1,667 bytes."""
    (mark,) = drawn().marks
    assert (mark.x, mark.y) == pytest.approx((100e9, 5000 / 3))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("gpt3-175b", "MHA"),
        ("llama-3.1-70b", "GQA"),
        ("palm-540b", "MQA"),
        ("deepseek-v3", "MLA"),
        ("gemma-3-27b", "windows"),
        ("mistral-7b", "windows"),
        ("qwen3.5-397b-a17b", "windows"),
        ("deepseek-v3.2", "sparse"),
        ("deepseek-v4-pro", "sparse"),
    ],
)
def test_models_are_of_their_published_kind(name: str, kind: str) -> None:
    assert kind_of(load_model(name)).short == kind


def test_each_kind_has_models_and_a_colour_or_a_place_of_its_own() -> None:
    """What reads all keys and values has their colour, as on other boards; those kinds are told apart by how much."""
    there = shapes(STEP)
    assert {one.kind for one in there} == set(KINDS)
    dense = {"MLA", "MQA", "GQA", "MHA"}
    assert {kind.short for kind in KINDS if kind.colour is Colour.KV} == dense
    others = [kind.colour for kind in KINDS if kind.short not in dense]
    assert len(set(others)) == len(others)
    most, least = ([one.read_bytes for one in there if one.kind.short == kind] for kind in ("MHA", "MQA"))
    assert max(least) < min(most) / 3


def test_dense_models_read_all_that_they_keep_and_sparse_ones_less() -> None:
    """A read of states counts twice, since they are written back."""
    for one in shapes(STEP):
        if one.kind.short == "sparse":
            assert one.read_bytes < 0.2 * one.kept_bytes, one.model.id
        elif one.kind.short != "windows":
            assert one.read_bytes == pytest.approx(one.kept_bytes), one.model.id


def test_only_sparse_models_come_to_what_the_price_gives_away() -> None:
    """D4, D19: all that read everything keep at least ten times 2 kB, but for one of windows alone, and states."""
    low = {one.model.id for one in shapes(STEP) if one.read_bytes < 2e3}
    assert low == {"deepseek-v4-flash", "deepseek-v4-pro"}
    kept = {one.model.id: one.kept_bytes for one in shapes(STEP) if one.kind.short != "sparse"}
    del kept["mistral-7b"]
    few = [kept.pop(name) for name in list(kept) if name.startswith(("nemotron-3-", "nemotron-3.5-"))]
    assert 3 * 2e3 < min(few) < 10 * 2e3 < min(kept.values())
    assert max(kept.values()) / 2048 == pytest.approx(6400)  # 128 layers of 160 heads of 160, over 8 of 128


def test_the_boards_product_is_the_catalogs() -> None:
    """Llama-3.1-70B: 80 layers, 8 heads of 128, two bytes a value; at 8 bits in one layer, 2,048."""
    assert shape_kv_bytes(layers=80, kv_heads=8, head_dim=128, bytes_per_value=2) == 327_680
    assert shape_kv_bytes(layers=1, kv_heads=8, head_dim=128, bytes_per_value=1) == 2048
    (llama,) = (one for one in shapes(STEP) if one.model.id == "llama-3.1-70b")
    assert llama.kept_bytes == pytest.approx(327_680)


def test_longer_contexts_leave_a_smaller_part_to_windows_and_choices() -> None:
    short, long = ({dots.name: np.sort(dots.y) for dots in drawn(context_tokens=tokens).dots} for tokens in (1e4, 1e6))
    assert short.keys() == long.keys()
    for name, before in short.items():
        assert np.all(long[name] <= before * (1 + 1e-9)), name  # rounding
