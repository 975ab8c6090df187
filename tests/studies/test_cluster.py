"""The same bytes from a Dask cluster on loopback, one of whose two workers is killed in the middle."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from ridgeline.studies.axis import StudyError
from ridgeline.studies.study import Study
from ridgeline.studies.sweep import Swept, sweep

DASK = Path(sys.executable).with_name("dask")
PATIENCE_S = 60
"""For what takes a few seconds on a machine that does nothing else."""


@contextmanager
def started(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends with the block, whatever happens."""
    running = subprocess.Popen([str(DASK), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603  our own
    try:
        yield running
    finally:
        running.kill()
        running.wait()


def awaited(is_there: Callable[[], bool]) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not is_there():
        assert time.monotonic() < end_s, "nothing came"
        time.sleep(0.005)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_gives_the_same_bytes(small: Callable[[str], Study], tmp_path: Path) -> None:
    study, told = small("roofline"), tmp_path / "scheduler.json"
    with ThreadPoolExecutor(1) as thread:
        whole = sweep(study, tmp_path / "here", executor=thread, per_shard=2)
    worker = ("worker", "--scheduler-file", str(told), "--nthreads", "1", "--no-nanny", "--no-dashboard")
    scheduler = ("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told))
    with started(*scheduler):
        awaited(told.is_file)
        address = f"dask://{urlsplit(json.loads(told.read_text())['address']).netloc}"
        with pytest.raises(StudyError, match="has no workers"):
            sweep(study, tmp_path / "there", executor=address, per_shard=2)
        with started(*worker) as lost, started(*worker), ThreadPoolExecutor(1) as thread:
            swept = thread.submit(_when_both_are_there, study, tmp_path / "there", address)
            awaited(lambda: len(list(tmp_path.glob("there/shards/*.parquet"))) > 2 or swept.done())
            lost.send_signal(signal.SIGKILL)
            there = len(list(tmp_path.glob("there/shards/*.parquet")))
            found = swept.result(PATIENCE_S)
    assert 2 < there < whole.manifest.shards  # in the middle
    assert found.manifest.is_whole
    assert files(tmp_path / "there") == files(tmp_path / "here")


def _when_both_are_there(study: Study, folder: Path, address: str) -> Swept:
    from distributed import Client  # noqa: PLC0415  slow

    with Client(address.replace("dask", "tcp"), set_as_default=False) as client:
        client.wait_for_workers(2, timeout=PATIENCE_S)
    return sweep(study, folder, executor=address, per_shard=2)


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_said(
    small: Callable[[str], Study], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ridgeline.studies.executors.CONNECT_S", 0.2)
    with pytest.raises(StudyError, match=r"no Dask scheduler answers at 127\.0\.0\.1:1"):
        sweep(small("roofline"), tmp_path / "out", executor="dask://127.0.0.1:1")
