"""Frames of charts: one for the three settings of a view, which stays under a hand and follows once it lets go."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.browser.charts import INSIDE, TICKS, along
from tests.browser.steps import PLOT, STEPS, pictures, told
from tests.browser.words import WRONG

from ridgeline.boards.lecture.walk import StepDocument

# Words in the plot and above it that are seen, each with where its middle is in the window.
WORDS = """() => [...document.querySelectorAll('#canvas .chart > svg text')].filter(text => {
    const isSeen = text.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!text.textContent.trim() || !isSeen) return false;
    for (let one = text; one.tagName !== 'svg'; one = one.parentElement)
        if (Number(one.getAttribute('opacity') ?? 1) < 0.5 || Number(getComputedStyle(one).opacity) < 0.5) return false;
    return true;
}).map(text => {
    const { x, y, width, height } = text.getBoundingClientRect();
    return [text.textContent, x + width / 2, y + height / 2];
})"""

MODES = ("both", "careful", "lecture")


def whose(visitor: Any, mode: str) -> None:
    """Whose numbers are shown is chosen, and drawn."""
    visitor.page.evaluate("mode => document.querySelector(`#mode-${mode}`).click()", mode)
    visitor.settle()
    visitor.settle()


@pytest.mark.parametrize("step", [4, 6, 9, 14])
def test_a_change_of_whose_numbers_moves_lines_and_no_axis(resident: Any, step: int) -> None:
    page = resident.turn_to(f"?step={step}")
    ticks, plot = page.evaluate(TICKS), page.evaluate(PLOT)
    lines = page.evaluate("() => document.querySelector('#canvas svg').getAttribute('aria-label')")
    for mode in MODES:
        whose(resident, mode)
        assert page.evaluate(TICKS) == ticks, mode
        assert page.evaluate(PLOT) == pytest.approx(plot, abs=1), mode  # a pixel of rounding in the rows around it
        told = page.evaluate("() => document.querySelector('#canvas svg').getAttribute('aria-label')")
        assert (told == lines) == (mode == "lecture")


def test_where_a_hand_put_the_handle_it_stays_from_mode_to_mode(resident: Any) -> None:
    page = resident.turn_to("?step=6")
    page.focus(".along input")
    for _ in range(3):
        page.keyboard.press("PageDown")
    resident.settle()
    read = (
        "() => [...document.querySelectorAll('.along input')].map(one => [one.value, one.ariaValueText.split('.')[0]])"
    )
    put = page.evaluate(read)
    for mode in MODES:
        whose(resident, mode)
        assert page.evaluate(read) == put, mode


def dragged(page: Any, control: str, *, to_its_end: bool) -> None:
    """A hand on a slider goes to one of its ends, and stays there."""
    slider = page.locator(f"#control-{control}-slider")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    part = slider.evaluate("one => (one.value - one.min) / (one.max - one.min)")
    x, y = box["x"] + 8 + part * (box["width"] - 16), box["y"] + box["height"] / 2
    way = box["x"] + (box["width"] - 2 if to_its_end else 2) - x
    page.mouse.move(x, y)
    page.mouse.down()
    for place in range(1, 21):
        page.mouse.move(x + way * place / 20, y)
        page.wait_for_timeout(40)


# With each frame from now on the numbers at the ticks, with where they are: of each picture of them one.
WATCH_AXES = f"""() => {{
    window.watched = [];
    const look = () => {{
        const now = JSON.stringify(({TICKS})());
        if (now !== window.watched.at(-1)) window.watched.push(now);
        window.watching = requestAnimationFrame(look);
    }};
    look();
}}"""
# Where the line from the handle ends on bold lines, in the window.
MET = """() => [...document.querySelectorAll('#canvas svg .plumb circle')]
    .filter(one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .map(one => one.getBoundingClientRect())
    .map(({ x, y, width, height }) => [x + width / 2, y + height / 2])"""
# Of the plot's height, up to where the highest bold line comes inside it.
HIGH = """() => {
    const frame = document.querySelector('#canvas svg clipPath rect');
    const [top, high] = ['y', 'height'].map(name => Number(frame.getAttribute(name)));
    const bold = [...document.querySelectorAll('#canvas svg [clip-path] path[stroke-width="3.4"]')];
    const heights = bold.map(path => [...path.getAttribute('d').matchAll(/,(-?[\\d.]+)/g)])
        .flatMap(all => all.map(([, y]) => Number(y)));
    return Math.min(1, Math.max(...heights.map(y => (top + high - y) / high).filter(part => part <= 1)));
}"""
WATCHED = "() => { cancelAnimationFrame(window.watching); return window.watched; }"


ROUNDING = 0.005
"""Of the plot: a pixel or two."""

ANEW = (5,)
"""Steps whose slider moves the handle itself: what is read at one end is nowhere in the frame that the other left."""
EASE_MS = 200
"""Of a frame that follows, and a frame more."""
MOVES = 8
"""Of a hand, from where a slider stands to its end."""

DIGIT_PX = 16
"""Width of two digits, which the numbers at the axis up may grow by."""


@pytest.mark.parametrize(
    ("step", "control", "to_its_end", "said"),
    [
        (4, "hbm_bytes_per_s", False, ""),
        (4, "chips", False, "does not fit"),
        (4, "kv_bytes_per_token", True, "memory is full"),
        (14, "chips", True, ""),
        (19, "link_ratio", True, ""),
        (35, "active_params", False, ""),
        (45, "micro_batch_tokens", True, ""),
    ],
)
def test_axes_hold_under_a_hand_and_come_to_its_lines_once_it_lets_go(
    resident: Any, step: int, control: str, said: str, *, to_its_end: bool
) -> None:
    """But for where a bold line leaves the frame: the axis up follows it then, and the axis along does not."""
    page = resident.turn_to(f"?step={step}")
    before = page.evaluate(INSIDE)
    page.evaluate(WATCH_AXES)
    dragged(page, control, to_its_end=to_its_end)
    resident.settle()
    page.wait_for_timeout(400)  # a glide
    watched = [json.loads(one) for one in page.evaluate(WATCHED)]
    axes = [along(one) for one in watched]
    assert len({tuple(text for text, _ in one) for one in axes}) == 1
    # Longer numbers at the axis up leave it a little less width, and no more.
    assert (
        max(abs(place - first) for one in axes for (_, place), (_, first) in zip(one, axes[0], strict=True)) < DIGIT_PX
    )
    # A third of what was there is left at least, also while the hand holds it.
    assert page.evaluate(INSIDE) >= before / 3
    page.mouse.up()
    resident.settle()
    page.wait_for_timeout(500)  # a glide
    inside, words = page.evaluate(INSIDE), [text for text, *_ in page.evaluate(WORDS)]
    assert inside >= 0.5 * before  # of the axis, which along the line is another part
    assert any(text.startswith(said) for text in words), words


@pytest.mark.parametrize("to_its_end", [True, False])
def test_the_axis_along_follows_a_hand_once_the_model_that_is_read_has_left_it(
    resident: Any, *, to_its_end: bool
) -> None:
    """Step 32, whose curves lie at sizes: text, drawing and handle are of one model while a hand holds it."""
    page = resident.turn_to("?step=32")
    before, inside = page.evaluate(TICKS), page.evaluate(INSIDE)
    dragged(page, "active_params", to_its_end=to_its_end)
    resident.settle()
    page.wait_for_timeout(400)  # a glide
    size = page.input_value("#control-active_params")
    assert size != "100B"
    assert page.evaluate(TICKS) != before
    # Of the smallest a smaller one is not drawn, nor told.
    assert not to_its_end or f"not {size}, take" in page.inner_text("#told .sentence").replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert f"a model of {size} active parameters" in page.text_content("main")
    assert page.locator(".along input").get_attribute("aria-valuetext").startswith(f"size of a model as good {size}.")
    assert page.evaluate(INSIDE) >= inside / 3  # as much as a hand leaves of a bold line elsewhere
    page.mouse.up()
    resident.settle()


def test_where_models_are_too_small_for_a_loss_no_more_than_a_part_of_an_axis_is_empty(resident: Any) -> None:
    """Step 32, whose curves begin where some number of tokens reaches the loss: near the axis' low end."""
    page = resident.turn_to("?step=32")
    left, _, width, _ = page.evaluate(PLOT)
    starts = page.eval_on_selector_all(
        "#canvas svg [clip-path] g[data-line] > path[fill=none][d^=M]",
        "all => all.map(one => one.getBoundingClientRect().left)",
    )
    assert len(starts) == 2
    assert max(starts) < left + 0.1 * width


@pytest.mark.parametrize(
    ("step", "control", "to_its_end"),
    [
        (4, "kv_bytes_per_token", True),
        (35, "kv_bytes_per_token", True),
        (45, "micro_batch_tokens", True),
        (45, "micro_batch_tokens", False),
    ],
)
def test_the_handle_meets_the_bold_line_in_the_frame_under_a_hand_too(
    resident: Any, step: int, control: str, *, to_its_end: bool
) -> None:
    """At the ends of a slider, where the line is many times as high as it was, or as low."""
    page = resident.turn_to(f"?step={step}")
    before = page.evaluate(HIGH)
    dragged(page, control, to_its_end=to_its_end)
    resident.settle()
    page.wait_for_timeout(400)  # a glide
    met, high = page.evaluate(MET), page.evaluate(HIGH)
    page.mouse.up()
    resident.settle()
    left, top, width, height = page.evaluate(PLOT)
    assert met
    for x, y in met:
        assert left <= x <= left + width
        assert top - 1 <= y <= top + height + 1  # a pixel of rounding
    # As high as the highest bold line stood, in parts of the plot, a third of that is left.
    assert high >= before / 3


# What is read of a chart: where the handle meets bold lines, where the line of a question runs now, and else marks by
# their keys; of each where it is, as parts of the plot across and up from its low ends, and whether it is drawn faint,
# as what lies beyond an edge is.
READ = """keys => {
    const seen = one => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const box = document.querySelector('#canvas svg').getBoundingClientRect();
    const [x, y, width, height] = ['x', 'y', 'width', 'height']
        .map(name => Number(document.querySelector('#canvas svg clipPath rect').getAttribute(name)));
    const at = (what, one, looks) => {
        const dot = one.getBoundingClientRect();
        const [across, down] = [dot.x + dot.width / 2 - box.x, dot.y + dot.height / 2 - box.y];
        const isFaint = Number(looks.getAttribute('opacity') ?? 1) < 1;
        return [what, (across - x - 1) / (width - 2), 1 - (down - y - 1) / (height - 2), isFaint];
    };
    const of = (what, selector) => [...document.querySelectorAll(selector)].filter(seen)
        .map((one, nth) => at(`${what} ${nth}`, one, one));
    const found = [...of('handle', '#canvas .plumb circle'), ...of('question', '#canvas circle.moved')];
    const marks = [...document.querySelectorAll('#canvas svg g.chart-mark:not([font-size])')]
        .filter(one => seen(one) && keys.includes(one.dataset.key))
        .map(one => at(one.dataset.key, one.querySelector('circle:last-child'), one));
    return found.length ? found : marks;
}"""
LEAVING = (1, 3, 8, 11, 32)
"""Steps where what is read would leave a frame that stands still: up, along, beside an answer, and as a mark."""
CHARTED = [
    pytest.param(place, step, marks=() if place in LEAVING else pytest.mark.slow)
    for place, step in STEPS
    if pictures(step)[0]["kind"] == "curves"
]


def worded(step: StepDocument) -> list[str]:
    """Keys of the marks of a step's picture that have words."""
    view, _ = pictures(step)
    told = {tie["mark"] for tie in step["ties"]}
    return [
        f"{mode}\n{mark['name']}"
        for mode, one in view["pictures"].items()
        for mark in one["marks"]
        if not mark["is_quiet"] or mark["name"] in told
    ]


@pytest.mark.parametrize(("place", "step"), CHARTED)
def test_what_is_read_stays_in_the_plot_under_a_hand(resident: Any, place: int, step: StepDocument) -> None:
    """With each slider at both of its ends, the button held; what nothing can show is not shown at rest, either."""
    page, keys = resident.page, worded(step)
    resident.turn_to(f"?step={place}")
    told(resident)
    sliders = page.eval_on_selector_all(
        "#controls input[type=range]", "all => all.filter(one => one.checkVisibility()).map(one => one.id)"
    )
    wrong, seen = [], set()
    for slider in sliders:
        resident.turn_to(f"?step={place}")
        told(resident)
        box = page.locator(f"#{slider}").bounding_box()
        y = box["y"] + box["height"] / 2
        for to_its_end in (False, True):
            if place in ANEW:
                resident.turn_to(f"?step={place}")
                told(resident)
            part = page.locator(f"#{slider}").evaluate("one => (one.value - one.min) / (one.max - one.min)")
            x = box["x"] + 8 + part * (box["width"] - 16)
            page.mouse.move(x, y)
            page.mouse.down()
            # Slower than a hand that throws it: each frame on the way has its turn to follow.
            for nth in range(1, MOVES + 1):
                page.mouse.move(x + (box["x"] + (box["width"] - 2 if to_its_end else 2) - x) * nth / MOVES, y)
                resident.rest()
            resident.settle()
            page.wait_for_timeout(EASE_MS)
            held = page.evaluate(READ, keys)
            page.mouse.up()
            resident.settle()
            rest = [what for what, *_, is_faint in page.evaluate(READ, keys) if not is_faint]
            seen |= set(rest)
            there = [
                what
                for what, across, up, is_faint in held
                if -ROUNDING <= across <= 1 + ROUNDING and -ROUNDING <= up <= 1 + ROUNDING and not is_faint
            ]
            if lost := [what for what in rest if what not in there]:
                wrong.append((slider, to_its_end, lost, held))
    assert not wrong
    assert seen or place not in LEAVING


def test_axes_stay_under_a_hand_that_moves_lines_a_little(resident: Any) -> None:
    page = resident.turn_to("?step=4")
    slider = page.locator("#control-kv_bytes_per_token-slider")
    box = slider.bounding_box()
    part = slider.evaluate("one => (one.value - one.min) / (one.max - one.min)")
    x, y = box["x"] + 8 + part * (box["width"] - 16), box["y"] + box["height"] / 2
    page.evaluate(WATCH_AXES)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 0.15 * box["width"], y, steps=10)
    resident.settle()
    watched = page.evaluate(WATCHED)
    page.mouse.up()
    resident.settle()
    assert page.input_value("#control-kv_bytes_per_token") != "2 kB"
    assert len(watched) == 1


