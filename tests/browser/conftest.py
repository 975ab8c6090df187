"""A server, a browser and visitors for all tests of the page; without the browser they are passed over, and say so."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ridgeline.web.app import app

# A machine without the network must not be asked for updates, and root has no sandbox.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # words of the shell are as wide as those of the browser, which hints none
    "--force-gpu-mem-available-mb=0",  # all is laid out and painted, but no pixels are filled, at which nobody looks
)

PICTURE = "figure svg[role=img], figure .scene > svg"
"""Of the view that is large."""

# Goes to an address within the page, as a step back does, and waits until all that it asked for is drawn.
TURN = """async query => {
    const frame = () => new Promise(requestAnimationFrame);
    const rest = async () => { await frame(); await frame(); };
    history.pushState(null, '', query);
    dispatchEvent(new PopStateEvent('popstate'));
    await rest();
    const latest = performance.now() + 30_000;
    while (document.querySelector('#views')?.getAttribute('aria-busy') !== 'false') {
        if (performance.now() > latest) throw new Error(`${query} is not drawn`);
        await frame();
    }
    await rest();
}"""

# Goes to the table of claims, which stands where boards do.
AWAY = """async () => {
    document.activeElement?.blur();
    history.pushState(null, '', '?claims=fails');
    dispatchEvent(new PopStateEvent('popstate'));
    const latest = performance.now() + 30_000;
    while (!document.querySelector('#ledger tbody tr') || document.querySelector('#board, #home, #ending')) {
        if (performance.now() > latest) throw new Error('the table of claims is not drawn');
        await new Promise(requestAnimationFrame);
    }
    scrollTo(0, 0);
}"""

# Goes to the first view, as its mark in the header leads there.
HOME = """() => {
    history.pushState(null, '', location.pathname);
    dispatchEvent(new PopStateEvent('popstate'));
}"""

# Answers are kept in the page: what is looked at is what is drawn of them, however often.
KEPT = """() => {
    const kept = new Map(), ask = window.fetch;
    window.fetch = (address, ...rest) => {
        if (rest.length && rest[0]) return ask(address, ...rest);
        if (!kept.has(address)) kept.set(address, ask(address));
        return kept.get(address).then(answer => answer.clone());
    };
}"""

SLIDERS_OWN = "Ignored attempt to cancel a touchstart event"


class Visitor:
    """Hands and eyes on a page of their own, which must not complain nor ask another host for anything.

    Attributes:
        page: the browser's.
        complaints: what it said on its console, and errors that nothing caught.
        foreign: addresses of other hosts that were asked.
    """

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        self.foreign: list[str] = []
        self._ears = {"console": self._hear, "pageerror": self._suffer, "request": self._watch}
        for event, ear in self._ears.items():
            page.on(event, ear)

    def go(self) -> None:
        """Leave the page to others."""
        for event, ear in self._ears.items():
            self.page.remove_listener(event, ear)

    def _hear(self, said: Any) -> None:
        # A browser asks for an icon of a sheet of styles, on which a page waits for its next visitor. And its own
        # sliders would keep a finger that comes while a scroll rolls out; the page's listeners cancel no touch.
        is_its_own = said.location["url"].endswith("/favicon.ico") or said.text.startswith(SLIDERS_OWN)
        if said.type in {"error", "warning"} and not is_its_own:
            self.complaints.append(said.text)

    def _suffer(self, error: Any) -> None:
        self.complaints.append(str(error))

    def _watch(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.foreign.append(request.url)

    def open(self, query: str = "", *, is_told: bool = True) -> Any:
        """Load an address; the page, once all that it asked for is drawn.

        Args:
            query: what the address asks for.
            is_told: whether a step that has an answer chosen before its picture is seen is told without one.
        """
        self.page.goto(f"{self.address}/{query}")
        self.page.wait_for_selector(PICTURE)
        self.page.evaluate("document.fonts.ready")  # words in another font are as wide as others
        self.settle()
        return self._told(is_told=is_told)

    def home(self) -> Any:
        """The first view, with all that comes late."""
        self.page.goto(f"{self.address}/")
        return self._at_home()

    def come_home(self) -> Any:
        """The first view within the page that is loaded, as ``come`` has boards, with all that comes late."""
        self.page.mouse.move(0, 0)
        self.page.evaluate(AWAY)
        self.page.evaluate(HOME)
        return self._at_home()

    def _at_home(self) -> Any:
        self.page.wait_for_selector(".failing")
        self.page.wait_for_selector("#timeline .dot >> text=/: ./", state="attached")
        self.page.wait_for_selector("#home .chart svg[aria-label]")
        self.page.evaluate("document.fonts.ready")
        self.rest()
        return self.page

    def turn_to(self, query: str, *, is_told: bool = True) -> Any:
        """Another address within the page that is loaded, as a step back leads there; all that it asks for is drawn."""
        self.page.evaluate(TURN, query)
        return self._told(is_told=is_told)

    def come(self, query: str, *, is_told: bool = True) -> Any:
        """As who turns to an address from one that has no board: what a hand left on a board is gone with it."""
        self.page.mouse.move(0, 0)
        self.page.evaluate(AWAY)
        return self.turn_to(query, is_told=is_told)

    def screen(self, width: int, height: int) -> None:
        """Another size of the window, pixels."""
        self.page.set_viewport_size({"width": width, "height": height})

    def _told(self, *, is_told: bool) -> Any:
        """The page, its picture seen where that waits for an answer to be chosen."""
        if self.page.locator("figure[inert]").count():
            self.page.wait_for_selector(".options .show-it")
            if is_told:
                self.page.click(".options .show-it")
                self.settle()
        return self.page

    def unfold(self) -> None:
        """Controls of a board's other pictures are seen, too."""
        more = self.page.locator("#controls > .more[aria-expanded=false]")
        if more.count():
            more.click()

    def settle(self) -> None:
        """Wait until all that was asked for is drawn."""
        self.page.wait_for_selector("#views[aria-busy=false]", state="attached")
        self.rest()

    def rest(self) -> None:
        """Wait for two frames."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def drag(self, target: Any, way: tuple[float, float], *, steps: int = 10, lift: bool = True) -> None:
        """A mouse on the middle of an element that lies still, moved so far in so many steps, and what it asked for is
        under way."""
        target.scroll_into_view_if_needed()
        self.rest()
        box = target.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + way[0], y + way[1], steps=steps)
        if lift:
            self.page.mouse.up()
        self.rest()

    def check(self) -> None:
        """Nothing was complained of and nobody else asked since the last look."""
        foreign, said = self.foreign[:], self.complaints[:]
        self.foreign.clear()
        self.complaints.clear()
        assert foreign == []
        assert said == []


class Remembered:
    """What the server said to a question, said again: each load of the page asks for a dozen that never change.

    Whether it says the same each time is for tests/web to see; of what a visitor dropped nothing is kept.
    """

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        """Keep what an app says in a folder, where servers of other processes read it."""
        self._app = app
        self._folder = folder
        self._said: dict[tuple[str, bytes], list[Message]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_question = scope["type"] == "http" and scope["method"] == "GET" and not scope["path"].startswith("/assets/")
        if not is_question or b"config-" in scope["query_string"]:
            await self._app(scope, receive, send)
            return
        question = (scope["path"], scope["query_string"])
        said = self._said.get(question) or self._read(question)
        if said is None:
            said = []

            async def heard(message: Message) -> None:
                said.append(message)

            await self._app(scope, receive, heard)
            self._write(question, said)
        self._said[question] = said
        for message in said:
            await send(message)

    def _place(self, question: tuple[str, bytes]) -> Path:
        return self._folder / hashlib.sha256(repr(question).encode()).hexdigest()

    def _read(self, question: tuple[str, bytes]) -> list[Message] | None:
        with contextlib.suppress(FileNotFoundError):
            found: list[Message] = pickle.loads(self._place(question).read_bytes())  # noqa: S301  written below
            return found
        return None

    def _write(self, question: tuple[str, bytes], said: list[Message]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        place = self._place(question)
        made = place.with_suffix(f".{os.getpid()}")
        made.write_bytes(pickle.dumps(said))
        made.replace(place)  # whole, or not there


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a server on this machine."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own  # by all processes of the run
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as the command does
    server = uvicorn.Server(
        uvicorn.Config(Remembered(app(), shared / "answers"), log_level="warning", access_log=False)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join()


def chromium_path() -> str | None:
    """The shell has no windows to draw nor anything to keep for them: the same pages in less time."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser without a screen."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the group browser is not installed")
    path = chromium_path()
    if path is None:
        pytest.skip("there is no chromium; apt-get install chromium-headless-shell")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


