"""The closed forms of messages through rings, trees and switches, held to a simulation of each message over links."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence

import pytest
from tests.each import of_each
from tests.estimator.nested import level_times_s
from tests.published.links import EXACT, Chip, Message, finish_s, numbers, send, switch_rates

from ridgeline.equations import collectives
from ridgeline.estimator.messages import AllReduce, AllToAll


def nested_rings(ranks: Chip, size: float, *, gather_only: bool = False) -> list[Message]:
    """All-reduce: parts are summed around the rings of each level, innermost first, then passed on, outermost first."""
    program: list[Message] = []
    last: dict[Chip, Sequence[int]] = dict.fromkeys(numbers(ranks), ())
    levels = range(len(ranks))
    for level in [*(() if gather_only else levels), *reversed(levels)]:
        part = size / math.prod(ranks[: level + 1])
        for _ in range(ranks[level] - 1):
            sent = {}
            for rank, after in last.items():
                following = (*rank[:level], (rank[level] + 1) % ranks[level], *rank[level + 1 :])
                sent[following] = [send(program, (level, rank), part, after)]
            last.update(sent)
    return program


def doubling_gather(ranks: int, size: float) -> list[Message]:
    """All-gather in which each round doubles what a rank holds, up to the whole buffer (Bruck)."""
    program: list[Message] = []
    held = 1
    last: dict[int, Sequence[int]] = dict.fromkeys(range(ranks), ())
    while held < ranks:
        part = min(held, ranks - held) * size / ranks
        last = {(rank - held) % ranks: [send(program, ("port", rank), part, last[rank])] for rank in range(ranks)}
        held *= 2
    return program


def through_switch(
    program: list[Message], level: int, source: Hashable, target: Hashable, size: float, after: Sequence[int] = ()
) -> int:
    """Out of one port and, once the switch has it in full, into another; the latency counts once."""
    out = send(program, (level, "out", source), size, after)
    return send(program, ((level, "in"), target), size, [out])


def direct_all_to_all(ranks: Chip, size: float) -> list[Message]:
    """In each round every rank sends to another, over the outermost level that separates the two."""
    program: list[Message] = []
    for offset in numbers(ranks)[1:]:
        level = max(index for index, step in enumerate(offset) if step)
        for rank in numbers(ranks):
            target = tuple((one + step) % side for one, step, side in zip(rank, offset, ranks, strict=True))
            through_switch(program, level, rank, target, size / math.prod(ranks))
    return program


def forwarded_all_to_all(chips: int, domains: int, visits: int, experts: int, size: float) -> list[Message]:
    """Each token of a chip goes to ``visits`` domains, its own among them at times, and there to as many chips."""
    program: list[Message] = []
    for shift, token in itertools.product(range(chips), range(domains)):
        for chip, domain in numbers((chips, domains)):
            for visit in range(visits):
                there = (domain + token + visit) % domains
                came: Sequence[int] = ()
                if there != domain:
                    came = [through_switch(program, 1, (chip, domain), (chip, there), size)]
                for expert in range(experts):
                    target = (chip + shift + expert) % chips
                    if target != chip:
                        through_switch(program, 0, (chip, there), (target, there), size, came)
    return program


def double_tree(ranks: int, size: float, chunks: int) -> list[Message]:
    """All-reduce of one half up and down a binary tree, of the other over its mirror image, whose leaves are inner."""
    tree = {}
    for rank in range(1, ranks):
        bit = rank & -rank
        above = (rank ^ bit) | (bit << 1)
        tree[rank] = above if above < ranks else rank ^ bit
    image = [ranks - 1 - rank if ranks % 2 == 0 else (rank + 1) % ranks for rank in range(ranks)]
    mirrored = {image[rank]: image[above] for rank, above in tree.items()}
    program: list[Message] = []
    for _ in range(chunks):
        up_and_down(program, tree, size / 2 / chunks)
        up_and_down(program, mirrored, size / 2 / chunks)
    return program


def up_and_down(program: list[Message], tree: Mapping[int, int], size: float) -> None:
    """One chunk, summed up towards the root and sent down again; ``tree`` names the parent of each rank."""
    downwards = sorted(tree, key=lambda rank: depth(tree, rank))
    came: dict[int, list[int]] = defaultdict(list)
    for rank in reversed(downwards):
        came[tree[rank]].append(through_switch(program, 0, rank, tree[rank], size, came[rank]))
    for rank in downwards:
        came[rank] = [through_switch(program, 0, tree[rank], rank, size, came[tree[rank]])]


def depth(tree: Mapping[int, int], rank: int) -> int:
    return 1 + depth(tree, tree[rank]) if rank in tree else 0


@pytest.mark.parametrize("ranks", [2, 3, 8, 13])
def test_a_ring_all_reduce_takes_its_closed_form(ranks: int) -> None:
    found = finish_s(nested_rings((ranks,), 1e6), {0: (1e9, 5e-6)})
    assert found == pytest.approx(
        collectives.ring_all_reduce_time_s(message_bytes=1e6, ranks=ranks, bytes_per_s=1e9, latency_s=5e-6), rel=EXACT
    )


@pytest.mark.parametrize("ranks", [2, 3, 8, 13])
def test_an_all_gather_that_doubles_what_it_holds_takes_its_closed_form(ranks: int) -> None:
    found = finish_s(doubling_gather(ranks, 1e6), {"port": (1e9, 5e-6)})
    assert found == pytest.approx(
        collectives.all_gather_time_s(message_bytes=1e6, ranks=ranks, bytes_per_s=1e9, latency_s=5e-6), rel=EXACT
    )


@pytest.mark.parametrize("ranks", [2, 3, 8, 13])
def test_an_all_gather_around_a_ring_moves_the_same_bytes_in_more_hops(ranks: int) -> None:
    latency_s = 5e-6
    found = finish_s(nested_rings((ranks,), 1e6, gather_only=True), {0: (1e9, latency_s)})
    doubled = collectives.all_gather_time_s(message_bytes=1e6, ranks=ranks, bytes_per_s=1e9, latency_s=latency_s)
    more_hops = ranks - 1 - collectives.hops(ranks=ranks)
    assert found == pytest.approx(doubled + more_hops * latency_s, rel=EXACT)


@pytest.mark.parametrize("ranks", [4, 5, 8, 16, 32])
def test_a_pipelined_double_tree_takes_the_tree_form(ranks: int) -> None:
    link = {"message_bytes": 256.0, "ranks": ranks, "bytes_per_s": 1.0, "latency_s": 3.0}
    found = finish_s(double_tree(ranks, 256.0, 128), switch_rates([(1.0, 3.0)]))
    # 5 %: the first chunk and the last of 128 pass up and down the tree alone, and ports wait for each other at times.
    assert found == pytest.approx(collectives.tree_all_reduce_time_s(**link), rel=0.05)


@pytest.mark.parametrize("latency_s", [30.0, 300.0])
@pytest.mark.parametrize("ranks", [4, 5, 8, 16, 32])
def test_the_tree_form_errs_by_one_buffer_at_most_where_hops_take_as_long_as_bytes(
    ranks: int, latency_s: float
) -> None:
    """Where the first chunk comes down only after the last went up, the ports carry the buffer once, not twice."""
    link = {"message_bytes": 256.0, "ranks": ranks, "bytes_per_s": 1.0, "latency_s": latency_s}
    found = finish_s(double_tree(ranks, 256.0, 128), switch_rates([(1.0, latency_s)]))
    closed = collectives.tree_all_reduce_time_s(**link)
    # 3 %: chunks, as above.
    assert closed - 256.0 < found < 1.03 * closed


@pytest.mark.parametrize("ranks", [2, 3, 4, 5, 6, 7, 8, 9, 16, 31, 33, 64])
def test_a_word_takes_the_tree_forms_hops(ranks: int) -> None:
    found = finish_s(double_tree(ranks, 0.0, 1), switch_rates([(1.0, 1.0)]))
    assert found == collectives.tree_all_reduce_time_s(message_bytes=0, ranks=ranks, bytes_per_s=1.0, latency_s=1.0)


@pytest.mark.parametrize("ranks", [2, 3])
def test_trees_of_two_or_three_are_faster_than_the_tree_form_and_no_faster_than_a_ring(ranks: int) -> None:
    """None of them has two children, so that no port carries the buffer twice; libraries take the ring there."""
    link = {"message_bytes": 256.0, "ranks": ranks, "bytes_per_s": 1.0, "latency_s": 0.0}
    found = finish_s(double_tree(ranks, 256.0, 128), switch_rates([(1.0, 0.0)]))
    assert collectives.all_reduce_time_s(**link) < found < collectives.tree_all_reduce_time_s(**link)


@pytest.mark.parametrize("ranks", [(8, 2), (4, 8), (3, 5), (4, 3, 2)])
def test_a_nested_all_reduce_takes_its_levels_one_after_the_other(ranks: Chip) -> None:
    rates = [(400e9, 1e-6), (50e9, 4e-6), (25e9, 9e-6)][: len(ranks)]
    found = finish_s(nested_rings(ranks, 1e9), dict(enumerate(rates)))
    times_s = level_times_s(
        AllReduce,
        message_bytes=1e9,
        ranks=ranks,
        bytes_per_s=tuple(bytes_per_s for bytes_per_s, _ in rates),
        latency_s=tuple(latency_s for _, latency_s in rates),
    )
    assert found == pytest.approx(sum(times_s), rel=EXACT)


@of_each("slower", [1, 4, 40])
@of_each("ranks", [(2,), (9,), (8, 2), (4, 8), (3, 5), (4, 3, 2)])
def test_a_direct_all_to_all_takes_as_long_as_its_slowest_level(ranks: Chip, slower: int) -> None:
    rates = [(400.0 / slower**level, 0.5) for level in range(len(ranks))]
    size = 1e6 * math.prod(ranks)
    found = finish_s(direct_all_to_all(ranks, size), switch_rates(rates))
    times_s = level_times_s(
        AllToAll,
        message_bytes=size,
        ranks=ranks,
        bytes_per_s=tuple(bytes_per_s for bytes_per_s, _ in rates),
        latency_s=tuple(latency_s for _, latency_s in rates),
    )
    # Beside the closed form the switch holds one part in full before it passes it on.
    held = (1e6 / bytes_per_s for bytes_per_s, _ in rates)
    assert found == pytest.approx(max(map(sum, zip(times_s, held, strict=True))), rel=EXACT)


# With 5 between nodes: outer bound, balanced, inner bound.
@pytest.mark.parametrize(
    "inner_bytes_per_s", [pytest.param(16.0, marks=pytest.mark.slow), 10.0, pytest.param(4.0, marks=pytest.mark.slow)]
)
def test_tokens_forwarded_inside_take_as_long_as_the_slowest_level(inner_bytes_per_s: float) -> None:
    chips, domains, visits, experts = 8, 8, 4, 2
    tokens = chips * domains
    latency_s = 0.1
    program = forwarded_all_to_all(chips, domains, visits, experts, 1.0)
    found = finish_s(program, switch_rates([(inner_bytes_per_s, latency_s), (5.0, latency_s)]))
    slowest_s = max(
        collectives.forwarded_all_to_all_level_times_s(
            level_bytes=(tokens * visits * experts, tokens * visits),
            ranks=(chips, domains),
            bytes_per_s=(inner_bytes_per_s, 5.0),
            latency_s=(latency_s, latency_s),
        )
    )
    # 2 %: the last of 256 copies passes both levels and both their switches; the form counts the slower level only.
    assert slowest_s < found < 1.02 * slowest_s


def test_latencies_of_a_forwarded_word_add_up() -> None:
    program = forwarded_all_to_all(chips=4, domains=4, visits=2, experts=2, size=1.0)
    assert finish_s(program, switch_rates([(math.inf, 1.0), (math.inf, 3.0)])) == 1.0 + 3.0
