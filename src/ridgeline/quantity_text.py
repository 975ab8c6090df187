"""Text to base units and back: "80 GB" is 80e9 bytes, "$2/h" is 1/1800 dollars a second.

This is the only file that knows prefixes and units. A quantity's dimension is named as fields name it: ``"s"``,
``"bytes"``, ``"bytes_per_s"``, ``"flop_per_s"``, ``"usd_per_s"``, ``"usd_per_token"``, ``"usd_per_j"``, ``"w"``,
``"usd_per_byte"``, ``"usd_per_byte_s"``, ``"usd_per_flop"``, ``"count"`` (tokens, parameters, requests: pure numbers).

Decimal and binary prefixes differ by spelling alone: GB is 1e9 bytes, GiB is 2**30. A prefix without a unit is refused
where the dimension has a unit ("80 G"), since it may mean either; a count takes prefixes alone ("15T", "8k", "8Ki").
A bit is written in full ("400 Gbit/s") and is an eighth of a byte.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Sequence
from typing import TypedDict

from ridgeline.errors import RidgelineError
from ridgeline.seconds import DAY_S, HOUR_S, KWH_J, MINUTE_S

__all__ = [
    "QuantityError",
    "Unit",
    "counted",
    "dimension_of",
    "example_of",
    "format_apart",
    "format_dollars",
    "format_number",
    "format_quantity",
    "parse_quantity",
    "ways_to_write",
    "written_exactly",
]

_DECIMAL = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50}
_SMALL = {"": 1.0, "m": 1e-3, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "n": 1e-9}
_TIME = {
    **{f"{prefix}s": scale for prefix, scale in _SMALL.items()},
    **dict.fromkeys(("sec", "second", "seconds"), 1.0),
    **dict.fromkeys(("min", "minute", "minutes"), MINUTE_S),
    **dict.fromkeys(("h", "hr", "hour", "hours"), HOUR_S),
    **dict.fromkeys(("d", "day", "days"), DAY_S),
}
_BYTES = {
    **{f"{prefix}{unit}": scale for prefix, scale in (_DECIMAL | _BINARY).items() for unit in ("B", "bytes", "byte")},
    **{f"{prefix}{unit}": scale / 8 for prefix, scale in (_DECIMAL | _BINARY).items() for unit in ("bit", "bits")},
}
_FLOP = {f"{prefix}{unit}": scale for prefix, scale in _DECIMAL.items() for unit in ("FLOP", "OP")}
_TOKENS = {f"{prefix}{unit}": scale for prefix, scale in _DECIMAL.items() for unit in ("tok", "token", "tokens")}
_WORDS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12}
_SPOKEN = {f"{word} {unit}": scale for word, scale in _WORDS.items() for unit in ("tok", "token", "tokens")}
# A count has no bytes or bits that a b could be short for.
_COUNT = _DECIMAL | _BINARY | {"B": 1e9, "b": 1e9} | _TOKENS | _WORDS | _SPOKEN


def _per(top: dict[str, float], bottom: dict[str, float]) -> dict[str, float]:
    """The units ``top/bottom``."""
    return {f"{a}/{b}": x / y for a, x in top.items() for b, y in bottom.items()}


_SECOND = {"s": 1.0, "sec": 1.0}
_MONTH_S = 730 * HOUR_S
"""Seconds of a month as storage is billed: 730 hours."""
_UNITS: dict[str, dict[str, float]] = {
    "s": _TIME,
    "duration": _TIME,
    "bytes": _BYTES,
    "bytes_per_param": _BYTES,
    "bytes_per_s": _per(_BYTES, _SECOND) | {f"{p}bps": x / 8 for p, x in _DECIMAL.items() if p},
    "flop": _FLOP,
    "flop_per_s": _per(_FLOP, _SECOND) | {f"{p}{u}": x for p, x in _DECIMAL.items() if p for u in ("FLOPS", "OPS")},
    "usd": {"$": 1.0, "USD": 1.0},
    "usd_per_s": _per({"$": 1.0, "USD": 1.0}, _TIME),
    "usd_per_token": _per({"$": 1.0, "USD": 1.0}, _TOKENS),
    "usd_per_token_s": _per(_per({"$": 1.0, "USD": 1.0}, _TOKENS), _TIME),
    "usd_per_byte": _per({"$": 1.0, "USD": 1.0}, _BYTES),
    "usd_per_byte_s": _per(_per({"$": 1.0, "USD": 1.0}, _BYTES), _TIME | {"month": _MONTH_S}),
    "usd_per_flop": _per({"$": 1.0, "USD": 1.0}, _FLOP),
    "usd_per_j": _per({"$": 1.0, "USD": 1.0, "": 1.0}, {"J": 1.0, "kWh": KWH_J, "MWh": 1000 * KWH_J}),
    "w": {f"{p}W": x for p, x in (_DECIMAL | _SMALL).items()},
    "tokens_per_s": _per(_TOKENS, _SECOND),
    "requests_per_s": _per({"": 1.0, "req": 1.0, "request": 1.0, "requests": 1.0, "k": 1e3}, _TIME),
    "fraction": {"": 1.0, "%": 1e-2},
    "count": _COUNT,
    "year": {"": 1.0},
}
_EXAMPLES = {
    "s": '"50ms", "2 s", "5min"',
    "duration": '"50ms", "5min", "1 h"',
    "bytes": '"80 GB" (1e9 bytes each), "80 GiB" (2**30 bytes each)',
    "bytes_per_param": '"1 B", "0.5 B"',
    "bytes_per_s": '"3.35 TB/s", "400 Gbit/s"',
    "flop": '"2 PFLOP"',
    "flop_per_s": '"989 TFLOP/s"',
    "usd": '"$100"',
    "usd_per_s": '"$2/h"',
    "usd_per_token": '"$0.50/Mtok"',
    "usd_per_token_s": '"$4.50/Mtok/h"',
    "usd_per_byte": '"$0.0006/GB"',
    "usd_per_byte_s": '"$0.023/GB/month"',
    "usd_per_flop": '"$1.40/EFLOP"',
    "usd_per_j": '"$0.08/kWh", "80/MWh"',
    "w": '"700 W", "1.2 kW"',
    "tokens_per_s": '"128 ktok/s"',
    "requests_per_s": '"20/s", "1200/min"',
    "fraction": '"0.3", "30%"',
    "count": '"4000", "8k" (8000), "8Ki" (8192), "15T"',
    "year": '"2026"',
}
_PLAIN_NUMBER_IS_FINE = {"count", "fraction", "year"}
# A comma groups thousands; anywhere else it may be meant as a decimal point, and is refused, as is a second point.
_NUMBER = re.compile(
    r"([+-]?(?:\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d*)?|\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\d,.])\s*(.*)\Z",
    re.DOTALL,
)


class QuantityError(RidgelineError):
    """A text that is not a quantity of the dimension asked for."""


def parse_quantity(text: str, dimension: str) -> float:
    """The value of ``text`` in the base unit of ``dimension``.

    Args:
        text: number and unit, as a person writes them.
        dimension: expected dimension, named as in field names ("s", "bytes_per_s", "count", ...).

    Raises:
        QuantityError: the text is no number, lacks its unit, or has a unit of another dimension. The message says
            what is accepted.

    >>> parse_quantity("3.35 TB/s", "bytes_per_s")
    3350000000000.0
    >>> parse_quantity("4.012k", "count")
    4012.0
    >>> parse_quantity("8Ki", "count"), parse_quantity("8k", "count"), parse_quantity("37 billion", "count")
    (8192.0, 8000.0, 37000000000.0)
    >>> parse_quantity("$2/h", "usd_per_s") * 3600, parse_quantity("2/h", "usd_per_s") * 3600
    (2.0, 2.0)
    >>> parse_quantity("2 × 10²⁴ FLOP", "flop")
    2e+24
    """
    units = _UNITS[dimension]
    accepted = f"accepted: {_EXAMPLES[dimension]}"
    dollars = text.strip().startswith("$")
    match = _NUMBER.match(_without_powers(text.strip().removeprefix("$").strip()))
    if match is None:
        point = "; write the decimal point as a point" if "," in text else ""
        raise QuantityError(f"{text!r} is not a number with a unit{point}; {accepted}")
    number, unit = match.groups()
    unit = re.sub(r"\s*/\s*", "/", unit.replace(" per ", "/"))
    if dollars:
        unit = f"${unit}"
    if not unit and dimension not in _PLAIN_NUMBER_IS_FINE:
        raise QuantityError(f"{text!r} has no unit; {accepted}")
    if f"${unit}" in units and "/" in unit:
        unit = f"${unit}"  # a rate of money needs no dollar sign, which shells read
    if unit not in units:
        raise QuantityError(f"{text!r}: {_why_refused(unit, units)}; {accepted}")
    value = float(number.replace(",", "").replace("_", "")) * units[unit]
    if not math.isfinite(value):
        raise QuantityError(f"{text!r} is not finite; {accepted}")
    # 4.012 times 1000 is 4011.9999999999995 in binary: what was written is whole.
    whole = float(round(value))
    return whole if abs(value - whole) <= 2 * math.ulp(value) else value


DIGITS = 17
"""Significant digits that tell any two numbers of a computer apart."""


def written_exactly(value: float, dimension: str, units: Sequence[str]) -> str:
    """Shortest text that reads as exactly this value, in the first of several units in which there is one.

    >>> written_exactly(5.25 / 3600, "usd_per_s", ["$/h", "$/s"]), written_exactly(0.02, "s", ["ms", "s"])
    ('$5.25/h', '20ms')
    """
    for unit in units:
        dollar, rest = ("$", unit.removeprefix("$")) if unit.startswith("$") else ("", unit)
        for digits in range(1, DIGITS + 1):
            number = f"{value / _UNITS[dimension][unit]:.{digits}g}"
            text = f"{dollar}{repr(float(number)).removesuffix('.0')}{rest}"
            if parse_quantity(text, dimension) == value:
                return text
    raise QuantityError(f"{value!r} has no text in {' or '.join(units)}")


def example_of(dimension: str) -> str:
    """The first example of a dimension, in quotes.

    >>> example_of("bytes_per_s"), example_of("usd_per_s")
    ('"3.35 TB/s"', '"$2/h"')
    """
    return _EXAMPLES[dimension].split('" (')[0].split('", ')[0].rstrip('"') + '"'


def dimension_of(name: str) -> str | None:
    """Dimension that the end of a name says, as names of this house do; None where it says none.

    >>> dimension_of("hbm_bytes_per_s"), dimension_of("power_w"), dimension_of("layers")
    ('bytes_per_s', 'w', None)
    """
    return max((one for one in _EXAMPLES if f"_{name}".endswith(f"_{one}")), key=len, default=None)


def _why_refused(unit: str, units: dict[str, float]) -> str:
    """One clause on what is wrong with ``unit``."""
    if unit in _DECIMAL or unit in _BINARY:
        return f"{unit!r} is a prefix without its unit"
    owner = next((name for name, others in _UNITS.items() if unit in others), None)
    if owner is not None:
        return f"{unit!r} is a unit of {owner.replace('_per_', ' per ').replace('_', ' ')}, not of this quantity"
    near = difflib.get_close_matches(unit, units, n=1)
    return f"{unit!r} is not a unit known here" + (f" (near: {near[0]!r})" if near else "")


Ladder = tuple[tuple[str, float], ...]
_PLAIN: Ladder = (("", 1.0),)
_LARGE: Ladder = (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3), ("", 1.0))
# Parameters and tokens are counted in billions, which are written B.
_COUNTS: Ladder = (("T", 1e12), ("B", 1e9), ("M", 1e6), ("k", 1e3), ("", 1.0))
_SMALL_TIMES: Ladder = (("", 1.0), ("m", 1e-3), ("µ", 1e-6), ("n", 1e-9))
_LONG_TIMES: Ladder = (
    *(("d", DAY_S), ("h", HOUR_S), ("min", MINUTE_S), ("s", 1.0)),
    *(("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)),
)
_SHOWN: dict[str, tuple[float, Ladder, str]] = {
    "s": (1.0, _SMALL_TIMES, "{number} {prefix}s"),
    "duration": (1.0, _LONG_TIMES, "{number} {prefix}"),
    "bytes": (1.0, _LARGE, "{number} {prefix}B"),
    "bytes_per_param": (1.0, _PLAIN, "{number} B"),
    "bytes_per_s": (1.0, _LARGE, "{number} {prefix}B/s"),
    "flop": (1.0, _LARGE, "{number} {prefix}FLOP"),
    "flop_per_s": (1.0, _LARGE, "{number} {prefix}FLOP/s"),
    "tokens_per_s": (1.0, _LARGE, "{number} {prefix}tok/s"),
    "w": (1.0, _LARGE, "{number} {prefix}W"),
    "count": (1.0, _COUNTS, "{number}{prefix}"),
    "usd": (1.0, _PLAIN, "${number}"),
    "usd_per_s": (HOUR_S, _PLAIN, "${number}/h"),
    "usd_per_token": (1e6, _PLAIN, "${number}/Mtok"),
    "usd_per_token_s": (3600e6, _PLAIN, "${number}/Mtok/h"),
    "usd_per_byte": (1e9, _PLAIN, "${number}/GB"),
    "usd_per_byte_s": (1e9 * _MONTH_S, _PLAIN, "${number}/GB/month"),
    "usd_per_flop": (1e18, _PLAIN, "${number}/EFLOP"),
    "fraction": (100.0, _PLAIN, "{number} %"),
    "year": (1.0, _PLAIN, "{number}"),
}
"""Factor on a value, its possible prefixes, and its written form, by dimension."""


TOLD_APART = 0.1
"""Part of the distance between two numbers by which rounding may move each where their difference matters."""
MOST_DIGITS = 17
"""Significant digits by which any two floating-point numbers differ."""
_LEAST_DIGITS = {"year": 4, "bytes_per_param": 4}
"""Minimum number of significant digits of a dimension's values: scales add little to a parameter's byte."""
_UNGROUPED = {"year"}
"""Dimensions whose numbers have no comma between thousands."""
_LEAST_PLAIN, _LEAST_WITH_POWER = 1e-5, 1e9
"""Numbers below and from there on are written with a power of ten."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLAIN_DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_POWER = re.compile(r"\s*×\s*10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?<![\d.,])10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")


