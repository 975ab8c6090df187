"""The site without a server, in Chromium: from files alone, in a folder of some host, with Python in the page."""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import math
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.browser.conftest import TURN

from ridgeline.boards.board import Mode
from ridgeline.boards.claim import Verdict
from ridgeline.boards.lecture import BOARDS, CLAIMS, EXERCISES
from ridgeline.boards.lecture.walk import walk_document
from ridgeline.quantity_text import format_quantity
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped
from ridgeline.web.fields import FieldError
from ridgeline.web.site import PAGE, export_site

pytestmark = [
    pytest.mark.skipif(
        shutil.which("npm") is None or shutil.which("node") is None, reason="Python for the page comes by npm"
    ),
    pytest.mark.xdist_group("site"),  # written once, in one process
]

PLACE = "/some/folder/"
"""Where the host has the site: not at its root."""
MOST_BYTES = 8_000_000
LONGEST_MS = 120_000
"""Until Python has started, on a machine that does other things."""

Question = tuple[str, dict[str, str]]


class Silent(http.server.SimpleHTTPRequestHandler):
    """A host that sends files as they are, and compresses none."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  its name there
        """Say nothing."""


@pytest.fixture(scope="session")
def site(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a host serves; in one of its folders is the site. Nobody writes it who has no browser."""
    host = tmp_path_factory.mktemp("host")
    assert list((PAGE / "assets").glob("worker-*.js")), "the built page has no worker; run: just page"
    with pytest.MonkeyPatch.context() as patch:
        # Drawing takes longer than all else here; pictures of all boards are drawn in tests/web.
        patch.setattr("ridgeline.web.site._preview", lambda board: board.name.encode())
        found = export_site(host.joinpath(*PLACE.split("/")), url="https://example.org/blackboard/")
    assert found.without_python == ""
    return host


@pytest.fixture(scope="session")
def host(site: Path) -> Iterator[str]:
    """Address of the site."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}{PLACE}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser(chromium: Any) -> Iterator[Any]:
    """One that has the site's files from visit to visit."""
    with contextlib.closing(chromium.new_context(viewport={"width": 1280, "height": 900})) as context:
        yield context


@contextlib.contextmanager
def visiting(browser: Any, host: str) -> Iterator[Any]:
    """A page that must not complain, nor ask another host for anything; nothing is kept of the last."""
    said: list[str] = []
    asked: list[str] = []

    def ask(request: Any) -> None:
        asked.append(request.url)

    browser.on("request", ask)
    with contextlib.closing(browser.new_page()) as found:
        found.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
        found.on("pageerror", lambda error: said.append(str(error)))
        found.asked = asked
        yield found
        found.evaluate("localStorage.clear()")
    browser.remove_listener("request", ask)
    origin = host.removesuffix(PLACE)
    assert [one for one in asked if not one.startswith((origin, f"blob:{origin}", "data:"))] == []
    assert said == []


@pytest.fixture
def visitor(browser: Any, host: str) -> Iterator[Any]:
    """A page for one test."""
    with visiting(browser, host) as found:
        yield found


def drawn(page: Any) -> None:
    """Wait for the first picture."""
    page.wait_for_selector("#views svg")


def answered(path: str, fields: Mapping[str, str]) -> dict[str, Any]:
    """What the server says."""
    try:
        return {"answer": json.loads(json.dumps(answers(path, dict(fields), Dropped())))}
    except FieldError as error:
        return {"refusal": error.document()}


# Workers that the page makes.
HIRED = """window.hired = [];
window.Worker = class extends Worker {
    constructor(...all) {
        super(...all);
        window.hired.push(this);
    }
};"""

# Asks the page's own worker past the documents.
ASKING = """async questions => {
    const [worker] = window.hired, found = [];
    await new Promise(done => {
        const hear = ({ data: { id, ...told } }) => {
            if (typeof id !== 'string') return;  // the page numbers its own
            found.push([Number(id), told]);
            if (found.length === questions.length) done();
        };
        worker.addEventListener('message', hear);
        questions.forEach(([path, fields], id) => worker.postMessage({ id: `${id}`, path, fields }));
    });
    return found.sort(([one], [other]) => one - other).map(([, told]) => told);
}"""


