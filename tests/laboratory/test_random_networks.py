from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from ridgeline.laboratory import random_networks

WIDTH, LAYERS = 32, 6

Step = Callable[[random_networks.Floats, random_networks.Floats], random_networks.Floats]


def weights() -> random_networks.Floats:
    return random_networks.random_weights(layers=LAYERS, width=WIDTH, seed=5)


def signs(inputs: int) -> random_networks.Floats:
    return random_networks.random_signs(inputs=inputs, width=WIDTH, seed=6)


@pytest.mark.parametrize(("kept", "step"), [(1.0, 0.4), (0.0, 1.0), (0.7, 0.7)])
def test_the_derivative_is_that_of_differences(kept: float, step: float) -> None:
    """Central differences of all layers together, against the chain rule; 1 %: rounding of small singular values."""
    start, tiny, found = signs(1)[0], 1e-6, weights()[:2]

    def passed(stream: random_networks.Floats) -> random_networks.Floats:
        for layer in found:
            stream = random_networks.residual_layer(stream=stream, weights=layer, kept=kept, step=step)
        return stream

    columns = [(passed(start + tiny * one) - passed(start - tiny * one)) / (2 * tiny) for one in np.eye(WIDTH)]
    stretches = np.linalg.svd(np.array(columns).T, compute_uv=False)
    ratio = random_networks.stretch_ratio(weights=found, start=start, kept=kept, step=step)
    assert ratio == pytest.approx(stretches[0] / stretches[-1], rel=0.01)


def test_avalanche_counts_what_bits_would() -> None:
    """One input and one changed sign at a time, layer by layer."""
    inputs, layer = signs(2), weights()[0]
    found = random_networks.sign_avalanche_fractions(
        layers=[lambda stream: random_networks.sign_layer(stream=stream, weights=layer)], inputs=inputs
    )
    changed = []
    for stream in inputs:
        for place in range(WIDTH):
            other = stream.copy()
            other[place] = -other[place]
            changed.append(np.sign(layer @ stream) != np.sign(layer @ other))
    assert found == pytest.approx((1 / WIDTH, float(np.mean(changed))))


def test_layers_of_signs_mix_and_small_residual_steps_do_not() -> None:
    steps: dict[str, Step] = {
        "signs": lambda stream, layer: random_networks.sign_layer(stream=stream, weights=layer),
        "residual": lambda stream, layer: random_networks.residual_layer(
            stream=stream, weights=layer, kept=1.0, step=0.1
        ),
    }

    def end(step: Step) -> float:
        layers = [partial(lambda layer, stream: step(stream, layer), one) for one in weights()]
        return random_networks.sign_avalanche_fractions(layers=layers, inputs=signs(8))[-1]

    ends = {name: end(step) for name, step in steps.items()}
    assert ends["residual"] < 2 / WIDTH < 0.3 < ends["signs"]
