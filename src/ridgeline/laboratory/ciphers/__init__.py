"""Ciphers round by round: AES, PRESENT, Feistel networks, and their avalanches and S-boxes. For study alone.

No construction here protects anything: nothing is checked against timing or other leaks, nothing is fast, and some
ciphers are made small so that they can be broken.

Sources: lecture 2:04-2:13 (E1-E9); FIPS 197 (AES); Bogdanov et al. 2007 (PRESENT); Feistel 1973; Biham and Shamir 1990.
"""

from ridgeline.laboratory.ciphers.aes import (
    AES_BITS,
    AES_ROUNDS,
    aes_columns_mixed,
    aes_round,
    aes_round_keys,
    aes_rows_shifted,
    aes_s_box,
    field_product,
)
from ridgeline.laboratory.ciphers.avalanche import avalanche_fractions, blocks_of_rounds
from ridgeline.laboratory.ciphers.blocks import rotated_left, substituted
from ridgeline.laboratory.ciphers.feistel import (
    feistel,
    feistel_decrypted,
    feistel_encrypted,
    feistel_inverse,
    middle_of_power,
)
from ridgeline.laboratory.ciphers.present import (
    PRESENT_BITS,
    PRESENT_KEY_BITS,
    PRESENT_S_BOX,
    present_permuted,
    present_round,
    present_round_keys,
)
from ridgeline.laboratory.ciphers.rounds import RoundCipher, drawn_ciphers, small_cipher
from ridgeline.laboratory.ciphers.s_boxes import (
    difference_table,
    difference_table_maximum,
    linear_table,
    linear_table_maximum,
)

__all__ = [
    "AES_BITS",
    "AES_ROUNDS",
    "PRESENT_BITS",
    "PRESENT_KEY_BITS",
    "PRESENT_S_BOX",
    "RoundCipher",
    "aes_columns_mixed",
    "aes_round",
    "aes_round_keys",
    "aes_rows_shifted",
    "aes_s_box",
    "avalanche_fractions",
    "blocks_of_rounds",
    "difference_table",
    "difference_table_maximum",
    "drawn_ciphers",
    "feistel",
    "feistel_decrypted",
    "feistel_encrypted",
    "feistel_inverse",
    "field_product",
    "linear_table",
    "linear_table_maximum",
    "middle_of_power",
    "present_permuted",
    "present_round",
    "present_round_keys",
    "rotated_left",
    "small_cipher",
    "substituted",
]
