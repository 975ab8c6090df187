"""Fields of the documents of ``trace``: what is run to see them, and what they mean."""

from __future__ import annotations

from typing import Any

from json_fields.fields import Fields
from ridgeline.caching.curve import HitCurve, OfHold, OfSize
from ridgeline.caching.hierarchy import Mix
from ridgeline.caching.log_mixes import LogMixes
from ridgeline.cli.convert_trace import Written
from ridgeline.cli.trace import TraceRead

MIXED = "--model llama-3.1-8b --on h100-sxm --layout tp1 --tiers ddr,tlc --ttft 2s --budget $9/h --part 0.9"
EXAMPLES = {
    "trace": (
        "trace docs/example_trace.jsonl",
        "trace docs/example_trace.jsonl --hit-rates --model llama-3.1-8b --kv fp8",
        f"trace docs/example_trace.jsonl --hit-rates {MIXED} --kernels OWN",
        "trace docs/example_trace.jsonl --to mooncake OUT --rate 20/s --requests 10",
    )
}
RECORDS: dict[str, tuple[type[Any], ...]] = {
    "trace:trace": (TraceRead,),
    "trace:written": (Written,),
    "trace:hit_rates": (HitCurve,),
    "trace:hit_rates.sizes[]": (OfSize,),
    "trace:mixes": (LogMixes,),
    "trace:mixes.mixes[]": (Mix,),
    "trace:chosen_mix": (Mix,),
    "trace:hit_rates.holds[]": (OfHold,),
}
WORDS = {
    "trace:inputs.sizes": "sizes of caches that were asked for, as written",
    "trace:inputs.ttls_s": "hold times that were asked for, s",
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
    "blocks": "of a timeline",
}
FIELDS = Fields(examples=EXAMPLES, records=RECORDS, words=WORDS)
