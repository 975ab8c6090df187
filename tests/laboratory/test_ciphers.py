from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.laboratory import ciphers
from ridgeline.numeric import Numeric

BITS = 6
TABLES = st.lists(
    st.lists(st.integers(min_value=0, max_value=2**BITS - 1), min_size=2**BITS, max_size=2**BITS), max_size=6
)


def _looked_up(table: list[int]) -> Callable[[Numeric], Numeric]:
    return lambda value: table[int(value)]


@given(TABLES, st.integers(0, 2**BITS - 1), st.integers(0, 2**BITS - 1))
def test_rounds_of_any_function_are_undone(tables: list[list[int]], left: int, right: int) -> None:
    """A round function is any table at all, most of them not invertible."""
    rounds = [_looked_up(table) for table in tables]
    mixed = ciphers.feistel(left=left, right=right, round_functions=rounds, modulus=2**BITS)
    back = ciphers.feistel_inverse(left=mixed[0], right=mixed[1], round_functions=rounds, modulus=2**BITS)
    assert back == (left, right)


@given(TABLES)
def test_rounds_permute_all_blocks(tables: list[list[int]]) -> None:
    rounds = [_looked_up(table) for table in tables]
    blocks = {
        ciphers.feistel(left=left, right=right, round_functions=rounds, modulus=2**BITS)
        for left, right in product(range(2**BITS), repeat=2)
    }
    assert len(blocks) == 4**BITS


def test_one_round_leaves_a_half() -> None:
    assert ciphers.feistel(left=7, right=9, round_functions=[lambda x: x + 1], modulus=64)[1] == 7


def test_the_s_box_of_aes_is_the_standards() -> None:
    """FIPS 197, figure 7: corners and the two values that its text works out."""
    table = ciphers.aes_s_box()
    assert sorted(table) == list(range(256))
    assert [table[0x00], table[0x0F], table[0xF0], table[0xFF], table[0x53], table[0x52]] == [
        *(0x63, 0x76, 0x8C, 0x16, 0xED, 0x00)
    ]


def test_difference_tables_have_the_published_maxima() -> None:
    assert ciphers.difference_table_maximum(s_box=ciphers.aes_s_box()) == 4
    assert ciphers.difference_table_maximum(s_box=ciphers.PRESENT_S_BOX) == 4
    assert sorted(ciphers.PRESENT_S_BOX) == list(range(16))


@given(st.permutations(range(16)))
def test_a_difference_tables_maximum_is_even_and_two_at_least(s_box: list[int]) -> None:
    """Each pair of inputs counts twice, once from either side."""
    found = ciphers.difference_table_maximum(s_box=s_box)
    assert found % 2 == 0
    assert 2 <= found <= 16


@given(st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))
def test_the_fields_product_is_one(first: int, second: int, third: int) -> None:
    def times(one: int, other: int) -> int:
        return ciphers.field_product(first=one, second=other)

    assert times(first, second) == times(second, first)
    assert times(first, second ^ third) == times(first, second) ^ times(first, third)
    assert times(first, 1) == first


def test_an_avalanche_starts_at_one_bit_and_ends_at_a_half() -> None:
    table = ciphers.aes_s_box()

    def whole(block: int) -> int:
        left, right = ciphers.feistel(
            left=block >> 8, right=block & 255, round_functions=[lambda x: table[int(x)]], modulus=256
        )
        return int(left) << 8 | int(right)

    inputs = range(0, 2**16, 257)
    found = ciphers.avalanche_fractions(rounds=[whole] * 8, inputs=inputs, bits=16)
    assert ciphers.avalanche_fractions(rounds=[lambda x: x], inputs=inputs, bits=16) == (1 / 16,)
    assert 1 / 16 < found[0] < found[1] < found[2]
    assert found[-1] == pytest.approx(0.5, abs=0.02)  # a mean over 65,000 bits of some blocks


@pytest.mark.parametrize("s_box", [ciphers.PRESENT_S_BOX, ciphers.aes_s_box()], ids=["PRESENT", "AES"])
def test_a_permutations_difference_table_adds_up_in_rows_and_columns(s_box: tuple[int, ...]) -> None:
    table = ciphers.difference_table(s_box=s_box)
    size = len(s_box)
    assert table[0] == (size, *(0,) * (size - 1))
    assert {sum(row) for row in table} == {sum(column) for column in zip(*table, strict=True)} == {size}
    assert {entry % 2 for row in table for entry in row} == {0}


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_presents_permutation_moves_bits_and_makes_none(first: int, second: int) -> None:
    moved = [ciphers.present_permuted(block=block) for block in (first, second, first ^ second)]
    assert moved[0] ^ moved[1] == moved[2]
    assert moved[0].bit_count() == first.bit_count()
    again = first
    for _ in range(3):  # 16 ** 3 is 1 modulo 63
        again = ciphers.present_permuted(block=again)
    assert again == first


@given(st.integers(0, 2**128 - 1), st.integers(0, 2**128 - 1))
def test_aess_mixing_is_linear_and_four_times_it_is_nothing(first: int, second: int) -> None:
    """Its polynomial's fourth power is one: FIPS 197, section 5.3.3, gives the inverse, which is its cube."""
    assert ciphers.aes_columns_mixed(block=first) ^ ciphers.aes_columns_mixed(
        block=second
    ) == ciphers.aes_columns_mixed(block=first ^ second)
    again = first
    for _ in range(4):
        again = ciphers.aes_columns_mixed(block=again)
    assert again == first
    for _ in range(4):
        again = ciphers.aes_rows_shifted(block=again)
    assert again == first


@given(st.integers(0, 2**64 - 1))
def test_the_first_powers_middle_is_the_number(value: int) -> None:
    assert ciphers.middle_of_power(value=value, exponent=1, bits=64) == value
    assert ciphers.middle_of_power(value=value, exponent=2, bits=64) == (value * value >> 32) % 2**64
