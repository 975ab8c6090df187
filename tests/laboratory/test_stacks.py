from __future__ import annotations

import itertools

import numpy as np
import pytest

from ridgeline.errors import RidgelineError
from ridgeline.laboratory.adversarial import adversarial
from ridgeline.laboratory.avalanches import avalanches, find_avalanche
from ridgeline.laboratory.glyphs import draw_glyphs, flipped
from ridgeline.laboratory.judged import judged, learned
from ridgeline.laboratory.learning import accuracy, bits_slope, class_slope, fitted
from ridgeline.laboratory.stacks import Stack, draw_stack, gradients, jacobian, run, stretches, with_weights

VARIANTS = list(itertools.product((False, True), repeat=2))


def small(*, has_residual: bool, has_norm: bool) -> Stack:
    return draw_stack(inputs=6, width=5, layers=3, outputs=4, has_residual=has_residual, has_norm=has_norm, seed=1)


@pytest.mark.parametrize(("has_residual", "has_norm"), VARIANTS)
def test_gradients_are_those_of_differences(has_residual: bool, has_norm: bool) -> None:  # noqa: FBT001
    """Central differences of a loss, in steps of 1e-6: 1e-7 of rounding over it."""
    stack, rng = small(has_residual=has_residual, has_norm=has_norm), np.random.default_rng(2)
    inputs, along = rng.standard_normal((3, 6)), rng.standard_normal((3, 4))
    found, by_inputs = gradients(stack, run(stack, inputs), along)

    def loss(weights: list[np.ndarray], inputs: np.ndarray) -> float:
        return float((run(with_weights(stack, weights), inputs).outputs * along).sum())

    weights = [stack.entry, stack.layers, stack.biases, stack.leave]
    for place, of_weights in enumerate((found.entry, found.layers, found.biases, found.leave)):
        for spot in list(np.ndindex(of_weights.shape))[::7]:
            moved = []
            for sign in (1, -1):
                changed = [one.copy() for one in weights]
                changed[place][spot] += sign * 1e-6
                moved.append(loss(changed, inputs))
            assert of_weights[spot] == pytest.approx((moved[0] - moved[1]) / 2e-6, abs=1e-7)
    for spot in np.ndindex(inputs.shape):
        step = np.zeros_like(inputs)
        step[spot] = 1e-6
        slope = (loss(weights, inputs + step) - loss(weights, inputs - step)) / 2e-6
        assert by_inputs[spot] == pytest.approx(slope, abs=1e-7)


@pytest.mark.parametrize(("has_residual", "has_norm"), VARIANTS)
def test_the_last_stretch_is_that_of_the_jacobian(has_residual: bool, has_norm: bool) -> None:  # noqa: FBT001
    """With a last layer that reads the stream as it is, where no norm stands before it."""
    stack, image = small(has_residual=has_residual, has_norm=has_norm), np.linspace(-1, 1, 6)
    found = stretches(stack, image)
    assert len(found) == 4
    tiny = 1e-6
    derivative = np.array(
        [
            (run(stack, (image + tiny * one)[None]).streams[-1] - run(stack, (image - tiny * one)[None]).streams[-1])[0]
            / (2 * tiny)
            for one in np.eye(6)
        ]
    )
    assert found[-1] == pytest.approx(np.linalg.norm(derivative, 2), rel=1e-5)
    assert jacobian(stack, image).shape == (4, 6)


def test_slopes_of_losses_are_those_of_differences() -> None:
    rng = np.random.default_rng(0)
    outputs, classes, bits = rng.standard_normal((2, 3)), np.array([0, 2]), np.array([[0, 1, 1], [1, 0, 1]])

    def of_classes(outputs: np.ndarray) -> float:
        told = outputs - np.log(np.exp(outputs).sum(axis=-1, keepdims=True))
        return -float(told[[0, 1], classes].mean())

    def of_bits(outputs: np.ndarray) -> float:
        return float(np.mean(np.log1p(np.exp(outputs)) - bits * outputs))

    for slope, loss in ((class_slope(outputs, classes), of_classes), (bits_slope(outputs, bits), of_bits)):
        for spot in np.ndindex(outputs.shape):
            step = np.zeros_like(outputs)
            step[spot] = 1e-6
            assert slope[spot] == pytest.approx((loss(outputs + step) - loss(outputs - step)) / 2e-6, abs=1e-8)


