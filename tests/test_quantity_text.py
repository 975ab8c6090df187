from __future__ import annotations

import re
from decimal import Context, Decimal
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.each import of_each

import ridgeline
from ridgeline.quantity_text import QuantityError, format_quantity, parse_quantity, ways_to_write


@of_each(
    ("text", "dimension", "value"),
    [
        ("80 GB", "bytes", 80e9),
        ("80GiB", "bytes", 80 * 2**30),
        ("3.35 TB/s", "bytes_per_s", 3.35e12),
        ("3.35TB / s", "bytes_per_s", 3.35e12),
        ("400 Gbit/s", "bytes_per_s", 50e9),
        ("400 Gbps", "bytes_per_s", 50e9),
        ("989 TFLOP/s", "flop_per_s", 989e12),
        ("1979 TFLOPS", "flop_per_s", 1979e12),
        ("50ms", "s", 0.05),
        ("20 us", "s", 20e-6),
        ("5min", "s", 300),
        ("$2/h", "usd_per_s", 2 / 3600),
        ("2 USD/h", "usd_per_s", 2 / 3600),
        ("$0.50/Mtok", "usd_per_token", 0.5e-6),
        ("15T", "count", 15e12),
        ("671B", "count", 671e9),
        ("37b", "count", 37e9),
        ("37 billion", "count", 37e9),
        ("37bn", "count", 37e9),
        ("1.5 trillion tokens", "count", 1.5e12),
        ("8k", "count", 8000),
        ("8Ki", "count", 8192),
        ("16,384", "count", 16384),
        ("1.2 kW", "w", 1200),
        ("30%", "fraction", 0.3),
        ("2 × 10²⁴ FLOP", "flop", 2e24),
        ("10⁻⁹ s", "s", 1e-9),
    ],
)
def test_what_people_write_is_read(text: str, dimension: str, value: float) -> None:
    assert parse_quantity(text, dimension) == pytest.approx(value, rel=1e-15)


@of_each(
    ("text", "dimension", "said"),
    [
        ("80 G", "bytes", "prefix without its unit"),
        ("80", "bytes", "has no unit"),
        ("80 GB", "s", "is a unit of bytes"),
        ("80 gb", "bytes", "not a unit known"),
        ("/h", "usd_per_s", "not a number"),
        ("2", "usd", "has no unit"),
        ("2/s", "usd", "is a unit of"),
        ("fast", "s", "not a number"),
        ("", "count", "not a number"),
        ("nan", "s", "not a number"),
        ("1e999 s", "s", "not finite"),
        ("12 furlongs", "count", "not a unit known"),
        ("37,5B", "count", "write the decimal point as a point"),
        ("37,5", "count", "write the decimal point as a point"),
        ("1.000,5", "count", "write the decimal point as a point"),
        ("3,35 TB/s", "bytes_per_s", "write the decimal point as a point"),
        ("1.2.3", "count", "not a number"),
        ("8b", "bytes", "is a unit of count"),
        ("110⁻⁶", "count", "not a unit known"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_can(text: str, dimension: str, said: str) -> None:
    with pytest.raises(QuantityError, match=said) as refused:
        parse_quantity(text, dimension)
    assert "accepted: " in str(refused.value)


@given(
    st.floats(min_value=1e-9, max_value=1e17),
    st.sampled_from(["s", "bytes", "bytes_per_s", "flop_per_s", "usd_per_s", "usd_per_token", "count", "w"]),
)
def test_what_is_shown_reads_back(value: float, dimension: str) -> None:
    shown = format_quantity(value, dimension, digits=6)
    assert parse_quantity(shown, dimension) == pytest.approx(value, rel=1e-5)  # six digits were shown


@given(
    st.floats(min_value=1e-12, max_value=1e20),
    st.sampled_from(["s", "duration", "bytes", "flop_per_s", "usd_per_s", "usd_per_token", "count", "fraction"]),
    st.integers(1, 8),
)
@example(107142.857, "duration", 2)
@example(86395.0, "duration", 3)
def test_a_number_is_rounded_once(value: float, dimension: str, digits: int) -> None:
    """What is shown is the value under its prefix, to the nearest of so many digits."""
    ways = ways_to_write()[dimension]
    shown = format_quantity(value, dimension, digits)
    number = re.sub(r"^[^\d]*(10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|[\d.,]+(?: × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?).*$", r"\1", shown)
    written = {ways["written"].format(number=number, prefix=prefix): scale for prefix, scale in ways["prefixes"]}
    read = Decimal(parse_quantity(number, "count")).normalize(Context(prec=digits))
    exact = Decimal(value) * Decimal(ways["factor"]) / Decimal(written[shown])
    last = Decimal(10) ** (exact.adjusted() - digits + 1)
    # Half of the last digit, and what floating point leaves of the value under its prefix.
    assert abs(read - exact) <= last / 2 + abs(exact) * Decimal("1e-15")


@pytest.mark.parametrize(
    ("value", "dimension", "shown"),
    [(999_960, "bytes", "1 MB"), (0.0, "s", "0 s"), (5440.0, "count", "5.44k"), (671e9, "count", "671B")]
    + [
        (1e-11, "usd_per_token", "$0.00001/Mtok"),
        (2.6e18, "count", "2,600,000T"),
        (2e24, "count", "2 × 10¹²T"),
        (5.128e-6, "fraction", "0.000513 %"),
        (2026, "year", "2026"),
        (9e-16, "s", "9 × 10⁻⁷ ns"),
    ]
    + [
        (seconds, "duration", text)
        for seconds, text in ((0.0, "0 s"), (0.28, "280 ms"), (300.0, "5 min"), (1e5, "1.16 d"))
    ],
)
def test_numbers_are_shown_as_people_read_them(value: float, dimension: str, shown: str) -> None:
    assert format_quantity(value, dimension) == shown


def test_no_message_puts_a_prefix_before_a_unit_by_itself() -> None:
    """A number that is divided where a text is made, and a unit behind it: ``{size / 1e9:.1f} GB``."""
    by_hand = re.compile(r"[*/] ?1e-?(3|6|9|12)(:[^{}]*)?\} ?[kMGTmµn]?(B|s|W|FLOP|tok)\b")
    assert by_hand.search('f"{size / 1e9:.1f} GB"')
    assert by_hand.search('f"{time_s * 1e3} ms"')
    files = Path(ridgeline.__file__).parent.rglob("*.py")
    assert [path.name for path in files if by_hand.search(path.read_text(encoding="utf-8"))] == []
