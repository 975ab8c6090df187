"""Rules: a number of a chip that follows from others, as a sum of terms in proportion to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ridgeline.quantity_text import QuantityError, parse_quantity
from ridgeline.studies.axis import StudyError, number

__all__ = ["Rule", "Term", "read_rule"]

TERM = re.compile(r"(?P<amount>.+) per (?P<unit>.+?) of (?P<of>[\w.]+)\s*")
EXAMPLE = '{ sum = ["100 W", "0.3 W per TFLOP/s of flop_per_s", "25 W per TB/s of hbm_bytes_per_s"] }'


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One term of a rule.

    Attributes:
        amount: amount in base units for each unit of ``of``, or by itself where there is none.
        of: the field that it is in proportion to; empty for none.
    """

    amount: float
    of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A field that follows from others.

    Attributes:
        name: name of the field.
        terms: terms that add up to it.
    """

    name: str
    terms: tuple[Term, ...]

    def value(self, values: Mapping[str, float]) -> float:
        """Sum of the terms for a chip with these values."""
        return sum(term.amount * (values[term.of] if term.of else 1.0) for term in self.terms)


def read_rule(where: str, name: str, raw: object, known: Sequence[str], dimension: Callable[[str], str]) -> Rule:
    """A rule from the file.

    Args:
        where: name of the file and field, for errors.
        name: name of the field that the rule gives.
        raw: value of the field as read from the file.
        known: fields that terms may name: those of the chip, and those of earlier rules.
        dimension: function from a field to the dimension by which its text is read.

    Raises:
        StudyError: it is no list of terms, or one is not of the form or names no field.
    """
    terms = raw.get("sum") if isinstance(raw, dict) and set(raw) == {"sum"} else None
    if not isinstance(terms, list) or not terms:
        raise StudyError(f"{where}: a rule is a sum of terms: {EXAMPLE}")
    return Rule(
        name=name,
        terms=tuple(
            _term(f"{where}.sum[{at}]", raw_term, dimension(name), known, dimension)
            for at, raw_term in enumerate(terms)
        ),
    )


def _term(where: str, raw: object, of_rule: str, known: Sequence[str], dimension: Callable[[str], str]) -> Term:
    match = TERM.fullmatch(raw) if isinstance(raw, str) else None
    if match is None:
        return Term(amount=number(where, raw, of_rule))
    of = match["of"]
    if of not in known:
        raise StudyError(f"{where}: {of!r} is no field of the chip; there are {', '.join(known)}")
    unit = match["unit"] if re.search(r"\d", match["unit"]) else f"1 {match['unit']}"
    try:
        each = parse_quantity(unit.removeprefix("1 ") if dimension(of) == "count" else unit, dimension(of))
    except QuantityError as error:
        raise StudyError(f"{where}: per {match['unit']}: {error}") from None
    return Term(amount=number(where, match["amount"], of_rule) / each, of=of)
