"""Write ``docs/json.md``: every field that ``--json`` prints, from printed documents and the records behind them.

``uv run python bench/json_page.py`` prints the page, ``--write`` puts it into ``docs``. What a field means is read from
the docstring of its record, else from the glossary, else from ``WORDS``; a field that none of them knows is an error.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import json
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from ridgeline.boards.argument import Link, Outcome
from ridgeline.boards.board import Control, Symbol, View
from ridgeline.boards.card import Card
from ridgeline.boards.claim import Claim
from ridgeline.boards.constant import Constant
from ridgeline.boards.exercise import Exercise
from ridgeline.boards.flows import Facet, Facets, Halves, Message, Passage, Stay, Strip
from ridgeline.boards.picture import Axis, Box, Cable, Curves, Dots, Line, Mark, Schematic, Sheet
from ridgeline.boards.scene import (
    Cells,
    Departure,
    Gantt,
    Kept,
    Multiples,
    Played,
    Rack,
    Racks,
    Request,
    Small,
    Tick,
    Token,
    Trains,
    Visit,
)
from ridgeline.boards.scene import Chip as RackChip
from ridgeline.caching.curve import HitCurve, OfHold, OfSize
from ridgeline.caching.envelope import Span
from ridgeline.caching.found import Asked as CacheAsked
from ridgeline.caching.found import BreakEven, Caching, Held
from ridgeline.caching.hbm_share import HbmShare
from ridgeline.caching.hierarchy import Mix
from ridgeline.caching.loaded import LoadedMachine, WithHits
from ridgeline.caching.log_mixes import LogMixes
from ridgeline.caching.memory_wall import MemoryBought, MemoryTaken
from ridgeline.caching.pool_storage import PoolStorage, StoreLimits
from ridgeline.caching.provider_prices import Listed, ProviderPrices, WrittenFor
from ridgeline.caching.tiers import Ownership
from ridgeline.calibration.fit.chip_fit import Parameter
from ridgeline.calibration.judge.validate import Group, Row
from ridgeline.calibration.own import Skipped
from ridgeline.catalog.acceptance import Acceptance
from ridgeline.catalog.facts import Fact
from ridgeline.catalog.memory_costs import MemoryShare
from ridgeline.catalog.quotes import Cliff, Prices, Quote
from ridgeline.catalog.storage import StorageDevice
from ridgeline.cli import blackboard, commands, lab_reversible
from ridgeline.cli.convert_trace import Written
from ridgeline.cli.lab import EXPERIMENTS
from ridgeline.cli.listings import PRICES
from ridgeline.cli.output import json_text
from ridgeline.cli.trace import TraceRead
from ridgeline.estimator.bounds import Bounds
from ridgeline.estimator.estimate import Estimate
from ridgeline.estimator.memory import Memory
from ridgeline.glossary import GLOSSARY
from ridgeline.hand_over.launch import Launch
from ridgeline.inversion.against import Against, MixPoint
from ridgeline.inversion.against import BreakEven as BreakEvenLoad
from ridgeline.inversion.against import Line as PriceLine
from ridgeline.inversion.evidence import Multiplier
from ridgeline.inversion.evidence import Step as PriceStep
from ridgeline.inversion.infer import Inference, Predicted, Unknown
from ridgeline.inversion.items import CacheCost
from ridgeline.inversion.load import Load as PriceLoad
from ridgeline.inversion.long_prompts import LongPrompts
from ridgeline.inversion.operating import Operating, Unit
from ridgeline.inversion.operating import Served as PriceServed
from ridgeline.inversion.price import Pricing
from ridgeline.inversion.questions import Option, Question
from ridgeline.inversion.readings import Reading, Readings
from ridgeline.inversion.stack import Part as StackPart
from ridgeline.laboratory.adversarial import Adversarial, Attacked, Propagated
from ridgeline.laboratory.avalanches import Avalanche
from ridgeline.laboratory.cryptanalysis import Cryptanalysis, SBoxTables, Trail
from ridgeline.laboratory.distinguishers import Advantage
from ridgeline.laboratory.duality import Duality, OfMachine, Technique
from ridgeline.laboratory.judged import Judged, Learned
from ridgeline.laboratory.key_recovery import Recovered
from ridgeline.laboratory.luby_rackoff import Inverted, LubyRackoff
from ridgeline.laboratory.reversible import Comparison, Inversion, OfForm
from ridgeline.lifecycle.budget import Solved
from ridgeline.lifecycle.constraints import MostParams
from ridgeline.lifecycle.costs import Costs
from ridgeline.lifecycle.demand import Learning, Served
from ridgeline.lifecycle.flows import Distilled, Revenue, Traffic
from ridgeline.lifecycle.lives import Lives
from ridgeline.lifecycle.named import Implied
from ridgeline.lifecycle.phases import MeasuredPhases, Phase
from ridgeline.lifecycle.uncertainty import Band as DrawnBand
from ridgeline.lifecycle.uncertainty import Bands as DrawnBands
from ridgeline.planner.chip_steps import ChipStep
from ridgeline.planner.expect import Cause, Expectation, Expected
from ridgeline.planner.outcome import Energy, FrontPoint, Plan, Planning, Rejection, WhyNot
from ridgeline.planner.two_pools.outcome import OnePool, Part, TwoPoolPlan, TwoPoolPoint, TwoPoolWhyNot
from ridgeline.simulator.find_rate import FoundRate, Tried
from ridgeline.simulator.limits import Limits
from ridgeline.simulator.outcome import Bands, Latency, OfClass, OfReplica, OfTier, PromptPool, Simulation
from ridgeline.specs.band import Band
from ridgeline.specs.cache_tier import CacheTier
from ridgeline.specs.correction import Correction
from ridgeline.specs.demand import Demand
from ridgeline.specs.efficiency import Efficiency
from ridgeline.specs.engine import Engine
from ridgeline.specs.layout import Layout
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import LayerGroup, Model
from ridgeline.specs.provenance import Carrier
from ridgeline.specs.speculation import Speculation
from ridgeline.specs.workload import Workload
from ridgeline.training.asked import Asked
from ridgeline.training.interruptions import Lost
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.memory import TrainingMemory
from ridgeline.training.outcome import Expected as ExpectedStep
from ridgeline.training.outcome import Training
from ridgeline.training.plan import TrainingPlan
from ridgeline.training.run import TrainingRun
from ridgeline.training.schedules import Compared, Shape, StageTimes
from ridgeline.training.search import Found
from ridgeline.training.step_time import StepTime
from ridgeline.verbs import sweep
from ridgeline.web.exported import Exported

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "json.md"

PLAYED = "simulate llama-3.1-8b --on h100-sxm --layout tp1"
CLASSED = "--classes fast:0.5,batch:0.5"
STEP = "estimate llama-3.1-8b --on h100-sxm --layout tp1 --batch 8"
RUN = "expect llama-3.1-70b --on h100-sxm --layout tp8 --users 64"
ASKED = "plan llama-3.1-70b --on h100-sxm --prompt 2000 --output 500"
TRAINED = "train llama-3.1-70b --on h100-sxm --tokens 1T --batch-tokens 4Mi --layout tp4,pp4,dp16,vpp2"
BUDGETED = "budget --law besiroglu-2024 --law hoffmann-2022"
ON = "--on h100-sxm --like llama-3.1-8b --chips 64 --batch-tokens 4Mi"
CACHED = "cache llama-3.1-70b --on h100-sxm --hold 5min --reuse 0.3 --context 20k"
PRICED = "price llama-3.1-70b --on h100-sxm --prompt 2000 --output 500 --tpot 50ms"
FORMATTED = "--weights fp8 --kv fp8 --price $2/h"
S_BOX = ",".join(map(str, reversed(range(16))))
LABORATORY = tuple(f"lab {name}" for name in EXPERIMENTS)
WAYS = ("", "plans[].", "ways_to_fit[].")
"""Where ``train`` has ways to run a step."""
TIERS = "--cache ddr,tlc=300TB"
MIXED = "--model llama-3.1-8b --on h100-sxm --layout tp1 --tiers ddr,tlc --ttft 2s --budget $9/h --part 0.9"
EXAMPLES: dict[str, tuple[str, ...]] = {
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
    ),
    "estimate": (
        f"{STEP} --context 1k",
        f"{STEP} --context 1k --speculate eagle3:2=1.8",
        f"{STEP} --context 1k --phase prefill --weights fp8 --kernels OWN",
        "estimate llama-3.1-70b --on h100-sxm --layout tp8 --batch 64 --context 2k --anchor CASES",
    ),
    "simulate": (
        f"{PLAYED} --prompt 1000 --output 100 --rate 8/s --requests 50 --ttft 1s --find-rate --price $2/h",
        f"{PLAYED} --trace docs/example_trace.jsonl --kv-blocks 20000 --block-tokens 16 --weights fp8 --kv fp8 {TIERS}",
        f"{PLAYED} --prompt 1000 --output 100 --users 4 --tpot 50ms --market list --kernels OWN",
        f"{PLAYED} --prompt 1000 --output 100 --users 4 {CLASSED}",
        f"{PLAYED}/tp2 --prompt 1000 --output 100 --rate 8/s --requests 50 --tpot 1s --kv-blocks 9000 {CLASSED}",
        "simulate --run RECORDED",
        "simulate --compare COMPARED COMPARED",
    ),
    "expect": (
        f"{RUN} --prompt 1000 --output 1000 --measured-tpot 31ms",
        f"{RUN} --prompt 100 --output 99 --measured-tpot 9ms --anchor CASES",
        f"{RUN} --prompt 100 --output 99 --measured-tpot 9ms --weights fp8 --kv fp8 --kernels OWN",
    ),
    "trace": (
        "trace docs/example_trace.jsonl",
        "trace docs/example_trace.jsonl --hit-rates --model llama-3.1-8b --kv fp8",
        f"trace docs/example_trace.jsonl --hit-rates {MIXED}",
        "trace docs/example_trace.jsonl --to mooncake OUT --rate 20/s --requests 10",
    ),
    "validate": ("validate CASES", "validate CASES --models MODELS --kernels OWN"),
    "calibrate": (
        "calibrate EXAMPLES --to OWN --replace --jobs 1 --machine h100-sxm --models MODELS",
        "calibrate LOADS --jobs 1",
    ),
    "catalog models": ("catalog models deepseek-v3", "catalog models"),
    "catalog machines": ("catalog machines h100-sxm --model llama-3.1-8b --kernels OWN", "catalog machines"),
    "catalog storage": ("catalog storage ddr5-socket", "catalog storage"),
    "cache": (
        f"{CACHED} --layout tp4 --ttft 60s --tiers ddr5-over-pcie,flash-tlc-31tb",
        f"{CACHED} --pools 2 --market list --date 2026-06 --weights fp8 --kv fp8 --kernels OWN --chips 8",
        f"{CACHED} --price $2/h --storage STORED --life 1095d",
    ),
    "price": (
        f"{PRICED} --against together/meta-llama/Llama-3.3-70B-Instruct-Turbo --layout tp4 --rate 2/s --market list",
        f"{PRICED} --pools 2 --layout tp4/tp4 --chips 8 {FORMATTED} --electricity 0.08/kWh --ttft 2s --kernels OWN",
    ),
    "infer": (
        "infer openai/gpt-6.1-sol --preview --assume context_tokens=10k",
        "infer anthropic/claude-opus-5-5 --preview",
        "infer google/gemini-3.1-pro-preview --preview --lecture",
        "infer anthropic/claude-opus-4-5 --preview --lecture",
        "infer deepseek/deepseek-v4-pro --trend --date 2026-05-10",
    ),
    "catalog prices": (
        "catalog prices gemini-3-1-pro",
        "catalog prices openai/gpt-6.1-sol",
        "catalog prices claude-haiku-5-5",
        "catalog prices deepseek",
        "catalog prices deepseek/deepseek-v4-pro --since 2026-05-01",
    ),
    "catalog memory": ("catalog memory --model llama-3.1-8b",),
    "catalog acceptance": ("catalog acceptance deepseek-v3", "catalog acceptance"),
    "claims": ("claims --board latency", "claims", "claims --bridge A11", "claims --graph --set A10=250"),
    "boards": ("boards",),
    "train": (
        "train llama-3.1-8b --on h100-sxm --chips 16 --tokens 1T --batch-tokens 1Mi --why-not tp2,dp8 --count 2",
        f"{TRAINED} --schedule vpp --framework megatron --price $2/h --electricity 0.08/kWh --mtbf 9e3h --measured 9s",
        f"{TRAINED},zero3,shards16 --market spot --micro-batch 1 --routing balanced --recompute none",
    ),
    "sweep": ("sweep STUDIED --out SWEPT", "sweep STUDIED --out SWEPT --workers 1"),
    "query": ("query SWEPT", "query SWEPT 'FROM cheapest' --commands"),
    "schedules": (
        "schedules --stages 7 --micro-batches 30",
        "schedules --stages 8 --micro-batches 32 --virtual-stages 4 --schedule zb-v --figure PICTURE",
    ),
    "budget": (
        "budget",
        f"{BUDGETED} {ON} --rate 50Mtok/s --life 60d --distil 20B:2T --sell $2/Mtok --within-domain",
        f"{BUDGETED} {ON} --model llama-3.1-8b --rl-tokens 1T --tpot 20ms --market list --engine vllm",
        f"{BUDGETED} --cost 1e26 --rl-cost 0.1 --unique 30T",
        "budget --loss 1.92 --experts 64 --served 1T",
        f"{BUDGETED} --params 10B --tokens 1T",
    ),
    "board": ("board latency", "board ciphers", "board bubbles", "board context"),
    "quiz": ("quiz --count 2", "quiz --count 2 --board latency --seed 1", "quiz --cards --count 2 --level recall"),
    "blackboard": (),
    "lab feistel": ("lab feistel --half-bits 4 --queries 4 --rounds 2 --trials 2",),
    "lab reversible": (),
    "lab ddt": ("lab ddt --rounds 2 --keys 1 --most-pairs 16", f"lab ddt --s-box {S_BOX} --rounds 2 --keys 1"),
    "lab avalanche": (
        "lab avalanche --layers 1 --steps 1 --samples 1 --rounds 1",
        "lab avalanche --layers 1 --steps 1 --samples 1 --rounds 1 --matrix AES --after 1",
    ),
    "lab adversarial": ("lab adversarial --layers 1 --steps 200 --rounds 1",),
    "lab duality": ("lab duality h100-sxm",),
}
"""What is run for each command, so that every field of its document is seen and none is always null."""

LOADED = "closed_loop,llama-3.1-8b,h100-sxm,bf16,bf16,300,vllm-0.12,tpot_s,0.01"
LOADS = "\n".join(
    [
        "kind,model,machine,weight_dtype,kv_dtype,output_tokens,engine,quantity,measured,case,batch,prompt_tokens",
        *(f"{LOADED},{users} {prompt},{users},{prompt}" for users in (1, 4, 16, 64) for prompt in (200, 1000, 3000)),
    ]
)
"""A case file that tells of an engine."""

RECORDED = {
    "run.toml": (
        'model = "llama-3.1-8b"\nmachine = "h100-sxm"\nengine = "vllm-0.19.0"\ntp = 1\n[scheduler]\nmax_num_seqs = 8\n'
    ),
    "requests.csv": (
        "arrival_s,prompt_tokens,output_tokens,ttft_s,tpot_s,e2e_s,last_token_s\n"
        "0,1000,100,0.05,0.007,0.743,0.743\n0.5,2000,50,0.09,0.008,0.482,0.982\n"
    ),
}
"""A recorded run."""

STORED = """
[devices.qlc]
name           = "a QLC drive"
tier           = "flash"
link           = "PCIe"
capacity_bytes = { value = "122.88 TB" }
bytes_per_s    = { value = "7.4 GB/s" }
usd            = [{ value = "$30000" }]
"""
"""Storage devices of one's own."""