class Turned(NamedTuple):
    """What was seen of a link with turned controls: at first, and once there was Python.

    Attributes:
        page: as it is then.
        is_told: whether anything was said of Python at first.
        sliders: of the control that the link turns, thousandths.
        paths: of all lines.
        ghosts: lines that were drawn first, and stay.
    """

    page: Any
    is_told: bool
    sliders: tuple[float, float]
    paths: tuple[list[str], list[str]]
    ghosts: int


@pytest.fixture(scope="module")
def turned(browser: Any, host: str) -> Iterator[Turned]:
    """Once for all that look at it or ask its Python, whose start takes most of the time."""
    with visiting(browser, host) as page:
        page.set_default_timeout(LONGEST_MS)
        page.add_init_script(HIRED)
        page.goto(f"{host}latency/?context_tokens=200k")
        page.wait_for_selector("#canvas.stand-in svg path[d]", state="attached")
        is_told = page.locator("#notice:empty").count() == 0
        slider = page.locator("#control-context_tokens-slider")
        at_first, before = float(slider.input_value()), paths(page)
        page.wait_for_selector("#canvas:not(.stand-in)")
        settled(page)
        yield Turned(
            page,
            is_told,
            (at_first, float(slider.input_value())),
            (before, paths(page)),
            page.locator("#canvas svg [clip-path] > g.ghost > path").count(),
        )


