"""Fields of the documents of ``simulate``: what is run to see them, and what they mean."""

from __future__ import annotations

from typing import Any

from json_fields.fields import Fields
from ridgeline.simulator.find_rate import FoundRate, Tried
from ridgeline.simulator.limits import Limits
from ridgeline.simulator.outcome import Bands, OfClass, OfReplica, OfTier, PromptPool, Simulation, Steady
from ridgeline.simulator.served import Latency
from ridgeline.specs.cache_tier import CacheTier
from ridgeline.specs.provenance import Carrier

PLAYED = "simulate llama-3.1-8b --on h100-sxm --layout tp1"
CLASSED = "--classes fast:0.5,batch:0.5"
TIERS = "--cache ddr,tlc=300TB"
EXAMPLES = {
    "simulate": (
        f"{PLAYED} --prompt 1000 --output 200 --rate 8/s --requests 4000 --ttft 300ms --tpot 15ms --find-rate --price $2/h",
        f"{PLAYED} --trace docs/example_trace.jsonl --kv-blocks 20000 --block-tokens 16 --weights fp8 --kv fp8 {TIERS}",
        f"{PLAYED} --prompt 1000 --output 100 --users 4 --tpot 50ms --market list --kernels OWN",
        f"{PLAYED} --prompt 1000 --output 100 --users 4 {CLASSED}",
        f"{PLAYED}/tp2 --prompt 1000 --output 100 --rate 8/s --requests 50 --tpot 1s --kv-blocks 9000 {CLASSED}",
        "simulate --run RECORDED",
        "simulate --compare COMPARED COMPARED",
    )
}
RECORDS: dict[str, tuple[type[Any], ...]] = {
    "simulate:": (Simulation, Limits),
    "simulate:by_replica[]": (OfReplica,),
    "simulate:steady": (Steady,),
    "simulate:tiers[]": (OfTier,),
    "simulate:inputs.cache[]": (CacheTier,),
    "simulate:carried_by[]": (Carrier,),
    "simulate:ttft_s": (Latency,),
    "simulate:begun_otherwise_ttft_s": (Latency,),
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
}
WORDS = {
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
    "simulate:predicted.makespan_s": "time from the first arrival to the last token",
    "simulate:measured.makespan_s": "time from the first arrival to the last token",
    "simulate:output_tokens_per_s": "output tokens of all replicas each second",
    "simulate:requests_per_s": "completed requests of all replicas each second",
    "simulate:usd_per_output_token": "price of the time that decodes, idle time in proportion; null without a tariff",
    "simulate:chip_busy_fraction": "part of the time of all chips, of both pools, in which they run steps",
    "simulate:usd_per_request": "price of a completed request, of both pools; null without a tariff",
    "simulate:at_work_usd_per_output_token": "part of it for chips that run steps, without those that idle",
    "simulate:at_work_usd_per_input_token": "part of it for chips that run steps, without those that idle",
    "simulate:usd_per_input_token": "price of the time that prompts take, for each of their tokens; null without a"
    " tariff",
    "simulate:remarks": "what a prediction does not take from the folder, and why",
    "simulate:inputs.replicas": "replicas that share the requests",
    "simulate:inputs.router": "rule by which a request goes to one of them",
    "simulate:inputs.order": "who of those that wait is admitted",
    "simulate:inputs.preempt": "recompute or swap: what becomes of the cache of who gives up its memory",
    "simulate:inputs.policy": "how a replica schedules; departures with their period, s",
    "simulate:inputs.has_prefix_cache": "whether blocks of prompts that a log names are kept",
    "simulate:inputs.has_bands": "whether intervals were asked for",
    "simulate:inputs.cache": "tiers below a replica's prefix cache, the fastest first",
    "simulate:tiers": "what each of them did",
    "simulate:tiers[].fetched_bytes": "bytes of cached tokens that were fetched from it",
    "simulate:tiers[].written_bytes": "bytes of tokens that were written to it",
    "simulate:inputs.kv_blocks": "blocks of the cache that were stated; null where they follow",
    "simulate:inputs.trace": "path of the log; null without one",
    "simulate:inputs.prompt_tokens": "input tokens of every request; null of a log",
    "simulate:inputs.output_tokens": "output tokens of every request; null of a log",
    "simulate:inputs.requests_per_s": "rate at which requests come at random; null as the log says",
    "simulate:inputs.users": "who ask again as soon as they are answered; null where requests come by themselves",
    "simulate:inputs.classes": "shares of classes, or the log's column of them; null where all are alike",
    "simulate:inputs.prompt_pool": "replicas that read prompts; null where each reads its own",
    "simulate:inputs.prompt_pool.replicas": "replicas that share the prompts",
    "simulate:inputs.prompt_pool.kv_blocks": "blocks of the cache of each that were stated; null where they follow",
    "simulate:inputs.files": "paths of what is compared",
    "simulate:pools": "both pools, where one reads prompts and one makes tokens; null where there is one",
    "simulate:pools.*": "prefill or decode",
    "simulate:pools.*.kv_capacity_tokens": "tokens that the cache of one of its replicas has room for",
    "simulate:pools.*.kv_blocks": "blocks of its KV cache",
    "simulate:pools.*.block_tokens": "tokens of a block",
    "simulate:pools.*.kv_is_stated": "whether the number of blocks was given",
    "simulate:pools.*.kv_token_bytes": "cache of a token on each chip that keeps it, on the mean of a request, bytes",
    "simulate:pools.*.memory": "what takes the memory of a chip, without any cache: what is free is the cache's",
    "simulate:classes[].within_fraction": "part of its completed requests, within both limits; null without any",
    "simulate:classes[].goodput_requests_per_s": "the same of the class",
    "simulate:simulations": "with --compare what was found for each file, in the fields of this command without it",
    "simulate:differences": "with --compare the table of what differs",
    "simulate:differences[].quantity": "place of a number in the fields of this command without --compare",
    "simulate:differences[].values": "that number for each file, in its unit; null where there is none",
    "simulate:differences[].ratios": "those of all but the first over that of the first; null where that is nothing",
    "simulate:inputs.count": "most requests that were asked for; null for all",
    "simulate:inputs.rate_scale": "how many times as fast they come",
    "simulate:inputs.starts_together": "whether all users begin at once, and not one after the other",
    "simulate:begun_otherwise_ttft_s": "times to the first token where users begin the other way, all at once or one"
    " after the other; null without users, and of more than 10,000 requests, which are not played twice",
    "simulate:inputs.seed": "seed of random arrivals",
    "simulate:inputs.ttft_s": "largest time to the first token that is good; null for any",
    "simulate:inputs.tpot_s": "largest time per output token that is good; null for any",
    "simulate:inputs.share": "part of the requests that has to stay within both where a rate is looked for",
    "simulate:inputs.usd_per_chip_s": "price of a chip that was given; null for the catalog's",
    "simulate:kv_capacity_tokens": "tokens that a replica's cache has room for",
    "simulate:carried_by": "what carries the time of a mean request: measured on this chip, its family, or assumed; the"
    " worst first",
    "simulate:kv_blocks": "blocks of a replica's KV cache",
    "simulate:kv_is_stated": "whether the number of blocks was given",
    "simulate:kv_token_bytes": "cache of a token on each chip that keeps it, on the mean of a request, bytes",
    "simulate:memory": "what takes the memory of a chip, without any cache: what is free is the cache's",
    "simulate:within_fraction": "part of the requests that came, within both limits; null without any",
    "simulate:goodput_requests_per_s": "requests a second that complete within both limits",
    "simulate:is_overloaded": "whether first tokens came later and later for as long as requests came",
    "simulate:steady": "a second without ramp-up and drain; null where requests come for less than three times the"
    " e2e_s.p99, or too many of them, or with users",
    "simulate:found_rate": "the highest rate that keeps the limits; null where it was not looked for",
}
NAMED = frozenset({"simulate:inputs.engine_options", "simulate:inputs.formats", "simulate:pools"})
ENDS = frozenset({"simulate:simulations[]"})
FIELDS = Fields(examples=EXAMPLES, records=RECORDS, words=WORDS, named=NAMED, ends=ENDS)
