"""NumPy's default generator, draw for draw: what boards draw once from a seed is the same here.

The generator is PCG64 (O'Neill 2014), seeded as NumPy's ``SeedSequence`` does; normal numbers are by the ziggurat of
Marsaglia and Tsang (2000), Poisson ones by Hoermann's transformed rejection (1993), as NumPy has them.
"""

import math
from typing import Any

from .arrays import ndarray

__all__ = ["default_rng"]

WORD, HALF_WORD, WIDE = (1 << 64) - 1, (1 << 32) - 1, (1 << 128) - 1

MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
"""Of PCG's linear step over 128 bits."""

POOL = 4
"""Words of 32 bits that a seed is spread over."""
INIT_A, MULT_A = 0x43B0D7E5, 0x931E8875
INIT_B, MULT_B = 0x8B51F9DD, 0x58F38DED
MIX_LEFT, MIX_RIGHT = 0xCA01F9DD, 0x4973F715
SHIFT = 16


class _Hash:
    """NumPy's hash of words, which changes with every word."""

    def __init__(self, start: int, factor: int) -> None:
        self.constant, self.factor = start, factor

    def __call__(self, word: int) -> int:
        word ^= self.constant
        self.constant = self.constant * self.factor & HALF_WORD
        word = word * self.constant & HALF_WORD
        return word ^ word >> SHIFT


def _mixed(first: int, second: int) -> int:
    found = MIX_LEFT * first - MIX_RIGHT * second & HALF_WORD
    return found ^ found >> SHIFT


def _words(seed: int) -> list[int]:
    """Four words of 64 bits from a seed."""
    entropy = [seed >> 32 * place & HALF_WORD for place in range(max(math.ceil(seed.bit_length() / 32), 1))]
    hashed = _Hash(INIT_A, MULT_A)
    pool = [hashed(entropy[place] if place < len(entropy) else 0) for place in range(POOL)]
    for source in range(POOL):
        for target in range(POOL):
            if source != target:
                pool[target] = _mixed(pool[target], hashed(pool[source]))
    for word in entropy[POOL:]:
        for target in range(POOL):
            pool[target] = _mixed(pool[target], hashed(word))
    hashed = _Hash(INIT_B, MULT_B)
    halves = [hashed(pool[place % POOL]) for place in range(2 * POOL)]
    return [low | high << 32 for low, high in zip(halves[::2], halves[1::2], strict=True)]


class _Ziggurat:
    """Strips of equal area under the normal curve, as tables by strip."""

    STRIPS = 256
    RIGHT = 3.6541528853610087963519472518
    """Where the tail begins."""
    BITS = 1 << 52

    def __init__(self) -> None:
        x, last = self.RIGHT, self.STRIPS - 1
        height = math.exp(-0.5 * x * x)
        # The area is the tail's and the strip's beside it.
        area = x * height + math.sqrt(math.pi / 2) * math.erfc(x / math.sqrt(2))
        base = area / height
        self.least = [0] * self.STRIPS
        self.width = [0.0] * self.STRIPS
        self.height = [0.0] * self.STRIPS
        self.least[0], self.least[1] = int(x / base * self.BITS), 0
        self.width[0], self.width[last] = base / self.BITS, x / self.BITS
        self.height[0], self.height[last] = 1.0, height
        for strip in range(last - 1, 0, -1):
            before, x = x, math.sqrt(-2 * math.log(area / x + math.exp(-0.5 * x * x)))
            self.least[strip + 1] = int(x / before * self.BITS)
            self.width[strip] = x / self.BITS
            self.height[strip] = math.exp(-0.5 * x * x)


_ZIGGURAT = _Ziggurat()


