"""Examples are sought only where there are any: seven of eight modules have none."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Leave out modules of doctests without a prompt: each would be imported, and each of its objects looked at."""
    found = yield
    has_examples = any(type(one) is not pytest.Module for one in found) and ">>>" in file_path.read_text("utf-8")
    return [one for one in found if has_examples or type(one) is pytest.Module]
