"""How fast the page is: from a key on a slider to the painted curve, and from an empty browser to the first board.

    uv run --group browser --extra web python bench/page.py

Prints times beside the machine; asserts nothing.
"""

from __future__ import annotations

import gzip
import platform
import shutil
import socket
import sys
import threading
import time
from typing import Any

import numpy as np
import uvicorn
from playwright.sync_api import sync_playwright

from ridgeline.boards.lecture import BOARDS
from ridgeline.web.app import PAGE, app

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
WARM, KEYS = 4, 40

# A key on the slider, its pictures replaced, and the message after the frame that paints them.
KEY = """async () => {
    const slider = document.querySelector('#controls input[type=range]');
    const figures = document.querySelectorAll('.canvas');
    const before = performance.now();
    const drawn = new Promise(done => {
        const seen = new Set();
        const observer = new MutationObserver(changes => {
            changes.forEach(change => seen.add(change.target));
            if (seen.size >= figures.length) { observer.disconnect(); done(); }
        });
        figures.forEach(figure => observer.observe(figure, { childList: true }));
    });
    slider.value = Number(slider.value) + (Number(slider.value) > 500 ? -150 : 150);  // far enough for whole counts
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await drawn;
    await new Promise(done => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = done;
        port2.postMessage(null);
    }));
    return performance.now() - before;
}"""


def main() -> int:
    """Measure all boards."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as the command does
    server = uvicorn.Server(uvicorn.Config(app(), log_level="warning", access_log=False))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    weight = sum(len(gzip.compress(path.read_bytes())) for path in PAGE.rglob("*") if path.is_file())
    print(f"{platform.machine()}, {platform.python_version()}; page {weight / 1e3:.0f} kB gzipped")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        browser.new_page().goto(f"{address}/")  # which fills the server's caches
        first = []
        every: list[float] = []
        for one in BOARDS:
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            start = time.perf_counter()
            page.goto(f"{address}/?board={one.name}")
            page.wait_for_selector("figure svg[role=img]")
            first.append(time.perf_counter() - start)
            times = _keys(page)
            every += times
            print(
                f"{one.name:16s} first {first[-1]:5.2f} s   key to paint p50 {np.median(times):4.0f} ms"
                f"   p95 {np.quantile(times, 0.95):4.0f} ms"
            )
            page.close()
        print(
            f"all boards: first board {max(first):.2f} s at most; key to paint p50 {np.median(every):.0f} ms,"
            f" p95 {np.quantile(every, 0.95):.0f} ms"
        )
        browser.close()
    return 0


def _keys(page: Any) -> list[float]:  # noqa: ANN401  the browser's types come with it
    return [page.evaluate(KEY) for _ in range(WARM + KEYS)][WARM:]


if __name__ == "__main__":
    sys.exit(main())
