"""A model's life as one budget: its size, its training tokens, and its cost in each phase."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ridgeline.errors import RidgelineError
from ridgeline.specs.engine import Engine
from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.verbs.budget_asked import active, goal_of, laws_of, served_of, unit_of, with_flows
from ridgeline.verbs.budget_machines import machine_bounds, machine_phases
from ridgeline.verbs.names import Name, load_machine, load_model

if TYPE_CHECKING:
    from ridgeline.lifecycle.answer import Budget

__all__ = ["budget"]

LIKE = "llama-3.1-70b"
"""Model whose phases are timed where none is named."""


def budget(
    model: Model | Name | None = None,
    *,
    params: float | None = None,
    tokens: float | None = None,
    loss: float | None = None,
    cost: float | None = None,
    served_output_tokens: float | None = None,
    served_input_tokens: float = 0.0,
    tokens_per_s: float | None = None,
    lifetime_s: float | None = None,
    traffic_fraction: float = 1.0,
    input_fraction: float = 0.0,
    cheaper_per_year: float = 1.0,
    deployed_fraction: float = 1.0,
    rl_tokens: float | None = None,
    rl_over_pretraining: float | None = None,
    rl_flop_per_param: float = 3.0,
    relative_efficiency_fraction: float = 1 / 3,
    experts: float | None = None,
    unique_tokens: float | None = None,
    laws: Sequence[str] = (),
    machine: Machine | Name | None = None,
    like: Model | Name | None = None,
    unit: str | None = None,
    within_domain: bool = False,
    tpot_s: float | None = None,
    train_chips: int = 1024,
    batch_tokens: float = 16 * 2**20,
    prompt_tokens: int = 4000,
    output_tokens: int = 1000,
    rl_prompt_tokens: int = 200,
    rl_output_tokens: int = 4000,
    trained_fraction: float = 1.0,
    usd_per_chip_s: float | None = None,
    fidelity: Fidelity | str = "measured",
    engine: Engine | str | None = None,
    kernels: Name | None = None,
    distil: tuple[float, float] | None = None,
    usd_per_token: float | None = None,
    price_falls_per_year: float = 1.0,
    draws: int = 2000,
    seed: int = 0,
) -> Budget:
    """Find the cheapest model that is as good as another, with all costs after its training.

    As ``ridgeline budget`` does; without arguments, the lecture's own example by every law.

    Args:
        model: catalog id, path or record of the model to equal in loss, with its published training tokens.
        params: active parameters of the model to equal; left out, the lecture's 100 billion.
        tokens: training tokens of the model to equal; left out, the lecture's 200 trillion.
        loss: loss to reach instead, in nats per token, on a law's own scale.
        cost: budget to spend instead, in ``unit``; the model of least loss is found.
        served_output_tokens: tokens that it writes for users if it is deployed; left out, the lecture's 200 trillion.
        served_input_tokens: tokens that it reads for users if it is deployed.
        tokens_per_s: traffic, in place of both, together with the next four.
        lifetime_s: time until the model is replaced, s.
        traffic_fraction: the model's share of the traffic.
        input_fraction: part of the traffic that is input.
        cheaper_per_year: factor by which a FLOP of serving gets cheaper in a year.
        deployed_fraction: probability that the model is deployed.
        rl_tokens: tokens generated in reinforcement learning; left out, as many as cost what serving costs.
        rl_over_pretraining: cost of reinforcement learning over that of pre-training; its tokens follow from it.
        rl_flop_per_param: FLOP per parameter and token of reinforcement learning, from 2 to 6; for costs in FLOP.
        relative_efficiency_fraction: efficiency of generation over that of training; for costs in FLOP.
        experts: experts per active expert, for laws of routed models; left out, the best among those a law was fitted
            on.
        unique_tokens: number of different tokens available; left out, unlimited.
        laws: ids of scaling laws; left out, all but variants.
        machine: catalog id, path or record of the machine for training and serving: costs are then estimated.
        like: model whose training and serving are timed there; left out, ``model``, else Llama 3.1 70B.
        unit: unit of costs: "flop", "usd" or "chip_s"; left out, flop, or usd on a machine with a price.
        within_domain: whether its weights must fit into one scale-up domain of the machine.
        tpot_s: longest time per output token of a lone sequence, on a scale-up domain, s.
        train_chips: chips of the training run that is timed.
        batch_tokens: tokens of a training step.
        prompt_tokens: input tokens of a served request.
        output_tokens: output tokens of a served request.
        rl_prompt_tokens: prompt tokens of a sample of reinforcement learning.
        rl_output_tokens: output tokens of a sample of reinforcement learning.
        trained_fraction: part of the generated samples that are trained on; for estimated costs.
        usd_per_chip_s: price of a chip, $/s; left out, the catalog's.
        fidelity: "roofline" or "measured"; for estimated costs.
        engine: engine that serves; left out, the command line's default.
        kernels: profile or folder of the user's own calibration, for the machine, and for an engine given by name.
        distil: active parameters and training tokens of a smaller model distilled from the best one.
        usd_per_token: price of an output token today, $.
        price_falls_per_year: factor by which that price falls in a year.
        draws: draws of coefficients from their published errors.
        seed: seed of the draws.

    Raises:
        RidgelineError: a name, a number or a combination is invalid; the message says what to give instead.

    >>> found = budget(rl_tokens=0, laws=["besiroglu-2024"]).by("besiroglu-2024").solved
    >>> round(found.best.active_params / 1e9), round(found.best.tokens / 1e12), round(found.as_asked_over_training)
    (124, 76, 111)
    """
    # Imported here: other verbs load faster without these modules.
    from ridgeline.lifecycle.answer import answer  # noqa: PLC0415
    from ridgeline.lifecycle.asked import Asked  # noqa: PLC0415
    from ridgeline.lifecycle.constraints import UniqueText  # noqa: PLC0415
    from ridgeline.lifecycle.costs import FLOP, flop_costs  # noqa: PLC0415
    from ridgeline.lifecycle.demand import Learning  # noqa: PLC0415

    if kernels is not None and machine is None:
        raise RidgelineError("budget: kernels are a machine's; give one, too: machine='h100-sxm'")
    named = None if model is None else load_model(model)
    where = None if machine is None else load_machine(machine, kernels=kernels)
    unit = unit_of(unit, where, usd_per_chip_s)
    if kernels is not None and unit == FLOP and tpot_s is None:
        raise RidgelineError(
            "budget: --kernels changes nothing here: costs in FLOP use no machine's times; leave --unit flop out"
        )
    shape = load_model(like) if like is not None else named if named is not None else load_model(LIKE)
    phases = None
    costs = flop_costs(rl_flop_per_param=rl_flop_per_param, relative_efficiency_fraction=relative_efficiency_fraction)
    if unit != FLOP and where is not None:
        phases = machine_phases(
            shape,
            where,
            run=(train_chips, batch_tokens),
            lengths=(prompt_tokens, output_tokens),
            rl_lengths=(rl_prompt_tokens, rl_output_tokens),
            trained_fraction=trained_fraction,
            usd_per_chip_s=usd_per_chip_s,
            how={"fidelity": fidelity, "engine": engine, "kernels": kernels},
        )
        costs = phases.costs(unit, active(shape))
    served = served_of(
        served_output_tokens,
        served_input_tokens,
        tokens_per_s=tokens_per_s,
        lifetime_s=lifetime_s,
        traffic_fraction=traffic_fraction,
        input_fraction=input_fraction,
        cheaper_per_year=cheaper_per_year,
        deployed_fraction=deployed_fraction,
        is_sold=usd_per_token is not None,
    )
    asked = Asked(
        goal=goal_of(named, params, tokens, loss, cost),
        costs=costs,
        served=served,
        learning=Learning(tokens=rl_tokens, over_pretraining=rl_over_pretraining),
        unique=None if unique_tokens is None else UniqueText(tokens=unique_tokens),
        bounds=machine_bounds(
            shape,
            where,
            within_domain=within_domain,
            tpot_s=tpot_s,
            context=prompt_tokens + output_tokens,
            kernels=kernels,
        ),
        experts=experts,
    )
    found = dataclasses.replace(answer(laws_of(laws), asked, draws=draws, seed=seed), phases=phases)
    return with_flows(found, distil=distil, usd_per_token=usd_per_token, falls=price_falls_per_year, life=lifetime_s)
