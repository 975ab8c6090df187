"""Recipes: what they make of bytes, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from ridgeline.errors import RidgelineError
from ridgeline.training.recipe import Recipe
from ridgeline.training.recompute import Recompute


@pytest.mark.parametrize("text", ["none", "full", "reversible", "selective:core_attn", "selective:core_attn+layernorm"])
def test_a_mode_is_read_as_it_is_written(text: str) -> None:
    assert str(Recompute.from_text(text)) == text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"dispatcher": "mail"}, "dispatcher='mail' is not one of"),
        ({"routing": "even"}, "routing='even' is not one of balanced, natural"),
        ({"weights": "fp9"}, "fp9"),
        ({"scaling": "none"}, "scaling"),
    ],
)
def test_what_is_not_known_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(RidgelineError, match=said):
        Recipe(**given)


@pytest.mark.parametrize("text", ["some", "full:mlp", "selective:head"])
def test_a_mode_that_is_not_known_is_refused(text: str) -> None:
    with pytest.raises(RidgelineError, match="recompute"):
        Recompute.from_text(text)


def test_mixed_precision_keeps_eighteen_bytes_a_parameter() -> None:
    """A weight of 2, a gradient of 4, a master copy and two moments of 4 each: Rajbhandari et al. 2019, section 3.1."""
    recipe = Recipe()
    assert recipe.weight_bytes + recipe.gradient_bytes + recipe.state_bytes == 18
    assert Recipe(master="bf16", moments="bf16").state_bytes == 4
