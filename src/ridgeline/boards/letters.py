r"""Letters of the boards' formulas: each has one meaning, on all boards and steps.

A letter with another index is another letter. Words stand in ``\mathrm`` and are no letters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ridgeline.glossary import GLOSSARY

__all__ = ["INDICES", "LETTERS", "TABLE", "Letter", "letter_of", "letters_in", "plain"]

INDICES = {
    "i": "counts what is summed or compared: tiers, stages, chips",
    "j": "the second of two that are compared",
    "e": "counts experts",
}
"""Letters that only count, and may stand for anything: they have no value of their own."""

GREEK = "alpha beta gamma delta epsilon eta theta kappa lambda mu pi rho sigma tau phi psi omega Delta"
INDEX = r"(?:_(?:\{[^{}]*\}|\w))"
STAR = r"(?:\^\{?\*\}?)"
NAMED = rf"(?:{GREEK.replace(' ', '|')})(?![A-Za-z])"
LETTER = re.compile(
    rf"(?:\\(?:bar|hat)\s*)?(?:\\mathbf\{{\w\}}|\\\$(?=_)|\\{NAMED}|(?<![\\A-Za-z])[A-Za-z])"
    rf"{STAR}?{INDEX}?{STAR}?"
)
WORDS = re.compile(r"\\(?:mathrm|text|operatorname)\s*\{[^}]*\}")
COMMANDS = re.compile(rf"\\(?!(?:bar|hat|mathbf)(?![A-Za-z])|{NAMED})[A-Za-z]+")
"""Pattern of commands that are no letters, such as fractions and sums."""


def plain(tex: str) -> str:
    r"""Letter's source without braces and room, by which it is found.

    >>> plain(r"B^{*}"), plain(r"\bar{t}_{tok}")
    ('B^*', '\\bart_tok')
    """
    return re.sub(r"[{}\s]", "", tex)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A letter of formulas.

    Attributes:
        tex: letter as it stands in a formula.
        meaning: two to four words that follow it.
        quantity: name of its quantity in the glossary, where it has one; a control of that name turns the letter.
    """

    tex: str
    meaning: str
    quantity: str = ""


def _letter(tex: str, meaning: str, quantity: str = "") -> Letter:
    return Letter(tex=tex, meaning=meaning, quantity=quantity)


RATIO = r"B/B^{*}"
"""Two letters that are one number where a formula has their ratio alone."""
RATIOS = {r"\dfrac{B^{*}}{B}": RATIO, r"B^{*}/B": RATIO}

