from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ridgeline.studies.read import study_of
from ridgeline.studies.study import Study
from ridgeline.studies.sweep import sweep

SMALL = (Path(__file__).parent / "small.toml").read_text()


@pytest.fixture
def small() -> Callable[[str], Study]:
    """A small study at a fidelity."""
    return lambda fidelity: study_of(SMALL.replace("roofline", fidelity), "small.toml")


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the small study in five shards, by a thread: other processes take seconds to start."""
    folder = tmp_path_factory.mktemp("swept") / "small"
    with ThreadPoolExecutor(1) as executor:
        sweep(study_of(SMALL, "small.toml"), folder, executor=executor, per_shard=20)
    return folder
