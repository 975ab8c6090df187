"""What tests share: catalog models and machines by id, and the evidence folder where there is one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Deadlines measure the machine, not the code; the same examples every time make a failure findable.
settings.register_profile(
    "repeatable", deadline=None, derandomize=True, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def evidence() -> Path:
    """The folder of measured cases beside the project."""
    folder = Path(__file__).parents[2] / "shared" / "evidence"
    if not folder.is_dir():
        pytest.skip(f"no measured cases: {folder} is not there")
    return folder