class Seats:
    """Pages of a browser that are handed on from visitor to visitor: a further load of one takes a third of a first."""

    def __init__(self, browser: Any, address: str) -> None:
        self._browser = browser
        self._address = address
        self._free: dict[bool, list[Any]] = {False: [], True: []}

    def take(self, *, touch: bool) -> Any:
        """A page of which nobody has seen anything: what the last visitor's kept is gone, and the mouse is away."""
        page = self._free[touch].pop() if self._free[touch] else self._made(touch=touch)
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        page.mouse.move(0, 0)
        return page

    def _made(self, *, touch: bool) -> Any:
        context = self._browser.new_context(has_touch=touch, accept_downloads=True)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        self._rest(page)
        return page

    def _rest(self, page: Any) -> None:
        """Where a page waits for its next visitor, of the same origin and without a script: one that nobody looks at
        would go on to play, with a quarter to half of a core."""
        page.goto(f"{self._address}/theme.css")

    def leave(self, page: Any, *, touch: bool) -> None:
        """For the next; one on which something hangs is closed."""
        page.mouse.up()
        page.unroute_all()
        if len(page.context.pages) > 1:
            page.context.close()
        else:
            self._rest(page)
            self._free[touch].append(page)


@pytest.fixture(scope="session")
def seats(chromium: Any, address: str) -> Seats:
    """For all visitors of all tests, of whom each loads the page anew."""
    return Seats(chromium, address)


