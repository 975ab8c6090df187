"""Whoever does not see, point or want motion: names, keys, contrast and stillness."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ridgeline.boards.lecture import BOARDS, CLAIMS
from ridgeline.boards.lecture.walk import walk_document
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped

AXE = Path(__file__).parents[2] / "page/node_modules/axe-core/axe.min.js"
COLOURS = (
    *("ink", "muted", "compute", "weights", "kv", "links", "money", "estimate", "away", "also"),
    *("right", "wrong"),
)

# Of all of the page, or of what is not the header, which is the same on all boards and has half of what there is.
VIOLATIONS = """async ([rules, isWhole]) => {
    const options = {
        resultTypes: ['violations'], preload: false, ...(rules && { runOnly: { type: 'rule', values: rules } })
    };
    const { violations } = await axe.run(isWhole ? document : { exclude: ['header'] }, options);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
        `${id}: ${target.join(' ')}: ${failureSummary}`));
}"""
# All but contrast of all that is not the header; contrast of words of a kind, in colours, of which none was looked at.
OF_A_BOARD = """async () => {
    const looked = window.looked ??= new Set();
    // Of an element and of all around it, once.
    const grounds = new Map([[null, undefined]]), faints = new Map([[null, 1]]);
    const ground = one => {
        if (!grounds.has(one)) {
            const { backgroundColor } = getComputedStyle(one);
            grounds.set(one, backgroundColor === 'rgba(0, 0, 0, 0)' ? ground(one.parentElement) : backgroundColor);
        }
        return grounds.get(one);
    };
    const faint = one => {
        if (!faints.has(one)) faints.set(one, getComputedStyle(one).opacity * faint(one.parentElement));
        return faints.get(one);
    };
    for (const one of document.querySelectorAll('[data-look]')) delete one.dataset.look;
    for (const one of document.querySelectorAll('body *')) {
        const hasWords = [...one.childNodes].some(part => part.nodeType === 3 && part.data.trim());
        if (!hasWords || one.closest('header')) continue;
        const { color, fontSize, fontWeight } = getComputedStyle(one);
        const kind = [one, one.parentElement].map(each => `${each.tagName}.${each.getAttribute('class')}`);
        const look = [...kind, color, ground(one), faint(one), fontSize, fontWeight].join();
        if (looked.has(look) || !one.checkVisibility()) continue;
        looked.add(look);
        one.dataset.look = '';
    }
    // In one run: most of its time goes to what is there, not to what is asked of it.
    const ofContrast = selector => axe.configure({ rules: [{ id: 'color-contrast', selector }] });
    ofContrast('[data-look]');
    const { violations } = await axe.run({ exclude: ['header'] }, { resultTypes: ['violations'], preload: false });
    ofContrast('*');
    return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`));
}"""
CONTRAST = ["color-contrast"]
CONTRASTS = """names => {
    const styles = getComputedStyle(document.documentElement);
    const light = name => {
        const hex = styles.getPropertyValue(`--${name}`).trim();
        const parts = [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16) / 255)
            .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    return names.flatMap(name => ['background', 'beyond'].map(ground => {
        const [low, high] = [light(name), light(ground)].sort((a, b) => a - b);
        return [`${name} on ${ground}`, (high + 0.05) / (low + 0.05)];
    }));
}"""
# All that a key should reach: of radio buttons of a group and of tabs one, which arrows leave.
REACHABLE = """() => {
    const found = [...document.querySelectorAll('a[href], button, input, select, summary, pre, [tabindex]')]
        .filter(one => one.checkVisibility({ visibilityProperty: true }) && one.tabIndex >= 0 && !one.disabled)
        .filter(one => (one.type !== 'radio' || one.checked) && !one.closest('[inert]'));
    found.forEach((one, place) => { one.dataset.stop = place; });
    return found.length;
}"""
NOW = "() => document.activeElement?.dataset.stop ?? null"
# With each frame from now on, the lines of the picture and how they are seen.
# As painted: after what a frame itself draws. A box that grows and shrinks with each is seen right then.
WATCH = """() => {
    window.watched = [];
    const box = document.createElement('div');
    box.style.cssText = 'position: fixed; visibility: hidden; height: 1px; width: 1px';
    document.body.append(box);
    new ResizeObserver(() => {
        const svg = document.querySelector('#canvas svg, .canvas svg');
        window.watched.push([...svg.querySelectorAll('[d], [opacity], [transform]')]
            .map(one => ['d', 'opacity', 'transform'].map(name => one.getAttribute(name))).join());
    }).observe(box);
    let frames = 0;
    const look = () => {
        frames += 1;
        box.style.width = `${1 + frames % 2}px`;
        window.watching = requestAnimationFrame(look);
    };
    window.watchingBox = box;
    look();
}"""
WATCHED = """() => {
    cancelAnimationFrame(window.watching);
    window.watchingBox.remove();
    return window.watched.filter((one, place) => one !== window.watched[place - 1]).length;
}"""


@pytest.fixture(scope="module")
def axe() -> str:
    """The rules, as the page's own tools bring them."""
    if not AXE.is_file():
        pytest.skip("axe-core is not there; cd page && npm ci")
    return AXE.read_text(encoding="utf-8")


def broken_rules(visitor: Any) -> list[str]:
    """Rules that all of what is loaded breaks: in the light any, in the dark those that hang on colours."""
    found: list[str] = visitor.page.evaluate(VIOLATIONS, (None, True))
    with dark(visitor):
        found += visitor.page.evaluate(VIOLATIONS, (CONTRAST, True))
    return found


@contextmanager
def dark(visitor: Any) -> Iterator[None]:
    """The same page in the dark, for a while."""
    visitor.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    visitor.rest()
    yield
    visitor.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    visitor.rest()


def test_no_view_breaks_a_rule_of_access(visitor: Any, axe: str) -> None:
    page = visitor.home()
    page.evaluate(axe)
    broken = {"first view": broken_rules(visitor)}
    visitor.open("?board=latency&mode=both")
    page.evaluate(axe)
    broken["all of a board"] = broken_rules(visitor)
    for place in (4, 24, 44):
        visitor.turn_to(f"?step={place}")
        broken[f"step {place}"] = broken_rules(visitor)
    visitor.turn_to("?board=latency&exercise=roofline-balance")
    broken["exercise"] = broken_rules(visitor)
    page.get_by_role("button", name="Show how").click()
    page.wait_for_selector("#next")
    broken["exercise that was shown"] = broken_rules(visitor)
    page.click("#boards")
    page.wait_for_selector("#shelf path")
    broken["boards"] = broken_rules(visitor)
    visitor.turn_to("?board=latency&chips=0&mode=both")
    broken["refusal"] = broken_rules(visitor)
    visitor.complaints.clear()  # of what was refused
    page.goto(f"{visitor.address}/?step={len(walk_document()['steps']) + 1}")
    page.wait_for_selector("#ending .disproved li")
    page.evaluate(axe)
    broken["end of the walk"] = broken_rules(visitor)
    assert not any(broken.values()), json.dumps({name: said for name, said in broken.items() if said}, indent=1)


@pytest.mark.parametrize("half", [0, 1])
def test_no_board_breaks_a_rule_of_access_and_words_of_each_kind_lie_alike_in_light_and_dark(
    visitor: Any, axe: str, half: int
) -> None:
    """In the dark a board of each kind of picture: all have the colours that the test below looks at."""
    where = (
        "() => [...document.querySelectorAll('#canvas svg text')].map(one => {"
        " const { x, y, width } = one.getBoundingClientRect(); return [one.textContent, x, y, width]; })"
    )
    page = visitor.open("?board=latency&mode=both")
    page.evaluate(axe)
    broken = {}
    kinds = set()
    for one in BOARDS[half::2]:  # each process takes a half
        visitor.turn_to(f"?board={one.name}&mode=both")
        broken[one.name] = page.evaluate(OF_A_BOARD)
        views: Any = answers(f"boards/{one.name}/views", {"mode": "both"}, Dropped())
        kind = views["views"][0]["kind"]
        if kind in kinds:
            continue
        kinds.add(kind)
        with dark(visitor):
            broken[one.name] += page.evaluate(VIOLATIONS, (CONTRAST, False))
            in_the_dark = page.evaluate(where)
        assert page.evaluate(where) == in_the_dark, one.name
    assert len(kinds) > 5  # half of them are all boards of their kind
    assert not any(broken.values()), json.dumps({name: said for name, said in broken.items() if said}, indent=1)


def test_colours_stand_out_from_both_grounds(resident: Any) -> None:
    page = resident.turn_to("?board=latency&mode=both")
    light = dict(page.evaluate(CONTRASTS, list(COLOURS)))
    with dark(resident):
        night = dict(page.evaluate(CONTRASTS, list(COLOURS)))
    assert night != light
    for found in (light, night):
        assert not {name: ratio for name, ratio in found.items() if ratio < 4.5}  # WCAG 2.1 AA for text


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?board=latency&mode=both",
        "?board=modes&mode=both",
        "?board=bubbles&mode=both",
        "?board=context&view=1&mode=both",
        "?step=4",
    ],
)
def test_keys_reach_everything_and_all_of_it_has_a_name(visitor: Any, query: str) -> None:
    page = visitor.open(query) if query else visitor.home()
    count = page.evaluate(REACHABLE)
    assert count > 5
    reached = set()
    for _ in range(count + 5):
        page.keyboard.press("Tab")
        now = page.evaluate(NOW)
        if now in reached:
            break
        reached.add(now)
    assert {str(place) for place in range(count)} - reached == set()
    # As a screen reader is told.
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    stops = [
        node
        for node in nodes
        if any(one["name"] == "focusable" and one["value"]["value"] for one in node.get("properties", []))
    ]
    stops = [node for node in stops if node["role"]["value"] not in {"RootWebArea", "main", "option"}]
    assert len(stops) >= count
    unnamed = [node["role"]["value"] for node in stops if not node.get("name", {}).get("value")]
    assert unnamed == []
    generic = [node["name"]["value"] for node in stops if node["role"]["value"] in {"generic", "none"}]
    assert generic == []


def test_tabs_menus_and_modes_answer_to_keys(resident: Any) -> None:
    page = resident.come("?board=budget&mode=both")
    page.focus("#tab-0")
    for place in (1, 2, 0):
        page.keyboard.press("ArrowRight")
        resident.settle()
        assert page.evaluate("document.activeElement.id") == f"tab-{place}"
        assert page.get_attribute(f"#tab-{place}", "aria-selected") == "true"
    panel = page.get_attribute("#tab-0", "aria-controls")
    assert page.locator(f"#{panel}").count() == 1
    page.focus("#mode-both")
    page.keyboard.press("ArrowLeft")
    resident.settle()
    assert page.locator("#mode-lecture").is_checked()
    assert "mode=lecture" in page.url
    page.focus(".claim summary")
    page.keyboard.press("Enter")
    assert page.locator(".claim[open]").count() == 1
    page.focus("#boards")
    page.keyboard.press("Enter")
    page.wait_for_selector("#shelf")
    page.focus("#shelf .featured a")
    page.keyboard.press("Enter")
    resident.settle()
    assert "board=latency" in page.url


def test_arrows_on_a_slider_lead_to_the_next_number(resident: Any) -> None:
    """A thousandth of the slider more than 1 B is written 1 B: keys left it there, and marked it as turned."""
    page = resident.come("?board=cost&bytes_per_param=1B&mode=lecture")
    page.focus("#control-bytes_per_param-slider")
    for key, found in (("ArrowRight", "1.03 B"), ("ArrowLeft", "1 B"), ("ArrowDown", "0.982 B")):
        for _ in range(3):
            page.keyboard.press(key)
        resident.settle()  # the field follows the picture
        assert page.input_value("#control-bytes_per_param") == found


def test_the_skip_link_leads_past_the_time_line(visitor: Any) -> None:
    page = visitor.open("?board=latency&mode=both")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#board') !== null")


def test_dots_of_the_time_line_are_walked_by_arrows(resident: Any) -> None:
    page = resident.come("?board=latency&mode=both")
    page.focus("#timeline a.dot[tabindex='0']")
    first = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("ArrowRight")
    second = page.evaluate("document.activeElement.textContent")
    assert first != second
    claim = page.evaluate("new URLSearchParams(document.activeElement.getAttribute('href')).get('claim')")
    told = next(one for one in CLAIMS if one.id == claim)
    assert told.claim in second
    assert told.claim in page.inner_text("#timeline .told")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.textContent") == first
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#claim-{claim}[open]")
    assert page.locator("#timeline a.dot[tabindex='0']").count() == 1


@pytest.mark.parametrize("query", ["latency", "cost", "departures&view=1", "inference-loop&view=1", "bubbles"])
def test_nothing_moves_for_whoever_wants_no_motion(resident: Any, query: str) -> None:
    page = resident.come(f"?board={query}&mode=both")
    page.evaluate(WATCH)
    page.wait_for_timeout(400)
    assert page.evaluate(WATCHED) == 1
    page.evaluate(WATCH)
    page.locator("#controls input[type=range]").first.focus()
    page.keyboard.press("PageUp")
    resident.settle()
    page.wait_for_timeout(600)
    # As it was, in the frame that is held, and in its own; the ghost comes with the first.
    assert page.evaluate(WATCHED) <= 4
    assert page.evaluate("document.getAnimations().length") == 0
    styles = (
        "[...document.querySelectorAll('*')].filter(one => parseFloat(getComputedStyle(one).transitionDuration) > 0)"
    )
    assert page.evaluate(f"{styles}.length") == 0