TABLE = (
    # The step: model, machine, time.
    _letter("B", "batch", "batch"),
    _letter(RATIO, "batch over balance batch", "balance_batches"),
    _letter("B_0", "regular mode's batch"),
    _letter("t", "step time", "step_time_s"),
    _letter("t_{min}", "time to read all weights", "floor_step_time_s"),
    _letter("N_a", "active params", "active_params"),
    _letter("N_t", "total params", "total_params"),
    _letter("s", "total over active params", "expansion"),
    _letter("b_w", "bytes per param", "bytes_per_param"),
    _letter("M_w", "all weights", "weight_bytes"),
    _letter("n", "chips", "chips"),
    _letter("F", "peak of a chip", "flop_per_s"),
    _letter("W", "memory bandwidth", "hbm_bytes_per_s"),
    _letter("C", "memory per chip", "hbm_bytes"),
    _letter("C_{used}", "memory used per chip"),
    _letter("R", "balance ratio", "balance_ratio"),
    # Contexts.
    _letter("L", "context", "context_tokens"),
    _letter(r"L^{*}", "crossover context", "crossover_tokens"),
    _letter("L_r", "tokens read of the context"),
    _letter("L_w", "attention window", "window"),
    _letter(r"L_{\$}", "context at the price step", "price_step_tokens"),
    _letter("K", "tokens that the index picks", "top_k"),
    _letter("f_{idx}", "index bytes over KV bytes", "index_fraction"),
    _letter(r"\beta", "KV per token", "kv_bytes_per_token"),
    _letter(r"\beta^{*}", "KV bytes at the crossover"),
    _letter("n_{kv}", "KV heads of a layer", "kv_heads"),
    _letter("d_h", "head dimension", "head_dim"),
    _letter("b_{kv}", "bytes per cached value", "bytes_per_value"),
    _letter("s_{kv}", "tokens kept per token read"),
    _letter("c_{att}", "FLOP per query-key pair", "flop_per_pair"),
    # Fast modes and trains.
    _letter("P", "price over the regular price", "price_ratio"),
    _letter("v", "speed over the regular speed", "speed_ratio"),
    _letter("v_{max}", "speed at any price"),
    _letter(r"\kappa", "KV time over weight time"),
    _letter(r"\gamma", "drafted tokens per step", "drafted_tokens"),
    _letter(r"\alpha", "chance a draft is accepted", "acceptance_fraction"),
    _letter("T", "period of departures", "period_s"),
    _letter("S", "seats per train", "seats"),
    _letter("Q", "mean requests left behind"),
    _letter(r"\lambda", "arrivals per second"),
    _letter("t_{tok}", "time from arrival to token"),
    _letter(r"\bar t_{tok}", "mean time to a token"),
    _letter("t_{way}", "time of a token with its hops"),
    _letter("t_{wait}", "wait for the departure"),
    # Layers and experts.
    _letter("l", "layers", "layers"),
    _letter("l_s", "layers per stage", "layers_per_stage"),
    _letter("l_i", "layers up to the end of stage i"),
    _letter("A", "earlier layers attended to", "attended_layers"),
    _letter("d", "hidden size", "hidden"),
    _letter("d_e", "width of an expert", "expert_hidden"),
    _letter("d_{qv}", "values of queries and results", "attention_values"),
    _letter("E", "experts", "experts"),
    _letter(r"\hat E", "effective number of experts"),
    _letter("E_1", "that number for one expert"),
    _letter("k", "experts per token", "active_experts"),
    _letter("f_E", "share of params routed", "routed_fraction"),
    _letter(r"\bar N", "equally good dense model"),
    _letter(r"\theta_E", "fitted effect of experts"),
    _letter(r"\theta_N", "fitted effect of size"),
    _letter(r"\theta_{NE}", "fitted effect of both"),
    _letter(r"\mathbf{x}", "hidden state before the layer"),
    _letter(r"\mathbf{y}", "hidden state after it"),
    _letter("g_e", "router's weight of expert e"),
    _letter(r"\mathbf{U}_e", "up projection of expert e"),
    _letter(r"\mathbf{D}_e", "down projection of expert e"),
    _letter(r"\sigma", "nonlinearity"),
    _letter("u_e", "chance to visit expert e"),
    _letter("u_i", "visits to chip i"),
    _letter(r"\bar u", "mean visits to a chip"),
    _letter("c_e", "copies of expert e"),
    _letter("r_e", "popularity rank of expert e"),
    _letter("z", "skew of popularity", "skew"),
    # Links.
    _letter("n_r", "racks", "racks"),
    _letter("w", "cables per chip", "cables_per_chip"),
    _letter("a", "axes of the torus", "axes"),
    _letter(r"\rho", "link speed, inside over outside", "link_ratio"),
    _letter("t_{a2a}", "time of the all-to-all"),
    _letter("t_{rack}", "all-to-all within one rack"),
    _letter("t_{torus}", "all-to-all on a torus"),
    _letter("t_{switch}", "all-to-all by switches"),
    _letter("c", "copies per token", "copies_per_token"),
    _letter("n_{way}", "trips there and back, by bytes"),
    _letter("b_a", "value handed on"),
    _letter("b_{disp}", "value sent to experts", "dispatch_bytes"),
    _letter("b_{comb}", "value sent back"),
    _letter("t_{hop}", "time from rack to rack"),
    _letter("t_0", "latency of a message", "latency_s"),
    _letter("n_{port}", "ports", "ports"),
    _letter("W_{port}", "bandwidth per port", "port_bytes_per_s"),
    # Pipelines.
    _letter("p", "pipeline stages", "stages"),
    _letter("m", "micro-batches", "micro_batches"),
    _letter(r"m^{*}", "best number of micro-batches"),
    _letter("b", "sequences per micro-batch", "batch_per_stage"),
    _letter("n_s", "chips per stage", "chips_per_stage"),
    _letter("t_{in}", "time inside the rack"),
    _letter("t_{out}", "time of the hand-over"),
    _letter(r"\bar t_s", "mean time of the stages"),
    _letter("t_{slow}", "time of the slowest stage"),
    _letter("t_{run}", "time of the training run"),
    _letter("t_{least}", "shortest possible time"),
    _letter("B_m", "tokens of a micro-batch", "micro_batch_tokens"),
    _letter("B_c", "critical batch", "critical_batch_tokens"),
    _letter("f_{mem}", "memory's share of the cost"),
    _letter("f_{new}", "that share at another price"),
    _letter("P_{mem}", "memory price over estimate", "memory_price_ratio"),
    # Training.
    _letter("D", "training tokens", "tokens"),
    _letter("D_{opt}", "tokens best for training alone"),
    _letter("D_s", "tokens served", "served_tokens"),
    _letter("D_{RL}", "RL tokens", "rl_tokens"),
    _letter("c_{RL}", "FLOP per param and RL token", "rl_flop_per_param"),
    _letter("q", "chance of being deployed", "deployed_fraction"),
    _letter(r"\eta", "decode efficiency over training's", "relative_efficiency_fraction"),
    _letter("x", "multiple of the crossing"),
    _letter(r"\mu_{up}", "power of the rising cost", "rising_power"),
    _letter(r"\mu_{down}", "power of the falling cost", "falling_power"),
    # Prices and caches.
    _letter(r"\$_{chip}", "price per chip", "usd_per_chip_s"),
    _letter(r"\$_{tok}", "cost of a token"),
    _letter(r"\$_{arith}", "cost of its arithmetic"),
    _letter(r"\$_{prompt}", "cost of the whole prompt"),
    _letter(r"\$_{in}", "price of an input token"),
    _letter(r"\$_{out}", "price of an output token"),
    _letter(r"\$_{hit}", "price of a cache hit"),
    _letter(r"\$_{hold}", "price of holding"),
    _letter(r"\$_{flop}", "price of a FLOP"),
    _letter(r"\$_{byte}", "price of a byte for a second"),
    _letter(r"\$_i", "price of tier i's device"),
    _letter("n_{new}", "tokens per pass", "tokens_per_pass"),
    _letter(r"\psi_{out}", "price over cost of output"),
    _letter(r"\psi_{in}", "price over cost of input"),
    _letter(r"\eta_{pre}", "efficiency of prefill"),
    _letter(r"\eta_{dec}", "efficiency of decode"),
    _letter(r"\phi", "normal density"),
    _letter(r"\phi_0", "density of a mere policy"),
    _letter(r"\pi", "chance that costs set the step"),
    _letter(r"\omega", "chance of a shared step"),
    _letter("M", "models priced alike", "models_alike"),
    _letter("r_i", "cost to fetch from tier i"),
    _letter("r_j", "cost to fetch from tier j"),
    _letter("h_i", "cost to hold in tier i"),
    _letter("h_j", "cost to hold in tier j"),
    _letter("C_i", "capacity of tier i"),
    _letter("W_i", "bandwidth of tier i"),
    _letter(r"\eta_F", "share of peak reached", "reached_fraction"),
    _letter("t_h", "time until the next use", "held_s"),
    _letter(r"t_h^{*}", "break-even time"),
    _letter("t_{drain}", "time to read a tier whole"),
    _letter(r"i^{*}", "tier that he names"),
    _letter("h", "hit rate"),
    _letter("r", "share of tokens seen before", "reused_fraction"),
    _letter(r"\tau", "mean time until the next use", "mean_reuse_s"),
    _letter("C_{kv}", "bytes of the cache"),
    _letter(r"\lambda_{tok}", "prompt tokens per second", "prompt_tokens_per_s"),
    # Ciphers.
    _letter("x_1", "first half of a block"),
    _letter("x_2", "second half of a block"),
    _letter("y_1", "half that comes out changed"),
    _letter("f", "any function of a half"),
    _letter(r"\delta", "bits flipped in the input", "flipped_bits"),
    _letter(r"\epsilon", "weight of what a layer adds", "added_weight"),
    _letter(r"\Delta_{in}", "change of the input"),
    _letter(r"\Delta_{out}", "change of the output"),
)
"""All letters, by what they are about."""
LETTERS = {plain(letter.tex): letter for letter in TABLE}
"""Letters by their source without braces."""


def letters_in(tex: str) -> tuple[str, ...]:
    r"""Letters of a formula, each once, in the order in which they stand.

    >>> letters_in(r"\dfrac{2\,B\,N_a}{n\,F}\;+\;\mathrm{idle}\,\sum_{i=1}^{L}\,b_{kv}")
    ('B', 'N_a', 'n', 'F', 'i', 'L', 'b_kv')
    """
    found: dict[str, None] = {}
    for spelt, ratio in RATIOS.items():
        if spelt in tex:
            tex = tex.replace(spelt, " ")
            found[plain(ratio)] = None
    bare = COMMANDS.sub(" ", WORDS.sub(" ", tex))
    return tuple(found | dict.fromkeys(plain(one) for one in LETTER.findall(bare)))


def letter_of(quantity: str) -> str:
    """TeX of a quantity's letter; empty where it has none."""
    if not GLOSSARY[quantity].symbol:
        return ""
    return next(one.tex for one in LETTERS.values() if one.quantity == quantity)