def format_quantity(value: float, dimension: str, digits: int = 3) -> str:
    """``value``, in base units of ``dimension``, as a person reads it, to ``digits`` significant digits.

    >>> format_quantity(3.35e12, "bytes_per_s"), format_quantity(0.0012, "s"), format_quantity(671e9, "count")
    ('3.35 TB/s', '1.2 ms', '671B')
    >>> format_quantity(2 / 3600, "usd_per_s"), format_quantity(0.28e-6, "usd_per_token")
    ('$2/h', '$0.28/Mtok')
    """
    factor, ladder, written = _SHOWN[dimension]
    digits = max(digits, _LEAST_DIGITS.get(dimension, 1))
    scaled = value * factor
    # A value that rounds up to the next prefix is shown under it: 999.96 kB is 1 MB to three digits. Under each it is
    # rounded anew, since what is rounded in seconds would be rounded again in days.
    fitting = (step for step in ladder if abs(float(f"{scaled / step[1]:.{digits}g}")) >= 1)
    plain = next(step for step in ladder if step[1] == 1)
    prefix, scale = next(fitting, ladder[-1] if scaled else plain)
    number = format_number(scaled / scale, digits, is_grouped=dimension not in _UNGROUPED)
    return written.format(number=number, prefix=prefix)


def format_apart(
    value: float, ends: tuple[float, float], dimension: str, digits: int = 3
) -> tuple[str, tuple[str, str]]:
    """A value and the ends of a range that it is outside of, to enough digits to show the distance.

    Rounding moves none of them by more than a tenth of the way from the value to the end that is nearest.

    >>> format_apart(16385, (1, 16384), "count"), format_apart(0, (1, 16384), "count")
    (('16.385k', ('1', '16.384k')), ('0', ('1', '16.4k')))
    """
    nearest = min(ends, key=lambda end: abs(value - end))
    seen = TOLD_APART * abs(value - nearest)
    for more in range(digits, MOST_DIGITS + 1):
        met, low, high = (format_quantity(one, dimension, more) for one in (value, *ends))
        is_near = all(abs(one - float(f"{one:.{more}g}")) <= seen for one in (value, nearest))
        if is_near and met not in (low, high):
            break
    return met, (low, high)


