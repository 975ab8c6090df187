from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ridgeline.equations import activations


@given(st.integers(1, 500), st.floats(0.01, 1.0))
def test_no_interval_beats_two_roots(layers: int, kept_fraction: float) -> None:
    peaks = [
        activations.checkpointed_peak_layers(layers=layers, interval=interval, kept_fraction=kept_fraction)
        for interval in range(1, layers + 1)
    ]
    assert min(peaks) >= 2 * (kept_fraction * layers) ** 0.5 * (1 - 1e-12)


@given(st.integers(1, 500), st.floats(0, 1))
def test_a_partly_reversible_stack_lies_between_one_layer_and_all(layers: int, part: float) -> None:
    found = activations.partly_reversible_peak_layers(layers=layers, reversible_fraction=part)
    assert 1 - 1e-9 <= found <= layers + 1e-9