COMPARED = """
model = "llama-3.1-8b"
on = "h100-sxm"
layout = "tp1"
prompt = 1000
output = 100
rate = "8/s"
requests = 50
ttft = "1s"
"""
"""What a comparison is of."""

STUDIED = """
models = ["llama-3.1-8b"]
machines = ["h100-sxm"]
layouts = ["tp1", "tp3"]
batch = [1, 8]
context_tokens = "1k"
"""
"""A study."""

RECORDS: dict[str, tuple[type[Any], ...]] = {
    "blackboard:": (Exported,),
    "lab feistel:": (LubyRackoff,),
    "lab feistel:inverted[]": (Inverted,),
    "lab feistel:advantages[]": (Advantage,),
    "lab feistel:by_queries[]": (Advantage,),
    "lab reversible:": (Comparison,),
    "lab reversible:forms[]": (OfForm,),
    "lab reversible:inversions[]": (Inversion,),
    "lab ddt:": (Cryptanalysis,),
    "lab ddt:ciphers[]": (SBoxTables,),
    "lab ddt:trails[]": (Trail,),
    "lab ddt:recoveries[]": (Recovered,),
    "lab avalanche:avalanches[]": (Avalanche,),
    "lab avalanche:judged[]": (Judged,),
    "lab avalanche:learned[]": (Learned,),
    "lab adversarial:": (Adversarial,),
    "lab adversarial:attacked[]": (Attacked,),
    "lab adversarial:propagated[]": (Propagated,),
    "lab duality:": (Duality,),
    "lab duality:machines[]": (OfMachine,),
    "lab duality:techniques[]": (Technique,),
    "calibrate:machines.*.numbers.*": (Parameter,),
    "calibrate:machines.*.bands.*": (Band,),
    "calibrate:engines.*.numbers.*": (Parameter,),
    "calibrate:under_load.*": (Parameter,),
    "calibrate:skipped[]": (Skipped,),
    "validate:groups[]": (Group,),
    "validate:rows[]": (Row,),
    "plan:": (Planning, Bounds),
    "plan:inputs": (Workload, Demand, Planning),
    "plan:inputs.trace": (TraceRead,),
    "trace:trace": (TraceRead,),
    "train:": (TrainingPlan, StepTime, Training),
    "train:plans[]": (TrainingPlan, StepTime, Training),
    "train:ways_to_fit[]": (TrainingPlan, StepTime),
    **{f"train:{place}layout": (TrainingLayout, Layout) for place in WAYS},
    **{f"train:{place}memory": (TrainingMemory, TrainingPlan) for place in WAYS},
    **{f"train:{place}run": (TrainingRun,) for place in ("", "plans[].")},
    **{f"train:{place}run.lost": (Lost,) for place in ("", "plans[].")},
    "train:inputs": (Asked, TrainingJob),
    "train:search[]": (Found,),
    "train:expected": (ExpectedStep,),
    "schedules:inputs": (StageTimes, Shape),
    "schedules:schedules[]": (Compared,),
    "trace:written": (Written,),
    "trace:hit_rates": (HitCurve,),
    "trace:hit_rates.sizes[]": (OfSize,),
    "trace:mixes": (LogMixes,),
    "trace:mixes.mixes[]": (Mix,),
    "trace:chosen_mix": (Mix,),
    "trace:hit_rates.holds[]": (OfHold,),
    "plan:plans[]": (Plan, TwoPoolPlan),
    "plan:plans[].pools.*": (Part,),
    "plan:plans[].speculation": (Speculation,),
    "plan:chip_steps[].plan.speculation": (Speculation,),
    "estimate:speculation": (Speculation,),
    "catalog acceptance:acceptance[]": (Acceptance,),
    "simulate:": (Simulation, Limits),
    "simulate:by_replica[]": (OfReplica,),
    "simulate:tiers[]": (OfTier,),
    "simulate:inputs.cache[]": (CacheTier,),
    "simulate:carried_by[]": (Carrier,),
    "simulate:ttft_s": (Latency,),
    "simulate:classes[]": (OfClass,),
    "simulate:classes[].ttft_s": (Latency,),
    "simulate:classes[].tpot_s": (Latency,),
    "simulate:classes[].e2e_s": (Latency,),
    "simulate:pools.*": (PromptPool,),
    "simulate:simulations[]": (Simulation,),
    "simulate:tpot_s": (Latency,),
    "simulate:e2e_s": (Latency,),
    "simulate:predicted.ttft_s": (Latency,),
    "simulate:predicted.tpot_s": (Latency,),
    "simulate:predicted.e2e_s": (Latency,),
    "simulate:measured.ttft_s": (Latency,),
    "simulate:measured.tpot_s": (Latency,),
    "simulate:measured.e2e_s": (Latency,),
    "simulate:bands": (Bands,),
    "simulate:bands.ttft_s[]": (Latency,),
    "simulate:bands.tpot_s[]": (Latency,),
    "simulate:bands.e2e_s[]": (Latency,),
    "simulate:found_rate": (FoundRate,),
    "simulate:found_rate.best": (Tried,),
    "simulate:found_rate.tried[]": (Tried,),
    "expect:expected": (Expected,),
    "expect:causes[]": (Cause,),
    "expect:": (Expectation,),
    "plan:plans[].carried_by[]": (Carrier,),
    "plan:plans[].pools.*.carried_by[]": (Carrier,),
    "plan:one_pool": (OnePool,),
    "estimate:carried_by[]": (Carrier,),
    "expect:carried_by[]": (Carrier,),
    "plan:rejected[]": (Rejection,),
    "plan:front[]": (FrontPoint, Plan, TwoPoolPoint),
    "plan:asymptotes": (Bounds,),
    "plan:why_not": (WhyNot, TwoPoolWhyNot),
    "plan:chip_steps[]": (ChipStep,),
    "plan:chip_steps[].plan": (Plan,),
    "plan:chip_steps[].plan.carried_by[]": (Carrier,),
    "plan:export": (Launch,),
    "estimate:": (Estimate,),
    "catalog models:models[]": (Model,),
    "catalog models:models[].groups[]": (LayerGroup,),
    "catalog machines:machines[]": (Machine,),
    "catalog machines:machines[].facts.*": (Fact,),
    "catalog machines:machines[].rental[]": (Fact,),
    "catalog machines:machines[].implied": (Bounds,),
    "catalog storage:storage[]": (StorageDevice,),
    "catalog storage:storage[].facts.*": (Fact,),
    "catalog storage:storage[].bought[]": (Fact,),
    "catalog memory:costs[]": (MemoryShare,),
    "catalog memory:costs[].facts.*": (Fact,),
    "catalog memory:bought[]": (MemoryBought,),
    "catalog memory:machines[]": (MemoryTaken,),
    "price:": (Pricing,),
    "price:stack[]": (StackPart,),
    "price:operating": (Operating,),
    "price:load": (PriceLoad,),
    "price:load.operating": (Operating,),
    "price:load.operating.units[]": (Unit,),
    "price:long_prompts": (LongPrompts,),
    "price:operating.units[]": (Unit,),
    "price:caches[]": (CacheCost,),
    "price:against[]": (Against,),
    "price:against[].lines[]": (PriceLine,),
    "price:against[].mix": (MixPoint,),
    "price:against[].curve[]": (MixPoint,),
    "price:against[].break_even": (BreakEvenLoad,),
    "price:inputs": (PriceServed, Workload, Pricing),
    "infer:": (Inference,),
    "infer:unknowns[]": (Unknown,),
    "infer:trend[]": (Inference,),
    "infer:trend[].unknowns[]": (Unknown,),
    "infer:predictive[]": (Predicted,),
    "infer:evidence[]": (Question,),
    "infer:evidence[].options[]": (Option,),
    "infer:multipliers[]": (Multiplier,),
    "infer:step": (PriceStep,),
    "catalog prices:prices[]": (Quote,),
    "catalog prices:prices[].cliffs[]": (Cliff,),
    "catalog prices:prices[].cliffs[].usd_per_token": (Prices,),
    "catalog prices:prices[].usd_per_token": (Prices,),
    "catalog prices:prices[].modes.*": (Prices,),
    "infer:lecture": (Readings,),
    "infer:lecture.step": (Reading,),
    "infer:lecture.decode": (Reading,),
    "cache:": (Caching,),
    "cache:inputs": (CacheAsked, Ownership),
    "cache:tiers[]": (Held,),
    "cache:envelope[]": (Span,),
    "cache:by_drain[]": (Span,),
    "cache:break_evens[]": (BreakEven,),
    "cache:loaded": (LoadedMachine,),
    "cache:cached": (WithHits,),
    "cache:hbm": (HbmShare,),
    "cache:prices": (ProviderPrices,),
    "cache:prices.written[]": (WrittenFor,),
    "cache:prices.lists[]": (Listed,),
    "cache:two_pools": (PoolStorage,),
    "cache:two_pools.stores[]": (StoreLimits,),
    "claims:claims[]": (Claim,),
    "claims:claim": (Claim,),
    "claims:claims[].lecture_number": (Constant,),
    "claims:claim.lecture_number": (Constant,),
    "claims:claims[].inputs.*": (Constant,),
    "claims:claim.inputs.*": (Constant,),
    "claims:links[]": (Link,),
    "claims:outcomes[]": (Outcome,),
    "budget:inputs": (
        Traffic,
        Served,
    ),
    "budget:inputs.costs": (Costs,),
    "budget:inputs.served": (Served,),
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
    "board:controls[]": (Control,),
    "board:views[].axes.x": (Axis,),
    "board:views[].axes.y": (Axis,),
    "board:views[].lines[]": (Line,),
    "board:views[].marks[]": (Mark,),
    "board:marks.*[]": (Mark,),
    "board:views[].dots[]": (Dots,),
    "board:views[].boxes[]": (Box,),
    "board:views[].cables[]": (Cable,),
    "board:views[]": (
        View,
        Curves,
        Sheet,
        Schematic,
        Trains,
        Racks,
        Gantt,
        Multiples,
        Passage,
        Halves,
        Facets,
    ),
    "board:views[].departures[]": (Departure,),
    "board:views[].requests": (Request,),
    "board:views[].racks[]": (Rack,),
    "board:views[].racks[].chips[]": (RackChip,),
    "board:views[].tokens[]": (Token,),
    "board:views[].tokens[].visits[]": (Visit,),
    "board:views[].played[]": (Played,),
    "board:views[].played[].cells[]": (Cells,),
    "board:views[].played[].kept[]": (Kept,),
    "board:views[].smalls[]": (Small,),
    "board:views[].strips[]": (Strip,),
    "board:views[].strips[].stays[]": (Stay,),
    "board:views[].strips[].messages[]": (Message,),
    "board:views[].strips[].limits[]": (Tick,),
    "board:views[].strips[].ticks[]": (Tick,),
    "board:views[].facets[]": (Facet,),
    "board:views[].ticks[]": (Tick,),
    "board:views[].x_ticks[]": (Tick,),
    "board:views[].y_ticks[]": (Tick,),
    "board:symbols[]": (Symbol,),
    "quiz:questions[]": (Exercise,),
    "quiz:cards[]": (Card,),
}
"""Whose attributes the fields at a place are."""

