"""Least numbers of active S-boxes in AES, and the tables and the trail of Heys's tutorial.

Daemen and Rijmen 2002, "The Design of Rijndael", section 9, for up to four rounds; Mouha et al. 2011, "Differential and
Linear Cryptanalysis Using Mixed-Integer Linear Programming", table 2, for up to eight; Heys 2002, "A Tutorial on Linear
and Differential Cryptanalysis".
"""

from __future__ import annotations

import numpy as np
import pytest

from ridgeline.laboratory.ciphers import aes_s_box, difference_table, difference_table_maximum, linear_table
from ridgeline.laboratory.ciphers.small import small_permuted
from ridgeline.laboratory.trails import aes_active_s_boxes, difference_weights, lightest_trails

HEYS = (0xE, 0x4, 0xD, 0x1, 0x2, 0xF, 0xB, 0x8, 0x3, 0xA, 0x6, 0xC, 0x5, 0x9, 0x0, 0x7)
"""His S-box, table 1."""


def test_active_s_boxes_of_aes() -> None:
    assert aes_active_s_boxes(rounds=8) == [1, 5, 9, 25, 26, 30, 34, 50]


def test_four_rounds_of_aes_leave_a_trail_no_more_than_two_to_the_minus_150() -> None:
    likeliest = difference_table_maximum(s_box=aes_s_box()) / 256
    assert likeliest ** aes_active_s_boxes(rounds=4)[-1] == 2.0**-150


def test_tables_of_heys() -> None:
    """Entries that his text uses: differences B to 2, 4 to 6 and 2 to 5 (section 4.3); parities of sections 3.3-3.4."""
    differences, parities = difference_table(s_box=HEYS), linear_table(s_box=HEYS)
    assert (differences[0xB][0x2], differences[0x4][0x6], differences[0x2][0x5]) == (8, 6, 6)
    assert (parities[0xB][0x4], parities[0x4][0x5]) == (4, -4)


def test_heyss_trail_is_among_the_lightest_to_its_end() -> None:
    """Section 4.3: from 0B00 to 0606 over three rounds with chance 27/1024."""
    start = np.full(1 << 16, np.inf)
    start[0x0B00] = 0.0
    weights = lightest_trails(step=difference_weights(HEYS), permuted=small_permuted(), rounds=3, start=start)
    assert 2.0 ** -weights[-1][0x0606] == pytest.approx(27 / 1024)
