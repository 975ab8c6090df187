"""Sentences of the chapter's steps about the numbers that they do not open in: sourced ones, or at two steps his."""

from __future__ import annotations

import math

from ridgeline.boards.board import Mode
from ridgeline.boards.exercise import shown
from ridgeline.boards.in_a_sentence import as_long, count_text, whole_text
from ridgeline.boards.lecture.batch.step import read_fraction, step_times
from ridgeline.boards.lecture.numbers import BALANCE_BATCH, BALANCE_RATIO, EXPANSION
from ridgeline.boards.lecture.whose import by_his, where_he
from ridgeline.boards.note import DIGITS
from ridgeline.boards.walk import Seen, along, drawn, height, is_as_opened, mark_named, upright

__all__ = [
    "alone",
    "arithmetic",
    "clocked",
    "crowded",
    "faster_alone",
    "fetched",
    "longer",
    "parted",
    "patient",
    "shorter",
    "trains",
    "unlimited",
    "worth",
]

MODEL, CHIP = "DeepSeek-V3", "a GB200"
FEW, HUNDRED, THOUSAND = 1.0, 100.0, 1000.0
"""Sequences in a step."""
MUCH = 0.2
"""Part of a cost from which on saving it is no longer little: a fifth."""
ALIKE = 0.005
"""Relative difference below which two rates, or costs, are the same to the digits of a sentence."""


def _his(seen: Seen, name: str) -> float:
    return float(seen.board.control(name).lecture)


def _told(seen: Seen, name: str, value: float | None = None) -> str:
    """Text of a control's value, as it stands or another."""
    one, dimension = seen.values[seen.mode][name] if value is None else value, seen.board.control(name).dimension
    return count_text(one, DIGITS) if dimension == "count" else shown(one, dimension, DIGITS)


def _model(seen: Seen, *names: str) -> str:
    return MODEL if is_as_opened(seen, *names) else "this model"


def _balance(seen: Seen) -> float:
    """Batch from which computing takes as long as reading the weights alone."""
    return step_times(seen.values[seen.mode]).balance_batch


def _ratio(seen: Seen) -> float:
    return _balance(seen) / seen.values[seen.mode]["expansion"]


def faster_alone(seen: Seen) -> str:
    """Sentence on the speed by his numbers: his step reads all weights, however few share it."""
    one, few = (height(seen, "speed", batch) for batch in (FEW, HUNDRED))
    lone = height(seen, "speed", FEW, Mode.CAREFUL)
    whole = by_his(seen, "a step reads all of the model, however few sequences share it")
    return (
        f"{whole}. So a single one gets {one:,.0f} tokens a second, and each of a hundred still {few:,.0f}."
        " By published numbers a lone token needs only a small part of the model, and its user gets"
        f" {count_text(lone, DIGITS)}."
    )


def arithmetic(seen: Seen) -> str:
    """Sentence on the compute line."""
    whose = (
        f"In {MODEL}'s number formats {CHIP} computes" if is_as_opened(seen, "flop_per_s") else "Here a chip computes"
    )
    his, ours = (height(seen, "compute", THOUSAND, mode) for mode in Mode)
    return (
        f"{whose} at {_told(seen, 'flop_per_s')}; for his chip we filled in a round"
        f" {_told(seen, 'flop_per_s', _his(seen, 'flop_per_s'))}. So a thousand sequences take {upright(seen, ours)} to"
        f" compute, and {upright(seen, his)} by his numbers."
    )


def fetched(seen: Seen) -> str:
    """Sentence on the weights, which few sequences do not read whole."""
    values, his = seen.values[seen.mode], height(seen, "weight fetch", THOUSAND, Mode.LECTURE)
    whole = step_times(values).weights_s
    one = whole * float(read_fraction(values, FEW))
    start = (
        f"All of {_model(seen, 'active_params', 'expansion')}'s weights take {upright(seen, whole)} to fetch, and"
        f" {upright(seen, his)} by his numbers."
    )
    if math.isclose(one, whole, rel_tol=1e-9):
        return f"{start} Here no expert is left unread, so the line is flat from a single sequence on."
    return (
        f"{start} But in its layers a token uses only a few of many small networks, the experts. A step for one"
        f" sequence reads these in {upright(seen, one)}: the line is flat only once many share the step."
    )


