"""Every public quantity once: its symbol on the board, its unit, its meaning and its plausible range.

Records check their fields against it by name; sliders, generated tests and the documentation's tables read it.
Field names carry base units, so the usual slip is a prefix left in ("3.35" for 3.35e12 bytes/s): the range catches it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from numbers import Integral, Real
from typing import Any

from ridgeline.errors import RidgelineError

__all__ = ["GLOSSARY", "ImplausibleError", "Quantity", "require_in_range", "require_plausible", "require_whole"]


class ImplausibleError(RidgelineError):
    """A field holds a value outside the glossary's range.

    Attributes:
        fault: clause on what is wrong, without the quantity's Python name.
    """

    def __init__(self, fault: str, remedy: str = "") -> None:
        super().__init__(fault + remedy)
        self.fault = fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """One public quantity.

    Attributes:
        name: name in fields, arguments, JSON and labels.
        symbol: symbol on the board; empty where the board has none.
        unit: base unit; empty for counts and ratios.
        meaning: meaning in one clause.
        low: smallest plausible value.
        high: largest plausible value.
    """

    name: str
    symbol: str
    unit: str
    meaning: str
    low: float
    high: float


def _quantity(name: str, symbol: str, unit: str, meaning: str, low: float, high: float) -> Quantity:
    return Quantity(name=name, symbol=symbol, unit=unit, meaning=meaning, low=low, high=high)


GLOSSARY: dict[str, Quantity] = {
    quantity.name: quantity
    for quantity in (
        # what is asked
        _quantity("batch", "B", "", "sequences decoded together over all chips of a replica", 1, 1e8),
        _quantity("context_tokens", "L", "tokens", "tokens that a new token attends to, its own included", 1, 1e9),
        _quantity("prompt_tokens", "", "tokens", "tokens of a request's input", 1, 1e9),
        _quantity("output_tokens", "", "tokens", "tokens of a request's output", 1, 1e9),
        _quantity("passes", "", "", "passes in which a prompt is read", 1, 1e6),
        _quantity("tpot_s", "", "s", "time per output token, as one user sees it", 1e-7, 1e6),
        _quantity("ttft_s", "", "s", "time to the first output token", 1e-7, 1e6),
        # layouts
        _quantity("tp", "", "", "chips that share every matrix (tensor parallel)", 1, 1e5),
        _quantity("pp", "", "", "groups of chips that each hold some of the layers (pipeline parallel)", 1, 1e4),
        _quantity("ep", "", "", "groups of chips that each hold some of the experts (expert parallel)", 1, 1e5),
        _quantity("dp", "", "", "groups of chips that each serve their own sequences (data parallel)", 1, 1e6),
        _quantity("cp", "", "", "chips that share one sequence's context (context parallel)", 1, 1e5),
        _quantity("tp_rows", "", "", "chips of tp among which the input side of matrices is cut", 1, 1e5),
        _quantity("kv_dp", "", "", "groups of tp that each keep their own sequences' keys and values", 1, 1e5),
        _quantity("fsdp", "", "", "chips among which weights lie spread until their layer runs", 1, 1e6),
        _quantity("redundant_experts", "", "", "experts of each layer that are held a second time", 0, 1e5),
        _quantity("skew", "z", "", "power of an expert's rank with which tokens seek it less; 0 seeks all alike", 0, 8),
        _quantity("copies_per_token", "c", "", "copies of a token that go to chips of its experts", 1, 1e4),
        _quantity("layers_per_stage", "l_s", "", "layers of one stage of a pipeline", 1, 1e4),
        _quantity("chips", "n", "", "chips of one replica", 1, 1e7),
        # training
        _quantity("stages", "p", "", "groups of chips that each hold some of a pipeline's layers", 1, 1e4),
        _quantity("micro_batches", "m", "", "parts of a batch that pass a pipeline one after another", 1, 1e6),
        _quantity("backward_ratio", "", "", "time of a backward pass over that of a forward pass", 0.1, 10),
        _quantity("batch_tokens", "", "tokens", "tokens that are trained on together", 1, 1e12),
        _quantity("micro_batch_tokens", "B_m", "tokens", "tokens of one micro-batch", 1, 1e10),
        _quantity("critical_batch_tokens", "B_c", "tokens", "batch from which on larger ones bring little", 1, 1e12),
        _quantity("global_every", "", "", "layers from one that attends to its whole context to the next", 1, 1e4),
        _quantity("attended_layers", "A", "", "earlier layers whose outputs a layer attends to", 1, 1e5),
        _quantity("hop_s", "", "s", "time from a stage to the next", 1e-9, 1e3),
        # runs
        _quantity("chip_mtbf_s", "MTBF", "s", "mean time between failures of one chip", 1e3, 1e12),
        _quantity("restart_s", "t_restart", "s", "time from a failure until training goes on", 0, 1e6),
        _quantity("checkpoint_bytes", "", "bytes", "weights and optimizer states that a checkpoint holds", 1e3, 1e17),
        _quantity("chip_bytes_per_s", "", "bytes/s", "what one chip writes of a checkpoint", 1e3, 1e13),
        _quantity("blocking_fraction", "", "", "part of writing a checkpoint in which chips wait", 1e-6, 1),
        _quantity("mended_fraction", "", "", "part of failures after which a checkpoint is still there", 0, 1),
        _quantity("interval_s", "t_ckpt", "s", "work from a checkpoint to the next", 1e-3, 1e9),
        _quantity("step_log_sd", "", "", "deviation of the logarithm of chips' times for a step", 0, 0.5),
        _quantity("waited_for_chips", "", "", "chips whose slowest a step's time waits for already", 1, 1e7),
        _quantity("straggling_chips", "", "", "chips among which a run still waits for the slowest", 1, 1e7),
        _quantity("working_fraction", "", "", "part of a step in which a chip computes or sends", 0, 1),
        # ciphers
        _quantity("rounds", "", "", "rounds that a block goes through", 1, 1e3),
        _quantity("samples", "", "", "blocks that a mean is taken over", 1, 1e6),
        _quantity(
            "flipped_bits", "δ", "", "neighbouring bits of a block, or signs of an input, that are flipped", 1, 128
        ),
        _quantity("added_weight", "ε", "", "weight of what a residual layer adds to its input", 0, 1e3),
        _quantity("exponent", "", "", "power whose middle bits are a round function", 1, 64),
        _quantity("held_s", "t_h", "s", "time for which bytes are held until they are used", 1e-6, 1e9),
        _quantity("memory_fraction", "", "", "part of all memory that activations take", 1e-6, 1),
        _quantity("changes", "", "", "changes of an S-box's input and output that are shown", 1, 256),
        # models
        _quantity("layers", "l", "", "layers of the model, or of a group that are alike", 1, 1e5),
        _quantity("hidden", "d", "", "width of the residual stream", 16, 1e6),
        _quantity("vocab", "V", "", "entries of the vocabulary", 2, 1e7),
        _quantity("query_heads", "n_q", "", "attention heads that ask", 1, 1e4),
        _quantity("kv_heads", "n_kv", "", "attention heads whose keys and values are stored", 1, 1e4),
        _quantity("head_dim", "d_h", "", "width of one head's query and key", 1, 1e4),
        _quantity("bytes_per_value", "b_kv", "bytes", "a number of a stored key or value", 0.25, 8),
        _quantity("value_head_dim", "d_v", "", "width of one head's value; 0 where it is that of its key", 0, 1e4),
        _quantity("query_rank", "", "", "width of the compressed query; 0 where it is not compressed", 0, 1e5),
        _quantity("kv_rank", "d_c", "", "width of the compressed key and value that is stored", 1, 1e5),
        _quantity(
            "position_head_dim", "d_r", "", "width of the key part that carries position, shared by heads", 0, 1e4
        ),
        _quantity("content_head_dim", "", "", "width of a head's key part without position", 1, 1e4),
        _quantity("ffn_hidden", "", "", "width inside a dense feed-forward block", 1, 1e7),
        _quantity("expert_hidden", "d_e", "", "width inside one expert", 1, 1e6),
        _quantity("experts", "E", "", "routed experts of a layer", 1, 1e5),
        _quantity("active_experts", "k", "", "routed experts that one token visits", 1, 1e4),
        _quantity("shared_hidden", "", "", "width of the experts that every token visits", 0, 1e7),
        _quantity("latent_hidden", "", "", "width of a token on its way to routed experts, 0 for the stream's", 0, 1e6),
        _quantity("total_params", "N_t", "", "parameters of the model's matrices", 1e3, 1e15),
        _quantity("active_params", "N_a", "", "parameters that one token touches", 1e3, 1e15),
        _quantity("expansion", "s", "", "total over active parameters", 1, 1e5),
        _quantity("routed_fraction", "f_E", "", "part of the active parameters that each expert holds anew", 0, 1),
        # training
        _quantity("served_tokens", "D_s", "tokens", "tokens that a model handles before it is replaced", 0, 1e18),
        _quantity("tokens_per_s", "", "tokens/s", "tokens that a provider or a model handles in a second", 0, 1e15),
        _quantity("lifetime_s", "", "s", "time until a model is replaced", 1, 1e10),
        _quantity("deployed_fraction", "q", "", "chance that a trained model is served at all", 0, 1),
        _quantity("rl_tokens", "D_RL", "tokens", "tokens written in reinforcement learning", 0, 1e18),
        _quantity("rl_flop_per_param", "c_RL", "", "FLOP for a parameter and a token of these", 2, 8),
        _quantity(
            "relative_efficiency_fraction",
            "\N{GREEK SMALL LETTER ETA}",
            "",
            "efficiency of writing over training's",
            0,
            1,
        ),
        _quantity("rising_power", "μ_up", "", "power of a cost that rises with size", 0, 10),
        _quantity("falling_power", "μ_down", "", "power of a cost that falls with size", 0, 10),
        # attention kinds
        _quantity("window", "L_w", "tokens", "last tokens that a token attends to", 1, 1e9),
        _quantity("index_heads", "", "", "heads of an indexer; 0 where there is none", 0, 1e4),
        _quantity("index_head_dim", "", "", "width of the key that an indexer stores", 0, 1e4),
        _quantity("top_k", "K", "", "tokens or entries that an indexer picks for a query", 0, 1e7),
        _quantity("index_fraction", "f_idx", "", "bytes of a token's index over its KV bytes", 0, 1),
        _quantity("summary_stride", "", "tokens", "tokens that one summary stands for", 1, 1e6),
        _quantity("block", "", "tokens", "tokens of a block that is read or skipped as one", 1, 1e6),
        _quantity("blocks", "", "", "blocks that are read for a query", 1, 1e6),
        _quantity("ratio", "", "tokens", "tokens that become one stored entry; 0 where none do", 0, 1e6),
        _quantity("output_groups", "", "", "groups of heads whose results are projected apart", 1, 1e4),
        _quantity("output_rank", "", "", "width to which each group is projected", 1, 1e5),
        _quantity("key_heads", "", "", "heads of queries and keys of a linear attention", 1, 1e4),
        _quantity("value_heads", "", "", "heads of values of a linear attention", 1, 1e4),
        _quantity("key_head_dim", "", "", "width of a query and a key of a linear attention", 1, 1e4),
        _quantity("convolution_tokens", "", "tokens", "tokens before a new one that a convolution reads again", 0, 1e3),
        _quantity("flop_per_pair", "c_att", "FLOP", "of a query and a key of a prompt, all layers together", 1, 1e12),
        _quantity("max_context_tokens", "", "tokens", "tokens that a model was made for", 1, 1e10),
        _quantity("trained_tokens", "", "tokens", "tokens that a model was pre-trained on", 1e3, 1e18),
        # machines
        _quantity(
            "flop_per_s", "F", "FLOP/s", "dense peak of the arithmetic, a multiply and an add as two", 1e10, 1e18
        ),
        _quantity("hbm_bytes", "C", "bytes", "high-bandwidth memory of a chip", 1e8, 1e14),
        _quantity("hbm_bytes_per_s", "W", "bytes/s", "bandwidth of that memory", 1e10, 1e16),
        _quantity("bytes_per_s", "", "bytes/s", "bandwidth of a chip's links, in one direction", 1e7, 1e16),
        _quantity("l2_bytes", "", "bytes", "last cache before the memory", 1e5, 1e11),
        _quantity("compute_units", "", "", "streaming multiprocessors, compute units or cores of a chip", 1, 1e5),
        _quantity("power_w", "", "W", "power that a chip may draw", 1, 1e5),
        _quantity("site_power_w", "", "W", "power that a site may draw, its overhead included", 1, 1e11),
        _quantity("pue", "", "", "power usage effectiveness: what a site draws over what its chips draw", 1, 10),
        _quantity("electricity_usd_per_j", "", "$/J", "price of electricity", 0, 1e-4),
        _quantity("idle_power_fraction", "", "", "power of an idle chip, over what it may draw", 0, 1),
        _quantity("usd_per_chip_s", "$_chip", "$/s", "price of one chip", 1e-9, 1),
        # the boards' short cuts
        _quantity("bytes_per_param", "b_w", "bytes", "size of a parameter, on the mean over a checkpoint", 0.1, 16),
        _quantity("kv_bytes_per_token", "β", "bytes", "keys and values that a token leaves, in all layers", 0, 1e9),
        _quantity("weight_bytes", "M_w", "bytes", "all weights of a model", 1e3, 1e16),
        _quantity("balance_ratio", "R", "", "parameters that a chip multiplies while it reads one", 1, 1e5),
        _quantity("expert_share", "", "", "part of a model's parameters that are routed experts", 0, 1),
        _quantity("balance_batches", "B/B*", "", "batch over the balance batch", 1e-3, 1e9),
        _quantity("crossover_tokens", "L*", "tokens", "context that is read while one token is computed", 1, 1e10),
        _quantity("period_s", "T", "s", "time between departures", 1e-6, 1e4),
        _quantity("seats", "S", "", "sequences that a departure takes along", 1, 1e8),
        _quantity("load_fraction", "", "", "part of the seats that is taken on the mean", 0, 1),
        _quantity("dispersion", "", "", "variance over mean of arrivals in a period; 1 is Poisson's", 0, 1e4),
        _quantity("racks", "n_r", "", "scale-up domains", 1, 1e5),
        _quantity("link_ratio", "ρ", "", "bandwidth of a chip inside its domain over that beyond it", 0.1, 1e4),
        _quantity("link_bytes_per_s", "", "bytes/s", "bandwidth of a chip's links, in one direction", 1e7, 1e16),
        _quantity("chips_per_stage", "n_s", "", "chips that share a pipeline stage", 1, 1e6),
        _quantity("batch_per_stage", "b", "", "sequences of one micro-batch", 1, 1e8),
        _quantity("attention_values", "d_qv", "", "values of queries and results of all heads of a layer", 1, 1e7),
        _quantity("dispatch_bytes", "b_disp", "bytes", "size of a value on its way to an expert", 0.1, 8),
        _quantity("ports", "n_port", "", "network ports that carry a hand-over side by side", 1, 1e6),
        _quantity("port_bytes_per_s", "W_port", "bytes/s", "bandwidth of one port, in one direction", 1e6, 1e14),
        _quantity("latency_s", "t_0", "s", "time of a message of no bytes", 1e-9, 1),
        _quantity("axes", "a", "", "dimensions of a torus", 1, 10),
        _quantity("cables_per_chip", "w", "", "cables that leave a chip within its domain", 1, 1e4),
        _quantity("switches", "", "", "switches of a scale-up domain", 1, 1e4),
        _quantity("dies_per_chip", "", "", "dies in a package", 1, 100),
        _quantity("price_step_tokens", "L_$", "tokens", "context at which a list price steps", 1, 1e10),
        _quantity("price_ratio", "P", "", "a price over another: beyond a list's step, or of a fast mode", 1, 100),
        _quantity("models_alike", "M", "", "a vendor's models that share a step or a multiple, this one too", 1, 1000),
        _quantity("usd_per_cached_token", "", "$/token", "price of a token that is found in a cache", 1e-12, 1),
        _quantity("usd_per_held_token_s", "", "$/token/s", "price of holding a token's cache for a second", 1e-18, 1),
        _quantity("flash_drain_s", "", "s", "time to read all of a flash drive", 1e-3, 1e9),
        _quantity("disk_drain_s", "", "s", "time to read all of a disk", 1e-3, 1e9),
        _quantity("speed_ratio", "v", "", "speed of a fast mode over that of the regular one", 1, 100),
        _quantity("tokens_per_pass", "n_new", "tokens", "tokens of a sequence that one pass takes", 1, 1e8),
        _quantity("drafted_tokens", "γ", "tokens", "tokens guessed for a sequence and checked in one step", 0, 64),
        _quantity("acceptance_fraction", "α", "", "chance that a guessed token is right where all before it are", 0, 1),
        _quantity("prompt_tokens_per_s", "λ_tok", "tokens/s", "tokens of prompts that come in a second", 1e-3, 1e12),
        _quantity("reused_fraction", "r", "", "part of the prompts' tokens that came before", 0, 1),
        _quantity("mean_reuse_s", "τ", "s", "time until a token that is used again is, on the mean", 1e-3, 1e9),
        _quantity("memory_price_ratio", "P_mem", "", "price of memory over what it was", 0.01, 1e3),
        _quantity("quoted_fraction", "", "", "memory's part of an investment, as somebody quotes it", 0, 1),
        _quantity("reached_fraction", "η_F", "", "part of a chip's peak that is reached", 0, 1),
        _quantity("tokens", "D", "tokens", "tokens that a model is trained on", 1e3, 1e18),
        # what comes out
        _quantity("step_time_s", "t", "s", "time of one forward pass", 0, 1e9),
        _quantity("balance_batch", "B*", "", "batch at which reading weights takes as long as computing", 0, 1e12),
        _quantity("memory_full_batch", "B_full", "", "batch at which KV fills what weights leave", 0, 1e12),
        _quantity("floor_step_time_s", "t_min", "s", "time to read every weight once: no step is faster", 0, 1e6),
    )
}


def require_plausible(record: Any) -> None:  # noqa: ANN401  any dataclass
    """Check each field of ``record`` that is a count, or that the glossary knows, against its range.

    A mapping is checked by its values, and None passes where the field may be None. Counts of other libraries, such as
    NumPy's, become Python's own, which never overflow.

    Raises:
        ImplausibleError: names the record, the field, the value, the range and how to write the quantity.
    """
    label = getattr(record, "name", None) or getattr(record, "id", None)
    owner = type(record).__name__ + (f" {label!r}" if label else "")
    for name, is_optional, is_count, quantity in _checked(record.__class__):
        held = getattr(record, name)
        if held is None and is_optional:
            continue
        if is_count and held.__class__ is not int:
            held = require_whole(owner, name, held)
            object.__setattr__(record, name, held)
        if quantity is None or (held.__class__ is int and quantity.low <= held <= quantity.high):
            continue
        for key, value in held.items() if isinstance(held, Mapping) else ((None, held),):
            require_in_range(owner, name, value, key=key)


@lru_cache(maxsize=64)
def _checked(kind: Any) -> tuple[tuple[str, bool, bool, Quantity | None], ...]:  # noqa: ANN401  a dataclass
    """Fields of a record that are checked: name, whether it may be None, whether it counts, and its quantity."""
    fields = [
        (one.name, "None" in str(one.type), one.type in COUNTS, GLOSSARY.get(one.name))
        for one in dataclasses.fields(kind)
    ]
    return tuple(one for one in fields if one[2] or one[3] is not None)


COUNTS = (int, "int", "int | None")
"""Annotations of fields that hold counts."""


def require_whole(owner: str, name: str, value: Any) -> int:  # noqa: ANN401  whatever was given
    """A count as a Python integer.

    Raises:
        ImplausibleError: it is no whole number.

    >>> require_whole("Workload", "prompt_tokens", 1000.5)
    Traceback (most recent call last):
    ridgeline.glossary.ImplausibleError: Workload: prompt_tokens=1000.5 must be a whole number: write 1000
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        remedy = f": write {math.trunc(value)}" if isinstance(value, Real) and math.isfinite(value) else ""
        raise ImplausibleError(f"{owner}: {name}={value!r} must be a whole number{remedy}")
    return int(value)


