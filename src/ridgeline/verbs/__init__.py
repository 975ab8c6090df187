"""The verbs as users call them: names, paths or records, and the defaults of the command line.

The rooms below take records and explicit options, and know no catalog. Here names are resolved to records, and defaults
are filled in. The command line calls these functions too, so that both give the same results.
"""

from ridgeline.verbs.budgets import budget
from ridgeline.verbs.caches import cache
from ridgeline.verbs.deploying import deploy, engine_for, estimate, estimate_grid
from ridgeline.verbs.jobs import train
from ridgeline.verbs.names import (
    fidelity_of,
    layout_of,
    load_engine,
    load_machine,
    load_model,
    refuse_beside_peaks,
    with_expert_imbalance,
    with_expert_load,
)
from ridgeline.verbs.planning import expect, plan
from ridgeline.verbs.pools import pair_pools, plan_two_pools
from ridgeline.verbs.prices import TPOT_S, infer, lecture_readings, price, price_trend
from ridgeline.verbs.simulating import simulate
from ridgeline.verbs.speculations import speculation_of, speculations_of
from ridgeline.verbs.studying import query, sweep
from ridgeline.verbs.validating import validate

__all__ = [
    "TPOT_S",
    "budget",
    "cache",
    "deploy",
    "engine_for",
    "estimate",
    "estimate_grid",
    "expect",
    "fidelity_of",
    "infer",
    "layout_of",
    "lecture_readings",
    "load_engine",
    "load_machine",
    "load_model",
    "pair_pools",
    "plan",
    "plan_two_pools",
    "price",
    "price_trend",
    "query",
    "refuse_beside_peaks",
    "simulate",
    "speculation_of",
    "speculations_of",
    "sweep",
    "train",
    "validate",
    "with_expert_imbalance",
    "with_expert_load",
]
