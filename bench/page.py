"""How fast the page is: to the first board, from a key to the painted curve, and under a hand that drags.

    uv run --group browser --extra web python bench/page.py

Prints times beside the machine; asserts nothing. What a frame costs is CPU time of the page's thread, which other
programs on the machine do not lengthen; 16.7 ms of it are 60 frames a second.
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

# A turn of the slider, the first path that it changes, and the message after the frame that paints it.
KEY = """async () => {
    const slider = document.querySelector('#controls input[type=range]');
    const picture = document.querySelector('#canvas');
    const before = performance.now();
    const drawn = new Promise(done => {
        const observer = new MutationObserver(() => { observer.disconnect(); done(); });
        const attributeFilter = ['d', 'transform', 'x', 'width'];
        const words = { childList: true, characterData: true };
        observer.observe(picture, { subtree: true, attributes: true, attributeFilter, ...words });
    });
    slider.value = Number(slider.value) + (Number(slider.value) > 500 ? -150 : 150);  // far enough for whole counts
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    slider.dispatchEvent(new Event('change', { bubbles: true }));
    await Promise.race([drawn, new Promise(done => setTimeout(done, 2000))]);
    await new Promise(done => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = done;
        port2.postMessage(null);
    }));
    return performance.now() - before;
}"""
# A hand that moves the slider in every frame for some seconds: milliseconds from frame to frame.
DRAG = """async seconds => {
    const slider = document.querySelector('#controls input[type=range]');
    const start = Number(slider.value), times = [];
    const began = performance.now();
    let last = began;
    while (last - began < 1000 * seconds) {
        const way = 0.5 - 0.5 * Math.cos((last - began) / 600);  // there and back
        slider.value = start + (start > 500 ? -1 : 1) * 200 * way;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise(requestAnimationFrame);
        times.push(performance.now() - last);
        last = performance.now();
    }
    slider.dispatchEvent(new Event('change', { bubbles: true }));
    return times;
}"""
DRAG_S = 2.0


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
        frames: list[float] = []
        costs: list[float] = []
        for one in BOARDS:
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            start = time.perf_counter()
            page.goto(f"{address}/?board={one.name}")
            page.wait_for_selector("figure svg[role=img], figure .scene > svg")
            first.append(time.perf_counter() - start)
            times = _keys(page)
            every += times
            steps, cpu_ms = _dragged(page)
            frames += steps
            costs.append(cpu_ms)
            print(
                f"{one.name:16s} first {first[-1]:5.2f} s   key to paint p50 {np.median(times):4.0f} ms"
                f"   p95 {np.quantile(times, 0.95):4.0f} ms   frame {cpu_ms:4.1f} ms CPU,"
                f" p50 {np.median(steps):3.0f} ms   p95 {np.quantile(steps, 0.95):3.0f} ms"
            )
            page.close()
        print(
            f"all boards: first board {max(first):.2f} s at most; key to paint p50 {np.median(every):.0f} ms,"
            f" p95 {np.quantile(every, 0.95):.0f} ms; under a hand {1000 / np.mean(frames):.0f} frames/s,"
            f" a frame {np.median(costs):.1f} ms CPU (at most {max(costs):.1f}), p95 {np.quantile(frames, 0.95):.0f} ms"
        )
        browser.close()
    return 0


def _keys(page: Any) -> list[float]:  # noqa: ANN401  the browser's types come with it
    return [page.evaluate(KEY) for _ in range(WARM + KEYS)][WARM:]


def _dragged(page: Any) -> tuple[list[float], float]:  # noqa: ANN401  the same
    """Times from frame to frame under a hand, and what a frame costs of the page's thread, in milliseconds."""
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent_s() -> float:
        return next(
            float(it["value"]) for it in tools.send("Performance.getMetrics")["metrics"] if it["name"] == "TaskDuration"
        )

    before_s = spent_s()
    steps = page.evaluate(DRAG, DRAG_S)
    return steps, 1000 * (spent_s() - before_s) / len(steps)


if __name__ == "__main__":
    sys.exit(main())