def crowded(seen: Seen) -> str:
    """Sentence on the step with contexts, whose caches are larger than his."""
    at = float(BALANCE_BATCH)
    cache, his = _told(seen, "kv_bytes_per_token"), _told(seen, "kv_bytes_per_token", _his(seen, "kv_bytes_per_token"))
    balance = step_times(seen.values[seen.mode]).balance_batch_with_kv
    limit = (
        "So reading takes longer than computing at any batch"
        if math.isinf(balance)
        else f"Computing takes longer than reading from {whole_text(balance, DIGITS)} sequences on"
    )
    return (
        f"Of each token of context, {_model(seen, 'kv_bytes_per_token')} keeps {cache} in its KV"
        f" cache{where_he('his numbers imply', his, cache)}."
        f" {limit}. At his {count_text(at, DIGITS)} sequences a step takes {upright(seen, height(seen, 'step', at))},"
        f" of which reading the weights takes {upright(seen, height(seen, 'weight fetch', at))}."
    )


def longer(seen: Seen) -> str:
    """Sentence on the context at which both are busy."""
    crossover, his = mark_named(seen, "crossover").x, _his(seen, "crossover_tokens")
    whose = f"With {MODEL} on {CHIP}" if is_as_opened(seen, "crossover_tokens") else "Here"
    batch = seen.values[seen.mode]["balance_batches"]
    shared = f"from {whole_text((1 - 1 / batch) * crossover, DIGITS)} tokens on" if batch > 1 else "at any length"
    return (
        f"{whose}, reading a context of {count_text(crossover, DIGITS)} tokens takes as long as computing the next."
        f" A batch that computes {as_long(batch, DIGITS)} as it reads weights waits {shared}. At his"
        f" {count_text(his, DIGITS)}, chips compute at most {shown(min(1.0, crossover / his), 'fraction', 2)} of the"
        " time."
    )


def shorter(seen: Seen) -> str:
    """Sentence on sparse attention, where computing takes as long as a short context."""
    marks = {mark.name: mark.x for mark in drawn(seen).marks}
    level, whose = marks["crossover of full attention"], "its"
    his = _told(seen, "crossover_tokens", _his(seen, "crossover_tokens"))
    if is_as_opened(seen, "crossover_tokens"):
        whose = f"{MODEL}'s"
    kinds = {"indexer (DSA)": "with an index of them", "square root": "with their square root"}
    others = "".join(
        f", from {along(seen, marks[f'crossover of {kind}'])} {words}"
        for kind, words in kinds.items()
        if f"crossover of {kind}" in marks
    )
    return (
        f"Computing a token takes as long as reading {along(seen, level)} tokens of {whose} KV"
        f" cache{where_he('his numbers have', his, along(seen, level))}. So memory is the limit from that"
        f" context on if all tokens are read{others}."
    )


def alone(seen: Seen) -> str:
    """Sentence on the floor of the price, which is the cache's."""
    times, tokens = step_times(seen.values[seen.mode]), _told(seen, "context_tokens")
    compute, fetch = (upright(seen, height(seen, name, FEW)) for name in ("compute", "KV fetch"))
    floor = (
        f"The floor is a token's own arithmetic here as well, {compute}: reading its {tokens} tokens of context costs"
        f" {fetch}."
        if times.compute_s >= times.kv_s
        else f"Here the floor is not a token's arithmetic, {compute}, but reading its {tokens} tokens of context,"
        f" {fetch}."
    )
    his, ours = (
        height(seen, "cost", FEW, mode) / max(height(seen, name, FEW, mode) for name in ("compute", "KV fetch"))
        for mode in Mode
    )
    much = "just" if round(ours) == 1 else f"{ours:,.0f} times"
    return f"{floor} A user with all the chips alone pays {much} as much, and {his:,.0f} times by his numbers."


def patient(seen: Seen) -> str:
    """Sentence on a slow mode where the caches take longer than computing."""
    times = step_times(seen.values[seen.mode])
    at = 2 * times.balance_batch
    own = (
        "A token's arithmetic"
        if times.compute_s >= times.kv_s
        else f"Reading {_told(seen, 'context_tokens')} tokens of context"
    )
    floor = max(height(seen, name, FEW) for name in ("compute", "KV fetch"))
    part = 1 - floor / height(seen, "cost", at)
    saved = "saves nothing" if part < ALIKE else f"could save {shown(part, 'fraction', 2)}"
    buys = "nothing" if part < ALIKE else "little" if part < MUCH else "something"
    return (
        f"Patience buys {buys}. {own} costs {upright(seen, floor)} in any batch. At {whole_text(at, DIGITS)} sequences,"
        f" twice the balance batch of the weights alone, a still larger batch {saved} more."
    )


