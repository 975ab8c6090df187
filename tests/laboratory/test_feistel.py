from __future__ import annotations

import hashlib
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.errors import RidgelineError
from ridgeline.laboratory import ciphers
from ridgeline.laboratory.coupling import coupled, uncoupled
from ridgeline.laboratory.distinguishers import DISTINGUISHERS, advantage, luby_rackoff_bound, permutation
from ridgeline.laboratory.luby_rackoff import inverted, luby_rackoff


def hashed(key: bytes) -> Callable[[int], int]:
    """A function of numbers of any size that nobody inverts."""

    def function(value: int) -> int:
        text = key + value.to_bytes((value.bit_length() + 7) // 8, "big")
        return int.from_bytes(hashlib.shake_128(text).digest(40), "big")

    return function


@given(st.data(), st.integers(1, 130), st.integers(1, 130), st.lists(st.binary(max_size=3), max_size=8))
def test_words_of_any_size_come_back(data: st.DataObject, source: int, target: int, keys: list[bytes]) -> None:
    word = data.draw(st.integers(0, 2 ** (source + target) - 1))
    functions = [hashed(key) for key in keys]
    there = ciphers.feistel_encrypted(block=word, source_bits=source, target_bits=target, round_functions=functions)
    assert 0 <= there < 2 ** (source + target)
    back = ciphers.feistel_decrypted(block=there, source_bits=source, target_bits=target, round_functions=functions)
    assert back == word


@given(st.integers(1, 4), st.integers(1, 4), st.lists(st.binary(max_size=3), max_size=5))
def test_rounds_permute_all_words(source: int, target: int, keys: list[bytes]) -> None:
    words = range(2 ** (source + target))
    functions = [hashed(key) for key in keys]
    found = {
        ciphers.feistel_encrypted(block=word, source_bits=source, target_bits=target, round_functions=functions)
        for word in words
    }
    assert found == set(words)


@given(st.integers(0, 255), st.integers(0, 255), st.lists(st.binary(max_size=3), max_size=5))
def test_the_balanced_network_is_that_of_halves(left: int, right: int, keys: list[bytes]) -> None:
    """By exclusive or in place of a sum."""
    functions = [hashed(key) for key in keys]
    halves = coupled(left=left, right=right, functions=functions, add=lambda one, other: one ^ other & 255)
    word = ciphers.feistel_encrypted(block=left << 8 | right, source_bits=8, target_bits=8, round_functions=functions)
    assert word == halves[0] << 8 | halves[1]


@given(st.fractions(), st.fractions(), st.integers(0, 6))
def test_a_coupling_is_undone_exactly_where_sums_are(left: object, right: object, rounds: int) -> None:
    functions = [lambda x: x * x] * rounds
    there = coupled(left=left, right=right, functions=functions)
    assert uncoupled(left=there[0], right=there[1], functions=functions) == (left, right)


def test_an_unbalanced_round_keeps_its_source() -> None:
    word = ciphers.feistel_encrypted(block=0xABCDE, source_bits=16, target_bits=4, round_functions=[lambda _: 1])
    assert word == (0xE ^ 1) << 16 | 0xABCD


@pytest.mark.parametrize("bits", [2, 8, 40])
def test_a_permutation_gives_each_word_one_other_and_back(bits: int) -> None:
    oracle = permutation(bits=bits, draw=Random(1))  # noqa: S311  an experiment
    words = range(min(2**bits, 200))
    assert len({oracle.encrypt(word) for word in words}) == len(words)
    assert [oracle.decrypt(oracle.encrypt(word)) for word in words] == list(words)
    assert [oracle.encrypt(oracle.decrypt(word)) for word in words] == list(words)


@pytest.mark.parametrize("half_bits", [6, 12])
def test_tests_tell_up_to_their_rounds_and_none_tells_four(half_bits: int) -> None:
    """An advantage within three standard errors of none; a test of so many seeds was not picked to pass."""
    queries = 2 ** (half_bits // 2 + 2)
    for one in DISTINGUISHERS:
        found = {
            rounds: advantage(distinguisher=one, rounds=rounds, half_bits=half_bits, queries=queries, trials=60, seed=3)
            for rounds in (one.breaks_rounds, 4)
        }
        assert found[one.breaks_rounds].advantage > 0.8, one.name
        assert abs(found[4].advantage) < 3.5 * found[4].standard_error, one.name


def test_no_advantage_passes_the_bound() -> None:
    """By four standard errors: of nine comparisons not one in ten thousand is farther off by chance."""
    found = luby_rackoff(half_bits=8, queries=16, rounds=3, trials=100, seed=5)
    three = [one for one in found.by_queries if one.rounds == 3]
    for one, bound in zip(three, found.bounds, strict=True):
        assert bound == luby_rackoff_bound(queries=one.queries, half_bits=8)
        assert one.advantage < bound + 4 * one.standard_error


def test_more_queries_than_inputs_are_refused() -> None:
    with pytest.raises(RidgelineError, match="ask from 2 to 16, or take wider halves"):
        luby_rackoff(half_bits=4, queries=17)


def test_functions_without_an_inverse_are_undone() -> None:
    found = inverted(source_bits=12, target_bits=2, rounds=3, words=50, seed=1)
    assert (found.shared_fraction, found.recovered_fraction) == (1.0, 1.0)
