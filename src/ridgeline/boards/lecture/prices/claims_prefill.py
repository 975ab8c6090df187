"""Claims on what a token costs to read and to write: 1:42 to 1:48."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.claim import Claim, Step, Verdict, claim, step
from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.numbers import SHORT_TOKENS, STEP_TOKENS, USD_PER_CHIP_S
from ridgeline.boards.lecture.prices.cache_prices import LIST_MODEL, MACHINE, price_ratio
from ridgeline.boards.lecture.prices.crossover import BATCHES
from ridgeline.catalog.list_prices import list_price
from ridgeline.equations import contexts, pricing

__all__ = ["CLAIMS"]

LIST = list_price(LIST_MODEL)
GEMINI = "gemini-3-1-pro"
FLEET = f"{fleet.MODEL} on {MACHINE}, batch and context of {fleet.REPORT}"


def _output_over_input(*, output_usd: float, input_usd: float) -> float:
    return price_ratio(usd=output_usd, base_usd=input_usd)


def _node_usd(tokens_per_s: float) -> float:
    """Cost of a token on a node that handles ``tokens_per_s``, $."""
    found = pricing.usd_per_token(
        time_s=1, chips=fleet.CHIPS_PER_NODE, tokens=tokens_per_s, usd_per_chip_s=float(USD_PER_CHIP_S)
    )
    return float(found)


def _by_throughput() -> Iterable[Step]:
    yield step(
        f"what tokens cost a provider by its throughput: {fleet.REPORT}",
        output_usd=_node_usd(fleet.OUTPUT_TOKENS_PER_NODE_S),
        input_usd=_node_usd(fleet.INPUT_TOKENS_PER_NODE_S),
    )
    missed = fleet.INPUT_TOKENS_PER_NODE_S * (1 - fleet.HIT_FRACTION)
    yield step("cache hits, which no prefill computes, left out", input_usd=_node_usd(missed))


def _another_list() -> Iterable[Step]:
    price = list_price(GEMINI)
    yield step(f"the list of {price.name}", output_usd=price.output, input_usd=price.input)


def _fleet_of_deepseek() -> Iterable[Step]:
    yield step(f"{fleet.MODEL} on {MACHINE}", crossover_tokens=fleet.crossover_tokens(MACHINE))
    yield step("the mean context that its provider reports", context_tokens=fleet.MEAN_CONTEXT_TOKENS)
    yield step("as many balance batches as it runs (A26)", balance_batches=fleet.balance_batches())


def _parts_of_the_fleet() -> Iterable[Step]:
    yield step("as many balance batches as DeepSeek runs (A26)", batch_over_balance=fleet.balance_batches())
    crossover = controls.crossover_tokens(fleet.facts(MACHINE))
    if crossover is None:
        raise ValueError(f"{fleet.MODEL} keeps nothing of a token; the claim takes it for a model that does")
    yield step(
        f"its mean context, and the crossover of {fleet.MODEL} on {MACHINE}",
        context_over_crossover=fleet.MEAN_CONTEXT_TOKENS / crossover,
    )


def _pass_over_step(
    *,
    pass_tokens: float,
    written_fraction: float,
    context_tokens: float,
    crossover_tokens: float,
    balance_batches: float,
) -> float:
    """Memory time of a pass over that of decode at the same context, a part of its own cache written."""
    of_pass, of_step = (
        float(
            contexts.memory_over_compute(
                context_over_crossover=(context_tokens + written_fraction * tokens) / crossover_tokens,
                batch_over_balance=balance_batches,
            )
        )
        for tokens in (pass_tokens, 1.0)
    )
    return of_pass / of_step


def _with_what_is_written() -> Iterable[Step]:
    yield from _fleet_of_deepseek()
    yield step("the pass writes the keys and values of its tokens", written_fraction=1.0)


CLAIMS: tuple[Claim, ...] = (
    claim(
        "D6",
        "1:42:30",
        "An output token costs 3 to 5 times an input token. At five, decode reads memory for five times as long as it"
        " computes.",
        computed="price of a written token over that of a read one",
        lecture=said(5.0, "1:42:30", hedge="3 to 5 times, seen in the past; let's say 5", between=(3.0, 5.0)),
        equation=pricing.price_step_fraction,
        compute=_output_over_input,
        inputs={"output_usd": filled_in(LIST.output), "input_usd": filled_in(LIST.input)},
        careful=_by_throughput,
        further=_another_list,
        careful_of=f"{fleet.MODEL} by its throughput: {fleet.REPORT}",
        verdict=Verdict.DEPENDS,
        what="times the input price",
        answer=f"one takes the list of {LIST.name}: then it is {{ours}} times. By what DeepSeek publishes of its"
        f" traffic, it is {{careful}} times",
        why=f"Five is {LIST.name}'s list. Others have 1.5 to 8. The one provider that tells its throughput has 5.0 if"
        " cache hits count as read, and 2.2 if they do not.",
    ),
    claim(
        "D7",
        "1:47:40",
        "Both readings of the price list are true together: a crossover at 200,000 tokens, and decode at five times the"
        " cost of prefill.",
        computed="cost of decode over prefill, short of that crossover",
        equation=pricing.decode_over_prefill,
        inputs={
            "context_tokens": SHORT_TOKENS,
            "crossover_tokens": STEP_TOKENS,
            "balance_batches": float("inf"),
        },
        careful=_fleet_of_deepseek,
        careful_of=FLEET,
        verdict=Verdict.DOES_NOT_REPRODUCE,
        what="times the cost of prefill",
        exactly={1.0: "exactly what prefill costs"},
        headline="The two readings exclude each other: below a crossover at 200,000 tokens decode costs what prefill"
        " does, not {his} times as much.",
        lecture=implied(5.0, "1:47:40"),
        answer="short of that crossover decode costs {ours}, because the large batch"
        " makes arithmetic the limit of both",
        why="Not said in the lecture: the two readings contradict each other. With the large batch that he assumes for"
        " the crossover, decode short of it is bound by arithmetic and costs what prefill does. Five needs 83 kB of"
        " cache a token, or a fifth of a balance batch.",
    ),
    claim(
        "D8",
        "1:47:40",
        "The more tokens of a sequence one pass takes, the cheaper reading memory is for each.",
        computed="tokens of a pass whose reading takes as long as its arithmetic, if decode reads for five times as"
        " long",
        lecture=None,
        unit="tokens",
        equation=contexts.memory_over_compute,
        inputs={
            "context_over_crossover": 0.0,
            "batch_over_balance": implied(1 / 5, "1:47:40", hedge="3 to 5 times", between=(1 / 5, 1 / 3), beside="D6"),
        },
        careful=_parts_of_the_fleet,
        careful_of=FLEET,
        verdict=Verdict.REPRODUCES,
        what="in a pass that balances both",
        answer="{ours} tokens in a pass balance both, if decode reads for five times as long as it computes",
        why="He draws the two lines crossing and gives no number. A pass reads weights and context once for all its"
        " tokens: if decode reads for five times as long as it computes, five tokens balance both.",
    ),
    claim(
        "D22",
        "1:44:27",
        "A pass over many tokens of a prompt takes no more memory time than one over a single token.",
        computed="time to read for 1,000 tokens, over that for one",
        lecture=said(1.0, "1:44:27", hedge="no adjustment at all; what is temporary stays out of memory"),
        equation=contexts.memory_over_compute,
        compute=_pass_over_step,
        inputs={
            "pass_tokens": filled_in(1000.0),
            "written_fraction": filled_in(0.0),
            "context_tokens": SHORT_TOKENS,
            "crossover_tokens": STEP_TOKENS,
            "balance_batches": filled_in(float(BATCHES)),
        },
        careful=_with_what_is_written,
        careful_of=f"{FLEET}, passes of 1,000 tokens that write their own cache",
        verdict=Verdict.REPRODUCES,
        what="times as long as for one token",
        exactly={1.0: "just as long as for one token"},
        answer="it takes {ours}, but for writing its own keys and values",
        why="With fused attention, scores stay on the chip, and what came before is read once, however long the"
        " pass. Only the keys and values of its own tokens are written, which is little in comparison.",
    ),
)