def test_digits_are_learned() -> None:
    train, test = (draw_glyphs(count=count, noise=0.1, seed=seed) for count, seed in ((600, 0), (200, 1)))
    start = draw_stack(inputs=64, width=24, layers=2, outputs=10, has_residual=True, has_norm=True, seed=0)
    found = fitted(start, train.images, train.digits, slope=class_slope, steps=200, batch=32, seed=0)
    assert accuracy(start, test.images, test.digits) < 0.3
    assert accuracy(found, test.images, test.digits) > 0.9


def test_each_dot_is_turned_once() -> None:
    images = draw_glyphs(count=2, noise=0.0, seed=0).images
    assert set(np.unique(images)) == {0.0, 1.0}
    changes = flipped(images) != images[:, np.newaxis]
    assert (changes == np.eye(64, dtype=bool)).all()


@pytest.mark.slow
def test_gradients_turn_more_images_than_chance_and_ciphers_forget_sooner() -> None:
    found = adversarial(layers=4, steps=150, epsilons=(0.05, 0.1, 0.2, 0.4, 0.8), rounds=4)
    for one in found.attacked:
        assert one.accuracy_fraction > 0.9
        assert one.half_gradient is not None
        assert one.half_random is None or one.half_gradient < one.half_random
        assert all(a >= b for a, b in zip(one.gradient_fraction, one.random_fraction, strict=True))
    *networks, cipher = found.propagated
    assert cipher.foretold_fraction[-1] < 0.01
    assert cipher.distance_fraction[-1] > 0.9
    assert min(one.foretold_fraction[-1] for one in networks) > 0.5


@pytest.mark.slow
def test_ciphers_mix_and_trained_networks_do_not() -> None:
    """Means over 8 inputs and all of their bits."""
    found = avalanches(layers=4, steps=60, samples=8)
    ends = {(one.kind, one.name): one for one in found}
    aes = ends["cipher", "AES"]
    assert aes.changed_fraction[-1] == pytest.approx(0.5, abs=0.01)
    assert aes.deviation[-1] == pytest.approx(aes.chance_deviation, rel=0.05)
    assert max(one.changed_fraction[-1] for one in found if one.kind == "trained network") < 0.2
    for one in found:
        assert one.changed_fraction[0] == pytest.approx(1 / one.bits)
        assert len(one.changed_fraction) == len(one.matrices)
        assert (one.stretch is None) == (one.kind == "cipher" or one.name == "signs")
    assert find_avalanche(found, "trained residual", 4) is ends["trained network", "residual"]
    with pytest.raises(RidgelineError, match="no matrix of 'DES'; there are AES, PRESENT"):
        find_avalanche(found, "DES", 0)
    with pytest.raises(RidgelineError, match="ask after 0 to 10"):
        find_avalanche(found, "AES", 11)


@pytest.mark.slow
def test_a_random_network_is_no_permutation_and_a_cipher_is() -> None:
    found = {one.name: one for one in judged()}
    assert found["random permutation"].distinct_fraction == found["cipher, 8 rounds"].distinct_fraction == 1.0
    signs = found["random layers of signs"]
    assert signs.distinct_fraction < 0.5
    assert signs.likeliest_difference > 100 * found["random permutation"].likeliest_difference


@pytest.mark.slow
def test_learning_stops_after_some_rounds() -> None:
    """A single round is learned whole; of four no bit is foretold beyond chance: four standard errors."""
    first, *_, last = learned(rounds=4, steps=300)
    assert first.right_fraction > 0.99
    assert abs(last.right_fraction - 0.5) < 4 * last.standard_error
