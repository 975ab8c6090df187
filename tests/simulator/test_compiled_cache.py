"""Compiled code is kept for as long as the sources that went into it stay as they are."""

from __future__ import annotations

import ast
import inspect
import os
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

import ridgeline
from ridgeline.simulator.compiled_cache import drop_stale

PLAYED = """
import numpy as np
from ridgeline.simulator.capacity import capacity_of
from ridgeline.simulator.limits import limits_for
from ridgeline.simulator.policies import CONTINUOUS
from ridgeline.simulator.simulate import fleet_of
from ridgeline.traces.requests import Requests
from ridgeline.verbs import deploy

deployment = deploy("llama-3.1-8b", "h100-sxm", "tp1")
limits = limits_for(deployment, CONTINUOUS, capacity_of(deployment, 1500.0))
for is_compiled in (True, False):
    (replica,) = fleet_of(deployment, limits, 1, is_compiled=is_compiled)
    prompts = np.arange(100, 1000, 100)
    replica.give(Requests(arrivals_s=np.arange(9.0), prompt_tokens=prompts, output_tokens=np.full(9, 50)))
    replica.run(float("inf"))
    print([float(one).hex() for one in replica.take_finished().done_s])
"""


def module_at(path: Path) -> ModuleType:
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    return module_from_spec(spec)


def test_compiled_code_goes_when_a_source_changes(tmp_path: Path) -> None:
    sources = [tmp_path / "helper.py", tmp_path / "other.py"]
    for source in sources:
        source.write_text("ONE = 1\n")
    folder = tmp_path / "kept"
    folder.mkdir()
    compiled, bytecode = [folder / "play-34.py312.nbi", folder / "play-34.py312.1.nbc"], folder / "play.cpython-312.pyc"

    def left() -> list[bool]:
        drop_stale(folder, map(module_at, sources))
        return [one.exists() for one in (*compiled, bytecode)]

    def fill() -> None:
        for one in (*compiled, bytecode):
            one.touch()

    fill()
    assert left() == [False, False, True]  # of sources that nobody knows
    fill()
    assert left() == [True, True, True]
    sources[1].write_text("ONE = 2 + 0\n")
    assert left() == [False, False, True]
    fill()
    assert left() == [True, True, True]


@pytest.mark.slow
def test_all_that_the_loop_names_is_among_its_sources() -> None:
    compiled = pytest.importorskip("ridgeline.simulator.compiled")
    functions = (compiled.play, *compiled.PIECES)
    for function in functions:
        tree = ast.parse(inspect.getsource(sys.modules[function.__module__]))
        homes = {
            name.asname or name.name: one.module
            for one in ast.walk(tree)
            if isinstance(one, ast.ImportFrom)
            for name in one.names
        }
        for name in function.__code__.co_names:
            home = homes.get(name) or ""
            if home.startswith("ridgeline"):
                assert home in compiled.SOURCES, f"{function.__name__} names {name}"


@pytest.mark.slow  # compiles once, and twice where nothing has run the loop here before
def test_a_changed_helper_is_compiled_anew(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    package = tmp_path / "ridgeline"
    ours = Path(ridgeline.__file__).parent
    shutil.copytree(ours, package, ignore=shutil.ignore_patterns("*.pyc", "page"))  # what Numba keeps comes along
    asked = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}

    def played() -> list[str]:
        run = [sys.executable, "-c", PLAYED]
        with_copy = {**asked, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(run, env=with_copy, check=True, capture_output=True, text=True)  # noqa: S603  our own
        return done.stdout.splitlines()

    before, interpreted_before = played()
    assert before == interpreted_before
    assert list(package.rglob("*.nbc"))
    helper = package / "simulator" / "step_runs.py"
    text = helper.read_text()
    changed = text.replace("return step_s, rise_s, steps", "return 2 * step_s, rise_s, steps")
    assert changed != text
    helper.write_text(changed)
    after, interpreted_after = played()
    assert interpreted_after != interpreted_before
    assert after == interpreted_after
