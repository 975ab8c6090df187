"""Claims on what a batch costs, and on fast and slow modes: 0:01 and 0:04 to 0:20."""

from __future__ import annotations

from collections.abc import Iterable

from ridgeline.boards.claim import Claim, Step, Verdict, claim, statement, step
from ridgeline.boards.constant import filled_in, implied, said
from ridgeline.boards.lecture import controls, fleet
from ridgeline.boards.lecture.numbers import BALANCE_RATIO, EXPANSION, USD_PER_CHIP_S
from ridgeline.catalog import load_machine
from ridgeline.equations import experts, modes, roofline, speculation
from ridgeline.numeric import INFINITY

__all__ = ["CLAIMS"]

MACHINE, RENTED_MACHINE = "gb200-nvl72", "h100-sxm"

PRICE_RATIO, SPEED_RATIO = (
    said(6.0, "0:01:00", hedge="the interviewer's"),
    said(2.5, "0:01:00", hedge="the interviewer's"),
)
"""Price and speed of a fast mode, over the regular one's, as the question has it."""

ANY_PRICE_RATIO = said(100.0, "0:01:20", hedge="asked, not claimed")

OPERATOR_BATCHES = said(2.0, "0:19:50", hedge="double or triple it", between=(2.0, 3.0), claim="A13")
"""Balance batches that are run in practice."""


def _cost_alone(
    *, batch: float, balance_ratio: float, expansion: float, expert_share: float, context_over_crossover: float
) -> float:
    """Cost of a token over the least that it can cost, where a step reads the experts that its batch wakes."""
    read = experts.read_fraction(expert_share=expert_share, expansion=expansion, tokens=batch)
    balance = roofline.balance_batch(balance_ratio=balance_ratio, expansion=expansion)
    found = modes.cost_over_floor(
        batch=batch,
        weight_time_s=float(balance) * float(read),
        compute_time_per_sequence_s=1.0,
        kv_time_per_sequence_s=context_over_crossover,
    )
    return float(found)


def _own_costs() -> Iterable[Step]:
    facts = fleet.facts(MACHINE)
    terms = controls.terms(facts)
    yield step("DeepSeek-V3's own total over active parameters", expansion=terms.expansion)
    yield step("the formats of its checkpoint on GB200", balance_ratio=controls.balance_ratio(facts))
    yield step("one sequence activates few experts and reads only those", expert_share=terms.expert_share)


def _with_context() -> Iterable[Step]:
    yield step("the mean context of its fleet", context_over_crossover=_mean_context())


def _mean_context() -> float:
    return fleet.MEAN_CONTEXT_TOKENS / fleet.crossover_tokens(MACHINE)


def _rent_usd_per_s() -> float:
    tariff = load_machine(RENTED_MACHINE).tariff
    if tariff is None:
        raise ValueError(f"the catalog has no price of {RENTED_MACHINE}; name a machine that has one")
    return tariff.usd_per_chip_s


def _saved_fraction(*, batch_over_balance: float, context_over_crossover: float) -> float:
    """Fraction of a token's cost that a batch without end saves."""
    cost = modes.cost_over_floor(
        batch=batch_over_balance,
        weight_time_s=1.0,
        compute_time_per_sequence_s=1.0,
        kv_time_per_sequence_s=context_over_crossover,
    )
    return 1 - 1 / float(cost)


def _past_crossover() -> Iterable[Step]:
    yield step("DeepSeek-V3 on GB200 at its fleet's mean context", context_over_crossover=_mean_context())


def _at_balance() -> Iterable[Step]:
    yield step("run at its balance batch rather than at twice that", batch_over_balance=1.0)


def _kv_kept(*, batch: float, times: float, common_fraction: float) -> float:
    """KV fetch a sequence in a larger batch, over that before; a common prefix is read once a step."""
    before, after = (
        float(
            roofline.memory_time_s(
                batch=found,
                weight_bytes=common_fraction,
                kv_bytes_per_sequence=1 - common_fraction,
                hbm_bytes_per_s=1.0,
            )
        )
        / found
        for found in (batch, times * batch)
    )
    return after / before