WHOLE: dict[str, type[Any]] = {
    "layout": Layout,
    "prefill_layout": Layout,
    "memory": Memory,
    "energy": Energy,
    "correction": Correction,
    "engine": Engine,
    "efficiency": Efficiency,
    "model_record": Model,
    "machine_record": Machine,
}
"""Records that are printed as they are, wherever they stand: their fields are listed once, or in the code."""

LISTED = ("layout", "memory", "energy", "correction")
"""Of these, those that the page lists at its end."""

NAMED = frozenset(
    {
        *("cache:prices.lists[].implied_kv_bytes", "catalog memory:costs[].facts"),
        *("price:low_usd_per_token", "price:high_usd_per_token"),
        *("infer:trend[].usd", "infer:inputs.usd", "infer:inputs.assumed", "catalog prices:prices[].modes"),
        *(
            "simulate:pools",
            "plan:elasticities",
            "plan:plans[].chip_s_per_output_token",
            "plan:chip_steps[].plan.chip_s_per_output_token",
            "plan:inputs.formats",
            "plan:plans[].pools",
            "plan:inputs.engine_options",
            "plan:inputs.engine_options[]",
            "estimate:inputs.engine_options",
            "plan:inputs.anchor.rows",
        ),
        *(
            "calibrate:machines",
            "calibrate:machines.*.rows",
            "calibrate:machines.*.numbers",
            "calibrate:machines.*.bands",
        ),
        *("calibrate:engines", "calibrate:engines.*.numbers", "calibrate:engines.*.widths", "calibrate:under_load"),
        *(
            "estimate:time_by_cause_s",
            "estimate:inputs.formats",
            "simulate:inputs.formats",
            "simulate:inputs.engine_options",
            "estimate:inputs.engine_options",
            "estimate:inputs.anchor.rows",
        ),
        *(
            "catalog models:models[].formats",
            "catalog machines:machines[].facts",
            "catalog machines:machines[].bands_by",
            "catalog storage:storage[].facts",
        ),
        *("sweep:inputs.axes", "query:axes", "query:described"),
        *("train:elasticities", *(f"train:{place}parts_s" for place in WAYS)),
        *(
            "claims:claims[].inputs",
            "claims:claim.inputs",
            "claims:claims[].careful_inputs",
            "claims:claim.careful_inputs",
            "claims:inputs.set",
            "board:inputs.controls",
            "board:marks",
            "quiz:questions[].inputs",
        ),
    }
)
"""Objects whose keys are names of things: they are shown as ``*``."""

