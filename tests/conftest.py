"""What tests share: catalog models and machines by id, and the evidence folder where there is one."""

from __future__ import annotations

import gc
import math
import os
import sys
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Workers share the cores; threads for products of small matrices would only wait for each other. Before NumPy is there.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from ridgeline.catalog import load_model, model_ids
from ridgeline.cli import SEARCHED_FOR_GARBAGE

# Deadlines measure the machine, not the code; the same examples every time make a failure findable.
settings.register_profile(
    "repeatable", deadline=None, derandomize=True, max_examples=20, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")


def pytest_configure(config: pytest.Config) -> None:
    """Where Python is told to keep nothing of what it compiles, keep it until the end, outside the tree.

    Else each worker, and each of the programs that tests start, compiles all that it imports.
    """
    if sys.dont_write_bytecode and not hasattr(config, "workerinput"):
        kept = tempfile.TemporaryDirectory(prefix="ridgeline-bytecode-")
        config.add_cleanup(kept.cleanup)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = kept.name


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep a file's tests on one worker, so that what they share is computed once: fixtures, plans, surfaces.

    Slow tests and those of the browser are few and long, and better spread one by one.
    """
    items.sort(key=_place)
    browsers = str(Path(__file__).parent / "browser")
    for item in items:
        is_browsers = str(item.path).startswith(browsers)
        if not (is_browsers or any(item.get_closest_marker(name) for name in ("slow", "xdist_group"))):
            item.add_marker(pytest.mark.xdist_group(str(item.path)))


def _place(item: pytest.Item) -> tuple[object, ...]:
    return item.path.parts, isinstance(item, pytest.DoctestItem)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let every other worker find its tests from the last file to the first.

    Each compiles the files that no other has compiled before it; so each compiles half of them.
    """
    report = yield
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if int(worker.removeprefix("gw")) % 2 and isinstance(collector, (pytest.Session, pytest.Directory)):
        report.result = report.result and report.result[::-1]
    return report


def pytest_collection() -> None:
    """Seek no garbage among what is collected, which all stays."""
    gc.disable()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Nor while tests run: only in what they leave, and no more often than a command of the program.

    And see that groups are groups: xdist reads them from the tests' names, which it has to have written there.
    """
    if getattr(session.config.option, "loadgroup", False):
        alone = [one.nodeid for one in session.items if one.get_closest_marker("xdist_group") and "@" not in one.nodeid]
        if alone:
            raise pytest.UsageError(f"{len(alone)} tests have lost their group, as {alone[0]}: see pytest's pin")
    gc.freeze()
    gc.set_threshold(SEARCHED_FOR_GARBAGE)
    gc.enable()


def one_model_of_each_kind() -> list[str]:
    """The first model of the catalog with each set of attention and feed-forward kinds: what generated tests try."""
    found: dict[object, str] = {}
    for model_id in model_ids():
        groups = load_model(model_id).groups
        kinds = frozenset((type(group.attention), type(group.feed_forward)) for group in groups)
        found.setdefault(kinds, model_id)
    return sorted(found.values())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a ``varied_model_id`` one model of each kind, an ``every_model_id`` the others, too, as slow tests."""
    if "varied_model_id" in metafunc.fixturenames:
        metafunc.parametrize("varied_model_id", one_model_of_each_kind())
    if "every_model_id" in metafunc.fixturenames:
        varied = one_model_of_each_kind()
        all_of_them = [one if one in varied else pytest.param(one, marks=pytest.mark.slow) for one in model_ids()]
        metafunc.parametrize("every_model_id", all_of_them)


@pytest.fixture(scope="session")
def evidence() -> Path:
    """The folder of measured cases beside the project."""
    return _beside("evidence")


@pytest.fixture(scope="session")
def published_configs() -> Path:
    """The folder of configuration files as published beside the project."""
    return _beside("reference/data/model_configs")


@pytest.fixture(scope="session")
def traces() -> Path:
    """The folder of logs of requests beside the project."""
    return _beside("reference/traces")


def _beside(name: str) -> Path:
    folder = Path(__file__).parents[2] / "shared" / name
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    return folder


NEAR = 1e-9
"""Relative, or of the largest number of a row: a line that ends at zero comes there by subtraction."""


@pytest.fixture(scope="session")
def assert_near() -> Callable[[Any, Any, str], None]:
    """Compare documents from two machines: words and shapes alike, and numbers to a billionth."""

    def compare(mine: Any, theirs: Any, where: str, scale: float = 0.0) -> None:  # noqa: ANN401  any part of a document
        if isinstance(theirs, dict):
            assert set(mine) == set(theirs), where
            for name, one in theirs.items():
                compare(mine[name], one, f"{where}.{name}")
        elif isinstance(theirs, (list, tuple)):
            assert len(mine) == len(theirs), where
            size = max((abs(one) for one in theirs if isinstance(one, float)), default=0.0)
            for place, (a, b) in enumerate(zip(mine, theirs, strict=True)):
                compare(a, b, f"{where}[{place}]", size)
        elif isinstance(theirs, float):
            assert math.isclose(mine, theirs, rel_tol=NEAR, abs_tol=NEAR * scale), f"{where}: {mine} is not {theirs}"
        else:
            assert mine == theirs, where

    return compare
