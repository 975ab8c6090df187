r"""Tests that tell Feistel networks with random round functions from random permutations, and the queries they need.

Luby and Rackoff 1988: with :math:`q` chosen plaintexts nobody tells three rounds from a random permutation, nor with
chosen ciphertexts besides four, but with an advantage of about :math:`q^2 / 2^h` for halves of :math:`h` bits. Here the
tests that show this to be sharp are run many times on either side. With halves :math:`(x, y) \to (y + f(x), x)`:

- two rounds: of two inputs with the same left half, the right halves of the outputs differ as those of the inputs do;
- three rounds, one query of the inverse: what two outputs tell of the first rounds puts a third input's left half in
  place;
- three rounds, plaintexts alone: where two right halves of outputs meet, the left ones differ as the inputs did, and
  they meet as often as the second function's values do: about once in :math:`q^2 / 2^{h+1}` pairs.

For study; nothing here protects anything.

Sources: Luby and Rackoff 1988, "How to construct pseudorandom permutations from pseudorandom functions"; Patarin 1991
and 2001, "Generic attacks on Feistel schemes", whose tests these are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from ridgeline.laboratory.ciphers import feistel_decrypted, feistel_encrypted

__all__ = [
    "DISTINGUISHERS",
    "Advantage",
    "Distinguisher",
    "Oracle",
    "advantage",
    "feistel_oracle",
    "luby_rackoff_bound",
    "permutation",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Oracle:
    """Permutation of words of two halves, and its inverse, as a test may query them.

    Attributes:
        encrypt: the word that a word goes to.
        decrypt: the word that goes to it.
    """

    encrypt: Callable[[int], int]
    decrypt: Callable[[int], int]


def feistel_oracle(*, half_bits: int, rounds: int, draw: Random) -> Oracle:
    """A balanced Feistel network whose round functions are drawn at random, value by value as they are asked for."""
    functions = [_random_function(half_bits, draw) for _ in range(rounds)]
    return Oracle(
        encrypt=lambda block: feistel_encrypted(
            block=block, source_bits=half_bits, target_bits=half_bits, round_functions=functions
        ),
        decrypt=lambda block: feistel_decrypted(
            block=block, source_bits=half_bits, target_bits=half_bits, round_functions=functions
        ),
    )


def _random_function(bits: int, draw: Random) -> Callable[[int], int]:
    known: dict[int, int] = {}

    def function(value: int) -> int:
        if value not in known:
            known[value] = draw.getrandbits(bits)
        return known[value]

    return function


def permutation(*, bits: int, draw: Random) -> Oracle:
    """A permutation of words drawn at random, as far as it is asked for.

    >>> oracle = permutation(bits=8, draw=Random(0))
    >>> sorted(map(oracle.encrypt, range(256))) == list(range(256)), oracle.decrypt(oracle.encrypt(77))
    (True, 77)
    """
    forward: dict[int, int] = {}
    backward: dict[int, int] = {}

    def asked(word: int, there: dict[int, int], back: dict[int, int]) -> int:
        if word not in there:
            free = draw.getrandbits(bits)
            while free in back:
                free = draw.getrandbits(bits)
            there[word], back[free] = free, word
        return there[word]

    return Oracle(
        encrypt=lambda word: asked(word, forward, backward), decrypt=lambda word: asked(word, backward, forward)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Distinguisher:
    """A way to tell a network of few rounds from a random permutation.

    Attributes:
        name: name of the test by its queries.
        breaks_rounds: most rounds that it is made for; of more it tells nothing.
        queries: number of queries that it makes; None where it takes as many as it is given.
        says_feistel: test whether an oracle looks like a network, by its half's bits, queries, and draws of inputs.
    """

    name: str
    breaks_rounds: int
    queries: int | None
    says_feistel: Callable[[Oracle, int, int, Random], bool]


def _two_inputs(oracle: Oracle, half_bits: int, queries: int, draw: Random) -> bool:
    """Two inputs with one left half: how their right halves differ comes out unchanged."""
    left, one, other = _left_and_rights(half_bits, 2, draw)
    mask = (1 << half_bits) - 1
    outputs = [oracle.encrypt(left << half_bits | right) & mask for right in (one, other)]
    return outputs[0] ^ outputs[1] == one ^ other


def _with_inverse(oracle: Oracle, half_bits: int, queries: int, draw: Random) -> bool:
    """Two inputs with one left half, and a third that is asked for by an output put together from theirs."""
    left, one, other = _left_and_rights(half_bits, 2, draw)
    mask = (1 << half_bits) - 1
    first, second = (oracle.encrypt(left << half_bits | right) for right in (one, other))
    third = oracle.decrypt(second ^ (one ^ other) << half_bits)
    return third >> half_bits == (first ^ second) & mask ^ left


def _meetings(oracle: Oracle, half_bits: int, queries: int, draw: Random) -> bool:
    """Inputs with one left half: whether two outputs share a right half, and their left ones differ as the inputs."""
    left, *rights = _left_and_rights(half_bits, queries, draw)
    mask, met = (1 << half_bits) - 1, set[tuple[int, int]]()
    for right in rights:
        output = oracle.encrypt(left << half_bits | right)
        told = output & mask, output >> half_bits ^ right
        if told in met:
            return True
        met.add(told)
    return False


def _left_and_rights(half_bits: int, count: int, draw: Random) -> list[int]:
    """Inputs with one random left half, and as many different right ones as asked for."""
    return [draw.getrandbits(half_bits), *draw.sample(range(1 << half_bits), count)]


DISTINGUISHERS = (
    Distinguisher(name="two plaintexts", breaks_rounds=2, queries=2, says_feistel=_two_inputs),
    Distinguisher(name="two plaintexts and a ciphertext", breaks_rounds=3, queries=3, says_feistel=_with_inverse),
    Distinguisher(name="plaintexts until outputs meet", breaks_rounds=3, queries=None, says_feistel=_meetings),
)
"""Distinguishers by the number of queries that they need, ascending; all inputs are chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advantage:
    """How well a test tells a network from a random permutation.

    Attributes:
        distinguisher: name of the test.
        rounds: number of rounds of the network.
        queries: number of queries that it makes.
        trials: number of networks, and of permutations, that were drawn.
        found_fraction: fraction of the networks that it takes for one.
        mistaken_fraction: fraction of the permutations that it takes for a network.
        advantage: ``found_fraction`` less ``mistaken_fraction``: 1 where it is always right, 0 where it guesses.
        standard_error: standard error of the advantage; never zero, since one more trial of each is taken to have gone
            either way.
    """

    distinguisher: str
    rounds: int
    queries: int
    trials: int
    found_fraction: float
    mistaken_fraction: float
    advantage: float
    standard_error: float


