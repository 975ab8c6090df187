"""A batch of tokens as sequences."""

from __future__ import annotations

import math

from ridgeline.errors import RidgelineError
from ridgeline.quantity_text import counted, format_quantity

__all__ = ["sequences_of"]

BINARY = ((1_000_000, 2**20, "Mi"), (1_000, 2**10, "Ki"))
"""Value of a suffix of tokens, value that is often meant, and its spelling; the largest first."""
FEWEST_DIGITS, MOST_DIGITS = 2, 3
"""Significant digits to which papers state their batch sizes."""


def sequences_of(batch_tokens: float, sequence_tokens: int) -> tuple[int, str]:
    """Sequences of a batch, and a note on how it was read; empty where none is needed.

    Where 2, 4, 8, ... k or M leave a part of a sequence and as many Ki or Mi do not, those are meant: such batches are
    published of powers of two of sequences, which are powers of two of tokens. Any other number is taken as it is said.

    Raises:
        RidgelineError: it is no whole number of sequences; the message names the nearest ones.

    >>> sequences_of(16e6, 8192)
    (2048, '16,000,000 tokens are no whole number of sequences; 2,048 sequences of 8,192 are taken: 16Mi tokens')
    """
    whole, over = divmod(batch_tokens, sequence_tokens)
    if not over and whole:
        return int(whole), ""
    # Nobody writes 62.9M for 62,900Ki: only the suffix with which such a number is written counts.
    unit, meant, suffix = next((one for one in BINARY if batch_tokens >= one[0]), BINARY[-1])
    units, part = divmod(batch_tokens, unit)
    sequences, rest = divmod(units * meant, sequence_tokens)
    if sequences and not part and not rest and math.log2(units).is_integer():
        said = (
            f"{batch_tokens:,.0f} tokens are no whole number of sequences; {counted(sequences, 'sequence')} of"
            f" {sequence_tokens:,} {'is' if sequences == 1 else 'are'} taken: {units:g}{suffix} tokens"
        )
        return int(sequences), said
    near = [f"{count * sequence_tokens:,.0f}" for count in (whole, whole + 1) if count]
    raise RidgelineError(
        f"a batch of {batch_tokens:,.0f} tokens is no whole number of sequences of {sequence_tokens:,}; the nearest"
        f" {'are' if len(near) > 1 else 'is'} {' or '.join(near)}{_roundest(batch_tokens, sequence_tokens)}"
    )


def _roundest(batch_tokens: float, sequence_tokens: int) -> str:
    """Roundest batch in sequences that a paper would write alike; empty where the nearest one is as good.

    >>> _roundest(62.9e6, 4096)
    '; 62,914,560 is 62.9M to 3 digits, too: 15,360 sequences, which 1,024 divides'
    >>> _roundest(63e6, 4096)
    '; 62,914,560 is 63M to 2 digits, too: 15,360 sequences, which 1,024 divides'
    """
    said = (one for one in range(FEWEST_DIGITS, MOST_DIGITS + 1) if float(f"{batch_tokens:.{one}g}") == batch_tokens)
    digits = next(said, None)
    if digits is None:
        return ""
    half = 10 ** (math.floor(math.log10(batch_tokens)) - digits + 1) / 2
    fewest, most = (batch_tokens - half) / sequence_tokens, (batch_tokens + half) / sequence_tokens
    power = next(2**up for up in reversed(range(64)) if math.ceil(fewest / 2**up) * 2**up < most or not up)
    best, nearest = math.ceil(fewest / power) * power, batch_tokens / sequence_tokens
    if power == 1 or abs(best - nearest) < 1:
        return ""
    written = [format_quantity(one, "count", digits) for one in (batch_tokens, best * sequence_tokens)]
    if written[0] != written[1]:
        return ""
    reads = f"{written[0]} to {digits} digits"
    return f"; {best * sequence_tokens:,} is {reads}, too: {best:,} sequences, which {power:,} divides"
