"""Experts of a layer as dots, lit where a token reads them."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Account", "Experts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One account of how many of its experts a model reads for a token, and of the batch that follows.

    Attributes:
        name: name of the account, in a few words.
        read: experts that a token reads.
        batch_text: balance batch that follows, as a calculation.
    """

    name: str
    read: int
    batch_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Experts:
    """Experts of a layer as dots, of which those are lit that a token reads, once for each account.

    Attributes:
        experts: experts of a layer.
        accounts: accounts in their order.
        text: summary in a few words.
    """

    experts: int
    accounts: tuple[Account, ...]
    text: str