class Unit(TypedDict):
    """Written form of a dimension's numbers.

    Attributes:
        factor: factor on base units.
        prefixes: possible prefixes, the largest first, each with its value.
        written: the text, with ``{number}`` and ``{prefix}``.
        least_digits: minimum number of significant digits of a value, as for a year.
        is_grouped: whether thousands are separated by a comma.
    """

    factor: float
    prefixes: list[tuple[str, float]]
    written: str
    least_digits: int
    is_grouped: bool


def ways_to_write() -> dict[str, Unit]:
    """Written forms of ``format_quantity`` by dimension, for programs that write numbers elsewhere.

    >>> ways_to_write()["usd_per_s"]
    {'factor': 3600.0, 'prefixes': [('', 1.0)], 'written': '${number}/h', 'least_digits': 1, 'is_grouped': True}
    """
    return {
        dimension: {
            "factor": factor,
            "prefixes": list(ladder),
            "written": written,
            "least_digits": _LEAST_DIGITS.get(dimension, 1),
            "is_grouped": dimension not in _UNGROUPED,
        }
        for dimension, (factor, ladder, written) in _SHOWN.items()
    }


def format_number(value: float, digits: int = 3, *, is_grouped: bool = True) -> str:
    """A number as people read it, to ``digits`` significant digits.

    >>> format_number(5448.2, 4), format_number(0.00001), format_number(2.64e13), format_number(float("inf"))
    ('5,448', '0.00001', '2.64 × 10¹³', '∞')
    """
    if not math.isfinite(value):
        return str(value).replace("inf", "∞")
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    size = abs(float(f"{mantissa}e{power}"))
    if size and not _LEAST_PLAIN <= size < _LEAST_WITH_POWER:
        raised = f"10{str(int(power)).translate(_SUPERSCRIPTS)}"
        shown = _without_zeros(mantissa)
        return raised if shown == "1" else f"{shown} × {raised}"
    decimals = digits - 1 - int(power)
    # What has fewer digits than places before the point is rounded first.
    text = f"{value:,.{decimals}f}" if decimals >= 0 else f"{float(f'{mantissa}e{power}'):,.0f}"
    return _without_zeros(text if is_grouped else text.replace(",", ""))


