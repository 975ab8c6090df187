"""What chips of a torus send to gather, to reduce and to exchange, as programs of messages over links."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from tests.published.links import Arrivals, Chip, Message, numbers, send


def step(chip: Chip, axis: int, way: int, sides: Chip) -> Chip:
    return (*chip[:axis], (chip[axis] + way) % sides[axis], *chip[axis + 1 :])


def gather_along(program: list[Message], axis: int, size: float, held: Arrivals, sides: Chip, wraps: Chip) -> Arrivals:
    """Every chip passes its block along the axis, both ways; what must arrive until each holds all of its line."""
    reached = {chip: list(after) for chip, after in held.items()}
    fronts: dict[tuple[Chip, int], tuple[Chip, Sequence[int]]] = {
        (chip, way): (chip, held[chip]) for chip in held for way in (1, -1)
    }
    for hop in range(1, sides[axis]):
        # Around an even ring half of a block reaches the opposite chip either way.
        part = min(1.0, (sides[axis] + 1) / 2 - hop) if wraps[axis] else 1.0
        for (origin, way), (chip, after) in list(fronts.items()):
            if part <= 0 or not (wraps[axis] or 0 <= chip[axis] + way < sides[axis]):
                del fronts[origin, way]
                continue
            target = step(chip, axis, way, sides)
            index = send(program, (axis, chip, target, way), part * size, after)
            reached[target].append(index)
            fronts[origin, way] = (target, [index])
    return reached


def torus_gather(
    sides: Chip, wraps: Chip, orders: Sequence[Chip], before: Sequence[Message] = (), held: Arrivals | None = None
) -> list[Message]:
    """All-gather of one byte from every chip for each order of the axes; earlier axes go before later ones."""
    program = list(before)
    start = held or {chip: [] for chip in numbers(sides)}
    reached = [start] * len(orders)
    for place in range(len(orders[0])):
        for part, order in enumerate(orders):
            block = math.prod(sides[axis] for axis in order[:place])
            reached[part] = gather_along(program, order[place], block, reached[part], sides, wraps)
    return program


def backwards(program: Sequence[Message]) -> list[Message]:
    """All messages from the last to the first and each the other way: what gathered now sums up and scatters."""
    after: list[list[int]] = [[] for _ in program]
    for index, message in enumerate(program):
        for earlier in message.after:
            after[earlier].append(len(program) - 1 - index)
    turned = []
    for index in reversed(range(len(program))):
        axis, source, target, way = program[index].link
        assert isinstance(way, int)
        turned.append(Message((axis, target, source, -way), program[index].size, after[index]))
    return turned


def torus_reduce(sides: Chip, wraps: Chip, orders: Sequence[Chip]) -> list[Message]:
    """All-reduce: a chip gathers once its own part is summed up."""
    gather = torus_gather(sides, wraps, orders)
    scatter = backwards(gather)
    summed: Arrivals = {chip: [] for chip in numbers(sides)}
    for index, message in enumerate(reversed(gather)):
        if not message.after:
            _, chip, _, _ = message.link
            assert isinstance(chip, tuple)
            summed[chip].append(index)
    return torus_gather(sides, wraps, orders, scatter, summed)


def axes_of(sides: Chip) -> Chip:
    return tuple(axis for axis, side in enumerate(sides) if side > 1)


def rotations(sides: Chip) -> list[Chip]:
    axes = axes_of(sides)
    return [axes[first:] + axes[:first] for first in range(len(axes))]


def balanced_orders(sides: Chip, wraps: Chip, chunks: int) -> list[Chip]:
    """Each chunk takes the order of the axes that leaves the busiest link least busy."""
    load = [0.0] * len(sides)

    def with_chunk(order: Chip) -> list[float]:
        added = list(load)
        for place, axis in enumerate(order):
            block = math.prod(sides[earlier] for earlier in order[:place])
            added[axis] += (sides[axis] - 1) * block / (1 + wraps[axis])
        return added

    orders = []
    for _ in range(chunks):
        orders.append(
            min(itertools.permutations(axes_of(sides)), key=lambda order: sorted(with_chunk(order), reverse=True))
        )
        load = with_chunk(orders[-1])
    return orders


def ways(axis: int, steps: int, side: int, wrap: int) -> list[tuple[int, int, int]]:
    """Axis, direction and hops of the shortest ways; two around a ring to the opposite chip."""
    if not wrap:
        return [(axis, 1 if steps > 0 else -1, abs(steps))]
    both = [(axis, 1, steps % side), (axis, -1, -steps % side)]
    fewest = min(hops for _, _, hops in both)
    return [way for way in both if way[2] == fewest]


def torus_all_to_all(sides: Chip, wraps: Chip, orders: Sequence[Chip]) -> list[Message]:
    """One byte from every chip, each part split over orders of the axes and ways as short; the farthest first."""
    chips = numbers(sides)
    paths = []
    for source, target in itertools.permutations(chips, 2):
        for order in orders:
            options = [ways(axis, target[axis] - source[axis], sides[axis], wraps[axis]) for axis in order]
            split = list(itertools.product(*options))
            share = 1 / len(chips) / len(orders) / len(split)
            paths += [(sum(hops for _, _, hops in path), source, path, share) for path in split]
    program: list[Message] = []
    for _, source, path, share in sorted(paths, key=lambda found: -found[0]):
        chip, after = source, list[int]()
        for axis, way, hops in path:
            for _ in range(hops):
                target = step(chip, axis, way, sides)
                after = [send(program, (axis, chip, target, way), share, after)]
                chip = target
    return program