def test_a_mark_that_has_left_the_frame_is_in_the_next_one(resident: Any) -> None:
    """The frame that a hand let go of first ends before where the crossing comes to lie."""
    page = resident.turn_to("?step=3")
    marked = "() => document.querySelectorAll('#canvas svg g.chart-mark:not([font-size])').length"
    before = page.evaluate(marked)
    for to_its_end in (False, True):
        dragged(page, "bytes_per_param", to_its_end=to_its_end)
        page.mouse.up()
        resident.settle()
        page.wait_for_timeout(500)  # a glide
        resident.settle()
        assert page.evaluate(marked) == before


@pytest.mark.parametrize("step", [5, 8, 43])
def test_the_handle_stands_under_what_is_read_once_it_is_told(resident: Any, step: int) -> None:
    """What is asked at an end of the axis has the plot reach beyond it, and the track not."""
    page = resident.turn_to(f"?step={step}")
    page.get_by_role("button", name="Show it").click()
    resident.settle()
    for part in (None, 0.5):
        if part is not None:
            page.locator(".along input").evaluate(
                """(one, part) => {
                one.value = part * one.max;
                for (const kind of ['input', 'change']) one.dispatchEvent(new Event(kind, { bubbles: true }));
            }""",
                part,
            )
            resident.settle()
        thumb, line = page.evaluate(
            """() => {
            const one = document.querySelector('.along input'), track = document.querySelector('.along');
            const { left, width } = track.getBoundingClientRect();
            const line = document.querySelector('.plumb path').getBoundingClientRect();
            return [left + width * one.value / one.max, line.left + line.width / 2];
        }"""
        )
        assert thumb == pytest.approx(line, abs=1)  # of a thousand steps one is less than a pixel


