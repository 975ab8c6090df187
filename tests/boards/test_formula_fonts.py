"""Formulas are typeset in the fonts that the page has, of which alone it has metrics, too (page/vite.config.ts)."""

from __future__ import annotations

import re
from pathlib import Path

import ridgeline.boards

OTHER_ALPHABETS = re.compile(r"\\(?:math(?:bb|cal|frak|it|scr|sf|tt)|text(?:bf|it|sf|tt)|boldsymbol|pmb)\b")


def test_no_formula_needs_a_font_that_the_page_has_not() -> None:
    texts = [path.read_text(encoding="utf-8") for path in Path(ridgeline.boards.__path__[0]).rglob("*.py")]
    assert sum(text.count(r"\mathrm") for text in texts) > 20
    assert [found for text in texts for found in OTHER_ALPHABETS.findall(text)] == []
