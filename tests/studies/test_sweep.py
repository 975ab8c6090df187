from __future__ import annotations

import dataclasses
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ridgeline.studies.axis import StudyError
from ridgeline.studies.executors import Pool
from ridgeline.studies.shard import Shards, points_of, run_shard, shards_of
from ridgeline.studies.shard_file import Done
from ridgeline.studies.study import Study
from ridgeline.studies.sweep import ATTEMPTS, sweep

SMALL_FILE = Path(__file__).parent / "small.toml"


@pytest.fixture
def thread() -> Iterator[ThreadPoolExecutor]:
    """An executor of this process: others take a second to start."""
    with ThreadPoolExecutor(1) as executor:
        yield executor


def files(folder: Path) -> dict[str, bytes]:
    """Everything that a folder holds."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("per_shard", [1, 7, 20, 1000])
def test_every_point_is_in_one_shard(small: Callable[[str], Study], per_shard: int) -> None:
    study = small("roofline")
    cut = shards_of(study, per_shard=per_shard)
    assert sum(points_of(study, cut, shard) for shard in range(cut.number)) == study.points


def test_every_point_has_a_row_or_a_reason(swept: Path) -> None:
    manifest = json.loads((swept / "manifest.json").read_text())
    left_out = sum(sum(one["left_out"].values()) for one in manifest["done"])
    assert manifest["rows"] + left_out == manifest["points"] == sum(one["points"] for one in manifest["done"])
    found = duckdb.execute(
        "SELECT count(*), count(DISTINCT point), min(point), max(point) FROM read_parquet(?)",
        [f"{swept}/shards/*.parquet"],
    ).fetchall()
    assert found[0][:2] == (manifest["rows"], manifest["rows"])
    assert found[0][2] >= 0
    assert found[0][3] < manifest["points"]


def test_rows_lie_in_the_order_of_points(swept: Path) -> None:
    for path in (swept / "shards").iterdir():
        points = [point for (point,) in duckdb.execute("SELECT point FROM read_parquet(?)", [str(path)]).fetchall()]
        assert points == sorted(points)


def test_limits_and_layouts_that_do_not_divide_are_reasons(swept: Path) -> None:
    manifest = json.loads((swept / "manifest.json").read_text())
    reasons = {reason.partition(";")[0] for one in manifest["done"] for reason in one["left_out"]}
    assert reasons == {
        "next: hbm_bytes is over at_most 3e+11",
        "layout tp8,ep8 for llama-3.1-8b on next: llama-3.1-8b has no experts to spread",
        "layout tp8,ep8 for llama-3.1-8b on h100-sxm: llama-3.1-8b has no experts to spread",
        "the engine reads these prompts in several passes, and a row is of one",
    }


def _lose_a_shard(folder: Path) -> None:
    (folder / "shards" / "00000001.parquet").unlink()


def _halve_a_shard(folder: Path) -> None:
    path = folder / "shards" / "00000002.parquet"
    path.write_bytes(path.read_bytes()[:1000])


def _lose_the_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def _leave_parts(folder: Path) -> None:
    (folder / "shards" / ".00000001.parquet.99.abcd.part").write_bytes(b"half")
    (folder / ".manifest.json.99.part").write_text("{")
    _lose_a_shard(folder)


def _forget_shards(folder: Path) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["done"] = manifest["done"][:1]
    path.write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("harm", "again"),
    [(_lose_a_shard, 1), (_halve_a_shard, 1), (_lose_the_manifest, 0), (_leave_parts, 1), (_forget_shards, 0)],
)
def test_what_a_kill_leaves_is_carried_on_to_the_same_bytes(
    harm: Callable[[Path], None],
    again: int,
    swept: Path,
    small: Callable[[str], Study],
    thread: ThreadPoolExecutor,
    tmp_path: Path,
) -> None:
    """A shard that is whole counts, manifest or not; one that is not is run again, and no other."""
    folder = tmp_path / "harmed"
    shutil.copytree(swept, folder)
    harm(folder)
    ran: list[int] = []

    def run(study: Study, cut: Shards, shard: int, out: Path, fingerprint: str) -> Done:
        ran.append(shard)
        return run_shard(study, cut, shard, out, fingerprint)

    found = sweep(small("roofline"), folder, executor=thread, per_shard=20, run=run)
    assert len(ran) == again
    assert found.manifest.is_whole
    assert files(folder) == files(swept)


def test_a_shard_that_fails_is_tried_again(
    swept: Path, small: Callable[[str], Study], thread: ThreadPoolExecutor, tmp_path: Path
) -> None:
    tries: dict[int, int] = {}

    def run(study: Study, cut: Shards, shard: int, out: Path, fingerprint: str) -> Done:
        tries[shard] = tries.get(shard, 0) + 1
        if shard == 1 and tries[shard] < ATTEMPTS:
            raise MemoryError("for now")
        return run_shard(study, cut, shard, out, fingerprint)

    sweep(small("roofline"), tmp_path / "out", executor=thread, per_shard=20, run=run)
    assert tries[1] == ATTEMPTS
    assert files(tmp_path / "out") == files(swept)


def test_a_shard_that_fails_always_is_reported_and_tried_by_the_next_sweep(
    swept: Path, small: Callable[[str], Study], thread: ThreadPoolExecutor, tmp_path: Path
) -> None:
    def run(study: Study, cut: Shards, shard: int, out: Path, fingerprint: str) -> Done:
        if shard == 1:
            raise MemoryError("always")
        return run_shard(study, cut, shard, out, fingerprint)

    found = sweep(small("roofline"), tmp_path / "out", executor=thread, per_shard=20, run=run)
    assert found.manifest.failed == {1: "MemoryError: always"}
    assert len(found.manifest.done) == found.manifest.shards - 1
    again = sweep(small("roofline"), tmp_path / "out", executor=thread)
    assert not again.manifest.failed
    assert files(tmp_path / "out") == files(swept)


def test_an_executor_that_breaks_is_said_and_what_is_there_stays(
    small: Callable[[str], Study], thread: ThreadPoolExecutor, tmp_path: Path
) -> None:
    def run(study: Study, cut: Shards, shard: int, out: Path, fingerprint: str) -> Done:
        raise BrokenExecutor("a process died")

    with pytest.raises(StudyError, match="the executor broke"):
        sweep(small("roofline"), tmp_path / "out", executor=thread, per_shard=20, run=run)
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["done"] == []


class Breaking(Executor):
    """One whose process dies of shard 1, and which from then on takes no other, as a pool of processes does."""

    def __init__(self, died: list[int]) -> None:
        self._died, self._is_broken = died, False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:  # noqa: ANN401  as the standard library
        if self._is_broken:
            raise BrokenExecutor("is broken")
        future: Future[Any] = Future()
        shard = args[2]
        if shard == 1:
            self._is_broken = True
            self._died.append(shard)
            future.set_exception(BrokenExecutor("a process died"))
        else:
            future.set_result(fn(*args))
        return future


def test_of_shards_under_way_when_processes_die_the_guilty_one_is_found(
    swept: Path, small: Callable[[str], Study], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again by itself, and then reported; those beside it are run as if nothing had been."""
    died: list[int] = []

    @contextmanager
    def pool_of(*_: object, **__: object) -> Iterator[Pool]:
        yield Pool(Breaking(died), 2)

    monkeypatch.setattr("ridgeline.studies.sweep.pool_of", pool_of)
    found = sweep(small("roofline"), tmp_path / "out", per_shard=20)
    assert found.manifest.failed == {1: "BrokenExecutor: a process died"}
    assert sorted(one.shard for one in found.manifest.done) == [0, *range(2, found.manifest.shards)]
    assert len(died) == 1 + ATTEMPTS  # once beside others
    monkeypatch.undo()
    with ThreadPoolExecutor(1) as thread:
        sweep(small("roofline"), tmp_path / "out", executor=thread)
    assert files(tmp_path / "out") == files(swept)


