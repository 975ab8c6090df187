"""A sweep: every shard of a study is run once, on whichever executor; what is there already is kept."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from ridgeline.studies.axis import StudyError
from ridgeline.studies.executors import LOCAL, Pool, pool_of
from ridgeline.studies.manifest import (
    MANIFEST,
    STUDY_FILE,
    Manifest,
    read_manifest,
    write_manifest,
    write_whole,
)
from ridgeline.studies.shard import Shards, points_of, run_shard, shards_of
from ridgeline.studies.shard_file import FOLDER, Done, read_done, shard_path
from ridgeline.studies.study import Study

__all__ = ["ATTEMPTS", "Swept", "sweep"]

ATTEMPTS = 3
"""Times that a shard is tried before it is reported."""

WAITING = 2
"""Shards that are handed out for each worker: one that it runs, and the next."""

PUT_DOWN_S = 2.0
"""Seconds between two writes of a sweep's manifest; shards that came since are found by their files."""

Passed = Callable[[int], object]
"""Callback that takes the number of further points that are done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """Outcome of a sweep.

    Attributes:
        folder: folder of the study.
        manifest: manifest of the study, at the end.
        kept_points: points that were there before.
        wall_s: time that the sweep took, s.
    """

    folder: Path
    manifest: Manifest
    kept_points: int
    wall_s: float

    @property
    def new_points(self) -> int:
        """Number of points that this sweep estimated."""
        return sum(one.points for one in self.manifest.done) - self.kept_points

    @property
    def points_per_s(self) -> float:
        """Points a second of this sweep; 0 where there was nothing to do."""
        return self.new_points / self.wall_s if self.new_points else 0.0

    @property
    def rows(self) -> int:
        """Number of rows of the table ``study``."""
        return sum(one.rows for one in self.manifest.done)


@dataclass(slots=True)
class _Run:
    """A sweep under way."""

    study: Study
    cut: Shards
    folder: Path
    fingerprint: str
    passed: Passed
    run: Callable[..., Done]
    done: dict[int, Done] = field(default_factory=dict)
    failed: dict[int, str] = field(default_factory=dict)
    tries: dict[int, int] = field(default_factory=dict)
    put_down_s: float = 0.0

    def put_down(self, *, at_once: bool = False) -> None:
        """Write the manifest, at once or where ``PUT_DOWN_S`` have passed since the last time."""
        now = time.monotonic()
        if at_once or now - self.put_down_s >= PUT_DOWN_S:
            write_manifest(self.folder, self.study, self.cut, self.fingerprint, list(self.done.values()), self.failed)
            self.put_down_s = now


def sweep(
    study: Study,
    folder: Path,
    *,
    executor: str | Executor = LOCAL,
    workers: int | None = None,
    per_shard: int | None = None,
    started: Callable[[int, int], object] = lambda _total, _kept: None,
    passed: Passed = lambda _points: None,
    run: Callable[..., Done] = run_shard,
) -> Swept:
    """Estimate every point of a study that is not there yet.

    Args:
        study: study to sweep.
        folder: folder for shards, the manifest and the study's file; a folder of the same study is carried on.
        executor: ``local``, or ``dask://HOST:PORT``, whose workers see the same folder under the same name; or any
            executor of ``concurrent.futures``.
        workers: number of processes of ``local``.
        per_shard: number of parts of a shard, for a folder that is new.
        started: callback that takes the points of the study, and those that are there.
        passed: callback that takes the number of further points that are done.
        run: function that runs a shard.

    Raises:
        StudyError: the folder holds another study or another sweep is writing to it, or the executor is not there.
        OSError: the folder cannot be written.
    """
    start_s, fingerprint = time.monotonic(), study.fingerprint
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        before = read_manifest(folder)
        if before is not None and before.fingerprint != fingerprint:
            raise StudyError(
                f"{folder}: holds another study, or one of another version or other facts; give another folder by --out"
            )
        cut = shards_of(study, per_shard=per_shard if before is None else before.per_shard)
        (folder / FOLDER).mkdir(exist_ok=True)
        under_way = _Run(study, cut, folder.resolve(), fingerprint, passed, run)
        _clear(folder)
        _adopt(under_way, before)
        kept = sum(one.points for one in under_way.done.values())
        started(study.points, kept)
        write_whole(folder / STUDY_FILE, study.text)
        under_way.put_down(at_once=True)
        try:
            _run_all(under_way, executor, workers)
        finally:
            _clear(folder)
            under_way.put_down(at_once=True)
    manifest = read_manifest(folder)
    if manifest is None:
        raise StudyError(f"{folder / MANIFEST}: is gone; sweep again")
    return Swept(folder=folder, manifest=manifest, kept_points=kept, wall_s=time.monotonic() - start_s)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other sweeps out of a folder; the lock goes with the process, however that ends.

    Raises:
        StudyError: another sweep has it.
    """
    try:
        import fcntl  # noqa: PLC0415  where there is none, nobody is kept out
    except ModuleNotFoundError:
        yield
        return
    held = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StudyError(
                f"{folder}: another sweep is writing to it; wait for it, or give another by --out"
            ) from None
        yield
    finally:
        os.close(held)


