"""Fields of the documents of ``plan``: what is run to see them, and what they mean."""

from __future__ import annotations

from typing import Any

from json_fields.fields import Fields
from ridgeline.cli.trace import TraceRead
from ridgeline.estimator.bounds import Bounds
from ridgeline.hand_over.launch import Launch
from ridgeline.planner.chip_steps import ChipStep
from ridgeline.planner.held_back import HeldBack
from ridgeline.planner.outcome import FrontPoint, Plan, Planning, Rejection, WhyNot
from ridgeline.planner.two_pools.outcome import OnePool, Part, TwoPoolPlan, TwoPoolPoint, TwoPoolWhyNot
from ridgeline.specs.demand import Demand
from ridgeline.specs.provenance import Carrier
from ridgeline.specs.speculation import Speculation
from ridgeline.specs.workload import Workload

ASKED = "plan llama-3.1-70b --on h100-sxm --prompt 2000 --output 500"
EXAMPLES = {
    "plan": (
        f"{ASKED} --tpot 50ms --ttft 2s --why-not tp2 --anchor CASES",
        f"{ASKED} --weights fp8 --kv fp8 --why-not tp3",
        "plan deepseek-v3 --on vr200-nvl144 --chips 8 --prompt 2000 --output 500 --kernels OWN",
        f"{ASKED} --export dynamo",
        f"{ASKED} --rate 5/s --ttft 2s --details",
        f"{ASKED} --budget $6/h --details",
        f"{ASKED} --pools 2 --rate 5/s --why-not tp4/tp8",
        f"{ASKED} --on h200-sxm --users 200",
        f"{ASKED} --speculate eagle3:2=1.8 --details --why-not tp2",
        f"{ASKED} --pools 2 --speculate ngram:2=1.5",
        f"{ASKED} --pools 2 --power 10kW --electricity 0.08/kWh --weights auto",
        f"{ASKED} --power 5kW --electricity 0.08/kWh",
        f"{ASKED} --rate 5/s --power 1kW",
        "plan llama-3.1-70b --on h100-sxm --trace docs/example_trace.jsonl",
    )
}
RECORDS: dict[str, tuple[type[Any], ...]] = {
    "plan:": (Planning, Bounds),
    "plan:inputs": (Workload, Demand, Planning),
    "plan:inputs.trace": (TraceRead,),
    "plan:plans[]": (Plan, TwoPoolPlan),
    "plan:plans[].pools.*": (Part,),
    "plan:plans[].speculation": (Speculation,),
    "plan:chip_steps[].plan.speculation": (Speculation,),
    "plan:plans[].carried_by[]": (Carrier,),
    "plan:plans[].pools.*.carried_by[]": (Carrier,),
    "plan:one_pool": (OnePool,),
    "plan:rejected[]": (Rejection,),
    "plan:front[]": (FrontPoint, Plan, TwoPoolPoint),
    "plan:asymptotes": (Bounds,),
    "plan:held_back[]": (HeldBack,),
    "plan:why_not": (WhyNot, TwoPoolWhyNot),
    "plan:chip_steps[]": (ChipStep,),
    "plan:chip_steps[].plan": (Plan,),
    "plan:chip_steps[].plan.carried_by[]": (Carrier,),
    "plan:export": (Launch,),
}
WORDS = {
    "inputs.machines": "catalog ids, or those of the files",
    "inputs.budget_usd_per_s": "money that was asked to be spent; null where it was not",
    "inputs.prices": "of a chip of each machine",
    "inputs.prices[].machine": "its id",
    "inputs.prices[].price_source": "where it comes from",
    "inputs.trace": "what was read of the log that lengths and rate are of; null without one",
    "inputs.speculate": "what is drafted, as --speculate has it, of all that was searched",
    "plan:front": "Pareto front of cost against speed, from the fastest to the cheapest, over all layouts and batches"
    " that fit, whatever the limits; of one pool without the points of a layout within 3 % of one before",
    "plan:held_back": "plans of those listed that cost less than the first and are ranked below it, each with the"
    " reason; empty where the first is the cheapest",
    "front[].speculate": "how its speculation is asked for; null without",
    "front[].layout": "of one replica; of two pools, of one that makes tokens",
    "chip_steps": "with --details what a step down and a step up in chips give",
    "plans[].machine": "id of the machine; of two pools that of the tokens'",
    "plans[].pools": "of a plan with two pools, each of them",
    "plans[].pools.*": "one of the two: prefill reads prompts, decode makes tokens",
    "pools.*.machine": "id of its machine",
    "rejected[].machine": "id of the machine, where several were asked for",
    "machines[].engine": "its name and release",
    "machines[].price_source": "where the price comes from",
    "machines[].plans_found": "layouts that serve",
    "inputs.engine_options[].*": "its value",
    "inputs.top": "most plans that are listed",
    "plan:one_pool": "with two pools the best that one does instead; null where none serves",
    "plan:export": "how the best plan is started, as `--export` has it; null without",
    "lower_bound": "whether no engine's overhead is among the numbers",
    "asymptotes": "what a token costs at the ends of the cost curve, at peak",
    "floor_usd_per_output_token": "the larger of computing and reading KV: no batch costs less",
    "chip_s_per_output_token.*": "chip-seconds that go to it",
    "plan:rejected": "layouts that cannot serve, each with its reason",
    "plans[].chips": "of one replica",
    "front[].chips": "of one replica",
    "plan:inputs.chips": "budget of chips, replicas included",
}
NAMED = frozenset(
    {
        "plan:chip_steps[].plan.chip_s_per_output_token",
        "plan:elasticities",
        "plan:inputs.anchor.rows",
        "plan:inputs.engine_options",
        "plan:inputs.engine_options[]",
        "plan:inputs.formats",
        "plan:plans[].chip_s_per_output_token",
        "plan:plans[].pools",
    }
)
ENDS = frozenset({"plan:one_pool.plan", "plan:why_not.plan"})
FIELDS = Fields(examples=EXAMPLES, records=RECORDS, words=WORDS, named=NAMED, ends=ENDS)
