"""Fields of the documents of ``estimate`` and ``expect``: what is run to see them, and what they mean."""

from __future__ import annotations

from typing import Any

from json_fields.fields import Fields
from ridgeline.estimator.estimate import Estimate
from ridgeline.planner.expect import Cause, Expectation, Expected
from ridgeline.specs.provenance import Carrier
from ridgeline.specs.speculation import Speculation

STEP = "estimate llama-3.1-8b --on h100-sxm --layout tp1 --batch 8"
RUN = "expect llama-3.1-70b --on h100-sxm --layout tp8 --users 64"
EXAMPLES = {
    "estimate": (
        f"{STEP} --context 1k",
        f"{STEP} --context 1k --speculate eagle3:2=1.8",
        f"{STEP} --context 1k --phase prefill --weights fp8 --kernels OWN",
        "estimate llama-3.1-70b --on h100-sxm --layout tp8 --batch 64 --context 2k --anchor CASES",
    ),
    "expect": (
        f"{RUN} --prompt 1000 --output 1000",
        f"{RUN} --prompt 1000 --output 1000 --measured-tpot 31ms",
        f"{RUN} --prompt 1000 --output 1000 --max-sequences 2",
        f"{RUN} --prompt 100 --output 99 --measured-tpot 9ms --anchor CASES",
        f"{RUN} --prompt 100 --output 99 --measured-tpot 9ms --weights fp8 --kv fp8 --kernels OWN",
    ),
}
RECORDS: dict[str, tuple[type[Any], ...]] = {
    "estimate:speculation": (Speculation,),
    "expect:expected": (Expected,),
    "expect:causes[]": (Cause,),
    "expect:": (Expectation,),
    "estimate:carried_by[]": (Carrier,),
    "expect:carried_by[]": (Carrier,),
    "estimate:": (Estimate,),
}
WORDS = {
    "estimate:tpot_s": "time per token of a sequence, over the tokens that a step adds; null where prompts are read",
    "estimate:tpot_low_s": "lower end of its 80 % interval",
    "estimate:tpot_high_s": "upper end of the same interval",
    "expect:inputs.users": "requests under way on one replica",
    "expect:ratio": "measured over expected time per output token; null without a measurement",
    "expect:measured": "time per output token that was measured; null without a measurement",
    "expect:causes": "what may be otherwise, that which leaves least of the difference first",
    "expect:inputs.formats.weights": "format of the layers' weights that was named; null for the published one",
    "inputs.phase": "decode or prefill",
    "estimate:carried_by": "what carries the time: measured on this chip, on its family, or assumed; worst first",
    "time_by_cause_s": "the time by what it goes to; adds up to step_time_s",
    "time_by_cause_s.*": "time that goes to it",
    "operations_of": "chip whose operations are listed",
    "fits": "whether memory holds it; numbers are void where it does not",
    "operations": "of the step, those of one name together",
    "operations[].name": "what the operation does",
    "repeats": "how often a chip runs it",
    "weight_bytes": "weights read, or held",
    "operations[].kv_bytes": "keys and values read",
    "operations[].activation_bytes": "activations read and written",
    "message_bytes": "bytes sent to other chips",
    "scale_up_bytes": "bytes of these inside the scale-up domain",
    "scale_out_bytes": "bytes of these beyond the scale-up domain",
    "operations[].bound": "what takes most of its time",
    "estimate:inputs.chips": "chips of the replica",
    "estimate:inputs.passes": "passes in which each is read; more than one bounds the memory that activations take",
}
NAMED = frozenset(
    {
        "estimate:inputs.anchor.rows",
        "estimate:inputs.engine_options",
        "estimate:inputs.formats",
        "estimate:time_by_cause_s",
    }
)
FIELDS = Fields(examples=EXAMPLES, records=RECORDS, words=WORDS, named=NAMED)