def test_the_answer_is_read_from_the_line_as_exactly_as_it_is_said(resident: Any) -> None:
    page = resident.turn_to("?step=5")
    page.get_by_role("button", name="Show it").click()
    resident.settle()
    (said,) = [text for text, *_ in page.evaluate(WORDS) if text.startswith("answer")]
    assert f"About {said.removeprefix('answer: ')} times" in page.inner_text(".ask")


def test_dots_keep_their_names_under_a_hand_that_brings_them_into_another_order(resident: Any) -> None:
    page = resident.turn_to("?step=36")
    names = {text for text, *_ in page.evaluate(WORDS)}
    dragged(page, "context_tokens", to_its_end=False)
    resident.settle()
    kept = names & {text for text, *_ in page.evaluate(WORDS)}
    wrong = page.evaluate(WRONG)
    page.mouse.up()
    resident.settle()
    assert wrong == []
    models = {one for one in kept if any(maker in one for maker in ("Qwen", "Llama", "PaLM", "GLM", "GPT", "DeepSeek"))}
    assert len(models) >= 4  # of those that come to lie over another, or over its dot, one is seen


def test_the_point_that_a_steps_text_speaks_of_is_named_in_both_modes_too(resident: Any) -> None:
    page = resident.turn_to("?step=32&mode=both")
    assert "80B: 4.6 times" in " ".join(text for text, *_ in page.evaluate(WORDS))