def _clear(folder: Path) -> None:
    """Remove files that were being written when a sweep ended."""
    for part in (*folder.glob(".*.part"), *(folder / FOLDER).glob(".*.part")):
        part.unlink(missing_ok=True)


def _adopt(under_way: _Run, before: Manifest | None) -> None:
    """Take over the shards that are whole: those of the manifest, and those that were written after it."""
    import duckdb  # noqa: PLC0415  a sixth of a second, for those who sweep

    folder, known = under_way.folder, {} if before is None else {one.shard: one for one in before.done}
    with duckdb.connect() as connection:
        for path in sorted((folder / FOLDER).glob("*.parquet")):
            if not path.stem.isdecimal() or int(path.stem) >= under_way.cut.number:
                raise StudyError(f"{path}: is no shard of this study; move it away, or give another folder by --out")
            shard = int(path.stem)
            one = known.get(shard)
            if one is None or one.file_bytes != path.stat().st_size:
                one = read_done(connection, folder, shard, under_way.fingerprint)
            if one is not None and one.points == points_of(under_way.study, under_way.cut, shard):
                under_way.done[shard] = one


def _run_all(under_way: _Run, executor: str | Executor, workers: int | None) -> None:
    """Run the shards that are not there; where a pool of processes breaks, with another pool.

    It is not known which of the shards under way broke the pool. They are run again one by one, until one breaks it.
    """
    todo = [shard for shard in range(under_way.cut.number) if shard not in under_way.done]
    suspects: list[int] = []
    is_small = len(todo) == 1
    while todo or suspects:
        with pool_of(executor, workers, in_process=is_small) as pool:
            suspects, lost = _run_in(under_way, pool, suspects, most=1)
            suspects = [*(shard for shard, error in lost if _may_try(under_way, shard, error)), *suspects]
            if not lost:
                todo, lost = _run_in(under_way, pool, todo, most=WAITING * pool.workers)
                suspects = [shard for shard, _ in lost]
        if isinstance(executor, Executor) and (todo or suspects):
            raise StudyError("the executor broke; sweep again with another")


Lost = list[tuple[int, BrokenExecutor]]
"""Shards that were under way when a pool broke, with the pool's error."""


def _run_in(under_way: _Run, pool: Pool, todo: list[int], *, most: int) -> tuple[list[int], Lost]:
    """Run shards in one pool, and return those not run where it broke, and those under way."""
    waiting, running, lost = deque(todo), dict[Future[Done], int](), Lost()
    while running or (waiting and not lost):
        while waiting and not lost and len(running) < most:
            shard = waiting.popleft()
            try:
                running[_submitted(under_way, pool, shard)] = shard
            except BrokenExecutor as broken:
                lost.append((shard, broken))
        ended, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in ended:
            shard, error = running.pop(future), _error(future)
            if error is None:
                _take(under_way, future.result())
            elif isinstance(error, BrokenExecutor):
                lost.append((shard, error))
            elif _may_try(under_way, shard, error):
                waiting.append(shard)
        under_way.put_down()
    return list(waiting), lost


def _error(future: Future[Done]) -> BaseException | None:
    """Exception of a shard; a cancelled one, as by a scheduler that ends, counts as a broken executor."""
    try:
        return future.exception()
    except CancelledError:
        return BrokenExecutor("the scheduler is gone")


def _submitted(under_way: _Run, pool: Pool, shard: int) -> Future[Done]:
    """A shard that is handed out."""
    told = under_way.study, under_way.cut, shard, under_way.folder, under_way.fingerprint
    return pool.executor.submit(under_way.run, *told)


def _may_try(under_way: _Run, shard: int, error: BaseException) -> bool:
    """Whether a shard that failed is tried again; else it is reported."""
    under_way.tries[shard] = under_way.tries.get(shard, 0) + 1
    if under_way.tries[shard] < ATTEMPTS:
        return True
    under_way.failed[shard] = f"{type(error).__name__}: {error}"
    return False


def _take(under_way: _Run, one: Done) -> None:
    """A shard that is said to be written.

    Raises:
        StudyError: it is not here, since whoever wrote it sees another folder.
    """
    path = shard_path(under_way.folder, one.shard)
    size = -1
    with suppress(OSError):
        size = path.stat().st_size
    if size != one.file_bytes:
        raise StudyError(
            f"{path}: a worker wrote it, and it is not here; give --out a folder that this machine shares with all"
            " workers"
        )
    under_way.done[one.shard] = one
    under_way.passed(one.points)
