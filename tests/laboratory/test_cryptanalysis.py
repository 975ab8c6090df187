from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ridgeline.errors import RidgelineError
from ridgeline.laboratory import ciphers
from ridgeline.laboratory.ciphers.small import small_encrypted, small_permuted, small_substituted
from ridgeline.laboratory.cryptanalysis import checked_s_box, cryptanalysis, s_box_tables
from ridgeline.laboratory.key_recovery import likely_differences, recovered, recovered_key
from ridgeline.laboratory.trails import (
    difference_chances,
    difference_weights,
    lightest_trails,
    linear_weights,
    spread,
    trail_to,
)

PERMUTED = np.array([0, 4, 1, 5, 8, 12, 9, 13, 2, 6, 3, 7, 10, 14, 11, 15])
"""Of blocks of two pieces of two bits: their four bits moved about."""


@given(st.permutations(range(8)))
def test_a_linear_table_counts_parities(s_box: list[int]) -> None:
    table = ciphers.linear_table(s_box=s_box)
    for mask, other in itertools.product(range(8), repeat=2):
        agree = sum((x & mask).bit_count() % 2 == (s_box[x] & other).bit_count() % 2 for x in range(8))
        assert table[mask][other] == agree - 4


@given(st.permutations(range(16)))
def test_both_tables_are_one_anothers_transforms(s_box: list[int]) -> None:
    """Squared correlations of all masks of the input add up to one (Parseval), and so do a row's chances."""
    linear = np.array(ciphers.linear_table(s_box=s_box)) / 8
    assert (linear**2).sum(axis=0) == pytest.approx(1)
    differences = np.array(ciphers.difference_table(s_box=s_box))
    signs = np.array([[1 - 2 * ((x & y).bit_count() & 1) for y in range(16)] for x in range(16)])
    assert signs @ (linear**2) @ signs * 16 == pytest.approx(differences * 16)


def _brute_force(s_box: tuple[int, ...], rounds: int) -> dict[int, float]:
    """The lightest trail to each block of two pieces, over all trails."""
    step = difference_weights(s_box)
    weights = dict.fromkeys(range(1, 16), 0.0)
    for _ in range(rounds):
        after: dict[int, float] = {}
        for (block, weight), out in itertools.product(weights.items(), range(16)):
            total = weight + step[block >> 2, out >> 2] + step[block & 3, out & 3]
            end = int(PERMUTED[out])
            if total < after.get(end, math.inf):
                after[end] = total
        weights = after
    return weights


@given(st.permutations(range(4)), st.integers(1, 3))
def test_lightest_trails_are_those_of_brute_force(s_box: list[int], rounds: int) -> None:
    start = np.zeros(16)
    start[0] = np.inf
    step = difference_weights(s_box)
    weights = lightest_trails(step=step, permuted=PERMUTED, rounds=rounds, start=start)
    wanted = _brute_force(tuple(s_box), rounds)
    assert {end: weight for end, weight in enumerate(weights[-1]) if math.isfinite(weight)} == wanted
    for end in wanted:
        trail = trail_to(end=end, weights=weights, step=step, permuted=PERMUTED)
        assert len(trail) == rounds + 1
        back = np.argsort(PERMUTED)
        outs = [int(back[block]) for block in trail[1:]]
        cost = sum(step[one >> 2, out >> 2] + step[one & 3, out & 3] for one, out in zip(trail[:-1], outs, strict=True))
        assert cost == wanted[end]


def test_the_chance_of_a_difference_is_that_of_all_inputs_and_keys() -> None:
    """Two rounds, all 65,536 inputs, 50 keys of the middle; its mean strays by under 2 % of a chance of 1/16."""
    start, rng = 7, np.random.default_rng(0)
    chances = spread(
        chances=difference_chances(ciphers.PRESENT_S_BOX), permuted=small_permuted(), rounds=2, start=start
    )
    assert [float(one.sum()) for one in chances] == pytest.approx([1.0] * 3)
    blocks, counts = np.arange(1 << 16), np.zeros(1 << 16)
    keys = 50
    for key in rng.integers(1 << 16, size=keys).tolist():
        one, other = (small_encrypted(blocks=blocks ^ add, round_keys=[0, key, 0]) for add in (0, start))
        counts += np.bincount(small_permuted()[one ^ other], minlength=1 << 16)
    likeliest = chances[-1].argmax()
    assert counts[likeliest] / (keys << 16) == pytest.approx(chances[-1][likeliest], rel=0.02)


def test_a_trails_chance_is_no_more_than_its_ends() -> None:
    found = cryptanalysis(trail_rounds=4, pairs=[16], keys=1)
    for one in found.trails:
        assert one.trail_chance <= one.end_chance * (1 + 1e-12)
    parities = [one.parity_correlation for one in found.trails]
    assert parities == sorted(parities, reverse=True)


def test_the_small_cipher_is_undone_by_its_parts() -> None:
    blocks, keys = np.arange(1 << 16), [0x1234, 0xBEEF, 0x0F0F, 0x5A5A]
    found = small_encrypted(blocks=blocks, round_keys=keys)
    back_s, back_p = np.argsort(small_substituted()), np.argsort(small_permuted())
    block = back_s[found ^ keys[-1]] ^ keys[-2]
    for key in reversed(keys[:-2]):
        block = back_s[back_p[block]] ^ key
    assert block.tolist() == blocks.tolist()
    assert small_permuted()[small_permuted()].tolist() == blocks.tolist()


def test_a_key_is_recovered_from_enough_plaintexts_and_not_from_few() -> None:
    few, many = recovered(rounds=3, pairs=[4, 1024], keys=20, seed=2)
    assert few.success_fraction < 0.2
    assert many.success_fraction > 0.9
    assert many.chosen_plaintexts == 256 * few.chosen_plaintexts


def test_a_key_that_nothing_tells_is_not_guessed() -> None:
    differences = likely_differences(3)
    nothing = np.zeros(0, dtype=np.int64)
    assert recovered_key(texts=[(nothing, nothing)] * len(differences), differences=differences) is None


def test_the_tables_of_aes_and_present_are_the_known_ones() -> None:
    """AES: differences 4 and parities 16 of 128 (Daemen and Rijmen 2002); PRESENT: 4 and 4 of 8 (its paper, 4.3)."""
    found = [
        s_box_tables(name, box) for name, box in (("AES", ciphers.aes_s_box()), ("PRESENT", ciphers.PRESENT_S_BOX))
    ]
    assert [(one.uniformity, one.linearity, one.largest_correlation) for one in found] == [(4, 16, 0.125), (4, 4, 0.5)]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([0, 1, 2], "give a power of two"),
        ([0, 1, 1, 3], "never gives 2"),
        ([0], "power of two"),
        ([0, 4], "never gives 1"),
    ],
)
def test_what_is_no_s_box_is_refused(values: list[int], said: str) -> None:
    with pytest.raises(RidgelineError, match=said):
        checked_s_box(values)


def test_linear_weights_of_a_linear_s_box_are_none() -> None:
    assert linear_weights(list(range(4))).diagonal().tolist() == [0.0] * 4