def advantage(
    *, distinguisher: Distinguisher, rounds: int, half_bits: int, queries: int, trials: int, seed: int
) -> Advantage:
    """Run a test on networks and on permutations, each drawn anew.

    The standard error is that of a difference of two counted fractions, by Agresti and Caffo 2000.

    Args:
        distinguisher: the test to run.
        rounds: number of rounds of the networks.
        half_bits: bits of half a word.
        queries: number of queries of a test that takes as many as it is given, at most ``2**half_bits``.
        trials: number of networks, and of permutations.
        seed: seed of all random draws.
    """
    asked = distinguisher.queries or queries
    draw = Random(f"{seed} {rounds} {asked} {distinguisher.name}")  # noqa: S311  an experiment

    def says_feistel(oracle: Oracle) -> bool:
        return distinguisher.says_feistel(oracle, half_bits, asked, draw)

    networks = (feistel_oracle(half_bits=half_bits, rounds=rounds, draw=draw) for _ in range(trials))
    permutations = (permutation(bits=2 * half_bits, draw=draw) for _ in range(trials))
    found, mistaken = (sum(map(says_feistel, oracles)) for oracles in (networks, permutations))
    near = [(count + 1) / (trials + 2) for count in (found, mistaken)]
    return Advantage(
        distinguisher=distinguisher.name,
        rounds=rounds,
        queries=asked,
        trials=trials,
        found_fraction=found / trials,
        mistaken_fraction=mistaken / trials,
        advantage=(found - mistaken) / trials,
        standard_error=sum(part * (1 - part) / (trials + 2) for part in near) ** 0.5,
    )


def luby_rackoff_bound(*, queries: int, half_bits: int) -> float:
    """Upper bound of the advantage over three rounds with plaintexts alone: ``q**2 / 2**h``.

    The same holds of four rounds with ciphertexts besides.

    >>> luby_rackoff_bound(queries=32, half_bits=16)
    0.015625

    Source: Luby and Rackoff 1988; Maurer 1992, "A simplified and generalized treatment of Luby-Rackoff pseudorandom
    permutation generators", which gives this constant.
    """
    return float(min(1.0, queries**2 / 2**half_bits))
