"""Fields of the documents of ``train`` and ``schedules``: what is run to see them, and what they mean."""

from __future__ import annotations

from typing import Any

from json_fields.fields import Fields
from ridgeline.specs.layout import Layout
from ridgeline.training.asked import Asked
from ridgeline.training.interruptions import Lost
from ridgeline.training.job import TrainingJob
from ridgeline.training.layout import TrainingLayout
from ridgeline.training.memory import TrainingMemory
from ridgeline.training.outcome import Expected as ExpectedStep
from ridgeline.training.outcome import FasterWay, FittingWay, Training
from ridgeline.training.plan import TrainingPlan
from ridgeline.training.run import TrainingRun
from ridgeline.training.schedules import Compared, Shape, StageTimes
from ridgeline.training.search import Found
from ridgeline.training.step_time import StepTime

TRAINED = "train llama-3.1-70b --on h100-sxm --tokens 1T --batch-tokens 4Mi --layout tp4,pp4,dp16,vpp2"
WAYS = ("", "plans[].", "roomier.", "ways_to_fit[].", "faster_ways[].")
"""Where ``train`` has ways to run a step."""
EXAMPLES = {
    "train": (
        "train llama-3.1-8b --on h100-sxm --chips 16 --tokens 1T --batch-tokens 1Mi --why-not tp2,dp8 --count 2",
        "train qwen3-30b-a3b --on h100-sxm --chips 16 --tokens 1T --batch-tokens 4Mi --count 1",
        f"{TRAINED} --schedule vpp --recompute none --price $2/h --electricity 0.08/kWh --mtbf 9e3h --measured 9s",
        f"{TRAINED},zero3,shards16 --market spot --micro-batch 1 --routing balanced --recompute none --kernels OWN",
    ),
    "schedules": (
        "schedules --stages 7 --micro-batches 30",
        "schedules --stages 8 --micro-batches 32 --virtual-stages 4 --schedule zb-v --figure PICTURE",
    ),
}
RECORDS: dict[str, tuple[type[Any], ...]] = {
    "train:": (TrainingPlan, StepTime, Training),
    "train:plans[]": (TrainingPlan, StepTime, Training),
    "train:roomier": (TrainingPlan, StepTime, Training),
    "train:ways_to_fit[]": (FittingWay, TrainingPlan, StepTime),
    "train:faster_ways[]": (FasterWay, TrainingPlan, StepTime),
    **{f"train:{place}layout": (TrainingLayout, Layout) for place in WAYS},
    **{f"train:{place}memory": (TrainingMemory, TrainingPlan) for place in WAYS},
    **{f"train:{place}run": (TrainingRun,) for place in ("", "plans[].", "roomier.")},
    **{f"train:{place}run.lost": (Lost,) for place in ("", "plans[].", "roomier.")},
    "train:inputs": (Asked, TrainingJob),
    "train:search[]": (Found,),
    "train:expected": (ExpectedStep,),
    "schedules:inputs": (StageTimes, Shape),
    "schedules:schedules[]": (Compared,),
}
WORDS = {
    "recompute": "what a backward pass computes again",
    "hfu_fraction": "FLOP as in mfu_fraction and those of what is computed again, over what the chips' peak would do in"
    " the step's time",
    "micro_batches": "micro-batches of a replica in a step",
    "exposed_s": "part of it in which chips wait for messages alone, s",
    "step_time_low_s": "lower end of its 80 % interval, s; null for the ideal framework",
    "step_time_high_s": "upper end of the same interval, s",
    "train:inputs.framework": "framework whose overhead and kernels the numbers take",
    "train:inputs.count": "layouts that were asked for",
    "train:inputs.layout": "the layout that was given; null for a search",
    "train:inputs.usd_per_chip_s": "price of a chip, as given or the catalog's; null where none is known",
    "train:expected.ratio": "measured over predicted",
    "train:inputs.batch": "sequences of a step",
    "train:search": "what was looked at, one object for each number of chips; empty where a layout was given",
    "train:search[].chips": "of the run",
    "train:roomier": "the fastest plan with room to spare in memory, as in `plans`, where the first nearly fills it;"
    " null where it does not, where none has room, or where a layout was given",
    "train:ways_to_fit": "nearest changes that make a given layout fit, the fastest first, as in `plans`",
    "train:faster_ways": "options that would make the first plan's step faster in its layout, the fastest first, as in"
    " `plans`",
    "train:faster_ways[].option": 'options of the command line, such as "--schedule zb-v"',
    "train:framework_status": "what the framework's numbers rest on",
    "schedules:inputs.schedule": "that was drawn; null where none was",
    "schedules:schedules": "one object a schedule",
}
NAMED = frozenset(
    {
        "train:elasticities",
        "train:parts_s",
        "train:plans[].parts_s",
        "train:roomier.parts_s",
        "train:ways_to_fit[].parts_s",
        "train:faster_ways[].parts_s",
    }
)
FIELDS = Fields(examples=EXAMPLES, records=RECORDS, words=WORDS, named=NAMED)
