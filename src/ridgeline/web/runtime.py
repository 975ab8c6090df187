"""Python for a static page: Pyodide from its npm package, and one archive of what the answers need, compiled by it."""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
import tempfile
import zlib
from importlib import metadata
from pathlib import Path

from ridgeline.web.python_tree import LIBRARIES, python_tree

__all__ = ["NoRuntimeError", "compressed", "python_files"]

PACKAGE = "pyodide@314"
"""Name and version of the npm package: Python 3.14 and later patch releases."""

PREPARE = Path(__file__).parent / "worker" / "prepare.cjs"
PIECES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""Files of the npm package that are shipped; its standard library is repacked."""
MODULES = "modules.zip"
LOCK = "pyodide-lock.json"
LICENCES = "licences.txt"
LONGEST_S = 600
"""Time limit of a download or a compilation, s."""


class NoRuntimeError(Exception):
    """Error with the reason for which there is no Python for the page."""


def python_files() -> dict[str, bytes]:
    """The files of the folder ``python``, by name.

    Raises:
        NoRuntimeError: npm or Node is not at hand, or fails; says why.
    """
    tools = {name: shutil.which(name) for name in ("npm", "node")}
    for name, path in tools.items():
        if path is None:
            raise NoRuntimeError(f"{name} is not at hand")
    with tempfile.TemporaryDirectory(prefix="ridgeline-site-") as made:
        folder = Path(made)
        package = _fetched(folder, str(tools["npm"]))
        modules = _compiled(folder, package, str(tools["node"]))
        pieces = {name: (package / name).read_bytes() for name in PIECES} | {MODULES: modules}
        plain = {LOCK: _lock(package), LICENCES: _licences(package).encode()}
    return {f"{name}.gz.bin": compressed(content) for name, content in pieces.items()} | plain


GZIP = 16 + zlib.MAX_WBITS
"""Window bits with which zlib writes a gzip stream."""


def compressed(content: bytes) -> bytes:
    """Content as the shorter of two gzip streams, the same bytes each time."""
    # Rows of small differences shrink further where short matches count for less.
    made = [
        zlib.compressobj(9, zlib.DEFLATED, GZIP, strategy=way) for way in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED)
    ]
    return min((one.compress(content) + one.flush() for one in made), key=len)


def _fetched(folder: Path, npm: str) -> Path:
    """Folder of the unpacked package, from npm's cache where possible."""
    _run([npm, "pack", PACKAGE, "--silent", "--pack-destination", str(folder)], "npm did not give Pyodide")
    (archive,) = folder.glob("*.tgz")
    with tarfile.open(archive) as held:
        held.extractall(folder, filter="data")
    return folder / "package"


def _compiled(folder: Path, package: Path, node: str) -> bytes:
    """The archive that the page's worker imports from."""
    tree, archive = folder / "tree", folder / MODULES
    for place, content in python_tree().items():
        path = tree / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    _run([node, str(PREPARE), str(package), str(tree), str(archive)], "Pyodide did not answer")
    return archive.read_bytes()


def _run(command: list[str], failure: str) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=LONGEST_S)  # noqa: S603  ours
    except subprocess.TimeoutExpired:
        raise NoRuntimeError(f"{failure} in {LONGEST_S} s") from None
    except subprocess.CalledProcessError as error:
        said = [line for line in error.stderr.splitlines() if line.strip()]
        raise NoRuntimeError(f"{failure}: {said[-1][:LONGEST_SAID] if said else 'it says nothing'}") from None


LONGEST_SAID = 300
"""Length limit of another program's error text, characters."""


def _lock(package: Path) -> bytes:
    """Lock file with the Python version and no packages, so that nothing outside the archive is fetched."""
    whole = json.loads((package / LOCK).read_text(encoding="utf-8"))
    return json.dumps({"info": whole["info"], "packages": {}}).encode()


def _licences(package: Path) -> str:
    """Text of the licences of everything in the folder, with names and versions."""
    said = json.loads((package / "package.json").read_text(encoding="utf-8"))
    python = "With CPython and its standard library (PSF License Agreement, https://docs.python.org/3/license.html)."
    parts = [f"{said['name']} {said['version']} ({said['license']})\n\n{said['homepage']}\n{python}\n"]
    for name in LIBRARIES:
        held = metadata.distribution(name)
        about = {key: held.metadata[key] for key in ("License", "Home-page") if key in held.metadata}
        files = [one for one in held.files or () if "licen" in one.name.lower()]
        texts = [one.read_text(encoding="utf-8").strip() for one in files]
        parts.append("\n\n".join((f"{name} {held.version}", *about.values(), *texts)) + "\n")
    return f"\n{'-' * 80}\n\n".join(parts)
