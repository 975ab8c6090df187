"""The page of quantities, from the glossary, of the boards' letters, and of the words of their texts.

python bench/nomenclature.py             print it
python bench/nomenclature.py --write     and put it into docs/nomenclature.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from ridgeline.boards.definitions import DEFINITIONS
from ridgeline.boards.letters import INDICES, LETTERS, Letter
from ridgeline.glossary import GLOSSARY, Quantity
from ridgeline.quantity_text import format_number

PAGE = Path(__file__).parents[1] / "docs" / "nomenclature.md"

HEAD = """# Nomenclature

<!-- Written by bench/nomenclature.py from glossary.py, boards/letters.py and boards/definitions.py; do not edit. -->

Every public quantity by its name, which is the same in records, arguments, JSON and labels and ends in its base unit.
The symbol is the board's. Values out of the range are refused, since they are most likely in another unit; counts and
ratios have no unit.

"""


LETTERS_HEAD = """
## Letters of the boards' formulas

Each letter has one meaning, on all boards and on all steps of the walk; with another index it is another letter. Words
in a formula are no letters.

"""
WORDS_HEAD = """
## Words of the lecture's texts

The page says these in a card where a word first stands in a step's or a board's text.

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
    letters = [
        ("letter", "meaning", "quantity"),
        ("---",) * 3,
        *map(letter_row, LETTERS.values()),
        *map(index_row, INDICES),
    ]
    words = [("word", "meaning"), ("---",) * 2, *((one.name, one.meaning) for one in DEFINITIONS)]
    return HEAD + lines(rows) + LETTERS_HEAD + lines(letters) + WORDS_HEAD + lines(words)


def lines(rows: Iterable[tuple[str, ...]]) -> str:
    """A table's rows as lines."""
    return "".join(f"| {' | '.join(cells)} |\n" for cells in rows)


def letter_row(letter: Letter) -> tuple[str, ...]:
    """The cells of a letter."""
    return f"`{letter.tex}`", letter.meaning, f"`{letter.quantity}`" if letter.quantity else ""


def index_row(letter: str) -> tuple[str, ...]:
    """The cells of a letter that only counts."""
    return f"`{letter}`", INDICES[letter], ""


def row(quantity: Quantity) -> tuple[str, ...]:
    """The cells of a quantity."""
    symbol = f"`{quantity.symbol}`" if quantity.symbol else ""
    meaning = quantity.meaning.replace("|", "\\|")
    ends = " to ".join(map(format_number, (quantity.low, quantity.high)))
    return f"`{quantity.name}`", symbol, quantity.unit, meaning, ends


if __name__ == "__main__":
    main()
