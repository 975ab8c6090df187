"""The README's pictures of the page: its first view, light and dark.

    uv run --group browser python bench/page_picture.py --write

Anew after a change that the pictures show; without ``--write`` it says where they would go.
"""

from __future__ import annotations

import io
import shutil
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import uvicorn
from PIL import Image
from playwright.sync_api import sync_playwright

from ridgeline.web.app import app

FIGURES = Path(__file__).parents[1] / "docs" / "figures"
SIZE: Any = {"width": 1280, "height": 820}  # the browser's types come with it, which not everybody has
THEMES: tuple[Any, ...] = ("light", "dark")
SCALE = 1.5
"""Pixels of the picture for one of the page: letters stay sharp on a screen with more of them."""
COLOURS = 128
"""Of the picture: enough for flat colours and the edges of letters, at a third of the bytes."""
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")


def main() -> int:
    """Draw both, or say which."""
    places = {scheme: FIGURES / f"page-{scheme}.png" for scheme in THEMES}
    if "--write" not in sys.argv:
        print(f"--write draws the first view into {', '.join(map(str, places.values()))}")
        return 0
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app(), log_level="warning", access_log=False))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        for scheme, place in places.items():
            context = browser.new_context(
                viewport=SIZE, device_scale_factor=SCALE, color_scheme=scheme, reduced_motion="reduce"
            )
            page = context.new_page()
            page.goto(address)
            # The dots of the time line come last.
            for drawn in ("#home .chart svg[aria-label]", "#timeline a.dot", ".failing"):
                page.wait_for_selector(drawn)
            page.evaluate("document.fonts.ready")
            page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            picture.quantize(COLOURS, dither=Image.Dither.NONE).save(place, optimize=True)
            print(f"{place}: {place.stat().st_size / 1e3:.0f} kB")
            context.close()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
