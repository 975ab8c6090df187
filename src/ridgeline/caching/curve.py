"""Hit rates at round sizes and times, as tables and figures show them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ridgeline.caching.hit_rates import HitRates

__all__ = ["HOLDS_S", "HitCurve", "OfHold", "OfSize", "hit_curve"]

HOLDS_S = (10.0, 60.0, 300.0, 600.0, 1800.0, 3600.0, 14400.0, 86400.0)
"""Round hold times, s."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfSize:
    """An LRU cache of some size.

    Attributes:
        capacity_tokens: capacity of the cache, tokens.
        capacity_bytes: capacity in bytes; None where no model is given.
        hit_fraction: fraction of the prompts' blocks that hit.
    """

    capacity_tokens: int
    capacity_bytes: float | None
    hit_fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OfHold:
    """A TTL cache: it evicts what was not used for its hold time.

    Attributes:
        hold_s: hold time, s.
        hit_fraction: fraction of the prompts' blocks that hit.
        held_tokens: tokens that it holds, the mean over the log.
        held_bytes: bytes that it holds, the mean over the log; None where no model is given.
    """

    hold_s: float
    hit_fraction: float
    held_tokens: float
    held_bytes: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HitCurve:
    """Hit rates against size and time.

    Attributes:
        blocks: uses of blocks, those of all prompts.
        different_blocks: different blocks among them.
        block_tokens: tokens of a block.
        token_bytes: KV cache of a token, bytes; None where no model is given.
        unlimited_fraction: fraction of the uses that hit in an unlimited cache.
        enough_tokens: capacity of the smallest LRU cache with that hit rate, tokens.
        enough_bytes: capacity of that cache in bytes; None where no model is given.
        sizes: LRU caches of round sizes, and of those that were asked for.
        holds: TTL caches of round hold times, none longer than the log, and of those that were asked for.
    """

    blocks: int
    different_blocks: int
    block_tokens: int
    token_bytes: float | None
    unlimited_fraction: float
    enough_tokens: int
    enough_bytes: float | None
    sizes: tuple[OfSize, ...]
    holds: tuple[OfHold, ...]


def hit_curve(
    rates: HitRates,
    *,
    block_tokens: int,
    token_bytes: float | None,
    sizes: Sequence[float] = (),
    holds_s: Sequence[float] = (),
) -> HitCurve:
    """Hit rates at 1, 2 and 5 times the powers of ten of bytes, or of tokens where their bytes are not known.

    Args:
        rates: hit rates of a log.
        block_tokens: tokens of a block.
        token_bytes: KV cache of a token, bytes.
        sizes: further sizes, bytes, or tokens where their bytes are not known.
        holds_s: further hold times, s.
    """
    unit = block_tokens * (token_bytes or 1.0)
    every = sorted({*_round(unit, max(rates.most_blocks, 2) * unit), *sizes})
    holds = sorted({*(hold_s for hold_s in HOLDS_S if hold_s <= rates.span_s), *holds_s})

    def in_bytes(tokens: float) -> float | None:
        return None if token_bytes is None else tokens * token_bytes

    return HitCurve(
        blocks=rates.uses,
        different_blocks=rates.different,
        block_tokens=block_tokens,
        token_bytes=token_bytes,
        unlimited_fraction=rates.unlimited,
        enough_tokens=rates.most_blocks * block_tokens,
        enough_bytes=in_bytes(rates.most_blocks * block_tokens),
        sizes=tuple(
            OfSize(
                capacity_tokens=int(size / (token_bytes or 1.0)),
                capacity_bytes=None if token_bytes is None else size,
                hit_fraction=float(rates.of_blocks(int(size // unit))),
            )
            for size in every
        ),
        holds=tuple(
            OfHold(
                hold_s=hold_s,
                hit_fraction=float(rates.of_hold(hold_s)),
                held_tokens=float(rates.held_blocks(hold_s)) * block_tokens,
                held_bytes=in_bytes(float(rates.held_blocks(hold_s)) * block_tokens),
            )
            for hold_s in holds
        ),
    )


def _round(least: float, most: float) -> Sequence[float]:
    """1, 2 and 5 times powers of ten between two numbers, and the next one.

    >>> _round(3, 60)
    [5.0, 10.0, 20.0, 50.0, 100.0]
    """
    powers = range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)
    steps = [float(f"{step}e{power}") for power in powers for step in (1, 2, 5)]
    beyond = next(step for step in steps if step >= most)
    return [step for step in steps if least <= step <= beyond]
