from __future__ import annotations

import re
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from ridgeline.errors import RidgelineError
from ridgeline.extras import installing
from ridgeline.laboratory.reversible import compare, inversions, require_jax
from ridgeline.laboratory.reversible.chain import Chain, draw_chain, entropy, sequences
from ridgeline.laboratory.reversible.forms import FORMS
from ridgeline.laboratory.reversible.transformer import SUB_LAYERS, Shape, draw_weights

needs_jax = pytest.mark.skipif(find_spec("jax") is None, reason="JAX, the extra grad, is not installed")

SHAPE = Shape(layers=3, width=16, heads=2, vocabulary=5, sequence_tokens=8, sequences=3)


def streams() -> tuple[np.ndarray, np.ndarray]:
    first, second = np.random.default_rng(0).standard_normal((2, SHAPE.sequences, SHAPE.sequence_tokens, SHAPE.width))
    return first.astype(np.float32), second.astype(np.float32)


def gradients(form: str) -> list[Any]:
    import jax  # noqa: PLC0415  an extra

    def loss(layers: Any, pair: Any) -> Any:  # noqa: ANN401  the library's
        left, right = FORMS[form](layers, pair, heads=SHAPE.heads)
        return (left**3).sum() + (left * right).sum()

    found = jax.jit(jax.grad(loss, argnums=(0, 1)))(draw_weights(SHAPE, seed=1)["layers"], streams())
    return list(map(np.asarray, jax.tree.leaves(found)))


@needs_jax
def test_all_forms_have_the_same_gradients() -> None:
    """But for the rounding of 32-bit floats: parts in a million of the largest gradient of a kind."""
    plain = gradients("plain")
    for form in ("checkpointed", "reversible"):
        for one, other in zip(gradients(form), plain, strict=True):
            assert one == pytest.approx(other, abs=3e-6 * float(abs(other).max()))


@needs_jax
def test_the_stack_is_the_plain_coupling_of_its_sub_layers() -> None:
    layers = draw_weights(SHAPE, seed=1)["layers"]
    left, right = streams()
    for place in range(SHAPE.layers):
        layer = {name: values[place] for name, values in layers.items()}
        for sub_layer in SUB_LAYERS:
            left, right = right + np.asarray(sub_layer(layer, left, heads=SHAPE.heads)), left
    for form in FORMS.values():
        found = form(layers, streams(), heads=SHAPE.heads)
        assert np.asarray(found[0]) == pytest.approx(left, abs=1e-4)
        assert np.asarray(found[1]) == pytest.approx(right, abs=1e-4)


@needs_jax
def test_a_token_reads_none_after_it() -> None:
    layer = {name: values[0] for name, values in draw_weights(SHAPE, seed=1)["layers"].items()}
    stream, _ = streams()
    changed = stream.copy()
    changed[:, 5:] += 1.0
    for sub_layer in SUB_LAYERS:
        one, other = (np.asarray(sub_layer(layer, each, heads=SHAPE.heads)) for each in (stream, changed))
        assert one[:, :5] == pytest.approx(other[:, :5], abs=1e-6)


@needs_jax
def test_fixed_point_comes_back_to_the_bit_and_floats_nearly() -> None:
    """Rounding of a sum is 2**-24 of it in 32-bit floats, 2**-9 in bfloat16, and adds up over twelve sub-layers."""
    found = {one.streams: one for one in inversions(shape=SHAPE, layers=(6,), seed=0)}
    fixed, single, half = (found[name] for name in ("fixed point", "float32", "bfloat16"))
    assert (fixed.stream_error, fixed.gradient_error) == (0.0, 0.0)
    assert 0 < single.stream_error < 12 * 2**-23
    assert 2**-10 < half.stream_error < 12 * 2**-8
    assert single.gradient_error < 1e-4 < half.gradient_error


@needs_jax
def test_memory_is_flat_and_the_losses_are_one() -> None:
    """The compiler's own account; FLOP between a third more less what is not products, and a third."""
    found = compare(layers=(2, 4, 8), width=16, heads=2, sequence_tokens=16, batch_sequences=8, steps=60)
    plain, checkpointed, reversible = found.forms
    assert [one.form for one in found.forms] == ["plain", "checkpointed", "reversible"]
    assert len(set(reversible.temporary_bytes)) == 1
    by_layer = np.diff(plain.temporary_bytes) / np.diff(found.layers)
    assert by_layer[0] == pytest.approx(by_layer[1], rel=0.05)  # a buffer's alignment
    assert reversible.temporary_bytes[-1] < checkpointed.temporary_bytes[-1] < plain.temporary_bytes[-1]
    assert found.expected_flop_ratio == pytest.approx(4 / 3)
    assert 1.25 < reversible.flop_ratio < 1.37
    for one in (checkpointed, reversible):
        assert one.gradient_error < 3e-6
        assert one.last_loss == pytest.approx(plain.last_loss, abs=1e-3)  # sixty steps of rounding
    assert plain.last_loss < plain.first_loss - 0.3
    assert found.entropy < plain.last_loss


@needs_jax
def test_heads_that_do_not_divide_a_width_are_refused() -> None:
    with pytest.raises(RidgelineError, match="heads 3 do not divide the width 16"):
        compare(width=16, heads=3)


def test_without_jax_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ridgeline.laboratory.reversible.library.find_spec", lambda _: None)
    with pytest.raises(RidgelineError, match=re.escape(installing("grad"))):
        require_jax()


def test_a_chains_entropy_is_that_of_its_symbols() -> None:
    """Of a chain that forgets: its symbols' own; and what is drawn follows it."""
    chances = np.array([0.5, 0.25, 0.25])
    forgetful = Chain(follows=np.broadcast_to(chances, (3, 3, 3)).copy())
    assert entropy(forgetful) == pytest.approx(1.5 * np.log(2))
    drawn = sequences(forgetful, count=2000, tokens=6, rng=np.random.default_rng(0))[:, 2:]
    assert np.bincount(drawn.ravel()) / drawn.size == pytest.approx(chances, abs=0.03)  # 8,000 draws
    chain = draw_chain(vocabulary=4, seed=0)
    assert chain.follows.sum(axis=-1) == pytest.approx(1.0)
    assert 0 < entropy(chain) < np.log(4)


def test_weights_are_those_of_a_shape() -> None:
    layers = draw_weights(replace(SHAPE, layers=2), seed=0)["layers"]
    assert {name: values.shape for name, values in layers.items()} == {
        "query_key_value": (2, 16, 48),
        "joined": (2, 16, 16),
        "up": (2, 16, 64),
        "down": (2, 64, 16),
    }
    assert draw_weights(SHAPE, seed=1)["read"].shape == (16, 5)
