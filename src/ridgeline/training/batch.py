"""A batch of tokens as sequences."""

from __future__ import annotations

from ridgeline.errors import RidgelineError

__all__ = ["sequences_of"]

BINARY = {"M": (1_000_000, 2**20), "k": (1_000, 2**10)}
"""Suffixes of tokens: what they say, and what is often meant."""


def sequences_of(batch_tokens: float, sequence_tokens: int) -> tuple[int, str]:
    """Sequences of a batch, and what to say of how that was read; empty where there is nothing to say.

    Where k or M leave a part of a sequence and the same as powers of two do not, those are meant: batches are powers of
    two of sequences that are powers of two of tokens.

    Raises:
        RidgelineError: it is no whole number of sequences; names the nearest that are.

    >>> sequences_of(16e6, 8192)
    (2048, '16,000,000 tokens are no whole number of sequences; 2,048 sequences of 8,192 are taken: 16Mi tokens')
    """
    whole, over = divmod(batch_tokens, sequence_tokens)
    if not over and whole:
        return int(whole), ""
    for suffix, (unit, meant) in BINARY.items():
        units, part = divmod(batch_tokens, unit)
        sequences, rest = divmod(units * meant, sequence_tokens)
        if sequences and not part and not rest:
            said = (
                f"{batch_tokens:,.0f} tokens are no whole number of sequences; {sequences:,.0f} sequences of"
                f" {sequence_tokens:,} are taken: {units:g}{suffix}i tokens"
            )
            return int(sequences), said
    near = [f"{count * sequence_tokens:,.0f}" for count in (whole, whole + 1) if count]
    raise RidgelineError(
        f"a batch of {batch_tokens:,.0f} tokens is no whole number of sequences of {sequence_tokens:,}; the nearest"
        f" {'are' if len(near) > 1 else 'is'} {' or '.join(near)}"
    )
