"""Fields of the documents of ``price`` and ``infer``: what is run to see them, and what they mean."""

from __future__ import annotations

from typing import Any

from json_fields.fields import Fields
from ridgeline.inversion.against import Against, MixPoint
from ridgeline.inversion.against import BreakEven as BreakEvenLoad
from ridgeline.inversion.against import Line as PriceLine
from ridgeline.inversion.evidence import Multiplier
from ridgeline.inversion.evidence import Step as PriceStep
from ridgeline.inversion.infer import Inference, Unknown
from ridgeline.inversion.items import CacheCost
from ridgeline.inversion.load import Load as PriceLoad
from ridgeline.inversion.long_prompts import LongPrompts
from ridgeline.inversion.operating import Operating, PricedDeployment, Unit
from ridgeline.inversion.predictive import Predicted
from ridgeline.inversion.price import Pricing
from ridgeline.inversion.published import Published
from ridgeline.inversion.questions import Option, Question
from ridgeline.inversion.readings import Reading, Readings
from ridgeline.inversion.stack import Part as StackPart
from ridgeline.inversion.trend import Dated
from ridgeline.specs.workload import Workload

PRICED = "price llama-3.1-70b --on h100-sxm --prompt 2000 --output 500 --tpot 50ms"
FORMATTED = "--weights fp8 --kv fp8 --price $2/h"
EXAMPLES = {
    "price": (
        f"{PRICED} --against together/meta-llama/Llama-3.3-70B-Instruct-Turbo --layout tp4 --rate 2/s --market list",
        f"{PRICED} --pools 2 --layout tp4/tp4 --chips 8 {FORMATTED} --electricity 0.08/kWh --ttft 2s --kernels OWN",
    ),
    "infer": (
        "infer openai/gpt-6.1-sol --preview --assume context_tokens=10k",
        "infer anthropic/claude-opus-5-5 --preview",
        "infer google/gemini-3.1-pro-preview --preview --lecture",
        "infer anthropic/claude-opus-4-5 --preview --lecture",
        "infer groq/llama-3.1-8b-instant --preview",
        "infer deepseek/deepseek-v4-pro --trend --date 2026-05-10",
    ),
}
RECORDS: dict[str, tuple[type[Any], ...]] = {
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
    "price:inputs": (PricedDeployment, Workload, Pricing),
    "infer:": (Inference,),
    "infer:unknowns[]": (Unknown,),
    "infer:trend[]": (Dated,),
    "infer:trend[].unknowns[]": (Unknown,),
    "infer:predictive[]": (Predicted,),
    "infer:evidence[]": (Question,),
    "infer:evidence[].options[]": (Option,),
    "infer:multipliers[]": (Multiplier,),
    "infer:step": (PriceStep,),
    "infer:lecture": (Readings,),
    "infer:lecture.step": (Reading,),
    "infer:lecture.decode": (Reading,),
    "infer:lecture.decode_with_caches": (Reading,),
    "infer:published": (Published,),
}
WORDS = {
    "price:usd_per_token": "cost of a token by line of a price list",
    "price:low_usd_per_token": "the same with the shortest times of their 80 % interval on the year's cheapest chips",
    "price:low_usd_per_token.*": "cost of a token of that line",
    "price:high_usd_per_token": "the same with the longest times on the year's dearest chips",
    "price:high_usd_per_token.*": "cost of a token of that line",
    "price:usd_per_token.input": "an input token that is computed",
    "price:usd_per_token.input_with_hits": "an input token on the mean, computed or found in the cache",
    "price:usd_per_token.cached_input": "an input token found after five minutes, from the tier that costs least",
    "price:usd_per_token.cache_write_5min": "an input token that is computed and kept for five minutes",
    "price:usd_per_token.cache_write_1h": "an input token that is computed and kept for an hour",
    "price:usd_per_token.output": "an output token",
    "price:usd_per_token.input_above": "an input token of a long prompt",
    "price:usd_per_token.output_above": "an output token after a long prompt",
    "price:usd_per_token.batch_input": "an input token without limits on latency, in idle hours",
    "price:usd_per_token.batch_output": "an output token without limits on latency, in idle hours",
    "price:usd_per_token.flex_input": "an input token in idle hours",
    "price:usd_per_token.flex_output": "an output token in idle hours",
    "price:usd_per_token.fast_input": "an input token where tokens come as fast as in the fastest mode sold",
    "price:usd_per_token.fast_output": "an output token as fast as in the fastest mode sold",
    "price:inputs.against": "price lists that were asked for, each as PROVIDER/MODEL",
    "price:inputs.time": "hour of their prices, UTC",
    "price:inputs.layout": "layouts that were asked for; empty for the cheapest",
    "price:inputs.requests_per_s": "mean load of the day; there are chips for its busiest hour; null without one",
    "price:inputs.market": "kind of price of a chip that was asked for; null for the catalog's",
    "infer:inputs.listing": "provider and model",
    "infer:inputs.time": "hour of the prices, UTC",
    "infer:inputs.preview": "whether quasi-random guesses were enough",
    "infer:inputs.assumed": "unknowns that were taken as known",
    "infer:inputs.assumed.*": "its value in base units, or the answer",
    "infer:inputs.seed": "seed of the draws",
    "infer:inputs.usd": "prices by line, dollars a token, of hold a token and second",
    "infer:inputs.usd.*": "price of the line",
    "infer:evidence": "discrete questions, with chances before and after",
    "infer:step": "step of the list with the prompt's length; null where it has none",
    "unknowns[].says": "the same in a sentence",
    "p05": "5 % of the chance lies below",
    "p25": "a quarter of the chance lies below",
    "p75": "three quarters of the chance lie below",
    "p95": "95 % of the chance lies below",
    "price:inputs.is_owned": "whether chips are owned, and their parts are lines of the stack",
    "infer:inputs.until": "last day of a trend",
    "infer:left_out": "models that are sold under a name of the line, of which no first day is known",
    "infer:answer": "what the prices say, in a few sentences",
    "infer:hold_formula": "how the price of holding follows from those of writes; empty where it is listed",
    "infer:how_right": "how right such answers were on open models",
    "infer:published": "what the catalog has of the model; null where it has none",
    "infer:published.model": "id in the catalog",
    "infer:published.active_params": "parameters that a token touches",
    "infer:published.total_params": "parameters of all matrices",
    "infer:published.kv_bytes_per_token": "bytes that a further token leaves in the cache, in the published format",
    "infer:trend": "with --trend, which prints this alone: days on which prices of the model's line were new",
    "infer:trend[].listing": "provider and model",
    "infer:trend[].date": "from which on the prices held",
    "infer:trend[].usd": "prices by line, dollars a token, of hold a token and second",
    "infer:trend[].usd.*": "of the line",
    "infer:lecture": "his readings of the list, where they are asked for",
    "lecture.tiers[].held_s": "for which a cache is sold",
    "lecture.tiers[].tier": "with the nearest drain time",
    "infer:source": "where the prices were read",
}
NAMED = frozenset(
    {
        "infer:inputs.assumed",
        "infer:inputs.usd",
        "infer:trend[].usd",
        "price:high_usd_per_token",
        "price:low_usd_per_token",
    }
)
FIELDS = Fields(examples=EXAMPLES, records=RECORDS, words=WORDS, named=NAMED)
