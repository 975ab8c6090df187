"""Executors of shards: processes of this machine, or workers of a Dask cluster, each behind one ``Executor``."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait

from ridgeline.extras import installing
from ridgeline.studies.axis import StudyError

__all__ = ["LOCAL", "Pool", "pool_of"]

LOCAL = "local"
DASK = re.compile(r"dask://(?P<address>[^/\s]+:\d+)")


class Pool:
    """An executor and how many shards it runs at once."""

    def __init__(self, executor: Executor, workers: int) -> None:
        self.executor, self.workers = executor, workers


@contextmanager
def pool_of(name: str | Executor, workers: int | None = None, *, in_process: bool = False) -> Iterator[Pool]:
    """Open the executor of a name, and shut it down at the end.

    Args:
        name: ``local``, or ``dask://HOST:PORT`` of a scheduler; or any executor, which stays as it is.
        workers: processes of ``local``; left out, one for each core. For an executor, its number of workers; left out,
            one.
        in_process: whether ``local`` starts no process, which takes a second.

    Raises:
        StudyError: there is none of that name, or nothing answers there.
    """
    if isinstance(name, Executor):
        yield Pool(name, workers or 1)
        return
    match = DASK.fullmatch(name)
    if name == LOCAL:
        with _local(workers or os.cpu_count() or 1, in_process=in_process) as pool:
            yield pool
    elif match is None:
        raise StudyError(f'executor {name!r} is neither "local" nor "dask://HOST:PORT" of a Dask scheduler')
    elif workers is not None:
        raise StudyError(f"executor {name} has its own workers; leave their number out")
    else:
        with _dask(match["address"]) as pool:
            yield pool


@contextmanager
def _local(workers: int, *, in_process: bool) -> Iterator[Pool]:
    executor: Executor
    if in_process:
        executor, workers = ThreadPoolExecutor(1), 1
    else:
        # Spawned, since a fork copies the locks of the caller's threads as they are.
        executor = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_end_with_parent)
    try:
        yield Pool(executor, workers)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """End this process when the one that started it does, however that ends; an interrupt is for that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


CONNECT_S = 10
"""Timeout for connecting to a scheduler, in seconds."""


@contextmanager
def _dask(address: str) -> Iterator[Pool]:
    try:
        from distributed import Client  # noqa: PLC0415  an extra, and slow to import
    except ModuleNotFoundError:
        raise StudyError(f"a Dask cluster needs the extra cluster: {installing('cluster')}") from None
    try:
        client = Client(f"tcp://{address}", timeout=CONNECT_S, set_as_default=False)
    except OSError:
        raise StudyError(f"no Dask scheduler answers at {address}; start one: dask scheduler --port 8786") from None
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise StudyError(f"the Dask scheduler at {address} has no workers; start some: dask worker {address}")
        # Shards of a lost worker are run again by other workers; shards that fail, by the sweep.
        yield Pool(client.get_executor(), threads)