def parted(seen: Seen) -> str:
    """Sentence on the balance batch of the model on its machine."""
    values, expansion = seen.values[seen.mode], float(EXPANSION)
    ratio, is_own = _ratio(seen), is_as_opened(seen, "flop_per_s", "hbm_bytes_per_s", "bytes_per_param")
    whose = f"In {MODEL}'s number formats {CHIP} multiplies" if is_own else "Here a chip multiplies"
    own = (
        f"{MODEL}'s {values['expansion']:.3g}, not counting its table of token vectors, makes"
        if is_as_opened(seen, "expansion")
        else f"The {values['expansion']:.3g} of this model makes"
    )
    return (
        f"{whose} {count_text(ratio, DIGITS)} times while it reads a parameter; he says {float(BALANCE_RATIO):g}. His"
        f" sparsity, all parameters over a token's, is {expansion:g}; that makes a batch of"
        f" {whole_text(ratio * expansion, DIGITS)}. {own} {whole_text(_balance(seen), DIGITS)}."
    )


def unlimited(seen: Seen) -> str:
    """Sentence on the step with contexts, by his numbers."""
    values = seen.values[seen.mode]
    with_contexts = step_times(values).balance_batch_with_kv
    end = (
        "memory is the limit at any batch, too"
        if math.isinf(with_contexts)
        else f"compute is the limit from {whole_text(with_contexts, DIGITS)} on"
    )
    multiplies = by_his(seen, f"a chip multiplies {count_text(_ratio(seen), DIGITS)} times while it reads a parameter")
    cache = _told(seen, "kv_bytes_per_token")
    caches = (
        f"His KV caches are small, {cache} a token:"
        if is_as_opened(seen, "kv_bytes_per_token")
        else f"A KV cache has {cache} a token:"
    )
    return (
        f"{multiplies}, and the balance batch is {whole_text(_balance(seen), DIGITS)} if only weights are read."
        f" {caches} with {_told(seen, 'context_tokens')} tokens in each, {end}."
    )


def trains(seen: Seen) -> str:
    """Sentence on the trains that a rack's full memory makes."""
    values = seen.values[seen.mode]
    seats, period = count_text(values["seats"], DIGITS), values["period_s"]
    own, his = _told(seen, "period_s"), _told(seen, "period_s", _his(seen, "period_s"))
    start = (
        f"{MODEL}'s caches fill the memory of a GB200 rack at {seats} sequences, and a step reads all of it in"
        if is_as_opened(seen, "seats", "period_s")
        else f"Here trains have {seats} seats and leave every"
    )
    return (
        f"{start} {own}{'' if own == his else f', not {his}'}. So at worst a token"
        f" takes {shown(2 * period, 's', DIGITS)} to come, as long as nobody is left behind."
    )


def clocked(seen: Seen) -> str:
    """Sentence on trains whose period is the time of their own step."""
    values, seats = seen.values[seen.mode], mark_named(seen, "seats").x
    clock, at_once = (height(seen, name, seats) for name in ("trains", "B / t"))
    seated, period = count_text(seats, DIGITS), _told(seen, "period_s")
    start = (
        f"With its memory full of {MODEL}'s KV caches, a GB200 rack seats {seated} sequences. To read all of it takes"
        f" the whole {period} from train to train."
        if is_as_opened(seen, *values)
        else f"Here a step of {seated} sequences takes {shown(seats / at_once, 's', DIGITS)}, and trains leave every"
        f" {period}."
    )
    part = shown(clock / at_once, "fraction", 2)
    than = "as many as" if math.isclose(clock, at_once, rel_tol=ALIKE) else f"{part} of what they would"
    return (
        f"{start} So they make {count_text(clock, DIGITS)} tokens a second, {than} if each left when the one before is"
        " done."
    )


def worth(seen: Seen) -> str:
    """Sentence on the experts of the model that is served."""
    values, paper = seen.values[seen.mode], mark_named(seen, "S-BASE")
    whose = (
        f"{MODEL} has"
        if is_as_opened(seen, "experts")
        else "Here there is"
        if values["experts"] == 1
        else "Here there are"
    )
    later = height(seen, "Abnar", values["experts"])
    own, his = f"{values['experts']:g}", f"{_his(seen, 'experts'):g}"
    return (
        f"{whose} {own} experts for each one that a token visits{where_he('the paper that he reads has', his, own)}. By"
        f" its law {upright(seen, values['active_params'])} active parameters are then as good as a dense model of"
        f" {upright(seen, paper.y)}; by a later one (Abnar), of {upright(seen, later)}."
    )
