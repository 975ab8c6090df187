"""The page of quantities, from the glossary.

python bench/nomenclature.py             print it
python bench/nomenclature.py --write     and put it into docs/nomenclature.md
"""

from __future__ import annotations

import sys
from pathlib import Path

from ridgeline.glossary import GLOSSARY, Quantity
from ridgeline.quantity_text import format_number

PAGE = Path(__file__).parents[1] / "docs" / "nomenclature.md"

HEAD = """# Nomenclature

<!-- Written by bench/nomenclature.py from src/ridgeline/glossary.py; do not edit. -->

Every public quantity by its name, which is the same in records, arguments, JSON and labels and ends in its base unit.
The symbol is the board's. Values out of the range are refused, since they are most likely in another unit; counts and
ratios have no unit.

"""


def main() -> None:
    """Print the page, or write it."""
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")


def page() -> str:
    """The page as it should be."""
    rows = [("quantity", "symbol", "unit", "meaning", "range"), ("---",) * 5, *map(row, GLOSSARY.values())]
    return HEAD + "".join(f"| {' | '.join(cells)} |\n" for cells in rows)


def row(quantity: Quantity) -> tuple[str, ...]:
    """The cells of a quantity."""
    symbol = f"`{quantity.symbol}`" if quantity.symbol else ""
    meaning = quantity.meaning.replace("|", "\\|")
    ends = " to ".join(map(format_number, (quantity.low, quantity.high)))
    return f"`{quantity.name}`", symbol, quantity.unit, meaning, ends


if __name__ == "__main__":
    main()
