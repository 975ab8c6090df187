"""Bases of the careful numbers: of each control the facts that it rests on, and how it follows from them."""

from __future__ import annotations

import datetime as dt

from ridgeline.boards.basis import Basis, Cited
from ridgeline.boards.lecture.prices.believed import CACHE_LIST, STEP_LIST, by_list
from ridgeline.boards.lecture.prices.cache_prices import DISK, FLASH
from ridgeline.catalog import machine_entry
from ridgeline.catalog.fact_files import sources
from ridgeline.catalog.facts import Fact
from ridgeline.catalog.storage import storage_device

__all__ = ["BASES", "basis_name"]

CONFIG, ACTIVE, TOTAL, TRAINED = "config", "published_active_params", "published_params", "trained_tokens"
PEAKS, MEMORY, BANDWIDTH, RENT = "flop_per_s", "hbm_bytes", "hbm_bytes_per_s", "rental"
INSIDE, OUTSIDE, CHIPS = "inside.bytes_per_s", "outside.bytes_per_s", "inside.chips"

REPORT = Cited(
    title="DeepSeek, open-infra-index, day 6: a day of serving V3 and R1",
    address="https://github.com/deepseek-ai/open-infra-index/blob/main/202502OpenSourceWeek/"
    "day_6_one_more_thing_deepseekV3R1_inference_system_overview.md",
    date=dt.date(2025, 3, 1),
)
TRACE = Cited(
    title="Mooncake, trace of conversations, its statistics counted by ridgeline trace --hit-rates",
    address="https://github.com/kvcache-ai/Mooncake",
    date=dt.date(2026, 11, 20),
)


def _catalogs(key: str, date: dt.date) -> Cited:
    """A source of the catalog, by its key."""
    found = sources()[key]
    return Cited(title=found.title, address=found.address, date=date)


def _listed(key: str) -> Cited:
    """A price list, as it was read."""
    one = by_list(key)
    address, _, version = one.source.partition(", ")
    return Cited(title=f"{one.name}: price list in genai-prices, {version}", address=address, date=one.date)


def _speed_and_size(device: str) -> tuple[Cited, ...]:
    """Sources of how large and how fast a storage device is."""
    found = storage_device(device)
    return tuple(dict.fromkeys(_cited(fact) for fact in (found.capacity_bytes, found.bytes_per_s) if fact))


def _cited(fact: Fact) -> Cited:
    is_address = fact.source.startswith("https://")
    title = fact.source.removeprefix("https://").split("/")[0] if is_address else fact.source
    title += ", not verified" if fact.unverified else ""
    return Cited(title=title, address=fact.source if is_address else "", date=fact.date)


def _dies(machine: str) -> tuple[Cited, ...]:
    """Source of how many dies a package has."""
    found = machine_entry(machine).facts.chip.dies
    return () if found is None else (_cited(found),)


INDEXED = Cited(
    title="config.json of deepseek-ai/DeepSeek-V3.2",
    address="https://huggingface.co/deepseek-ai/DeepSeek-V3.2/blob/main/config.json",
    date=dt.date(2026, 8, 21),
)


HERE = Basis(how="Chosen here, to show the effect; no source gives it.")
HIS = Basis(how="The lecture's own number here, too.")
BALANCE = "config", PEAKS, BANDWIDTH
RATIO = "peak FLOP/s over memory bandwidth, two FLOP a parameter, each parameter of its own bytes"

