"""What a hand sees while it drags and points: lines from end to end, all of them, and values beside it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.browser.charts import MARK, STANDS, views

from ridgeline.quantity_text import parse_quantity

# How far from the right edge of the plot the line ends that comes least near, of those that are live and of the ghost.
SHORT = """() => {
    const frame = document.querySelector('#canvas svg clipPath rect');
    const right = Number(frame.getAttribute('x')) + Number(frame.getAttribute('width')) - 1;
    const drawn = which => document.querySelectorAll(`#canvas svg [clip-path] > g${which} path[fill=none]`);
    const short = which => Math.max(0, ...[...drawn(which)]
        .map(path => [...path.getAttribute('d').matchAll(/(-?[\\d.]+),-?[\\d.]+/g)].map(([, x]) => Number(x)))
        .filter(all => all.length).map(all => right - Math.max(...all)));
    return [short(':last-child'), short('.ghost')];
}"""
# The same with each frame from now on.
WATCH = f"""() => {{
    window.watched = [];
    const look = () => {{ window.watched.push(({SHORT})()); window.watching = requestAnimationFrame(look); }};
    look();
}}"""
# What is drawn is asked for anew in mid-glide, as by an answer that comes late.
SHOWN_AGAIN = """() => {
    for (const [place, theme] of ['dark', 'light', 'dark', 'light'].entries())
        setTimeout(() => { document.documentElement.dataset.theme = theme; }, 60 + 50 * place);
}"""
NEAR_PX = 1.5


@pytest.mark.parametrize(("control", "way"), [("flop_per_s", 30), ("flop_per_s", -50)])
def test_lines_reach_from_end_to_end_while_the_frame_glides_and_the_ghost_after(
    mover: Any, control: str, way: int
) -> None:
    """With a faster chip the frame grows along, with a slower one it shrinks."""
    page = mover.come("?board=latency&mode=lecture")
    mover.unfold()
    page.wait_for_timeout(400)
    mover.drag(page.locator(f"#control-{control}-slider"), (way, 0), lift=False)
    mover.settle()
    assert max(page.evaluate(SHORT)) < NEAR_PX
    page.evaluate(WATCH)
    page.evaluate(SHOWN_AGAIN)
    page.mouse.up()
    mover.settle()
    page.wait_for_timeout(600)
    watched = page.evaluate("() => { cancelAnimationFrame(window.watching); return window.watched; }")
    assert max(live for live, _ in watched) < NEAR_PX
    assert max(page.evaluate(SHORT)) < NEAR_PX
    assert page.locator("#canvas svg [clip-path] > g.ghost > path").count()


# What is written of one moment: the number in the formula's legend, the field of its slider, and the name of the floor;
# and how high the floor is drawn, as its name has it and as the line lies.
MOMENT = """() => {
    const floor = [...document.querySelectorAll('#canvas svg g[data-line^="weight fetch"]')];
    const [line, name] = ['path[stroke-width="1.9"]', 'path[stroke-opacity="0.8"]']
        .map(which => floor.map(one => one.querySelector(which)).find(Boolean)?.getAttribute('d'))
        .map(d => Number(/,(-?[\\d.]+)/.exec(d ?? '')?.[1]));
    return {
        legend: document.querySelector('#symbols [data-of=bytes_per_param]').textContent,
        field: document.querySelector('#control-bytes_per_param').value,
        said: floor.map(one => one.textContent).join(''),
        apart: Math.abs(line - name),
    };
}"""
# In each frame from now on what a slider's field says, the numbers of its letter in the legend, and the sentence.
WATCH_WORDS = """name => {
    const text = which => [...document.querySelectorAll(which)].map(one => one.textContent);
    const told = () => [document.querySelector('#control-' + name).value, text(`#symbols [data-of=${name}]`),
        text('#told .sentence').join(' ')];
    window.watched = [];
    const look = () => { window.watched.push(told()); window.watching = requestAnimationFrame(look); };
    look();
}"""


def test_keys_move_field_letter_and_sentence_in_one_frame(resident: Any) -> None:
    """And what puts them back does."""
    page = resident.come("?step=13")
    for place, name in ((13, "period_s"), (16, "experts"), (18, "racks")):
        resident.turn_to(f"?step={place}")
        page.evaluate(WATCH_WORDS, name)
        page.locator(f"#control-{name}-slider").focus()
        for _ in range(5):
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(30)
        resident.settle()
        page.locator(f".control:has(#control-{name}) .back").click()
        resident.settle()
        watched = page.evaluate("() => { cancelAnimationFrame(window.watching); return window.watched; }")
        assert len({field for field, *_ in watched}) > 2, place
        for field, letters, sentence in watched:
            assert set(letters) <= {field}, place
            assert re.search(
                rf"(?<![\d.]){re.escape(field)}(?![\d.]\d)", sentence.replace("\N{NO-BREAK SPACE}", " ")
            ), place


AHEAD = 14
"""Answers along a slider that are asked for before a hand takes hold of it, at least."""


def test_a_picture_follows_the_hand_before_it_is_answered_and_all_of_it_tells_one_moment(visitors: Any) -> None:
    visitor = visitors(motion="no-preference")
    page = visitor.open("?step=3")
    page.wait_for_timeout(700)  # lines are drawn in
    asked: list[str] = []
    page.on("requestfinished", lambda request: asked.append(request.url) if "only=" in request.url else None)
    slider = page.locator("#control-bytes_per_param-slider")
    box, value = slider.bounding_box(), float(slider.input_value()) / 1000

    def along(part: float) -> float:
        return float(box["x"] + 8.4 + part * (box["width"] - 16.8))

    height = box["y"] + box["height"] / 2
    page.mouse.move(along(value), height)
    for _ in range(100):
        if len(asked) >= AHEAD:
            break
        page.wait_for_timeout(100)
    assert len(asked) >= AHEAD
    # From now on nobody answers.
    waiting: list[Any] = []
    page.route("**/views?*", lambda route: waiting.append(route))  # noqa: PLW0108  Playwright marks it
    page.mouse.down()
    texts = set()
    for part in (0.3, 0.47, 0.61, 0.83):
        page.mouse.move(along(part), height)
        page.wait_for_timeout(200)
        found = page.evaluate(MOMENT)
        texts.add(found["field"])
        assert found["legend"] == found["field"]
        assert found["apart"] < NEAR_PX
        view = views("latency", mode="lecture", bytes_per_param=found["field"])["views"][0]
        (floor,) = (
            one["y"][0] for one in view["pictures"]["lecture"]["lines"] if one["name"].startswith("weight fetch")
        )
        said = parse_quantity(found["said"].rpartition("floor ")[2], "duration")
        assert said == pytest.approx(floor, rel=0.01)  # as it is written, in three digits
    assert len(texts) == 4
    assert waiting
    # What waited goes on.
    page.unroute("**/views?*")
    page.mouse.up()
    visitor.settle()
    assert page.evaluate(MOMENT)["legend"] == page.input_value("#control-bytes_per_param")


def test_nothing_fades_under_a_hand_and_the_ghost_is_fainter_than_all(resident: Any) -> None:
    page = resident.come("?board=latency&mode=lecture")
    mark = page.locator("#canvas svg .chart-mark[data-colour=compute] circle:last-child")
    box = mark.bounding_box()
    page.mouse.move(box["x"] + 4, box["y"] + 4)
    page.wait_for_selector("#canvas .dim", state="attached")  # before: what is of another colour
    page.mouse.down()
    page.wait_for_load_state("networkidle")  # which control moves it is asked first
    page.mouse.move(box["x"] + 60, box["y"], steps=8)
    page.wait_for_selector("#canvas svg [clip-path] > g.ghost > path", state="attached")
    resident.settle()
    assert page.locator("#canvas .dim").count() == 0
    assert page.locator("#board[data-lit]").count() == 0
    ghost = page.locator("#canvas svg [clip-path] > g.ghost")
    assert float(ghost.get_attribute("opacity")) <= 0.25
    assert ghost.evaluate("one => Math.max(...[...one.children].map(path => path.getAttribute('stroke-width')))") <= 1
    page.mouse.up()
    resident.settle()


# How far lines fade, and whether any word does.
FADED = """() => [...document.querySelectorAll('#canvas svg *, .machine svg *')]
    .map(one => [one.tagName, Number(getComputedStyle(one).opacity), one.closest('[clip-path]') !== null])
    .filter(([, opacity]) => opacity > 0 && opacity < 1)"""


def test_other_lines_fade_a_little_once_a_pointer_rests_and_words_and_scenes_do_not(resident: Any) -> None:
    page = resident.come("?step=4")
    before = page.evaluate(FADED)
    box = page.locator("#canvas svg .chart-mark[data-colour=compute] circle:last-child").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    # On its way over it nothing fades.
    for _ in range(3):
        page.mouse.move(x, y)
        page.mouse.move(10, 10)
    page.wait_for_timeout(400)
    assert page.locator("#canvas .dim").count() == 0
    page.mouse.move(x, y)
    page.wait_for_selector("#canvas .dim", state="attached")
    page.wait_for_timeout(400)
    after = [one for one in page.evaluate(FADED) if one not in before]
    assert after
    assert {name for name, _, _ in after} <= {"path", "circle"}
    assert min(opacity for _, opacity, _ in after) == pytest.approx(0.45)
    page.mouse.move(10, 10)
    page.wait_for_selector("#canvas .dim", state="detached")


MOST_AWAY_PX = 40
"""From the hair to the box: a gap on either side, and where the picture ends the box is kept inside."""

# Words of the picture under the box.
COVERED = """() => {
    const box = document.querySelector('.chart-readout').getBoundingClientRect();
    return [...document.querySelectorAll('#canvas svg text')]
        .filter(one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .map(one => [one.textContent, one.getBoundingClientRect()])
        .filter(([, { left, right, top, bottom }]) =>
            left < box.right && right > box.left && top < box.bottom && bottom > box.top)
        .map(([text]) => text);
}"""


def test_the_box_says_whose_numbers_in_three_digits_at_whole_sequences(resident: Any) -> None:
    page = resident.come("?board=cost&mode=both")
    readout = page.locator(".chart-readout")
    assert not readout.evaluate("box => getComputedStyle(box).backgroundColor").startswith(("rgba", "color("))
    plot = page.locator("#canvas svg").bounding_box()
    titles = set()
    for part in (0.15, 0.17, 0.2, 0.3, 0.5):
        page.mouse.move(plot["x"] + part * plot["width"], plot["y"] + 0.6 * plot["height"])
        resident.rest()
        title, his, sourced, *rest = readout.locator("strong, span").all_inner_texts()
        assert (his, sourced) == ("his", "sourced")
        assert re.fullmatch(r"\d+|\d\.\d+k|\d+k", title), title
        titles.add(title)
        for number in re.findall(r"[\d,.]*\d", " ".join(text for text in rest if text.startswith("$"))):
            assert len(number.replace(",", "").replace(".", "").strip("0")) <= 3, number
    assert len(titles) > 2


@pytest.mark.parametrize("width", [1440, 390])
def test_values_are_read_beside_the_hand_and_said_for_keys(resident: Any, width: int) -> None:
    resident.screen(width, 900)
    page = resident.come("?board=latency&mode=both")
    page.locator("#canvas").scroll_into_view_if_needed()
    plot = page.locator("#canvas svg").bounding_box()
    for part in (0.2, 0.5, 0.7):
        x, y = plot["x"] + part * plot["width"], plot["y"] + 0.6 * plot["height"]
        page.mouse.move(x, y)
        page.wait_for_selector(".chart-readout:not([hidden])")
        resident.rest()
        box = page.locator(".chart-readout").bounding_box()
        # Beside the hair, and along it where words of the picture are least covered: not always at the hand.
        assert max(box["x"] - x, x - box["x"] - box["width"], 0) < MOST_AWAY_PX, part
        assert plot["x"] <= box["x"]
        assert box["x"] + box["width"] <= plot["x"] + plot["width"]
        assert plot["y"] <= box["y"]
        assert box["y"] + box["height"] <= plot["y"] + plot["height"]
        # On a phone the box is nearly as wide as the picture: there is no place without any.
        assert len(page.evaluate(COVERED)) <= (0 if width > 390 else 2), part
    page.focus(".chart")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    resident.rest()
    said = page.inner_text("#said")
    assert re.search(r"; step his [\d.]+ ms", said), said
    page.keyboard.press("ArrowRight")
    resident.rest()
    assert page.inner_text("#said") != said


def test_the_dot_of_the_first_view_has_a_straight_stem_and_no_leader(resident: Any) -> None:
    page = resident.come_home()
    dot = page.locator("#home svg .chart-mark circle[fill*=money][stroke*=background]")
    resident.drag(dot, (200, 0), lift=False)
    resident.rest()
    seen = page.locator("#home svg path[data-colour=money]").evaluate_all(
        "all => all.filter(one => one.checkVisibility({ opacityProperty: true })).map(one => one.getAttribute('d'))"
    )
    assert [path for path in seen if path] == []  # those of labels
    assert re.fullmatch(r"M0,[\d.]+ L0,[\d.]+", page.locator("#home svg .stem").get_attribute("d"))
    page.mouse.up()


@pytest.mark.parametrize(("place", "mode"), [(3, "lecture"), (12, "careful")])
@pytest.mark.parametrize(("out", "back", "waits_ms"), [(20, 10, 0), (4, 1, 1500)])
def test_a_mark_that_is_dragged_past_the_edge_comes_back_under_the_hand(
    resident: Any, place: int, mode: str, out: int, back: int, waits_ms: int
) -> None:
    """It waits at the edge, where it is still drawn; also for one that comes back at one stroke."""
    page = resident.come(f"?step={place}")
    key = f"{mode}\nbalance batch without contexts"
    x, y = page.evaluate(MARK, key)
    frame = page.locator("#canvas .chart").bounding_box()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(frame["x"] + frame["width"] - 5, y, steps=out)
    if waits_ms:
        page.wait_for_timeout(waits_ms)
        page.wait_for_function(f"([key, x]) => ({MARK})(key)?.[0] > x", arg=[key, x + 300])
    page.mouse.move(x + 80, y, steps=back)
    page.mouse.up()
    page.wait_for_function("() => location.search.includes('flop_per_s')")
    page.wait_for_function(STANDS, arg=[key, x + 80])


@pytest.mark.parametrize(
    ("step", "name", "said"), [(11, "expansion", "18.1"), (22, "layers_per_stage", "4"), (46, "layers", "8")]
)
def test_a_slider_says_what_its_step_sets_before_what_the_board_starts_with(
    visitor: Any, step: int, name: str, said: str
) -> None:
    """Else the slider stands at 8, and below it is read that he says 4. It has as many digits as the slider's field."""
    page = visitor.open(f"?step={step}")
    texts = page.locator("#controls .starts").all_text_contents()
    assert any(f": here {said}, " in one for one in texts), (name, texts)