ENDS = frozenset(
    {
        "plan:why_not.plan",
        "plan:one_pool.plan",
        "catalog models:models[].groups[].attention",
        "catalog models:models[].groups[].feed_forward",
        "simulate:simulations[]",
        "query:rows[]",
        "catalog prices:before[]",
    }
)
"""What is listed elsewhere on the page, or has the fields of one record of several."""

WORDS = {
    "inputs": "what was asked and resolved, defaults included",
    "inputs.ridgeline": "version that gave the result",
    "inputs.id": "catalog id that was asked for; null for all",
    "inputs.model": "catalog id, or that of the file",
    "inputs.machine": "catalog id, or that of the file",
    "inputs.fidelity": "napkin, roofline or measured",
    "inputs.engine": "whose time is among the numbers; of several machines a list of their names",
    "inputs.machines": "catalog ids, or those of the files",
    "trace:inputs.sizes": "sizes of caches that were asked for, as written",
    "trace:inputs.ttls_s": "hold times that were asked for, s",
    "cache:inputs.device_usd": "prices of devices that were given, by the name that was written",
    "inputs.budget_usd_per_s": "money that was asked to be spent; null where it was not",
    "inputs.pools": "1, or 2 where prompts and tokens have a pool each",
    "inputs.prices": "of a chip of each machine",
    "inputs.prices[].machine": "its id",
    "inputs.prices[].price_source": "where it comes from",
    "inputs.trace": "what was read of the log that lengths and rate are of; null without one",
    "inputs.file": "the log",
    "trace:inputs.to": "file that was asked for in Mooncake's format; null for none",
    "inputs.rate_scale": "how many times as often requests come as in the log",
    "inputs.force": "whether the file that is there was to be written over",
    "trace:inputs.requests_per_s": "rate at which requests were to come at random; null as the log says",
    "trace:inputs.seed": "of those arrivals",
    "trace:inputs.requests": "most requests that were to be written; null for all",
    "trace:trace": "what was read of the log",
    "trace:written": "what was written; null without --to",
    "trace:hit_rates": "what caches would have of the blocks of its prompts; null without --hit-rates",
    "trace:inputs.model": "catalog id of the model whose cache it is; null for tokens of any",
    "trace:mixes": "mixes of tiers for a replica; null without --on",
    "trace:chosen_mix": "the one that was asked for; null where none is, or nothing was",
    "trace:inputs.machine": "catalog id, or that of the file; null where no mixes are asked for",
    "trace:inputs.layout": "of the replica; null for one chip",
    "trace:inputs.tiers": "storage devices as they were given; null for the usual ones",
    "trace:inputs.ttft_s": "largest time to the first token that was asked for; null for any",
    "trace:inputs.budget_usd_per_s": "most that was to be spent; null for any",
    "trace:inputs.part": "of the requests whose first token is timed; null for their mean",
    "trace:inputs.kv": "number format of that cache; null as the model has it",
    "inputs.claim": "id of the claim that was asked for",
    "inputs.set": "numbers that were changed, by a claim's id or a constant's name",
    "inputs.set.*": "its new value, in base units",
    "inputs.cards": "whether cards were asked for, and not sums",
    "inputs.level": "recall, apply or combine; null for all",
    "inputs.speculate": "what is drafted, as --speculate has it, of all that was searched",
    "speculation": "tokens that are drafted and checked in every step; null without",
    "speculation.draft": "what guesses them: mtp, eagle3, dspark, ngram, or a model's id",
    "speculation.accepted_low": "lower end of its 80 % interval",
    "speculation.accepted_high": "upper end",
    "speculation.source": "where the number of accepted tokens is from",
    "speculation.assumed": "what was taken of the draft where nothing says it",
    "front[].speculate": "how its speculation is asked for; null without",
    "estimate:tpot_s": "time per token of a sequence, over the tokens that a step adds; null where prompts are read",
    "estimate:tpot_low_s": "lower end of its 80 % interval",
    "estimate:tpot_high_s": "upper end",
    "catalog acceptance:acceptance": "how many tokens a step adds, by model and draft, as measured",
    "front[].layout": "of one replica; of two pools, of one that makes tokens",
    "chip_steps": "with --details what a step down and a step up in chips give",
    "plans[].machine": "id of the machine; of two pools that of the tokens'",
    "plans[].pools": "of a plan with two pools, each of them",
    "plans[].pools.*": "one of the two: prefill reads prompts, decode makes tokens",
    "pools.*.machine": "id of its machine",
    "pools.*.chips": "of one replica",
    "rejected[].machine": "id of the machine, where several were asked for",
    "machines[].machine": "id of the machine",
    "machines[].chips": "the budget, or what the best plan takes",
    "machines[].engine": "its name and release",
    "machines[].price_source": "where the price comes from",
    "simulate:inputs.run": "folder of a recorded run",
    "simulate:inputs.release": "of the engine",
    "simulate:inputs.sequences": "most sequences under way on a replica",
    "simulate:inputs.pass_tokens": "most tokens of a step",
    "simulate:inputs.kv_is_stated": "whether the run states its cache",
    "simulate:inputs.block_tokens": "tokens of a block of the cache",
    "simulate:predicted.ttft_s": "times to the first token",
    "simulate:predicted.tpot_s": "times per output token",
    "simulate:predicted.e2e_s": "times to the last token",
    "simulate:measured.ttft_s": "times to the first token",
    "simulate:measured.tpot_s": "times per output token",
    "simulate:measured.e2e_s": "times to the last token",
    "simulate:predicted": "with --run what was predicted of the recorded run",
    "simulate:measured": "with --run what was measured",
    "simulate:predicted.makespan_s": "from the first arrival to the last token",
    "simulate:measured.makespan_s": "from the first arrival to the last token",
    "simulate:output_tokens_per_s": "output tokens of all replicas each second",
    "simulate:requests_per_s": "completed requests of all replicas each second",
    "simulate:usd_per_output_token": "price of the time that decodes, idle time in proportion; null without a tariff",
    "simulate:chip_busy_fraction": "part of the time of all chips, of both pools, in which they run steps",
    "simulate:usd_per_request": "price of a completed request, of both pools; null without a tariff",
    "simulate:usd_per_input_token": "the same of the time that prompts take",
    "simulate:remarks": "what a prediction does not take from the folder, and why",
    "simulate:inputs.replicas": "that share the requests",
    "simulate:inputs.router": "which of them a request goes to",
    "simulate:inputs.order": "who of those that wait is admitted",
    "simulate:inputs.preempt": "recompute or swap: what becomes of the cache of who gives up its memory",
    "simulate:inputs.policy": "how a replica schedules; departures with their period, s",
    "simulate:inputs.has_prefix_cache": "whether blocks of prompts that a log names are kept",
    "simulate:inputs.has_bands": "whether intervals were asked for",
    "simulate:inputs.cache": "tiers below a replica's prefix cache, the fastest first",
    "simulate:tiers": "what each of them did",
    "simulate:tiers[].fetched_bytes": "the tokens that were fetched, in bytes",
    "simulate:tiers[].written_bytes": "those that were written, in bytes",
    "simulate:inputs.kv_blocks": "blocks of the cache that were stated; null where they follow",
    "simulate:inputs.trace": "path of the log; null without one",
    "simulate:inputs.prompt_tokens": "input tokens of every request; null of a log",
    "simulate:inputs.output_tokens": "output tokens of every request; null of a log",
    "simulate:inputs.requests_per_s": "rate at which requests come at random; null as the log says",
    "simulate:inputs.users": "who ask again as soon as they are answered; null where requests come by themselves",
    "simulate:inputs.classes": "shares of classes, or the log's column of them; null where all are alike",
    "simulate:inputs.prompt_pool": "replicas that read prompts; null where each reads its own",
    "simulate:inputs.prompt_pool.replicas": "that share the prompts",
    "simulate:inputs.prompt_pool.kv_blocks": "blocks of the cache of each that were stated; null where they follow",
    "simulate:inputs.files": "paths of what is compared",
    "simulate:pools": "both pools, where one reads prompts and one makes tokens; null where there is one",
    "simulate:pools.*": "prefill or decode",
    "simulate:pools.*.kv_capacity_tokens": "tokens that the cache of one of its replicas has room for",
    "simulate:pools.*.kv_blocks": "its blocks",
    "simulate:pools.*.block_tokens": "of a block",
    "simulate:pools.*.kv_is_stated": "whether they were stated",
    "simulate:pools.*.kv_token_bytes": "cache of a token on each chip that keeps it, on the mean of a request, bytes",
    "simulate:pools.*.memory": "of a chip, without any cache: what is free is the cache's",
    "simulate:classes[].within_fraction": "part of its completed requests, within both limits; null without any",
    "simulate:classes[].goodput_requests_per_s": "of them, each second",
    "simulate:simulations": "with --compare what was found for each file, in the fields of this command without it",
    "simulate:differences": "with --compare the table of what differs",
    "simulate:differences[].quantity": "place of a number in the fields of this command without --compare",
    "simulate:differences[].values": "that number for each file, in its unit; null where there is none",
    "simulate:differences[].ratios": "those of all but the first over that of the first; null where that is nothing",
    "simulate:inputs.count": "most requests that were asked for; null for all",
    "simulate:inputs.rate_scale": "how many times as fast they come",
    "simulate:inputs.seed": "of random arrivals",
    "simulate:inputs.ttft_s": "largest time to the first token that is good; null for any",
    "simulate:inputs.tpot_s": "largest time per output token that is good; null for any",
    "simulate:inputs.share": "part of the requests that has to stay within both where a rate is looked for",
    "inputs.market": "whose newest price a chip was taken at; null for the first kind that is known",
    "simulate:inputs.usd_per_chip_s": "price of a chip that was given; null for the catalog's",
    "simulate:kv_capacity_tokens": "tokens that a replica's cache has room for",
    "simulate:carried_by": "what carries the time of a mean request: measured on this chip, its family, or assumed; the"
    " worst first",
    "simulate:kv_blocks": "its blocks",
    "simulate:kv_is_stated": "whether they were stated",
    "simulate:kv_token_bytes": "cache of a token on each chip that keeps it, on the mean of a request, bytes",
    "simulate:memory": "of a chip, without any cache: what is free is the cache's",
    "simulate:within_fraction": "part of the requests that came, within both limits; null without any",
    "simulate:goodput_requests_per_s": "of them, each second",
    "simulate:found_rate": "the highest rate that keeps the limits; null where it was not looked for",
    "expect:inputs.users": "requests under way on one replica",
    "expect:measured": "time per output token that was measured",
    "expect:causes": "what may be otherwise, that which leaves least of the difference first",
    "machines[].plans_found": "layouts that serve",
    "link": "to that second of the recording",
    "chapter": "of the lecture, by its folder's name",
    "lecture_number": "the lecture's number with whose it is; null where it gives none",
    "careful_inputs": "what the equation is called on for the careful number",
    "steps": "from the lecture's number to the careful one",
    "steps[].change": "the assumption that is changed",
    "steps[].value": "the number after it; null where it has no bound",
    "steps[].text": "the same as people read it",
    "links": "which claim takes a number from which",
    "numbers[]": "what can be changed",
    "outcomes": "claims that the changes reach",
    "claims:claim": "the claim whose bridge it is",
    "claim.board": "first board that shows it",
    "careful_inputs.*": "number in base units, or the name of what stands for one",
    "claims[].inputs.*": "one input, with whose number it is",
    "claim.inputs.*": "one input, with whose number it is",
    "outcomes[].unit": "of its numbers; empty for ratios and counts",
    "controls[].hedge": "how he limits the lecture's number, in a few words",
    "board:symbols": "the formula's letters that no control explains",
    "board:time_stamp": "where the lecture draws it",
    "quiz:cards": "one object a card",
    "expect:inputs.formats.weights": "format of the layers' weights that was named; null for the published one",
    "lecture_origin": "whose number the lecture's is: said, implied or filled in",
    "lecture_time_stamp": "when it was said",
    "inputs.price_source": "where the price comes from",
    "inputs.engine_options": "its options by its own names, as set or by default; null where chip or load decides",
    "inputs.engine_options.*": "its value",
    "inputs.engine_options[]": "those of the machine at this place, where several are compared",
    "inputs.engine_options[].*": "its value",
    "inputs.weights": "number format that was asked for; null for the published ones",
    "inputs.formats": "number formats used, by component",
    "inputs.formats.*": "number format of its weights",
    "inputs.kv": "number format of the KV cache",
    "inputs.top": "most plans that are listed",
    "inputs.model_record": "the model as it was used",
    "inputs.machine_record": "the machine as it was used",
    "inputs.anchor": "measurements that correct the result",
    "inputs.anchor.file": "path of the case file",
    "inputs.anchor.rows": "rows that were used, by what they correct",
    "inputs.anchor.rows.*": "rows",
    "log_measured_over_predicted": "natural logarithm of measured over predicted",
    "inputs.anchor.unused": "rows that were not used, with the reason",
    "plan:one_pool": "with two pools the best that one does instead; null where none serves",
    "plan:export": "how the best plan is started, as `--export` has it; null without",
    "inputs.phase": "decode or prefill",
    "inputs.layout": "of one replica",
    "inputs.files": "paths of the case files",
    "inputs.models": "path of the model table",
    "inputs.kernels": "folder of one's own calibration; null for the catalog's numbers alone",
    "lower_bound": "whether no engine's overhead is among the numbers",
    "calibrate:machines": "what was fitted of each machine, by catalog id",
    "calibrate:machines.*": "one machine",
    "machines.*.rows": "rows that numbers were fitted on, by block",
    "machines.*.rows.*": "rows",
    "numbers": "fitted numbers, by name",
    "numbers.*": "one number",
    "bands": "80 % intervals, by kind of kernel or message",
    "bands.*": "one of them",
    "bands.*.by": "what it was found on",
    "engines": "what was fitted of each engine, by its name",
    "engines.*": "one engine",
    "engines.*.numbers": "fitted numbers, by name, each with the fields of a machine's",
    "widths": "half-widths of its 80 % intervals beside that of its kernels, in logarithms, by quantity",
    "widths.*": "half-width",
    "under_load": "numbers that loads tell of engines, by name",
    "under_load.*": "one number",
    "skipped": "rows that nothing was fitted on, each group with its reason",
    "inputs.profile": "name that the numbers are kept under; null with --to",
    "inputs.to": "folder that is written",
    "calibrate:inputs.machine": "machine whose rows alone are taken; null for all",
    "calibrate:files": "paths of the files that were written",
    "inputs.board": "name of a board, or of a chapter; null for all",
    "inputs.mode": "lecture or careful: where the controls start",
    "inputs.controls": "value of each control",
    "inputs.controls.*": "value in base units",
    "recompute": "what a backward pass computes again",
    "tokens_per_s": "tokens that all chips train on in a second",
    "mfu_fraction": "FLOP of the model over what the chips' peak would do in the step's time",
    "hfu_fraction": "the same with what is computed again",
    "micro_batches": "of a replica in a step",
    "room_bytes": "memory of a chip that may be used",
    "exposed_s": "part of it in which chips wait for messages alone, s",
    "step_time_low_s": "lower end of its 80 % interval, s; null for the ideal framework",
    "step_time_high_s": "upper end, s",
    **{f"train:{place}layout": "how chips are laid out" for place in WAYS},
    **{f"train:{place}layout.text": "the layout as it is written after `--layout`" for place in WAYS},
    **{f"train:{place}schedule": "id of the schedule of its stages" for place in WAYS},
    **{f"train:{place}fits": "whether the fullest chip's memory does" for place in WAYS},
    **{f"train:{place}memory.total_bytes": "all of it" for place in WAYS},
    **{f"train:{place}memory": "what the fullest chip holds" for place in WAYS},
    **{f"train:{place}run": "the whole run by it" for place in WAYS},
    **{f"train:{place}parts_s.*": "time of one of them, s" for place in WAYS},
    **{f"train:{place}bubble_fraction": "part of the step in which the slowest stage waits" for place in WAYS},
    "train:inputs.framework": "whose time is among the numbers",
    "train:inputs.count": "layouts that were asked for",
    "train:inputs.layout": "the layout that was given; null for a search",
    "train:inputs.usd_per_chip_s": "price of a chip, as given or the catalog's; null where none is known",
    "train:expected.ratio": "measured over predicted",
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
    "train:inputs.batch": "sequences of a step",
    "train:search": "what was looked at, one object for each number of chips; empty where a layout was given",
    "train:search[].chips": "of the run",
    "train:ways_to_fit": "nearest changes that make a given layout fit, the fastest first, as in `plans`",
    "train:framework_status": "what the framework's numbers rest on",
    "sweep:inputs.study": "path of the study's file",
    "sweep:inputs.text": "what it says",
    "sweep:inputs.out": "folder of the study",
    "sweep:inputs.executor": "what shards ran on",
    "sweep:inputs.workers": "processes that were asked for; null for one for each core",
    "sweep:inputs.axes": "number of values along each axis, by its name",
    "sweep:inputs.axes.*": "number of values",
    "query:axes": "number of values along each axis, by its name",
    "query:axes.*": "number of values",
    "points": "of the study",
    "sweep:rows": "of the table `study`",
    "sweep:left_out": "points without a row, the most common reason first",
    "left_out[].reason": "why they have none",
    "left_out[].points": "that have it",
    "failed": "shards that failed, each with what it said; the next sweep tries them again",
    "shards": "files that the study is cut into",
    "kept_points": "that were there before",
    "sweep:wall_s": "time that the sweep took",
    "points_per_s": "that the sweep estimated each second",
    "query:inputs.folder": "of the study",
    "query:inputs.sql": "the statement; null where the study is described",
    "query:name": "of the study",
    "missing_points": "that are not there yet",
    "described": "with no statement: what each column of `study` means",
    "described.*": "what it means",
    "query:views": "with no statement: names of the views",
    "query:columns": "with a statement: names of what it gives, in order",
    "query:rows": "with a statement: one object a row, by those names",
    "query:commands": "with `--commands`: the command of each row",
    "schedules:inputs.schedule": "that was drawn; null where none was",
    "schedules:schedules": "one object a schedule",
    "inputs.seed": "that questions are shuffled with; null for the lecture's order",
    "inputs.count": "number of questions",
    "inputs.port": "where the page was asked for; 0 for any that is free",
    "inputs.no_browser": "whether no browser is opened",
    "inputs.no_python": "with `--export`: whether Python was left out as asked",
    "blackboard:inputs.export": "with `--export`: the folder that was written",
    "inputs.url": "with `--export`: where the site will be found; empty where that was not said",
    "blackboard:total_bytes": "all of the site",
    "address": "where the page is",
    "asymptotes": "what a token costs at the ends of the cost curve, at peak",
    "floor_usd_per_output_token": "the larger of computing and reading KV: no batch costs less",
    "usd_per_request": "of a whole request, idle chips paid; null without a price",
    "elasticities.*": "percent of change for one percent more; the name is quantity:fact",
    "chip_s_per_output_token.*": "chip-seconds that go to it",
    "estimate:carried_by": "what carries the time: measured on this chip, on its family, or assumed; worst first",
    "carried_by[].source": "where the number comes from that says least of this chip, in words",
    "carried_by[].grade": "assumed, family (taken from it) or measured (on this chip)",
    "carried_by[].machine": "catalog id of the machine that it was measured on; null where that is none, or many",
    "carried_by[].rows": "measured rows that move the number",
    "time_by_cause_s": "the time by what it goes to; adds up to step_time_s",
    "time_by_cause_s.*": "time that goes to it",
    "operations_of": "which chip the operations are those of",
    "fits": "whether memory holds it; numbers are void where it does not",
    "operations": "of the step, those of one name together",
    "operations[].name": "what it is",
    "repeats": "how often a chip runs it",
    "flop": "arithmetic of all runs",
    "weight_bytes": "weights read, or held",
    "operations[].kv_bytes": "keys and values read",
    "operations[].activation_bytes": "activations read and written",
    "message_bytes": "sent to other chips",
    "scale_up_bytes": "of these, inside the scale-up domain",
    "scale_out_bytes": "of these, beyond it",
    "time_s": "of all runs",
    "operations[].bound": "what takes most of its time",
    "correction": "by the anchor's rows; factors of one without",
    "groups[].family": "stem of the case file",
    "rows[].family": "stem of the case file",
    "machines[].family": "of chips, which share efficiencies",
    "machines[].bands_by": "what bands of `efficiency.bands` were found on, by kind",
    "machines[].bands_by.*": "what it was found on",
    "groups": "scores, a family, quantity and machine each",
    "scored": "rows that were predicted and are scored",
    "groups[].unsupported": "rows without a prediction",
    "median_ratio": "median of predicted over measured",
    "median_abs_log_error": "median of |ln(predicted/measured)|",
    "p90_abs_log_error": "90th percentile of |ln(predicted/measured)|",
    "spearman": "rank correlation; null for fewer than three rows",
    "interval_80_coverage": "part of the measured values that lie in their 80 % interval",
    "rows": "every predicted case",
    "case": "name of the case",
    "rows[].kind": "what was measured",
    "groups[].kind": "what was measured",
    "quantity": "which number of it",
    "machine": "catalog id",
    "predicted": "in the quantity's base unit",
    "measured": "in the same",
    "rows[].low": "lower end of the 80 % interval",
    "rows[].high": "upper end",
    "unsupported": "rows without a prediction, each with its reason",
    "warnings": "what rows say that predictions do not use",
    "models": "one object a model",
    "also": "other names of the same shape",
    "source": "where the facts come from",
    "date": "when the source was published or read",
    "published_params": "parameters as published; null where none are",
    "models[].groups": "layers that are alike, first to last",
    "groups[].attention": "its kind, a record of `ridgeline/specs/attention`, and the fields of that record",
    "groups[].feed_forward": "its kind, a record of `ridgeline/specs/feed_forward.py`, and the fields of that record",
    "models[].weight_bytes": "all weights of the published checkpoint",
    "formats": "published number formats, by component",
    "formats.*": "number format of its weights",
    "kv": "number format of the KV cache",
    "machines": "one object a machine",
    "released": "year",
    "announced": "whether it was not shipping when its sources were read",
    "flop_per_byte": "dense bf16 arithmetic for a byte read from memory",
    "memory_sweep_time_s": "time to read all of the memory once",
    "scale_up_chips": "chips of one scale-up domain",
    "facts": "each fact with its source and date",
    "facts.*": "one fact",
    "fabric[].name": "level of the fabric",
    "technology": "of the links",
    "topology": "switch, bus, mesh or torus",
    "torus": "chips along each side of a torus; empty for others",
    "wraps_every": "chips along an axis from which on its ends are joined",
    "rental": "prices of a chip, oldest first",
    "rental[].kind": "on-demand, spot, contract or list",
    "implied": "what the numbers imply for the model of --model, over one scale-up domain",
    "implied.model": "catalog id",
    "largest_params": "parameters that the domain's memory holds",
    "implied.fits": "whether the model's weights do",
    "implied.notes": "departures from the published formats",
    "storage": "one object a device",
    "id": "as in the catalog",
    "name": "as shown",
    "tier": "of memory or storage",
    "capacity_bytes": "what it holds",
    "usd": "price of the device; null where none is known",
    "drain_time_s": "time to read all of it once",
    "prices": "one object a model",
    "usd_per_token": "list prices, each null where there is none",
    **PRICES,
    "threshold_tokens": "input from which on the whole request has the price above",
    "claims": "one object a claim; ids alone where a board lists them",
    "claims[].board": "first board that shows it",
    "ours_lecture_mode": "by our equations with the lecture's constants",
    "ours_careful": "by our equations with the catalog's facts",
    "texts": "the three numbers as they are read",
    "texts.lecture": "the lecture's",
    "texts.ours_lecture_mode": "ours, lecture mode: with its constants",
    "texts.ours_careful": "ours with facts",
    "ambiguities": "what the lecture leaves open",
    "ambiguities[].number": "of the ambiguity",
    "ambiguities[].text": "what is open",
    "ambiguities[].claims": "ids of the claims that it touches",
    "boards": "one object a board, in the order of the lecture",
    "title": "of the board",
    "question": "that it answers, or that is asked",
    "caption": "of the picture, or of an axis",
    "formula": "terms of the board's formula, in order",
    "tex": "the term in TeX",
    "colour": "what it is about: compute, weights, kv, ...",
    "controls": "what can be turned",
    "controls[].symbol": "on the board",
    "controls[].label": "what it is called, on the page and in pictures",
    "controls[].lecture": "where it starts by the lecture's constants",
    "controls[].careful": "where it starts by the catalog's facts",
    "controls[].value": "where it stands",
    "views": "pictures of the board",
    "axes": "of the picture",
    "axes.x": "to the right",
    "axes.y": "upward",
    "ends": "first and last value",
    "ticks": "values that are labelled",
    "views[].kind": "curves, table or timeline; the fields that follow are of one of them",
    "views[].x": "of all lines",
    "lines": "curves",
    "views[].lines[].y": "values at x",
    "views[].lines[].high": "upper edge of a band; null for a line",
    "views[].marks": "points that matter",
    "marks": "points that matter of all views, by mode",
    "marks.*": "points of the mode",
    "marks.*[].view": "place of the view, from 0",
    "views[].values": "of a table, by row",
    "is_written": "whether values are written into the cells",
    "views[].text": "the picture in text",
    "first": "number of the first row and column",
    "views[].rows": "names of a timeline's rows, or their number",
    "blocks": "of a timeline",
    "row": "from 0",
    "start": "in the axis's unit",
    "end": "in the axis's unit",
    "blocks[].text": "written in the block",
    "exercises": "ids of the questions of the quiz on it",
    "questions": "one object a question",
    "questions[].board": "first board that shows it",
    "answer_text": "the answer as it is read",
    "working": "how it is computed",
    "questions[].inputs": "what the question starts from",
    "questions[].inputs.*": "number in base units",
    "answer": "in base units",
    "plan:rejected": "layouts that cannot serve, each with its reason",
    "storage[].usd": "the newest price of it; null where none is known, or it is rented",
    "storage[].usd_per_byte": "the newest price of a byte; null where none is known, or it is rented",
    "storage[].bought": "what it cost to buy, at each date",
    "usd_per_token_s": "list price for keeping a token",
    "costs": "one object a published bill",
    "costs[].machine": "whose bill it is; null for an industry's",
    "costs[].of": "what the bill is for",
    "catalog prices:prices[].cache_kept": "for how long and where its provider says that caches are kept; may be empty",
    "costs[].memory_fraction": "memory's part of it, in the middle of what is published",
    "catalog memory:bought": "memory's part of what machines are sold for, at an early and at its newest price",
    "catalog memory:machines": "one object a machine, the oldest first",
    "costs[].facts": "what is published of it",
    "costs[].facts.*": "one of the numbers, with its source",
    "implied_kv_bytes.*": "of the tier",
    "price:usd_per_token": "cost of a token by line of a price list",
    "price:low_usd_per_token": "the same with the shortest times of their 80 % interval on the year's cheapest chips",
    "price:low_usd_per_token.*": "by line",
    "price:high_usd_per_token": "the same with the longest times on the year's dearest chips",
    "price:high_usd_per_token.*": "by line",
    "price:usd_per_token.input": "computed",
    "price:usd_per_token.input_with_hits": "of a prompt, whether computed or found",
    "price:usd_per_token.cached_input": "found after five minutes, brought back from the tier that costs least",
    "price:usd_per_token.cache_write_5min": "computed, and kept for five minutes",
    "price:usd_per_token.cache_write_1h": "computed, and kept for an hour",
    "price:usd_per_token.output": "made",
    "price:usd_per_token.input_above": "computed, of long prompts",
    "price:usd_per_token.output_above": "made after a long prompt",
    "price:usd_per_token.batch_input": "computed, without limits on latency and in idle hours",
    "price:usd_per_token.batch_output": "made, without limits on latency and in idle hours",
    "price:usd_per_token.flex_input": "computed in idle hours",
    "price:usd_per_token.flex_output": "made in idle hours",
    "price:usd_per_token.fast_input": "computed where tokens come as fast as the fastest mode sold",
    "price:usd_per_token.fast_output": "made as fast as the fastest mode sold",
    "catalog prices:inputs.since": "earlier day that is compared with",
    "catalog prices:before": "with --since: the same models on that day; those that were not sold are left out",
    "catalog prices:prices[].retired": "whether it is sold no longer, and these are its last prices",
    "price:inputs.against": "listings",
    "price:inputs.time": "hour of their prices, UTC",
    "price:inputs.layout": "that was asked for; none for the cheapest",
    "price:inputs.requests_per_s": "mean load of the day, for whose most there are chips; null without one",
    "price:inputs.market": "kind of price of a chip that was asked for; null for the catalog's",
    "price_source": "where the price of a chip comes from",
    "infer:inputs.listing": "provider and model",
    "infer:inputs.time": "hour of the prices, UTC",
    "infer:inputs.preview": "whether quasi-random guesses were enough",
    "infer:inputs.assumed": "unknowns that were taken as known",
    "infer:inputs.assumed.*": "in base units",
    "infer:inputs.seed": "of the draws",
    "infer:inputs.usd": "prices by line, dollars a token, of hold a token and second",
    "infer:inputs.usd.*": "of the line",
    "infer:evidence": "discrete questions, with chances before and after",
    "infer:step": "of the list; null where it has none",
    "unknowns[].says": "the same in a sentence",
    "p05": "5 % lie below",
    "p25": "25 % lie below",
    "p50": "half lie below",
    "p75": "75 % lie below",
    "p95": "95 % lie below",
    "price:inputs.is_owned": "whether chips are owned, and their parts are lines of the stack",
    "infer:inputs.until": "last day of a trend; null for the newest",
    "infer:trend": "with --trend, which prints this alone: days on which prices of the model's line were new",
    "infer:trend[].listing": "provider and model",
    "infer:trend[].date": "from which on the prices held",
    "infer:trend[].usd": "prices by line, dollars a token, of hold a token and second",
    "infer:trend[].usd.*": "of the line",
    "infer:lecture": "his readings of the list, where they are asked for",
    "lecture.tiers[].held_s": "for which a cache is sold",
    "lecture.tiers[].tier": "with the nearest drain time",
    "infer:source": "where the prices were read",
    "catalog prices:inputs.time": "hour of the prices, UTC",
    "catalog prices:prices[].listing": "provider and model",
    "cliffs[].usd_per_token": "prices of a request with more input",
    "modes.*": "prices of the mode, each null where there is none",
    "changed": "days from which the prices changed, as far as they are known",
    "catalog prices:prices[].date": "day of the prices",
    "storage[].bytes_per_s": "bandwidth at which it is read",
    "inputs.batch": "sequences of the whole replica",
    "inputs.context_tokens": "tokens that each attends to, its own included",
    "inputs.prompt_tokens": "input tokens of a request",
    "plans[].chips": "of one replica",
    "front[].chips": "of one replica",
    "estimate:inputs.chips": "of the replica",
    "estimate:inputs.passes": "passes in which each is read; more than one bounds the memory that activations take",
    "plan:inputs.chips": "budget of chips, replicas included",
    "unverified": "whether the fact is known only from memory",
    "fabric": "links, from the innermost on",
    "layout": "of one replica",
    "views[].heading": "of the picture; empty where there is one alone",
    "notes": "what is to be said beside the numbers",
    **{f"{one}:inputs.seed": "of all draws" for one in LABORATORY},
    "lab reversible:inputs.sequence_tokens": "of a sequence",
    "inputs.half_bits": "of a half of the words",
    "inputs.queries": "of the test that takes as many as it is given",
    "lab feistel:inputs.rounds": "of the longest network",
    "inputs.trials": "networks of each kind, and as many permutations",
    "lab reversible:inputs.layers": "of the stack that is trained, and of others whose memory is accounted",
    "lab reversible:inputs.width": "of a stream",
    "lab reversible:inputs.heads": "of attention",
    "lab reversible:inputs.batch_sequences": "of a batch",
    "inputs.steps": "of training",
    "inputs.s_boxes": "names of the S-boxes that are judged",
    "inputs.s_box": "with `--s-box`: its values; else null",
    "lab ddt:inputs.rounds": "of the small cipher that is attacked",
    "inputs.pairs": "of plaintexts for each difference",
    "inputs.keys": "ciphers that are attacked",
    "lab avalanche:inputs.layers": "of each network",
    "inputs.samples": "inputs, each with each of its bits changed",
    "lab avalanche:inputs.rounds": "of the longest cipher that a network is to learn",
    "inputs.matrix": "with `--matrix`: of what; else null",
    "inputs.after": "with `--matrix`: rounds or layers before it; else null",
    "lab avalanche:avalanches": "one object for what mixes",
    "lab avalanche:matrix": "with `--matrix`: chance that an input's bit (a row) changes an output's; else null",
    "lab avalanche:judged": "mappings of 16 bits, judged as ciphers",
    "lab avalanche:learned": "what a network learns of a cipher of 16 bits, by its rounds",
    "lab adversarial:inputs.layers": "of each network",
    "lab adversarial:inputs.rounds": "of the cipher beside",
    "inputs.epsilon": "change of every dot that is followed, in ink",
    "lab duality:inputs.machines": "catalog ids",
    "lab duality:inputs.model": "whose KV cache is held",
    "inputs.held_s": "for which the cache is held",
    "inputs.trained": "model whose activations wait",
    "inputs.reference": "machine on which they wait",
    "inputs.reached_fraction": "of peak arithmetic",
}
"""What no record and no glossary says; by the end of a field's place, and the longest that fits goes first."""