ALL_DIGITS_UP_TO = 2**53
"""Largest whole number up to which a floating-point number holds every digit."""


WRITTEN = {
    "s": "50 ms as 0.05",
    "bytes": "80 GB as 80e9",
    "bytes/s": "3.35 TB/s as 3.35e12",
    "FLOP": "2 PFLOP as 2e15",
    "FLOP/s": "989 TFLOP/s as 989e12",
    "W": "1.2 kW as 1200",
    "tokens": "8k tokens as 8000, 15T as 15e12",
    "tokens/s": "128 ktok/s as 128e3",
    "$/s": "$2/h as 2 / 3600",
    "$/J": "$0.08/kWh as 0.08 / 3.6e6",
    "$/token": "$0.50/Mtok as 0.5e-6",
    "$/token/s": "$4.50/Mtok/h as 4.5e-6 / 3600",
}
"""How a quantity with a unit is written in base units, by the unit."""


def require_in_range(
    owner: str,
    name: str,
    value: Any,  # noqa: ANN401  whatever was given
    *,
    key: object = None,
    meaning: str = "",
) -> None:
    """Check one value of a quantity.

    Args:
        owner: record or verb that takes the value.
        name: name of the quantity.
        value: value that was given.
        key: place of the value in a mapping.
        meaning: meaning that it has for the owner, where that is narrower or wider than the quantity's own.

    Raises:
        ImplausibleError: it is no number, or outside the quantity's range.

    >>> require_in_range("plan", "usd_per_chip_s", -1.0)
    Traceback (most recent call last):
    ridgeline.glossary.ImplausibleError: plan: usd_per_chip_s=-1.0 is outside [1e-09, 1] $/s (price of one chip). ...
    """
    quantity = GLOSSARY[name]
    place = name if key is None else f"{name}[{key!r}]"
    is_number = not isinstance(value, bool) and isinstance(value, Real)
    if is_number and quantity.low <= value <= quantity.high:
        return
    unit = f" {quantity.unit}" if quantity.unit else ""
    fault = f"is outside [{quantity.low:g}, {quantity.high:g}]{unit}" if is_number else "is not a number"
    written = WRITTEN.get(quantity.unit)
    remedy = f". Numbers are in base units: write {written}" if written else ""
    # Python writes all digits of a whole number, of which the last are noise.
    met = f"{value:g}" if is_number and abs(value) >= ALL_DIGITS_UP_TO else repr(value)
    raise ImplausibleError(f"{owner}: {place}={met} {fault} ({meaning or quantity.meaning})", remedy)
