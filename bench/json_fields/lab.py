"""Fields of the documents of ``lab``: what is run to see them, and what they mean."""

from __future__ import annotations

from typing import Any

from json_fields.fields import Fields
from ridgeline.cli.lab import EXPERIMENTS
from ridgeline.cli.listings import PRICES
from ridgeline.laboratory.adversarial import Adversarial, Attacked, Propagated
from ridgeline.laboratory.avalanches import Avalanche
from ridgeline.laboratory.cryptanalysis import Cryptanalysis, SBoxTables, Trail
from ridgeline.laboratory.distinguishers import Advantage
from ridgeline.laboratory.duality import Duality, OfMachine, Technique
from ridgeline.laboratory.judged import Judged, Learned
from ridgeline.laboratory.key_recovery import Recovered
from ridgeline.laboratory.luby_rackoff import Inverted, LubyRackoff
from ridgeline.laboratory.reversible import Comparison, Inversion, OfForm

S_BOX = ",".join(map(str, reversed(range(16))))
LABORATORY = tuple(f"lab {name}" for name in EXPERIMENTS)
WAYS = ("", "plans[].", "roomier.", "ways_to_fit[].", "faster_ways[].")
"""Where ``train`` has ways to run a step."""
EXAMPLES = {
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
RECORDS: dict[str, tuple[type[Any], ...]] = {
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
}
WORDS = {
    **{f"train:{place}layout": "how chips are laid out" for place in WAYS},
    **{f"train:{place}layout.text": "the layout as it is written after `--layout`" for place in WAYS},
    **{f"train:{place}schedule": "id of the schedule of its stages" for place in WAYS},
    **{f"train:{place}fits": "whether the fullest chip's memory does" for place in WAYS},
    **{f"train:{place}memory.total_bytes": "all of it" for place in WAYS},
    **{f"train:{place}memory": "what the fullest chip holds" for place in WAYS},
    **{f"train:{place}run": "the whole run by it" for place in WAYS},
    **{f"train:{place}parts_s.*": "time of one of them, s" for place in WAYS},
    **{f"train:{place}bubble_fraction": "part of the step in which the slowest stage waits" for place in WAYS},
    **PRICES,
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
FIELDS = Fields(examples=EXAMPLES, records=RECORDS, words=WORDS)