def _common_prefix() -> Iterable[Step]:
    yield step(
        "half of every context is one common prefix, whose reading 2,400 sequences share already", common_fraction=0.5
    )
    yield step("contexts are that prefix and nothing else", common_fraction=1.0)


def _speed_up(*, at_price_ratio: float, price_ratio: float, speed_ratio: float) -> float:
    """Speed-up at another price, where one price and its speed are known: ``t = t_w + k B`` at all three batches."""
    share = modes.sequence_share_ratio(price_ratio=price_ratio, speed_ratio=speed_ratio)
    return 1 + float(share) * (1 - 1 / at_price_ratio)


def _any_price() -> Iterable[Step]:
    yield step("ten times the price", at_price_ratio=10.0)
    yield step("at any price", at_price_ratio=INFINITY)


def _drafted(*, batch_over_balance: float, drafted_tokens: float, acceptance_fraction: float) -> float:
    accepted = speculation.accepted_tokens(drafted_tokens=drafted_tokens, acceptance_fraction=acceptance_fraction)
    found = speculation.speed_up(
        batch_over_balance=batch_over_balance, drafted_tokens=drafted_tokens, accepted_tokens=accepted
    )
    return float(found)


def _drafts_at_balance() -> Iterable[Step]:
    yield step("the balance batch instead of a tenth of it", batch_over_balance=1.0)