@pytest.mark.parametrize("step", [5, 8, 43])
def test_an_answer_moves_no_words_that_were_there(resident: Any, step: int) -> None:
    page = resident.turn_to(f"?step={step}")
    before = page.evaluate(WORDS)
    left, top, width, height = page.evaluate(PLOT)
    page.mouse.click(left + 0.4 * width, top + 0.55 * height)
    page.click(".chart-check")
    resident.settle()
    after = page.evaluate(WORDS)
    for text, x, y in before:
        there = [abs(x - at) + abs(y - high) for same, at, high in after if same == text]
        assert there, text
        assert min(there) <= 4, text


# Of the lines that are drawn, apart from what they were: so many places inside the plot.
PLACES_INSIDE = f"""() => {{
    const [left, top, width, height] = ({PLOT})();
    const origin = document.querySelector('#canvas svg').getBoundingClientRect();
    let found = 0;
    for (const path of document.querySelectorAll('#canvas svg [clip-path] g[data-line] > path[fill=none][d^=M]')) {{
        const length = path.getTotalLength();
        for (let part = 0; part <= 100; part += 1) {{
            const at = path.getPointAtLength(length * part / 100);
            const [x, y] = [origin.left + at.x - left, origin.top + at.y - top];
            if (x >= 0 && x <= width && y > 1 && y < height - 1) found += 1;
        }}
    }}
    return found;
}}"""