HEAD = """# What `--json` prints

<!-- Written by bench/json_page.py from documents and records; do not edit. -->

Every command prints one JSON document on standard output with `--json`, and nothing else there; what is said to people
goes to standard error. Numbers are in base units, and what is not finite is null. `inputs` repeats what was asked and
what was resolved, so that a result can be had again. Exit codes: 0; 1 where nothing serves, or memory does not hold
what is estimated (`plan` and `estimate` print their document all the same); 2 for what is refused; 74 where the output
cannot be written; 130 after an interrupt.

`[]` are the elements of a list, `*` the values of an object whose keys are names.
"""

TYPES = {bool: "true or false", int: "integer", float: "number", str: "text", dict: "object", list: "list"}
ANNOTATED = {"bool": "true or false", "int": "integer", "float": "number", "Numeric": "number", "str": "text"}
UNITS = {"s": "s", "bytes": "bytes", "flop": "FLOP", "usd": "$", "w": "W", "tokens": "tokens", "requests": "requests"}


@dataclass
class Field:
    """One line of the page."""

    place: str
    types: set[str] = field(default_factory=set)
    is_null: bool = False


def main() -> None:
    """Print the page, or write it."""
    text = page()
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


def page() -> str:
    """The page as it should be."""
    parts = [HEAD]
    for command in EXAMPLES:
        found: dict[str, Field] = {}
        for document in documents(command):
            for place, value in walk(command, document, ""):
                kept = found.setdefault(place, Field(place))
                kept.is_null |= value is None
                kept.types |= set() if value is None else {TYPES[type(value)]}
        # What only a later example has stands beside its kin.
        seen = {place: number for number, place in enumerate(found)}
        parents = {place: [place[:end] for end in dots(place)] for place in found}
        ordered = sorted(found, key=lambda place: [seen.get(one, 0) for one in parents[place]])
        parts.append(section(f"`{command}`", [row(command, found[place]) for place in ordered]))
    parts += [section(WHOLE[name].__name__, [record_row(WHOLE[name], one) for one in fields(name)]) for name in LISTED]
    return "\n".join(parts)