def test_another_study_is_refused(swept: Path, small: Callable[[str], Study], thread: ThreadPoolExecutor) -> None:
    before = files(swept)
    with pytest.raises(StudyError, match="holds another study"):
        sweep(small("measured"), swept, executor=thread)
    assert files(swept) == before


def test_models_of_one_id_and_other_numbers_are_other_studies(small: Callable[[str], Study]) -> None:
    """Folders would be carried on with rows of both; records show themselves by their ids alone."""
    study = small("roofline")
    model, *others = study.models
    wider = dataclasses.replace(model, hidden=2 * model.hidden)
    assert repr(wider) == repr(model)
    assert small("roofline").fingerprint == study.fingerprint
    assert dataclasses.replace(study, models=(wider, *others)).fingerprint != study.fingerprint


def test_two_sweeps_do_not_write_into_one_folder(
    small: Callable[[str], Study], thread: ThreadPoolExecutor, tmp_path: Path
) -> None:
    def run(study: Study, cut: Shards, shard: int, out: Path, fingerprint: str) -> Done:
        with pytest.raises(StudyError, match="another sweep is writing"), ThreadPoolExecutor(1) as other:
            sweep(study, tmp_path / "out", executor=other)
        return run_shard(study, cut, shard, out, fingerprint)

    assert sweep(small("roofline"), tmp_path / "out", executor=thread, run=run).manifest.is_whole


@pytest.mark.parametrize("name", ["dask:/x", "ray://h:1", "dask://h"])
def test_an_executor_that_is_none_is_refused(small: Callable[[str], Study], tmp_path: Path, name: str) -> None:
    with pytest.raises(StudyError, match="neither"):
        sweep(small("roofline"), tmp_path / "out", executor=name)


@pytest.mark.slow
def test_a_sweep_that_is_killed_three_times_ends_in_the_same_bytes(swept: Path, tmp_path: Path) -> None:
    """SIGKILL to the process that sweeps, when it has some shards; its workers end by themselves."""
    folder = tmp_path / "killed"
    code = f"""
from pathlib import Path
from ridgeline.studies.read import read_study
from ridgeline.studies.sweep import sweep
if __name__ == "__main__":
    sweep(read_study(Path({str(SMALL_FILE)!r})), Path({str(folder)!r}), workers=2, per_shard=20)
"""
    script = tmp_path / "run.py"
    script.write_text(code)
    ended = []
    for wanted in (1, 2, 4):
        running = subprocess.Popen([sys.executable, str(script)])  # noqa: S603  our own
        while len(list(folder.glob("shards/*.parquet"))) < wanted and running.poll() is None:
            time.sleep(0.002)
        running.send_signal(signal.SIGKILL)
        ended.append(running.wait())
    assert -signal.SIGKILL in ended  # in the middle, and not after all was done
    subprocess.run([sys.executable, str(script)], check=True)  # noqa: S603  our own
    assert files(folder) == files(swept)