BASES: dict[str, Basis] = {
    # The model.
    "active_params": Basis(
        how="Counted from its config.json: the parameters that multiply a token. The input embedding is looked up, and"
        " so left out. Makers round.",
        facts=(CONFIG, ACTIVE),
    ),
    "expansion": Basis(
        how="Counted from its config.json: all parameters over those that multiply a token, both without the input"
        " embedding.",
        facts=(CONFIG, TOTAL, ACTIVE),
    ),
    "bytes_per_param": Basis(
        how="Counted from its config.json: bytes of all weights, in the checkpoint's formats, over their number.",
        facts=(CONFIG,),
    ),
    "expert_share": Basis(how="Counted from its config.json.", facts=(CONFIG,)),
    "kv_bytes_per_token": Basis(
        how="Counted from its config.json: what all layers keep of a token, in the checkpoint's format.",
        facts=(CONFIG,),
    ),
    "weight_bytes": Basis(
        how="Counted from its config.json: all parameters, each in the bytes of the checkpoint's format.",
        facts=(CONFIG, TOTAL),
    ),
    "total_params": Basis(how="Counted from its config.json.", facts=(CONFIG, TOTAL)),
    "hidden": Basis(facts=(CONFIG,)),
    "layers": Basis(facts=(CONFIG,)),
    "experts": Basis(facts=(CONFIG,)),
    "active_experts": Basis(facts=(CONFIG,)),
    "expert_hidden": Basis(facts=(CONFIG,)),
    "attention_values": Basis(how="Counted from its config.json: the mean over layers.", facts=(CONFIG,)),
    "dispatch_bytes": Basis(how="The format of its experts' products, with scales of blocks.", facts=(CONFIG,)),
    "bytes_per_value": Basis(how="The format in which its checkpoint is served.", facts=(CONFIG,)),
    "layers_per_stage": Basis(how="Its layers over four racks.", facts=(CONFIG,)),
    "global_every": Basis(how="Counted from its config.json.", facts=(CONFIG,)),
    "window": Basis(how="Counted from its config.json, in bytes of a global layer's token.", facts=(CONFIG,)),
    "flop_per_pair": Basis(how="Counted from its config.json, under full attention.", facts=(CONFIG,)),
    "routed_fraction": Basis(how="So that the law's total is that of its config.json.", facts=(CONFIG,)),
    "tokens": Basis(how="As its makers publish it.", facts=(TRAINED,)),
    "rl_tokens": Basis(how="Computed: a tenth of the budget of the tokens that its makers publish.", facts=(TRAINED,)),
    # The machine.
    "flop_per_s": Basis(
        how="Peaks of the spec sheet. A model of several formats has their mean, by the time of its products: less than"
        " the fastest.",
        facts=(CONFIG, PEAKS),
    ),
    "hbm_bytes_per_s": Basis(how="The spec sheet's peak.", facts=(BANDWIDTH,)),
    "hbm_bytes": Basis(
        how="What its driver reports where a report is known, else the sheet's; here in steps of 1,000.",
        facts=(MEMORY,),
    ),
    "chips": Basis(how="Chips of its scale-up domain.", facts=(CHIPS,)),
    "chips_per_stage": Basis(how="Chips of its scale-up domain.", facts=(CHIPS,)),
    "ports": Basis(how="One for each chip of the scale-up domain.", facts=(CHIPS,)),
    "usd_per_chip_s": Basis(how="One offer: the newest on demand, else by list. Others differ.", facts=(RENT,)),
    "link_ratio": Basis(how="Bandwidth of a chip inside the domain over that beyond it.", facts=(INSIDE, OUTSIDE)),
    "link_bytes_per_s": Basis(facts=(INSIDE,)),
    "port_bytes_per_s": Basis(facts=(OUTSIDE,)),
    "switches": Basis(how="Its switches; where none are known, its links.", facts=("inside.switches", "inside.links")),
    "cables_per_chip": Basis(
        how="Links of a chip, each of so many cables.", facts=("inside.links", "inside.cables_per_link")
    ),
    "dies_per_chip": Basis(how="Rubin Ultra's, as announced.", cites=_dies("rubin-ultra-nvl576")),
    "axes": Basis(how="The torus' own; beside switches three, as large pods have."),
    "latency_s": Basis(how="Our fit of messages beyond a domain, or a first guess."),
    # Both.
    "balance_ratio": Basis(how=f"Computed: {RATIO}.", facts=BALANCE),
    "batch": Basis(how=f"Computed, the balance batch: {RATIO}, times total over active parameters.", facts=BALANCE),
    "crossover_tokens": Basis(how="Computed: tokens of context that are read while one is computed.", facts=BALANCE),
    "period_s": Basis(
        how="Computed: a decode step of as many sequences as the memory holds.",
        facts=(CONFIG, PEAKS, BANDWIDTH, MEMORY, CHIPS),
        cites=(REPORT,),
    ),
    "seats": Basis(
        how="Computed: as many sequences as the memory holds beside the weights.",
        facts=(CONFIG, MEMORY, CHIPS),
        cites=(REPORT,),
    ),
    "copies_per_token": Basis(how="Computed: chips of the domain that a token visits.", facts=(CONFIG, CHIPS)),
    # Fleets, lists and laws.
    "context_tokens": Basis(how="The mean context of DeepSeek's own fleet.", cites=(REPORT,)),
    "balance_batches": Basis(
        how="Computed: the decode batch of DeepSeek's own fleet over the balance batch of its chips.", cites=(REPORT,)
    ),
    "redundant_experts": Basis(how="With which DeepSeek decodes.", cites=(REPORT,)),
    "price_step_tokens": Basis(cites=(_listed(STEP_LIST),)),
    "step-evidence/models_alike": Basis(how="Counted in the vendor's list.", cites=(_listed(STEP_LIST),)),
    "models_alike": Basis(how="Counted in the vendor's list.", cites=(_listed(CACHE_LIST),)),
    "output-evidence/price_ratio": Basis(cites=(_listed(CACHE_LIST),)),
    "usd_per_cached_token": Basis(cites=(_listed(CACHE_LIST),)),
    "usd_per_held_token_s": Basis(
        how="Computed: what an hour's writing costs more than five minutes', over the time between.",
        cites=(_listed(CACHE_LIST),),
    ),
    "flash_drain_s": Basis(how="Computed: capacity over bandwidth of the drive.", cites=_speed_and_size(FLASH)),
    "disk_drain_s": Basis(how="Computed: capacity over bandwidth of the drive.", cites=_speed_and_size(DISK)),
    "top_k": Basis(cites=(INDEXED,)),
    "index_fraction": Basis(how="Counted from its config.json.", cites=(INDEXED,)),
    "prompt_tokens_per_s": Basis(cites=(TRACE,)),
    "reused_fraction": Basis(cites=(TRACE,)),
    "mean_reuse_s": Basis(cites=(TRACE,)),
    "rising_power": Basis(cites=(_catalogs("besiroglu-2024", dt.date(2024, 5, 24)),)),
    "falling_power": Basis(cites=(_catalogs("besiroglu-2024", dt.date(2024, 5, 24)),)),
    "critical_batch_tokens": Basis(how="Computed from a law of critical batches at the loss that is drawn."),
    # Another way on a board.
    "budget/active_params": Basis(
        how="Counted from its config.json with the input embedding, which fits of loss count; without it fewer"
        " multiply a token.",
        facts=(CONFIG, ACTIVE),
    ),
    "quality/experts": Basis(how="Experts for each one that a token visits.", facts=(CONFIG,)),
    "quality/active_params": HIS,
    "quality/tokens": Basis(cites=(_catalogs("clark-2022", dt.date(2022, 2, 9)),)),
    "kv-shapes/kv_bytes_per_token": Basis(
        how="Computed: the bytes at which the model's crossover lies at the price step.", facts=BALANCE
    ),
    "kv-shapes/layers": HIS,
    "long-context/kv_bytes_per_token": Basis(
        how="Counted from its config.json, without what an index keeps.", facts=(CONFIG,)
    ),
    "uneven-stages/context_tokens": HERE,
    "not-wise/context_tokens": HERE,
    "memory/batch_per_stage": Basis(how="Computed, the balance batch.", facts=BALANCE),
    "hop/period_s": HIS,
    "duality/hidden": Basis(
        how="GPT-3's.",
        cites=(
            Cited(
                title="Brown et al. 2020, table 2.1",
                address="https://arxiv.org/abs/2005.14165",
                date=dt.date(2020, 5, 28),
            ),
        ),
    ),
    "ratio/balance_ratio": HIS,
}
"""Bases by the control's name; by the board's and the control's where the board has another."""

for _board in ("latency", "cost", "tokens"):
    BASES[f"{_board}/chips"] = Basis(
        how="Chips of its scale-up domain, or the fewest that hold the model.", facts=(CHIPS, CONFIG, MEMORY)
    )
BASES["over-training/active_params"] = BASES["budget/active_params"]
for _board in ("kv-bytes", "kv-shapes", "long-context"):
    BASES[f"{_board}/context_tokens"] = HIS


def basis_name(board: str, control: str) -> str:
    """Name of the basis of a board's control; empty where its number is chosen here or the lecture's.

    >>> basis_name("cost", "chips"), basis_name("domains", "bytes_per_param"), basis_name("bubbles", "stages")
    ('cost/chips', 'bytes_per_param', '')
    """
    return next((name for name in (f"{board}/{control}", control) if name in BASES), "")
