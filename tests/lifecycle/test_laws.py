"""Forms of laws: a dense model's worth has the routed model's loss, and best tokens the least loss of their FLOP."""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.catalog.scaling_laws import FittedLaw, TokensFit, law_ids, load_law
from ridgeline.lifecycle import laws

LAWS = [law for law in map(load_law, law_ids()) if not isinstance(law, TokensFit)]
ROUTED = [law for law in LAWS if law.is_routed]


@pytest.mark.parametrize("law", ROUTED, ids=lambda law: law.id)
def test_a_dense_models_worth_is_as_good(law: FittedLaw) -> None:
    experts = law.experts[1]
    worth = float(np.asarray(laws.dense_worth(law, params=1e9, tokens=1e11, experts=experts)))
    assert worth > 1e9
    routed = laws.loss_of(law, params=1e9, tokens=1e11, experts=experts)
    dense = laws.loss_of(law, params=worth, tokens=1e11, experts=1.0)
    # Krajewski et al. fitted a dense model apart from experts that are as coarse as it.
    assert float(np.asarray(dense)) == pytest.approx(float(np.asarray(routed)), rel=1e-6) or law.id == "krajewski-2024"


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.id)
def test_best_tokens_have_the_least_loss_of_their_flop(law: FittedLaw) -> None:
    experts = law.experts[0]
    tokens = float(np.asarray(laws.best_tokens(law, params=1e9, experts=experts)))
    best = float(np.asarray(laws.loss_of(law, params=1e9, tokens=tokens, experts=experts)))
    for times in (0.9, 1.1):
        other = float(np.asarray(laws.loss_of(law, params=1e9 * times, tokens=tokens / times, experts=experts)))
        assert other > best


def test_a_law_without_a_loss_says_so() -> None:
    with pytest.raises(TypeError, match="gives no loss"):
        laws.loss_of(load_law("llama-3-2024"), params=1e9, tokens=1e11, experts=1.0)