def test_boards_are_drawn_from_files_before_there_is_any_python(visitor: Any, host: str) -> None:
    visitor.goto(host)
    visitor.wait_for_selector("svg")
    for board in BOARDS[:: len(BOARDS) // 6]:
        visitor.wait_for_load_state("networkidle")
        assert visitor.get_by_role("alert").count() == 0
        visitor.goto(f"{host}{board.name}/")
        drawn(visitor)
        assert visitor.title().startswith(board.title)
    visitor.wait_for_load_state("networkidle")
    assert visitor.get_by_role("alert").count() == 0
    assert not [one for one in visitor.asked if "/python/" in one or "worker" in one]


def test_addresses_stay_in_the_site_however_long_one_walks(visitor: Any, host: str) -> None:
    """From the first view to boards, the walk and back, each address is one that the host has."""
    visitor.goto(host)
    visitor.get_by_role("button", name="Go to the boards").click()
    visitor.wait_for_selector("#shelf path")
    assert visitor.url == f"{host}?boards=all"
    for name in ("cost", "ratio"):
        visitor.click("#boards")
        visitor.click(f"#shelf a[data-name={name}]")
        visitor.wait_for_url(f"{host}{name}/")
    visitor.click("#timeline .chapters a >> nth=1")
    visitor.wait_for_url(re.compile(re.escape(f"{host}?step=")))
    links = visitor.eval_on_selector_all("header a", "all => all.map(one => one.href)")
    assert all(re.fullmatch(rf"{re.escape(host)}(\?.*)?", link) for link in links)
    visitor.go_back()
    visitor.wait_for_url(f"{host}ratio/")
    visitor.reload()
    drawn(visitor)
    assert visitor.get_by_role("alert").count() == 0


def test_the_walk_needs_no_python(visitor: Any, host: str) -> None:
    steps = walk_document()["steps"]
    visitor.goto(f"{host}?step=1")
    drawn(visitor)
    for number in range(1, len(steps) + 1, 4):
        visitor.evaluate(TURN, f"{host}?step={number}")
        assert visitor.locator("#views svg").count()
    assert visitor.get_by_role("alert").count() == 0
    assert not [one for one in visitor.asked if "/python/" in one]


def test_the_table_of_claims_needs_no_python(visitor: Any, host: str) -> None:
    visitor.goto(f"{host}?claims=fails")
    visitor.wait_for_selector("#ledger tbody tr")
    failing = [claim for claim in CLAIMS if claim.verdict is Verdict.DOES_NOT_REPRODUCE]
    assert visitor.locator("#ledger tbody tr").count() == len(failing)
    visitor.locator("#ledger td.claimed a").first.click()
    visitor.wait_for_selector(".claim.lit[open]")
    visitor.go_back()
    visitor.wait_for_url(f"{host}?claims=fails")
    assert not [one for one in visitor.asked if "/python/" in one]


def test_the_first_turn_starts_python_which_draws_as_files_are_drawn_reads_a_configuration_and_says_a_refusal(
    visitor: Any, host: str, tmp_path: Path
) -> None:
    """One visit, since Python takes most of the time of each.

    The first view's number is turned, then a board's; what files draw is compared, a file is given, and what is refused
    is asked for.
    """
    names = ("cost", "kv-bytes", "cuts")
    from_files = {}
    for name in names:
        visitor.goto(f"{host}{name}/")
        drawn(visitor)
        settled(visitor)
        from_files[name] = paths(visitor)
        assert len(from_files[name]) > 2
    visitor.goto(host)
    assert not any("/python/" in one for one in visitor.asked)
    assert_contexts_follow_the_hand(visitor)
    fetched = [one for one in visitor.asked if "/python/" in one]
    visitor.evaluate(TURN, f"{host}latency/")
    settled(visitor)
    before = paths(visitor)
    visitor.locator("#controls input[type=range]").first.focus()
    visitor.keyboard.press("ArrowRight")
    visitor.wait_for_selector('#views[aria-busy="false"]')
    settled(visitor)
    assert paths(visitor) != before
    assert visitor.url.startswith(f"{host}latency/?")
    assert [one for one in visitor.asked if "/python/" in one] == fetched
    asked = len(visitor.asked)
    visitor.keyboard.press("ArrowRight")
    visitor.wait_for_selector('#views[aria-busy="false"]')
    assert len(visitor.asked) == asked
    for name in names:
        # Not among the documents, and passed over without a word, which would take room from the picture.
        visitor.evaluate(TURN, f"{host}{name}/?utm_source=letter")
        settled(visitor)
        assert visitor.get_by_role("alert").count() == 0
        assert visitor.locator("#notice:empty").count() == 1
        for mine, theirs in zip(paths(visitor), from_files[name], strict=True):
            assert_drawn_alike(mine, theirs)
    visitor.evaluate(TURN, f"{host}latency/?mode=careful")  # his numbers are of no model
    config = {"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32}
    config |= {"num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "torch_dtype": "bfloat16"}
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    visitor.locator("input[type=file]").first.set_input_files(path)
    visitor.wait_for_url(re.compile("model=config-"), timeout=LONGEST_MS)
    # As the server says it.
    visitor.evaluate(TURN, f"{host}latency/?context_tokens=far")
    said = visitor.get_by_role("alert").first
    said.wait_for(timeout=LONGEST_MS)
    refusal = answered("boards/latency/views", {"context_tokens": "far"})["refusal"]
    assert refusal["message"][:40] in said.inner_text()


def assert_contexts_follow_the_hand(visitor: Any) -> None:
    """Those of the first view, while Python starts."""
    number = visitor.locator("#home [role=slider][aria-label='tokens of context']")
    number.wait_for()
    price = visitor.locator("#home .price > b")
    written = price.inner_text()
    number.focus()
    visitor.keyboard.press("PageUp")
    # What is still of other contexts is faint.
    visitor.wait_for_selector("#home .hero.behind")
    tokens = number.get_attribute("aria-valuenow")
    assert float(tokens) > 10_000
    assert price.inner_text() == written
    notice = visitor.locator("#notice")
    notice.filter(has_text=re.compile(r"Starting Python in this page \([\d.]+ MB, once\)")).wait_for()
    visitor.locator("#notice:empty").wait_for(state="attached", timeout=LONGEST_MS)
    visitor.wait_for_selector("#home .hero:not(.behind):not([aria-busy])", timeout=LONGEST_MS)
    assert number.get_attribute("aria-valuenow") == tokens
    assert price.inner_text() != written
    assert "context_tokens=" in visitor.url


def test_a_link_with_turned_controls_is_drawn_at_once_and_glides_to_what_it_says(turned: Turned) -> None:
    """Before there is Python: where controls start, faintly, and the slider where the link has it."""
    assert turned.is_told
    control = next(
        one for one in answered("boards/latency", {})["answer"]["controls"] if one["name"] == "context_tokens"
    )
    part = math.log(200_000 / control["low"]) / math.log(control["high"] / control["low"])
    assert turned.sliders == pytest.approx((1000 * part, 1000 * part), abs=1)
    before, after = turned.paths
    assert after != before
    assert turned.ghosts > 2  # what was drawn first stays as ghost


def settled(page: Any) -> None:
    """Wait until no line glides any more."""
    page.wait_for_selector('#views[aria-busy="false"]')
    page.evaluate("document.fonts.ready")  # words in another font are as wide as others
    before = None
    while (now := paths(page)) != before:
        before = now
        page.wait_for_timeout(400)


NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"


def numbers(path: str) -> list[float]:
    return [float(one) for one in re.findall(NUMBER, path)]


MOST_APART_PX = 0.5
"""Two lines that leave out what the eye would not miss: up to 0.12 each, written to 0.1 where slopes are up to 1."""


def assert_drawn_alike(mine: str, theirs: str) -> None:
    """Two paths have the same numbers; lines to the right, which may keep other points, the same height everywhere."""
    found = [numbers(path) for path in (mine, theirs)]
    # Of a path with a part straight up or across not all numbers come in pairs.
    lines = [np.array(each[: len(each) // 2 * 2]).reshape(-1, 2).T for each in found]
    is_line = not any(len(each) % 2 for each in found)
    if not (is_line and all(line.size and np.all(np.diff(line[0]) > 0) for line in lines)):
        assert re.sub(NUMBER, "", mine) == re.sub(NUMBER, "", theirs)
        assert numbers(mine) == pytest.approx(numbers(theirs), abs=0.001)
        return
    x = np.union1d(lines[0][0], lines[1][0])
    one, other = (np.interp(x, *line) for line in lines)
    assert one == pytest.approx(other, abs=MOST_APART_PX), (mine, theirs)


def paths(page: Any) -> list[str]:
    """Of all lines; without the faint leaders of labels, which may take another free place where a line passes by.

    Files have fewer points of a line: it lies up to half a pixel off, which decides whether a place is free.
    """
    found: list[str] = page.locator("#views svg path:not([stroke-opacity='0.45'])").evaluate_all(
        "all => all.map((one) => one.getAttribute('d') ?? '')"
    )
    return found


ALONE = [{"mode": mode.value} for mode in Mode]


def test_boards_are_computed_in_the_page_as_on_the_server(
    turned: Turned, assert_near: Callable[[Any, Any, str], None]
) -> None:
    questions: list[Question] = []
    for board in BOARDS:
        path = f"boards/{board.name}/views"
        questions.append((path, {}))  # of both modes
        control = board.controls[0]
        middle = math.sqrt(max(control.low, control.high * 1e-6) * control.high)
        value = min(max(round(middle) if control.is_whole else middle, control.low), control.high)
        questions.append((path, {control.name: format_quantity(value, control.dimension, 6)}))
    # One mode alone has other axes, which are found alike on all boards.
    questions += [(f"boards/{one.name}/views", one_mode) for one in BOARDS[::5] for one_mode in ALONE]
    questions += [(f"exercises/{one.id}", {"answer": "1"}) for one in EXERCISES[::7]]
    questions += [("boards/latency", {"model": "llama-3.1-405b"}), ("boards/latency/views", {"model": "none"})]
    found = turned.page.evaluate(ASKING, questions)
    assert [one["failure"] for one in found if "failure" in one] == []
    for (path, fields), mine in zip(questions, found, strict=True):
        assert_near(json.loads(mine["text"]), answered(path, fields), f"{path} {fields}")


@pytest.mark.usefixtures("chromium")  # the export takes a third of a minute: it is made where others here use it, too
def test_the_whole_is_small(site: Path) -> None:
    folder = site.joinpath(*PLACE.split("/"))
    sizes = {path.relative_to(folder).as_posix(): path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    images = sum(size for place, size in sizes.items() if place.endswith("preview.png"))
    assert sum(sizes.values()) - images < MOST_BYTES
    assert sum(size for place, size in sizes.items() if place.startswith("documents/")) < 1_000_000
    said = json.loads((folder / "ridgeline-site.json").read_text())
    assert said["sent_bytes"] < 1_000_000
