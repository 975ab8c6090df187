from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.catalog.scaling_laws import granular_law, routed_law, sparse_law
from ridgeline.equations import sparsity
from ridgeline.equations.attention import block_sparse_tokens, indexed_tokens, square_root_tokens
from ridgeline.numeric import Numeric

LAWS = pytest.mark.parametrize(
    "law",
    [
        routed_law("clark-2022").coefficients,
        routed_law("clark-2022-rl-r").coefficients,
        routed_law("clark-2022-hash").coefficients,
    ],
)
PARAMS = st.floats(1e7, 1e10)


@LAWS
@given(PARAMS)
def test_one_expert_is_worth_the_dense_model(law: sparsity.RoutingLaw, params: float) -> None:
    assert sparsity.equivalent_params(params=params, experts=1, law=law) == pytest.approx(params, rel=1e-9)


@LAWS
@given(PARAMS, st.floats(1, 512), st.floats(1, 512))
def test_more_experts_are_worth_more(law: sparsity.RoutingLaw, params: float, first: float, second: float) -> None:
    fewer, more = sorted((first, second))
    worth = [sparsity.equivalent_params(params=params, experts=experts, law=law) for experts in (fewer, more)]
    assert worth[0] <= worth[1] * (1 + 1e-12)


@LAWS
def test_the_advantage_shrinks_with_size_and_saturates(law: sparsity.RoutingLaw) -> None:
    sizes = np.array([1e7, 1e8, 1e9, 1e10])
    gain = sparsity.equivalent_params(params=sizes, experts=64, law=law) / sizes
    assert isinstance(gain, np.ndarray)
    assert (np.diff(gain) < 0).all()
    most = sparsity.equivalent_params(params=1e9, experts=1e12, law=law)
    assert most < 1.1 * sparsity.equivalent_params(params=1e9, experts=1e4, law=law)


def test_finer_experts_and_more_tokens_lower_the_loss() -> None:
    loss = [
        sparsity.granular_loss(
            params=6e9, tokens=tokens, granularity=granularity, law=granular_law("krajewski-2024").coefficients
        )
        for tokens, granularity in ((2e10, 1), (2e10, 8), (2e11, 8))
    ]
    assert loss == sorted(loss, reverse=True)
    assert loss[-1] > granular_law("krajewski-2024").coefficients.irreducible_loss


@given(PARAMS, st.floats(1 / 64, 1))
def test_sparse_loss_falls_with_parameters_and_tokens(params: float, active: float) -> None:
    def loss(size: float, tokens: float) -> float:
        return float(
            sparsity.sparse_loss(
                params=size, tokens=tokens, active_fraction=active, law=sparse_law("abnar-2025").coefficients
            )
        )

    assert (
        loss(params, 1e11)
        > loss(2 * params, 1e11)
        > loss(2 * params, 2e11)
        > sparse_law("abnar-2025").coefficients.irreducible_loss
    )


@pytest.mark.parametrize("active_fraction", [1 / 8, 1 / 64])
def test_at_the_same_active_size_the_sparse_model_is_better(active_fraction: float) -> None:
    losses = [
        sparsity.sparse_loss(
            params=1e9 / part, tokens=1e11, active_fraction=part, law=sparse_law("abnar-2025").coefficients
        )
        for part in (1.0, active_fraction)
    ]
    assert losses[1] < losses[0]


@given(st.floats(1, 1e7), st.floats(1.01, 10))
def test_published_sparse_attention_reads_linearly_and_the_lectures_does_not(context: float, more: float) -> None:
    """A8: at ten million tokens a doubling doubles what NSA and DSA read, to 2 %, and adds two fifths to a root's."""
    fixed = {"summary_stride": 16, "chosen_tokens": 1024, "window": 512}
    indexed = {"top_k": 2048, "index_bytes": 132, "bytes_per_token": 1152}
    forms: tuple[Callable[[float], Numeric], ...] = (
        lambda length: block_sparse_tokens(context_tokens=length, **fixed),
        lambda length: indexed_tokens(context_tokens=length, **indexed),
        lambda length: square_root_tokens(context_tokens=length),
    )
    for form in forms:
        assert form(context * more) >= form(context)
    growth = [form(2e7) / form(1e7) for form in forms]
    assert growth == pytest.approx([2, 2, 2**0.5], rel=0.02)


@given(PARAMS, st.floats(1 / 64, 1))
def test_the_dense_model_that_is_as_good_has_the_sparse_ones_loss(params: float, active: float) -> None:
    """Whatever the tokens."""
    worth = sparsity.sparse_equivalent_params(
        params=params, active_fraction=active, law=sparse_law("abnar-2025").coefficients
    )
    for tokens in (1e10, 1e13):
        losses = [
            sparsity.sparse_loss(
                params=size, tokens=tokens, active_fraction=part, law=sparse_law("abnar-2025").coefficients
            )
            for size, part in ((worth, 1.0), (params, active))
        ]
        assert losses[0] == pytest.approx(losses[1], rel=1e-9)


def test_a_dense_model_is_worth_itself_and_some_sparse_ones_more_than_any() -> None:
    found = sparsity.sparse_equivalent_params(
        params=np.array([1e9, 1e15]),
        active_fraction=np.array([1.0, 1 / 512]),
        law=sparse_law("abnar-2025").coefficients,
    )
    assert isinstance(found, np.ndarray)
    assert found[0] == pytest.approx(1e9)
    assert np.isinf(found[1])