@pytest.mark.parametrize(
    ("step", "control", "to_its_end"),
    [
        (15, "active_params", False),
        (30, "weight_bytes", False),
        (30, "weight_bytes", True),
        (33, "served_tokens", False),
        (34, "tokens", False),
        (35, "active_params", False),
    ],
)
def test_a_slider_of_a_step_ends_before_its_lines_have_left_the_frame(
    resident: Any, step: int, control: str, *, to_its_end: bool
) -> None:
    page = resident.turn_to(f"?step={step}")
    for tell in ("Show it", "Tell me"):
        if page.get_by_role("button", name=tell).count():
            page.get_by_role("button", name=tell).first.click()
    resident.settle()
    dragged(page, control, to_its_end=to_its_end)
    resident.settle()
    assert page.evaluate(PLACES_INSIDE) > 0
    page.mouse.up()
    resident.settle()


def test_the_handle_stops_where_its_curve_ends(resident: Any) -> None:
    """Step 5: at a hundred times the price the wall stands left of the place that was asked for."""
    page = resident.turn_to("?step=5")
    page.get_by_role("button", name="Show it").click()
    resident.settle()
    dragged(page, "price_ratio", to_its_end=True)
    resident.settle()
    thumb, end = page.evaluate(
        """() => {
        const one = document.querySelector('.along input'), track = document.querySelector('.along');
        const { left, width } = track.getBoundingClientRect();
        const price = document.querySelector('#canvas svg [clip-path] g[data-line=price] > path[fill=none]');
        const [last] = [...price.getAttribute('d').matchAll(/([-0-9.]+),[-0-9.]+/g)].slice(-1);
        const origin = document.querySelector('#canvas svg').getBoundingClientRect().left;
        return [left + width * one.value / one.max, origin + Number(last[1])];
    }"""
    )
    page.mouse.up()
    resident.settle()
    assert thumb == pytest.approx(end, abs=1.5)  # of a thousand steps one is a pixel at most


def test_the_ground_of_what_does_not_fit_says_what_it_is(resident: Any) -> None:
    """Step 4, where the mark of a full memory lies above the plot: while a hand turns, and once it lets go."""
    page = resident.turn_to("?step=4&kv_bytes_per_token=27%20kB")
    resident.settle()
    said = page.locator("#canvas svg text.overfull")
    assert (said.text_content() or "").startswith("memory is full: ")
    left, top, width, height = page.evaluate(PLOT)
    box = said.bounding_box()
    assert left < box["x"]
    assert box["x"] + box["width"] < left + width
    assert top < box["y"] < top + height / 2
    # Where the mark is in sight it has the words.
    resident.turn_to("?step=4")
    resident.settle()
    assert not said.evaluate("one => one.checkVisibility({ visibilityProperty: true })")


def test_both_kinds_of_numbers_say_where_they_are_one(resident: Any) -> None:
    """Step 5, whose numbers are as published; and step 14, whose careful clock is as long as a step."""
    page = resident.turn_to("?step=5")
    page.get_by_role("button", name="Show it").click()
    words = "one picture is both: his numbers are the sourced ones"
    assert words not in page.inner_text("#views")
    resident.turn_to("?step=5&mode=both")
    resident.settle()
    assert words in page.inner_text("#views")
    resident.turn_to("?step=14")
    if page.get_by_role("button", name="Tell me").count():
        page.get_by_role("button", name="Tell me").first.click()
    resident.turn_to("?step=14&mode=careful")
    resident.settle()
    said = page.locator("#stage, .stage").first.text_content() or ""
    assert "by the clock and at once" in said
    assert said.count("a train every") == 1
