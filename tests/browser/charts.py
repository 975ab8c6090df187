"""Charts as tests read them: ticks, marks, and what their board answers."""

from __future__ import annotations

from typing import Any

from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

# Numbers at the ticks that are seen, with where they are.
TICKS = """() => [...document.querySelectorAll('#canvas svg g[opacity]:not([data-colour]) > text:only-child')]
    .filter(one => Number(one.parentElement.getAttribute('opacity')) > 0)
    .map(one => [one.textContent, one.parentElement.getAttribute('transform')])"""

# Where in the window a mark's dot is, by its key.
MARK = """key => {
    const dot = [...document.querySelectorAll('#canvas svg g.chart-mark:not([font-size])')]
        .find(one => one.dataset.key === key)?.querySelector('circle:last-child').getBoundingClientRect();
    return dot ? [dot.x + dot.width / 2, dot.y + dot.height / 2] : null;
}"""

# Whether a mark's dot stands at a place along.
STANDS = "([key, x]) => { const now = (" + MARK + ")(key); return now && Math.abs(now[0] - x) <= 3; }"

# Waits until a mark has stood where it is for a fifth of a second and nothing is asked for.
STILL = f"""async key => {{
    const mark = {MARK};
    const latest = performance.now() + 20_000;
    let [before, since] = ['', performance.now()];
    while (performance.now() - since < 200) {{
        if (performance.now() > latest) throw new Error(`${{key}} comes to no rest`);
        await new Promise(requestAnimationFrame);
        const isBusy = document.querySelector('#views')?.getAttribute('aria-busy') !== 'false';
        const now = JSON.stringify(mark(key));
        if (isBusy || now !== before) [before, since] = [now, performance.now()];
    }}
}}"""

# Marks that a hand can drag, by their keys.
DRAGGED = """() => [...document.querySelectorAll('#canvas svg g.chart-mark:not([font-size])')]
    .filter(one => getComputedStyle(one.querySelector('.halo')).visibility === 'visible')
    .filter(one => Number(one.getAttribute('opacity')) > 0.9).map(one => one.dataset.key)"""

# Left and right of the plot, in the window.
PLOT = """() => {
    const of = document.querySelector('#canvas svg').getBoundingClientRect().left;
    const rect = document.querySelector('#canvas svg clipPath rect');
    const from = of + Number(rect.getAttribute('x'));
    return [from, from + Number(rect.getAttribute('width'))];
}"""


def views(board: str, **fields: str) -> Any:
    return answers(f"boards/{board}/views", {"mode": "both", **fields}, Dropped())


# Where in the window marks are, by their keys, and what a mouse on each looks like; null where another lies over it,
# as a slider on the axis does.
CURSORS = f"""keys => keys.map(key => [key, ({MARK})(key)]).filter(([, spot]) => spot).map(([key, [x, y]]) => {{
    const under = document.elementFromPoint(x, y);
    if (!under?.closest('#canvas .chart')) return [key, x, y, null];
    const of = {{ clientX: x, clientY: y, bubbles: true, pointerType: 'mouse', pointerId: 1, isPrimary: true }};
    under.dispatchEvent(new PointerEvent('pointermove', of));
    return [key, x, y, getComputedStyle(document.querySelector('#canvas .chart')).cursor];
}})"""


def looked_at(page: Any, view: Any) -> set[str]:
    """Cursors over the marks of a board's picture that is on the screen: a hand where a control moves them."""
    if view["kind"] != "curves":
        return set()
    fixed = {
        f"{mode}\n{mark['name']}": mark["is_fixed"] for mode, one in view["pictures"].items() for mark in one["marks"]
    }
    spots = page.evaluate(CURSORS, list(fixed))
    looked = set()
    for key, x, y, cursor in spots:
        near = [other for other, *at, _ in spots if abs(at[0] - x) + abs(at[1] - y) < 2]
        if cursor is None or len({fixed[other] for other in near}) > 1:  # one lies over the other
            continue
        expected = "help" if fixed[key] else "grab"
        assert cursor == expected, key
        looked.add(expected)
    return looked


# Of the bold lines' points, which part lies inside the plot; of the line of which most does. What has left has none.
INSIDE = """() => {
    const frame = document.querySelector('#canvas svg clipPath rect');
    const [left, top, wide, high] = ['x', 'y', 'width', 'height'].map(name => Number(frame.getAttribute(name)));
    const bold = [...document.querySelectorAll('#canvas svg [clip-path] path[stroke-width="3.4"]')];
    return Math.max(0, ...bold.filter(path => path.getAttribute('d')).map(path => {
        const all = path.getTotalLength();
        const places = Array.from({ length: 41 }, (_, part) => path.getPointAtLength(all * part / 40));
        return places.filter(({ x, y }) => x >= left && x <= left + wide && y >= top && y <= top + high).length / 41;
    }));
}"""


def along(ticks: list[list[str]]) -> list[tuple[str, float]]:
    """Numbers of the axis along, the lowest on the screen, and where they are."""
    split = [(text, place.removeprefix("translate(").rstrip(")").split(",")) for text, place in ticks]
    places = [(text, float(x), float(y)) for text, (x, y) in split]
    lowest = max(y for *_, y in places)
    return [(text, x) for text, x, y in places if y == lowest]
