"""Messages over links, simulated one by one: what closed forms are held to.

The simulation knows no formula. A program is a list of messages, each over one directed link, with those that must have
arrived before it starts. A link carries one message at a time, stores it in full and passes it on.
"""

from __future__ import annotations

import heapq
import itertools
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

Link = tuple[Hashable, ...]
Rates = Mapping[Hashable, tuple[float, float]]
Chip = tuple[int, ...]
Arrivals = dict[Chip, list[int]]


class Message(NamedTuple):
    """Over a link, named by its kind and its ends, once the messages at ``after``, places in the program, arrived."""

    link: Link
    size: float
    after: Sequence[int]


def send(program: list[Message], link: Link, size: float, after: Sequence[int] = ()) -> int:
    program.append(Message(link, size, after))
    return len(program) - 1


class Links:
    """Each carries one message at a time, and of those that wait next the one that comes first in the program.

    So does a library that queues its sends in that order.
    """

    def __init__(self, program: Sequence[Message], rates: Rates) -> None:
        self.program, self.rates = program, rates
        self.waiting: dict[Link, list[int]] = defaultdict(list)
        self.busy: set[Link] = set()
        self.events: list[tuple[float, bool, int]] = []
        """When a message's link is free again (true), and when it arrives."""

    def join(self, index: int, now_s: float) -> None:
        link = self.program[index].link
        heapq.heappush(self.waiting[link], index)
        if link not in self.busy:
            self.take_next(link, now_s)

    def take_next(self, link: Link, now_s: float) -> None:
        self.busy.discard(link)
        if not self.waiting[link]:
            return
        index = heapq.heappop(self.waiting[link])
        bytes_per_s, latency_s = self.rates[link[0]]
        self.busy.add(link)
        free_s = now_s + self.program[index].size / bytes_per_s
        heapq.heappush(self.events, (free_s, True, index))
        heapq.heappush(self.events, (free_s + latency_s, False, index))


def finish_s(program: Sequence[Message], rates: Rates) -> float:
    """When the last message arrives; ``rates`` are bytes/s and latency of each kind of link."""
    links = Links(program, rates)
    missing = [len(message.after) for message in program]
    followers: dict[int, list[int]] = defaultdict(list)
    for index, message in enumerate(program):
        for earlier in message.after:
            followers[earlier].append(index)
        if not message.after:
            links.join(index, 0.0)
    now_s, arrived = 0.0, 0
    while links.events:
        now_s, is_free, index = heapq.heappop(links.events)
        if is_free:
            links.take_next(program[index].link, now_s)
            continue
        arrived += 1
        for follower in followers[index]:
            missing[follower] -= 1
            if missing[follower] == 0:
                links.join(follower, now_s)
    assert arrived == len(program)
    return now_s


def numbers(sides: Iterable[int]) -> list[Chip]:
    return list(itertools.product(*map(range, sides)))


def switch_rates(rates: Sequence[tuple[float, float]]) -> Rates:
    both: dict[Hashable, tuple[float, float]] = {}
    for level, (bytes_per_s, latency_s) in enumerate(rates):
        both |= {level: (bytes_per_s, latency_s), (level, "in"): (bytes_per_s, 0.0)}
    return both


EXACT = 1e-12
"""Where the algorithm runs in lockstep, or its busiest link never waits: what rounding leaves."""
