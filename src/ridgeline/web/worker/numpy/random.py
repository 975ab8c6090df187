"""NumPy's default generator, draw for draw: what boards draw once from a seed is the same here.

The generator is PCG64 (O'Neill 2014), seeded as NumPy's ``SeedSequence`` does; normal and exponential numbers are by
the ziggurat of Marsaglia and Tsang (2000), gamma ones by their method of the same year, Poisson ones by Hoermann's
transformed rejection (1993), as NumPy has them.
"""

import math
from collections.abc import Callable
from typing import Any

from .arrays import asarray, ndarray

__all__ = ["default_rng"]

WORD, HALF_WORD, WIDE = (1 << 64) - 1, (1 << 32) - 1, (1 << 128) - 1

MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
"""Multiplier of PCG's linear step over 128 bits."""

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
    """Strips of equal area under a falling curve, as tables by strip.

    Attributes:
        right: abscissa where the tail begins.
        least: acceptance bound of each strip: draws below it lie under the curve whatever else is drawn.
        width: abscissa per unit of a draw, by strip.
        height: height of the curve at each strip's end.
    """

    def __init__(
        self, right: float, tail: float, bits: int, curve: Callable[[float], float], inverse: Callable[[float], float]
    ) -> None:
        units, last = 1 << bits, STRIPS - 1
        # The lowest strip holds the tail, too.
        area = right * curve(right) + tail
        base = area / curve(right)
        x, self.right = right, right
        self.least, self.width, self.height = [0] * STRIPS, [0.0] * STRIPS, [0.0] * STRIPS
        self.least[0] = int(x / base * units)
        self.width[0], self.width[last] = base / units, x / units
        self.height[0], self.height[last] = 1.0, curve(x)
        for strip in range(last - 1, 0, -1):
            before, x = x, inverse(area / x + curve(x))
            self.least[strip + 1] = int(x / before * units)
            self.width[strip] = x / units
            self.height[strip] = curve(x)


STRIPS = 256
NORMAL_RIGHT, EXPONENTIAL_RIGHT = 3.6541528853610087963519472518, 7.6971174701310497140446280481

NORMAL = _Ziggurat(
    NORMAL_RIGHT,
    math.sqrt(math.pi / 2) * math.erfc(NORMAL_RIGHT / math.sqrt(2)),
    52,
    lambda x: math.exp(-0.5 * x * x),
    lambda y: math.sqrt(-2 * math.log(y)),
)
EXPONENTIAL = _Ziggurat(
    EXPONENTIAL_RIGHT, math.exp(-EXPONENTIAL_RIGHT), 53, lambda x: math.exp(-x), lambda y: -math.log(y)
)


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
        """Next 32 bits: the lower half of a word, then its upper half."""
        if self._kept is not None:
            kept, self._kept = self._kept, None
            return kept
        word = self._word()
        self._kept = word >> 32
        return word & HALF_WORD

    def _uniform(self) -> float:
        return (self._word() >> 11) / (1 << 53)

    def random(self) -> float:
        """Uniform number between zero and one."""
        return self._uniform()

    def standard_normal(self, size: int | tuple[int, ...] | None = None) -> Any:
        """Numbers of a normal distribution with mean zero and deviation one."""
        return _sized(self._normal, size, float)

    def choice(self, given: Any, size: int | tuple[int, ...] | None = None) -> Any:
        """Numbers picked from ``given``, each with the same probability."""
        return _sized(lambda: given[self._below(len(given))], size, type(given[0]))

    def standard_gamma(self, shape: Any) -> Any:
        """Numbers of gamma distributions with these shapes, each one or larger."""
        return ndarray([self._gamma(float(one)) for one in asarray(shape).flat], asarray(shape).shape, float)

    def integers(self, count: int) -> int:
        """Random whole number below ``count``."""
        return self._below(count)

    def permutation(self, count: int) -> ndarray:
        """Whole numbers below ``count`` in random order."""
        held = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self._up_to(last)
            held[last], held[other] = held[other], held[last]
        return ndarray(held, (count,), int)

    def poisson(self, lam: float, size: int | tuple[int, ...] | None = None) -> Any:
        """Poisson number with mean ``lam``."""
        form = self._poisson_of_many if lam >= FEW else self._poisson_of_few
        return _sized(lambda: form(float(lam)), size, int)

    def _below(self, count: int) -> int:
        """Uniform whole number below a bound (Lemire 2019)."""
        if count == 1:
            return 0
        scaled = self._half_word() * count
        if scaled & HALF_WORD < count:
            least = ((1 << 32) - count) % count
            while scaled & HALF_WORD < least:
                scaled = self._half_word() * count
        return scaled >> 32

    def _up_to(self, most: int) -> int:
        """Uniform whole number up to a bound, by rejection of larger ones."""
        mask = (1 << most.bit_length()) - 1
        while (drawn := self._half_word() & mask) > most:
            pass
        return drawn

    def _normal(self) -> float:
        least, width, height = NORMAL.least, NORMAL.width, NORMAL.height
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
        """Normal number beyond the last strip."""
        right = NORMAL.right
        while True:
            x = -math.log1p(-self._uniform()) / right
            y = -math.log1p(-self._uniform())
            if y + y > x * x:
                return -(right + x) if is_below else right + x

    def _exponential(self) -> float:
        while True:
            word = self._word() >> 3
            strip, place = word & 0xFF, word >> 8
            x = place * EXPONENTIAL.width[strip]
            if place < EXPONENTIAL.least[strip]:
                return x
            if strip == 0:
                return EXPONENTIAL.right - math.log1p(-self._uniform())
            above, below = EXPONENTIAL.height[strip - 1], EXPONENTIAL.height[strip]
            if (above - below) * self._uniform() + below < math.exp(-x):
                return x

    def _gamma(self, shape: float) -> float:
        if shape == 1:
            return self._exponential()
        if shape < 1:
            raise NotImplementedError("gamma draws of a shape below one are not made here")
        b = shape - 1 / 3
        c = 1 / math.sqrt(9 * b)
        while True:
            x = self._normal()
            v = 1 + c * x
            if v <= 0:
                continue
            v = v * v * v
            u = self._uniform()
            if u < 1 - 0.0331 * (x * x) * (x * x) or math.log(u) < 0.5 * x * x + b * (1 - v + math.log(v)):
                return b * v

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
