"""A step down in chips serves less or breaks a limit; a step up serves as much, and no slower."""

from __future__ import annotations

import pytest

from ridgeline.planner.chip_steps import chip_steps, least_chips
from ridgeline.planner.outcome import Planning
from ridgeline.specs.demand import AS_MUCH_AS_IT_GIVES, Demand
from ridgeline.verbs import plan


def searched(chips: int | None, demand: Demand = AS_MUCH_AS_IT_GIVES) -> Planning:
    asked = {"prompt_tokens": 4000, "output_tokens": 1000, "tpot_s": 0.04}
    return plan("llama-3.1-70b", "h100-sxm", chips=chips, demand=demand, **asked)  # type: ignore[arg-type]


def test_half_a_budget_and_double_are_searched_as_any() -> None:
    down, up = chip_steps(searched(2), searched)
    assert (down.chips, down.plan) == (1, None)
    assert down.reason.startswith("it does not fit in memory")
    assert (up.chips, up.plan, up.reason) == (4, searched(4).plans[0], "")
    assert chip_steps(searched(1), searched) == ()  # nothing serves, and there are no steps from nothing


@pytest.mark.parametrize("demand", [Demand(users=200), Demand(requests_per_s=5.0)])
def test_of_a_load_a_replica_fewer_breaks_a_limit_and_one_more_is_faster(demand: Demand) -> None:
    found = searched(None, demand)
    best = found.plans[0]
    down, up = chip_steps(found, searched)
    assert [one.chips for one in (down, up)] == [(best.replicas + more) * best.layout.chips for more in (-1, 1)]
    assert up.plan is not None
    assert best.tpot_s > up.plan.tpot_s
    assert up.reason == ""
    if down.plan is None:
        assert down.reason == "so few replicas finish fewer requests than come"
    else:
        assert "over 40 ms" in down.reason
        assert down.plan.tpot_s > 0.04 >= best.tpot_s


def test_the_least_chips_on_which_a_model_fits_serve_it_and_one_fewer_do_not() -> None:
    none = plan("llama-3.1-405b", "h100-sxm", chips=3, prompt_tokens=1000, output_tokens=1000)

    def of(chips: int) -> Planning:
        return plan("llama-3.1-405b", "h100-sxm", chips=chips, prompt_tokens=1000, output_tokens=1000)

    least = least_chips(none, of)
    assert least is not None
    assert of(least).plans
    assert not of(least - 1).plans
    assert least_chips(searched(2), searched) is None  # serves already
    assert least_chips(searched(1, Demand(users=200)), searched) is None  # of a load its rejections say how many
