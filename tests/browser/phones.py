"""What tests of phones look at: how high a thumb's targets are, and what is cut off."""

from __future__ import annotations

LEAST_TARGET = 44
"""Height of what a thumb hits, pixels."""
LEAST_ROW = 14
"""Height of a stage's row of a schedule, in which its number can be read, pixels."""

# Terms that are not wholly inside the screen.
BEYOND = """() => [...document.querySelectorAll('#formula [data-term]')]
    .filter(term => term.checkVisibility())
    .filter(term => term.getBoundingClientRect().left < 0 || term.getBoundingClientRect().right > innerWidth)
    .map(term => term.textContent)"""

# What the sheet of the picture lies over, or ends within, of what stands above it: its shadow goes beyond its box.
# On the lowest phones also what the row of claims lies over: it stands between, and its switch is higher than it.
# And words that lie outside the drawing of which they are.
CUT_BY_SHEET = """() => {
    const box = one => one.getBoundingClientRect();
    // One with a bill is its canvas alone.
    const sheet = ['#views figure', '#canvas'].map(one => document.querySelector(one)).find(one => box(one).height);
    const shadows = getComputedStyle(sheet).boxShadow.replace(/[a-z]+\\([^)]*\\)/g, '').match(/-?[\\d.]+px/g) ?? [];
    const reaches = shadows.flatMap((_, at) => at % 4 ? [] : [at])
        .map(at => shadows.slice(at, at + 4).map(parseFloat)).map(([, down, blur, spread]) => blur + spread - down);
    const edge = box(sheet).top - Math.max(0, ...reaches);
    const isAbove = one => one.compareDocumentPosition(sheet) & Node.DOCUMENT_POSITION_FOLLOWING;
    const things = '#told .sentence, .ask, #formula .katex-html, .judged .in-row, #modes, .stage > .machine text';
    const seen = [...document.querySelectorAll(things)]
        .filter(one => one.checkVisibility({ visibilityProperty: true }));
    const cut = seen.filter(one => isAbove(one) && box(one).height && box(one).bottom > edge + 1);
    const rows = innerHeight < 650 ? '.judged, .judged #modes' : 'none';
    const over = [...document.querySelectorAll(rows)].filter(one => box(one).height)
        .flatMap(row => [...document.querySelectorAll('#told .sentence, #told .also, .terms, .together')]
            .filter(one => one.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING && one.checkVisibility())
            .filter(one => box(one).bottom > box(row).top + 1));
    const isOutside = (one, whole) => whole && box(one).bottom > box(whole).bottom + 1;
    const outside = seen.filter(one => isOutside(one, one.closest('.machine')));
    return [...cut, ...over, ...outside].map(one => [one.textContent, box(one).bottom, edge]);
}"""