def dots(place: str) -> Iterator[int]:
    """Where the places above a place end, and it itself."""
    yield from (found.start() for found in re.finditer(r"(\[\])?\.", place))
    yield len(place)


def section(title: str, rows: list[tuple[str, ...]]) -> str:
    """A heading and its table."""
    lines = [" | ".join(cells) for cells in (("field", "type", "unit", "meaning"), ("---",) * 4, *rows)]
    return f"## {title}\n\n" + "".join(f"| {line} |\n" for line in lines)


@functools.cache
def documents(command: str) -> tuple[dict[str, Any], ...]:
    """What the command prints, for each of its examples."""
    return tuple(_documents(command))


def _documents(command: str) -> Iterator[dict[str, Any]]:
    if command == "blackboard":
        yield json.loads(json_text(blackboard.document(0, "http://127.0.0.1:8265/", no_browser=True)))
        exported = {one.name: 1 if one.name.endswith("bytes") else "" for one in dataclasses.fields(Exported)}
        yield json.loads(json_text(blackboard.export_document(Path("site"), "", Exported(**exported), no_python=False)))
    if command == "lab reversible":  # which needs JAX
        yield json.loads(json_text(lab_reversible.document(REVERSIBLE_INPUTS, _filled(Comparison))))
    with tempfile.TemporaryDirectory() as folder:
        (example,) = re.findall(
            r"```csv\n(.*?)```", (ROOT / "docs" / "cases.md").read_text(encoding="utf-8"), re.DOTALL
        )
        texts = {"CASES": example, "MODELS": "model\n", "LOADS": LOADS}
        named = {name: str(Path(folder) / f"{name}.csv") for name in texts}
        for name, text in texts.items():
            Path(named[name]).write_text(text, encoding="utf-8")
        named |= {"EXAMPLES": str(ROOT / "docs" / "example_cases.csv"), "OWN": str(Path(folder) / "own")}
        named |= {"PICTURE": str(Path(folder) / "picture.svg")}
        named |= {"OUT": str(Path(folder) / "out.jsonl"), "RECORDED": str(Path(folder) / "recorded")}
        named["STORED"] = str(Path(folder) / "storage.toml")
        Path(named["STORED"]).write_text(STORED, encoding="utf-8")
        named["COMPARED"] = str(Path(folder) / "compared.toml")
        Path(named["COMPARED"]).write_text(COMPARED, encoding="utf-8")
        named |= {"STUDIED": str(Path(folder) / "studied.toml"), "SWEPT": str(Path(folder) / "swept")}
        Path(named["STUDIED"]).write_text(STUDIED, encoding="utf-8")
        if command == "query":
            sweep(named["STUDIED"], named["SWEPT"])
        for name, text in RECORDED.items():
            path = Path(named["RECORDED"]) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        with_own = command != "calibrate" and any("OWN" in line for line in EXAMPLES[command])
        for line in (EXAMPLES["calibrate"][0],) * with_own + EXAMPLES[command]:
            words = [named.get(word, word) for word in shlex.split(line)]
            result = CliRunner(env={"XDG_DATA_HOME": folder}).invoke(commands, [*words, "--json"])
            if not result.stdout:
                raise SystemExit(f"{line}: {result.stderr or result.exception!r}")
            if line in EXAMPLES[command]:
                yield json.loads(result.stdout)