class Generator:
    """NumPy's ``Generator`` over PCG64."""

    def __init__(self, seed: int) -> None:
        high, low, stream_high, stream_low = _words(seed)
        self._step = ((stream_high << 64 | stream_low) << 1 | 1) & WIDE
        self._state = self._step
        self._state = (self._state + (high << 64 | low)) & WIDE
        self._advance()
        self._kept: int | None = None

    def _advance(self) -> None:
        self._state = (self._state * MULTIPLIER + self._step) & WIDE

    def _word(self) -> int:
        self._advance()
        state = self._state
        folded, turn = (state >> 64 ^ state) & WORD, state >> 122
        return (folded >> turn | folded << (64 - turn)) & WORD

    def _half_word(self) -> int:
        """The lower half of a word, then its upper one."""
        if self._kept is not None:
            kept, self._kept = self._kept, None
            return kept
        word = self._word()
        self._kept = word >> 32
        return word & HALF_WORD

    def _uniform(self) -> float:
        return (self._word() >> 11) / (1 << 53)

    def random(self) -> float:
        """Between zero and one."""
        return self._uniform()

    def standard_normal(self, size: int | tuple[int, ...] | None = None) -> Any:
        """Of mean zero and deviation one."""
        return _sized(self._normal, size, float)

    def choice(self, given: Any, size: int | tuple[int, ...] | None = None) -> Any:
        """Of some things, each as likely."""
        return _sized(lambda: given[self._below(len(given))], size, type(given[0]))

    def poisson(self, lam: float, size: int | tuple[int, ...] | None = None) -> Any:
        """How many come, of ``lam`` on the mean."""
        form = self._poisson_of_many if lam >= FEW else self._poisson_of_few
        return _sized(lambda: form(float(lam)), size, int)

    def _below(self, count: int) -> int:
        """A whole number, each as likely (Lemire 2019)."""
        if count == 1:
            return 0
        scaled = self._half_word() * count
        if scaled & HALF_WORD < count:
            least = ((1 << 32) - count) % count
            while scaled & HALF_WORD < least:
                scaled = self._half_word() * count
        return scaled >> 32

    def _normal(self) -> float:
        least, width, height = _ZIGGURAT.least, _ZIGGURAT.width, _ZIGGURAT.height
        while True:
            word = self._word()
            strip = word & 0xFF
            is_below = word >> 8 & 1
            place = word >> 9 & 0x000FFFFFFFFFFFFF
            x = place * width[strip]
            if is_below:
                x = -x
            if place < least[strip]:
                return x
            if strip == 0:
                return self._tail(is_below=bool(place >> 8 & 1))
            if (height[strip - 1] - height[strip]) * self._uniform() + height[strip] < math.exp(-0.5 * x * x):
                return x

    def _tail(self, *, is_below: bool) -> float:
        """Beyond the last strip."""
        right = _ZIGGURAT.RIGHT
        while True:
            x = -math.log1p(-self._uniform()) / right
            y = -math.log1p(-self._uniform())
            if y + y > x * x:
                return -(right + x) if is_below else right + x

    def _poisson_of_few(self, lam: float) -> int:
        if lam == 0:
            return 0
        least, count, product = math.exp(-lam), 0, self._uniform()
        while product > least:
            count += 1
            product *= self._uniform()
        return count

    def _poisson_of_many(self, lam: float) -> int:
        root, log_lam = math.sqrt(lam), math.log(lam)
        b = 0.931 + 2.53 * root
        a = -0.059 + 0.02483 * b
        inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
        v_r = 0.9277 - 3.6224 / (b - 2)
        while True:
            u, v = self._uniform() - 0.5, self._uniform()
            near = 0.5 - abs(u)
            count = math.floor((2 * a / near + b) * u + lam + 0.43)
            if near >= 0.07 and v <= v_r:  # noqa: PLR2004  as published
                return count
            if count < 0 or (near < 0.013 and v > near):  # noqa: PLR2004
                continue
            accepted = math.log(v) + math.log(inverse_alpha) - math.log(a / (near * near) + b)
            if accepted <= -lam + count * log_lam - math.lgamma(count + 1):
                return count


FEW = 10
"""Mean from which Poisson numbers are drawn by rejection."""


def _sized(draw: Any, size: int | tuple[int, ...] | None, kind: type) -> Any:
    """One draw, or an array of them."""
    if size is None:
        return draw()
    shape = (size,) if isinstance(size, int) else tuple(size)
    return ndarray([draw() for _ in range(math.prod(shape))], shape, kind)


def default_rng(seed: int) -> Generator:
    """A generator that draws the same from the same seed."""
    return Generator(seed)
