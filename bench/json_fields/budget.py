"""Fields of the documents of ``budget``: what is run to see them, and what they mean."""

from __future__ import annotations

import dataclasses
from typing import Any

from json_fields.fields import Fields
from ridgeline.lifecycle.budget import Solved
from ridgeline.lifecycle.constraints import MostParams
from ridgeline.lifecycle.costs import Costs
from ridgeline.lifecycle.demand import Learning, ServedTokens
from ridgeline.lifecycle.flows import Distilled, Revenue, Traffic
from ridgeline.lifecycle.lives import Lives
from ridgeline.lifecycle.named import Implied
from ridgeline.lifecycle.phases import MeasuredPhases, Phase
from ridgeline.lifecycle.uncertainty import Band as DrawnBand
from ridgeline.lifecycle.uncertainty import Bands as DrawnBands

BUDGETED = "budget --law besiroglu-2024 --law hoffmann-2022"
ON = "--on h100-sxm --like llama-3.1-8b --chips 64 --batch-tokens 4Mi"
EXAMPLES = {
    "budget": (
        "budget",
        f"{BUDGETED} {ON} --rate 50Mtok/s --life 60d --distil 20B:2T --sell $2/Mtok --within-domain",
        f"{BUDGETED} {ON} --model llama-3.1-8b --rl-tokens 1T --tpot 20ms --market list --engine vllm --kernels OWN",
        f"{BUDGETED} --cost 1e26 --rl-cost 0.1 --unique 30T",
        "budget --loss 1.92 --experts 64 --served 1T",
        f"{BUDGETED} --params 10B --tokens 1T",
    )
}
RECORDS: dict[str, tuple[type[Any], ...]] = {
    "budget:inputs": (
        Traffic,
        ServedTokens,
    ),
    "budget:inputs.costs": (Costs,),
    "budget:inputs.served": (ServedTokens,),
    "budget:inputs.learning": (Learning,),
    "budget:inputs.bounds[]": (MostParams,),
    "budget:laws[]": (
        Lives,
        Solved,
    ),
    "budget:laws[].as_asked": (Lives,),
    "budget:laws[].equal": (Lives,),
    "budget:laws[].bands": (DrawnBands,),
    **{f"budget:laws[].bands.{one.name}": (DrawnBand,) for one in dataclasses.fields(DrawnBands)},
    "budget:laws[].implied": (Implied,),
    "budget:phases": (MeasuredPhases,),
    "budget:distilled": (Distilled,),
    "budget:revenue": (Revenue,),
    **{f"budget:phases.{name}": (Phase,) for name in ("pretraining", "input", "output", "rollout", "learning")},
}
WORDS = {
    "budget:inputs.params": "active parameters of the model that it is to be as good as; null where not given",
    "budget:inputs.tokens": "that it is trained on; null where not given",
    "budget:inputs.loss": "that was asked for, in nats a token",
    "budget:inputs.cost": "that was asked for, in the unit of costs",
    "budget:inputs.served_output_tokens": "tokens written for users, if deployed; null where not given",
    "budget:inputs.served_input_tokens": "tokens read for users, if deployed",
    "budget:inputs.rl_tokens": "that reinforcement learning writes; null where they follow from its cost",
    "budget:inputs.rl_over_pretraining": "reinforcement learning's cost over pre-training's, in place of its tokens",
    "budget:inputs.rl_flop_per_param": "FLOP of a parameter and a token of reinforcement learning; for costs in FLOP",
    "budget:inputs.relative_efficiency_fraction": "efficiency of writing over training's; for costs in FLOP",
    "budget:inputs.laws": "ids of those that were asked",
    "budget:inputs.unique_tokens": "different tokens that there are; null where there are always more",
    "budget:inputs.experts": "for each that a token visits, of routed laws; null for the best",
    "budget:inputs.like": "catalog id of the model whose phases are timed; null without a machine",
    "budget:inputs.within_domain": "whether weights must fit into one scale-up domain",
    "budget:inputs.tpot_s": "longest time per output token of a sequence alone; null where none was asked for",
    "budget:inputs.train_chips": "of the training run that is timed",
    "budget:inputs.batch_tokens": "tokens of its step",
    "budget:inputs.rl_prompt_tokens": "prompt of a sample of reinforcement learning",
    "budget:inputs.rl_output_tokens": "tokens of a sample",
    "budget:inputs.trained_fraction": "part of the samples that are trained on; for estimated costs",
    "budget:inputs.distil": "active parameters and tokens of a smaller model",
    "budget:inputs.usd_per_token": "price of a written token today",
    "budget:inputs.price_falls_per_year": "times by which it falls in a year",
    "budget:inputs.draws": "of coefficients from their published errors",
    "budget:inputs.goal": "what is wanted",
    "budget:inputs.goal.kind": "AsGoodAs a model, AtLoss or AtCost",
    "budget:inputs.goal.params": "active parameters of that model",
    "budget:inputs.goal.tokens": "that it is trained on",
    "budget:inputs.goal.experts": "of it, for each that a token visits",
    "budget:inputs.goal.name": "of it; empty where it has none",
    "budget:inputs.goal.loss": "in nats a token",
    "budget:inputs.goal.cost": "in the unit of costs",
    "budget:inputs.costs": "of a parameter and a token, by phase",
    "budget:inputs.served": "tokens that the model serves",
    "budget:inputs.learning": "how much reinforcement learning there is",
    "budget:inputs.bounds": "of parameters",
    "budget:unit": "of costs: flop, usd or chip_s",
    "budget:laws": "what each law says; null where it has no best, for which `why` has the reason",
    "budget:laws[].law": "its id",
    "budget:laws[].source": "where its coefficients come from",
    "budget:laws[].extrapolates": "whether the best lies outside of the runs that the law was fitted on",
    "shares.pretraining": "part of the cost that is pre-training's",
    "shares.rl": "part that is reinforcement learning's",
    "shares.serving": "part that is serving's",
    "budget:inputs.seed": "of the draws",
    "budget:inputs.bounds[].total": "in all; null without such a bound",
    "budget:inputs.bounds[].active": "of those that a token touches; null without",
    "budget:laws[].beyond.active_params": "of the parameters",
    "budget:laws[].beyond.tokens": "of the tokens",
    "budget:laws[].bands": "where four of five draws lie; null where the law's paper prints no errors",
    "budget:laws[].implied": "what the model that was asked for is right for; null where a law does not say",
    "budget:spread": "by how many times dense laws disagree, the most over the least; empty for one law",
    "budget:spread.total_cost": "of the cost",
    "budget:spread.over_training": "of the tokens over those best for training alone",
    "budget:spread.active_params": "of the parameters",
    "budget:spread.tokens": "of the tokens",
    "budget:phases": "what each phase takes on the machine; null where costs are FLOP",
    "budget:phases.rl_flop_over_efficiency": "training FLOP a parameter that an RL token is worth; the lecture's 9",
    "budget:phases.decode_relative_efficiency": "of writing served tokens over training's; the lecture's third",
    "budget:distilled": "a smaller model that the best one of the first law teaches; null where none was asked for",
    "budget:revenue": "what tokens bring in; null where no price was given",
}
FIELDS = Fields(examples=EXAMPLES, records=RECORDS, words=WORDS)
