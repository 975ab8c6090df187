from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations import activations
from ridgeline.laboratory import networks


@given(st.integers(1, 200))
def test_a_reversible_stack_keeps_one_layer_and_a_plain_one_all(layers: int) -> None:
    plain = networks.activations_alive_plain(layers=layers)
    reversible = networks.activations_alive_reversible(layers=layers)
    assert (max(plain), plain[0], plain[-1]) == (layers, 1, 1)
    assert plain == plain[::-1]  # what a step forward leaves, its step backward needs
    assert set(reversible) == {1}
    assert len(plain) == len(reversible) == 2 * layers


@given(st.integers(1, 50), st.integers(1, 50))
def test_stacks_are_counted_at_one_moment(layers: int, interval: int) -> None:
    """During a step: checkpoints that cost nothing and stand at every layer leave one alive, as a reversible stack
    does; with one interval for all layers, the way back is a plain stack's."""
    free = networks.activations_alive_checkpointed(layers=layers, interval=1, kept_fraction=0.0)
    assert free == networks.activations_alive_reversible(layers=layers)
    whole = networks.activations_alive_checkpointed(layers=layers, interval=layers + interval, kept_fraction=0.0)
    assert whole[layers:] == networks.activations_alive_plain(layers=layers)[layers:]


@given(st.integers(1, 12), st.integers(1, 8), st.floats(0.01, 1.0))
def test_checkpoints_peak_as_the_closed_form_and_undercut_a_plain_stack(
    intervals: int, interval: int, kept_fraction: float
) -> None:
    layers = intervals * interval
    alive = networks.activations_alive_checkpointed(layers=layers, interval=interval, kept_fraction=kept_fraction)
    peak = activations.checkpointed_peak_layers(layers=layers, interval=interval, kept_fraction=kept_fraction)
    assert max(alive) == pytest.approx(peak)
    assert len(alive) == 2 * layers
    assert peak <= layers + kept_fraction * intervals + 1e-9