CLAIMS: tuple[Claim, ...] = (
    claim(
        "A4",
        "0:04:26",
        "Without batching, a token can cost a thousand times what it costs in a large batch.",
        computed="cost of a token alone over its cost in a large batch",
        lecture=said(1000.0, "0:04:26", hedge="can be"),
        equation=modes.cost_over_floor,
        compute=_cost_alone,
        inputs={
            "batch": implied(1.0, "0:04:26"),
            "balance_ratio": BALANCE_RATIO,
            "expansion": EXPANSION,
            "expert_share": filled_in(0.0),
            "context_over_crossover": filled_in(0.0),
        },
        careful=_own_costs,
        further=_with_context,
        careful_of=f"deepseek-v3 on {MACHINE}, one sequence with an empty context",
        verdict=Verdict.DEPENDS,
        what="times the cost in a large batch",
        answer="a sequence by itself reads all weights: then it costs {ours} times as much. If it reads only its"
        " active parameters, it costs {balance_ratio:3} times as much",
        why="It depends on what a single sequence reads. If it reads its active parameters alone, the ratio is the 300"
        " of A10, for dense and sparse models alike. If it reads all weights, it is 2,400 or more. Long contexts lower"
        " it.",
    ),
    statement(
        "A9",
        "0:13:00",
        "A GPU rents for about $2 an hour.",
        lecture=said(float(USD_PER_CHIP_S), "0:13:00", hedge="or something like that"),
        published=_rent_usd_per_s,
        careful_of=f"{RENTED_MACHINE} on demand, in 2026",
        answer="a market price. An H100 on demand costs {published:3} an hour",
        why="A market price: it moves, and differs by chip and provider. The catalog dates each price that it knows.",
        unit="$/s",
    ),
    statement(
        "A13",
        "0:19:50",
        "Operators run two to three times the balance batch, since real efficiencies are below the roofline's.",
        lecture=said(2.0, "0:19:50", hedge="double or triple it", between=(2.0, 3.0)),
        what="times the balance batch",
        answer="a practice of operators. A26 tests it on one fleet",
        why="A practice that no equation gives. On the roofline nothing is gained beyond the balance batch. In real"
        " kernels something is. A26 computes what one fleet does.",
    ),
    claim(
        "A21",
        "0:15:39",
        "Waiting longer for a larger batch saves little.",
        computed="part of the price that a slow mode can save",
        lecture=implied(0.0, "0:15:39", hedge="the interviewer's, agreed to: would not help much"),
        equation=modes.cost_over_floor,
        compute=_saved_fraction,
        inputs={"batch_over_balance": OPERATOR_BATCHES, "context_over_crossover": filled_in(0.0)},
        careful=_past_crossover,
        further=_at_balance,
        careful_of=f"deepseek-v3 on {MACHINE} at its fleet's mean context",
        verdict=Verdict.REPRODUCES,
        what="of the price saved",
        exactly={0.0: "no saving"},
        answer="{ours} is left from twice the balance batch on",
        why="It saves nothing where arithmetic is the limit. Beyond the crossover context reading is the limit at"
        " any batch, and the weights' part of it can still be shared among more sequences.",
    ),
    claim(
        "A22",
        "0:01:00",
        "A smaller batch explains six times the price for 2.5 times the speed.",
        computed="how many times as many users share a regular step",
        equation=modes.batch_ratio,
        inputs={"price_ratio": PRICE_RATIO, "speed_ratio": SPEED_RATIO},
        verdict=Verdict.REPRODUCES,
        what="regular users for each fast one",
        answer="a chip earns as much from {ours} regular users as from one fast user",
        why="Each user pays six times as much per token and takes 2.5 times as many tokens a second. So a chip earns as"
        " much as before with a fifteenth of the users. He names the batch as the big effect and"
        " speculative decoding as another (A34), and gives no number.",
    ),
    claim(
        "A28",
        "0:15:39",
        "A larger batch shares the fetch of the weights, but not that of the KV cache.",
        computed="KV fetch per sequence in a batch ten times as large, over that before",
        lecture=implied(1.0, "0:15:39"),
        equation=roofline.memory_time_s,
        compute=_kv_kept,
        inputs={
            "batch": implied(float(BALANCE_RATIO) * float(EXPANSION), "0:19:22", claim="A11"),
            "times": filled_in(10.0),
            "common_fraction": filled_in(0.0),
        },
        further=_common_prefix,
        verdict=Verdict.REPRODUCES,
        what="times the KV fetch per sequence",
        exactly={1.0: "no smaller KV fetch per sequence"},
        answer="a batch {times} times as large has {ours}",
        why="Each sequence has a context of its own, so a slow mode can save the weights' part alone. The exception is"
        " a prefix common to all, such as a system prompt, if a kernel reads it once for the batch.",
    ),
    claim(
        "A30",
        "0:01:20",
        "A hundred times the price would buy hardly more speed than six times the price.",
        computed="its speed over the regular one, if six times the price buys 2.5 times",
        equation=modes.sequence_share_ratio,
        compute=_speed_up,
        inputs={"at_price_ratio": ANY_PRICE_RATIO, "price_ratio": PRICE_RATIO, "speed_ratio": SPEED_RATIO},
        further=_any_price,
        verdict=Verdict.REPRODUCES,
        what="times the regular speed at 100 times the price",
        answer="it buys {ours:3} times the regular speed, where {price_ratio} times the price buys {speed_ratio} times",
        why="He is asked, and answers with the lower bound of the latency at 0:09:54. Once the batch is small, a"
        " step is little more than the fetch of the weights, which no price shortens on the same chips.",
    ),
    claim(
        "A34",
        "0:01:50",
        "Besides the batch, speculative decoding (or multi-token prediction) is another effect.",
        computed="how many times as fast it makes a user's tokens while weights are the limit",
        equation=speculation.speed_up,
        compute=_drafted,
        inputs={
            "batch_over_balance": filled_in(0.1),
            "drafted_tokens": filled_in(3.0),
            "acceptance_fraction": filled_in(0.7),
        },
        careful=_drafts_at_balance,
        contrast="the same drafts at the balance batch, where arithmetic binds",
        verdict=Verdict.DEPENDS,
        what="times as fast while weights are the limit",
        answer="a step still waits for weights: then it is {ours} times as fast with {drafted_tokens} drafted tokens,"
        " each accepted with a chance of {acceptance_fraction:fraction}. At the balance batch it is {careful}"
        " times",
        why="It depends on the batch and on the drafts. He leaves it for later and does not return to it. Checking"
        " drafts is free while a step waits for weights. From the balance batch on, what one user gains others lose.",
    ),
)