@pytest.fixture
def visitors(seats: Seats, address: str) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors with the screen, the theme and the wish for motion that are asked for."""
    met: list[tuple[Visitor, bool]] = []

    def made(
        *, width: int = 1440, height: int = 900, scheme: str = "light", motion: str = "reduce", touch: bool = False
    ) -> Visitor:
        page = seats.take(touch=touch)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion=motion)
        met.append((Visitor(page, address), touch))
        return met[-1][0]

    yield made
    for one, touch in met:
        one.go()
        seats.leave(one.page, touch=touch)
    for one, _ in met:
        one.check()


@pytest.fixture
def visitor(visitors: Callable[..., Visitor]) -> Visitor:
    """One before a wide screen, who wants no motion: what is asked for is there at once."""
    return visitors()


class Stays:
    """Those who stay from test to test, whose page is loaded once, and anew after a test that failed."""

    def __init__(self, browser: Any, address: str) -> None:
        self._browser = browser
        self._address = address
        self._met: dict[bool, tuple[Visitor, int]] = {}

    def guest(self, *, touch: bool, failures: int) -> Visitor:
        """Before a wide screen, or one for fingers; of what others guessed nothing is kept.

        Args:
            touch: whether it is one for fingers.
            failures: how many tests have failed until now: the last may have left anything.
        """
        one, known = self._met.get(touch, (None, failures))
        if one and known != failures:
            one.page.context.close()
            one = None
        if one is None:
            context = self._browser.new_context(has_touch=touch, reduced_motion="reduce")
            one = Visitor(context.new_page(), self._address)
            one.open("?board=latency")
            one.page.evaluate(KEPT)
        self._met[touch] = (one, failures)
        one.page.evaluate("localStorage.clear()")
        return one


@pytest.fixture(scope="session")
def stays(chromium: Any, address: str) -> Stays:
    """For tests that look at many boards, or that need no page of their own: to load one takes as long as six turns."""
    return Stays(chromium, address)


@pytest.fixture
def resident(stays: Stays, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """One who stays from test to test, before a wide screen."""
    one = stays.guest(touch=False, failures=request.session.testsfailed)
    one.screen(1440, 900)
    # A dot of another's guess may wait on the chart of the same step.
    if one.page.locator(".ask, .options").count():
        one.turn_to("?board=latency")
    yield one
    one.check()


@pytest.fixture
def mover(resident: Visitor) -> Iterator[Visitor]:
    """The same, to whom for one test all glides and plays."""
    resident.page.emulate_media(reduced_motion="no-preference")
    yield resident
    resident.page.emulate_media(reduced_motion="reduce")
    resident.page.evaluate(AWAY)  # what plays would play on while other pages are looked at


@pytest.fixture
def phone(stays: Stays, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """One who stays from test to test, before a phone."""
    one = stays.guest(touch=True, failures=request.session.testsfailed)
    one.screen(390, 844)
    yield one
    one.check()
