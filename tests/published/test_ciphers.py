"""Test vectors of AES (FIPS 197, appendices B and C) and of PRESENT (Bogdanov et al. 2007, appendix I).

Both as several public implementations quote them, which agree: Sage's "mq.SR" prints all rounds of appendix B.
"""

from __future__ import annotations

import pytest

from ridgeline.laboratory import ciphers

S_BOX = ciphers.aes_s_box()
KEY = 0x2B7E151628AED2A6ABF7158809CF4F3C
TEXT = 0x3243F6A8885A308D313198A2E0370734
STARTS = (
    0x193DE3BEA0F4E22B9AC68D2AE9F84808,
    0xA49C7FF2689F352B6B5BEA43026A5049,
    0xAA8F5F0361DDE3EF82D24AD26832469A,
    0x486C4EEE671D9D0D4DE3B138D65F58E7,
    0xE0927FE8C86363C0D9B1355085B8BE01,
    0xF1006F55C1924CEF7CC88B325DB5D50C,
    0x260E2E173D41B77DE86472A9FDD28B25,
    0x5A4142B11949DC1FA3E019657A8C040C,
    0xEA835CF00445332D655D98AD8596B0C5,
)
"""Of the first nine rounds of appendix B."""


def aes(*, text: int, key: int) -> int:
    """The whole cipher, of rounds whose last leaves the mixing out."""
    first, *keys, last = ciphers.aes_round_keys(key=key)
    block = text ^ first
    for round_key in keys:
        block = ciphers.aes_round(block=block, round_key=round_key, s_box=S_BOX)
    return ciphers.aes_rows_shifted(block=ciphers.substituted(block=block, s_box=S_BOX, bits=128)) ^ last


def present(*, text: int, key: int) -> int:
    *keys, last = ciphers.present_round_keys(key=key)
    for round_key in keys:
        text = ciphers.present_round(block=text, round_key=round_key)
    return text ^ last


def test_each_step_of_the_first_round_is_that_of_the_standard() -> None:
    replaced = ciphers.substituted(block=STARTS[0], s_box=S_BOX, bits=128)
    shifted = ciphers.aes_rows_shifted(block=replaced)
    assert replaced == 0xD42711AEE0BF98F1B8B45DE51E415230
    assert shifted == 0xD4BF5D30E0B452AEB84111F11E2798E5
    assert ciphers.aes_columns_mixed(block=shifted) == 0x046681E5E0CB199A48F8D37A2806264C


def test_the_rounds_of_aes_start_as_those_of_the_standard() -> None:
    keys = ciphers.aes_round_keys(key=KEY)
    assert len(keys) == 11
    assert (keys[1], keys[10]) == (0xA0FAFE1788542CB123A339392A6C7605, 0xD014F9A8C9EE2589E13F0CC8B6630CA6)
    block, starts = TEXT ^ keys[0], []
    for round_key in keys[1:10]:
        starts.append(block)
        block = ciphers.aes_round(block=block, round_key=round_key, s_box=S_BOX)
    assert tuple(starts) == STARTS


@pytest.mark.parametrize(
    ("text", "key", "encrypted"),
    [
        (TEXT, KEY, 0x3925841D02DC09FBDC118597196A0B32),
        (
            0x00112233445566778899AABBCCDDEEFF,
            0x000102030405060708090A0B0C0D0E0F,
            0x69C4E0D86A7B0430D8CDB78070B4C55A,
        ),
    ],
)
def test_aes_encrypts_as_the_standards_examples(text: int, key: int, encrypted: int) -> None:
    assert aes(text=text, key=key) == encrypted


@pytest.mark.parametrize(
    ("text", "key", "encrypted"),
    [
        (0, 0, 0x5579C1387B228445),
        (0, 2**80 - 1, 0xE72C46C0F5945049),
        (2**64 - 1, 0, 0xA112FFC72F68417B),
        (2**64 - 1, 2**80 - 1, 0x3333DCD3213210D2),
    ],
)
def test_present_encrypts_as_its_paper(text: int, key: int, encrypted: int) -> None:
    assert present(text=text, key=key) == encrypted