_LEAST_USD_IN_FULL = 1e-3
"""Dollars per million tokens below which two digits are enough, and a power of ten is hard to read."""


def format_dollars(usd_per_token: float) -> str:
    """Dollars per million tokens, without the unit and without a power of ten.

    >>> format_dollars(0.299e-6), format_dollars(1.513e-12), format_dollars(0.0)
    ('$0.299', '$0.0000015', '$0')
    """
    usd = usd_per_token * 1e6
    if 0 < usd < _LEAST_USD_IN_FULL:
        return f"${usd:.{1 - math.floor(math.log10(usd))}f}"
    return format_quantity(usd, "usd")


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _without_powers(text: str) -> str:
    """The text with powers of ten in the form of programs."""
    return _POWER.sub(lambda met: f"{'' if met[1] else '1'}e{(met[1] or met[2]).translate(_PLAIN_DIGITS)}", text)


def counted(number: float, noun: str) -> str:
    """A number of things in words.

    >>> counted(1, "chip"), counted(1234, "chip"), counted(2, "batch"), counted(2.667, "token")
    ('1 chip', '1,234 chips', '2 batches', '2.67 tokens')
    """
    said = f"{number:,.0f}" if number == int(number) else format_number(number)
    return f"{said} {noun}" + ("" if said == "1" else "es" if noun.endswith("ch") else "s")