REVERSIBLE_INPUTS = {
    "layers": [4, 16],
    "width": 32,
    "heads": 4,
    "sequence_tokens": 32,
    "batch_sequences": 16,
    "steps": 150,
    "seed": 0,
}


def _filled(record: type[Any]) -> Any:  # noqa: ANN401  of that type
    """A record with something in each of its fields."""
    of = {"str": "", "float": 1.0, "int": 1, "tuple[OfForm, ...]": (OfForm,), "tuple[Inversion, ...]": (Inversion,)}
    made = {}
    for name, annotation in annotations(record).items():
        value = of.get(annotation.removesuffix(" | None"), (1,))
        made[name] = tuple(_filled(one) for one in value) if isinstance(value, tuple) and value[0] != 1 else value
    return record(**made)


def walk(command: str, value: Any, place: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  any JSON value
    """Every place of a document with a value at it."""
    if place and not place.endswith("[]"):
        yield place, value
    leaf = place.rpartition(".")[2].removesuffix("[]")
    if f"{command}:{place}" in ENDS or leaf in WHOLE:
        return
    if isinstance(value, dict):
        is_named = f"{command}:{place}" in NAMED
        for name, held in value.items():
            yield from walk(command, held, ".".join(filter(None, (place, "*" if is_named else name))))
    elif isinstance(value, list):
        for held in value:
            if isinstance(held, dict):
                yield from walk(command, held, f"{place}[]")


def row(command: str, one: Field) -> tuple[str, ...]:
    """A field's cells."""
    base, _, leaf = one.place.rpartition(".")
    owners = RECORDS.get(f"{command}:{base}", ())
    owner = next((record for record in owners if leaf in annotations(record)), None)
    types, is_null = set(one.types), one.is_null
    if owner is not None:
        annotation = annotations(owner).get(leaf, "")
        is_null |= "None" in annotation
        types |= {ANNOTATED[part] for part in annotation.split(" | ") if not types and part in ANNOTATED}
    types -= {"integer"} if "number" in types else set()
    if not types:
        raise SystemExit(f"{command}: {one.place} is null in every example; add one to EXAMPLES where it is not")
    said = meaning(command, one.place, owners)
    if leaf in WHOLE and "object" in types:
        record = WHOLE[leaf]
        where = "below" if leaf.endswith(LISTED) else f"in `{record.__module__.replace('.', '/')}.py`"
        said += f"; fields of `{record.__name__}`, {where}"
    kind = " or ".join(sorted(types)) + (" or null" if is_null else "")
    is_number = bool(types & {"integer", "number"})
    named = base.rpartition(".")[2] if leaf == "*" else leaf
    return f"`{one.place}`", kind, unit(named) if is_number else "", said.replace("|", "\\|")


def meaning(command: str, place: str, owners: tuple[type[Any], ...]) -> str:
    """What is said of a field: at its place, by its record, of its name, or in the glossary."""
    parts = place.split(".")
    leaf = parts[-1]
    ends = [f"{command}:{place}", *(".".join(parts[start:]) for start in range(len(parts) - 1))]
    at_place = next((WORDS[end] for end in ends if end in WORDS), None)
    by_record = next((described(owner)[leaf] for owner in owners if leaf in described(owner)), None)
    by_glossary = GLOSSARY[leaf].meaning if leaf in GLOSSARY else None
    said = at_place or by_record or WORDS.get(leaf) or by_glossary
    if said is None:
        raise SystemExit(f"{command}: nothing says what {place} means; say it where its record is, or in WORDS")
    return said


def described(record: type[Any]) -> dict[str, str]:
    """What a record's docstring says of its attributes, and its properties of themselves."""
    text = inspect.cleandoc(record.__doc__ or "")  # Python 3.13 has done so already
    found: dict[str, str] = {}
    for name, words in re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", text, re.MULTILINE):
        said = re.sub(r"(?<!\.)\.$", "", " ".join(words.split()).replace("``", "`"))
        found[name] = re.sub(r"\bNone\b", "null", said)
    return found


def annotations(record: type[Any]) -> dict[str, str]:
    """How a record's fields are annotated; files' models are seen by what they print."""
    return {one.name: str(one.type) for one in dataclasses.fields(record)} if dataclasses.is_dataclass(record) else {}


def fields(name: str) -> list[str]:
    """Names of a record's fields."""
    return [one.name for one in dataclasses.fields(WHOLE[name])]


def record_row(record: type[Any], name: str) -> tuple[str, ...]:
    """The cells of a record's field."""
    annotation = annotations(record)[name]
    kind = " or ".join(ANNOTATED.get(part, "null") for part in annotation.split(" | "))
    return f"`{name}`", kind, unit(name), described(record)[name]


def unit(name: str) -> str:
    """The unit that a name says, or the glossary."""
    if name in GLOSSARY:
        return GLOSSARY[name].unit
    above, *below = name.split("_per_")
    if above.endswith("chip_s"):
        top = "chip-s"
    else:
        top = UNITS.get(above.rpartition("_")[2], "")
    return "/".join([top, *(UNITS.get(part, part.replace("_", " ")) for part in below)]) if top else ""


if __name__ == "__main__":
    main()
