"""What stands beside a picture, as tests look at it: names and values that have no room."""

from __future__ import annotations

CUT = """() => [...document.querySelectorAll('#controls label')].filter(one => one.checkVisibility())
    .filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"""
SEEN = """() => [...document.querySelectorAll('#controls .control > input')].filter(one => one.checkVisibility())
    .filter(one => one.scrollWidth > one.clientWidth).map(one => one.value)"""

# Of all controls of a board, those of its other pictures, too; on a phone of one after the other, as they are seen.
CUT_OF_ALL = f"""async () => {{
    const frames = async () => {{
        for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    }};
    const more = document.querySelector('#controls > .more[aria-expanded=false]');
    if (more) {{
        more.click();
        await frames();
    }}
    const found = [({CUT})(), ({SEEN})()];
    for (const chip of document.querySelectorAll('.chips button')) {{
        chip.click();
        await frames();
        found.push(({CUT})(), ({SEEN})());
    }}
    return found.flat();
}}"""
