"""Sweeps of studies, and queries over their results."""

from __future__ import annotations

import os
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING

from ridgeline.verbs.names import Name

if TYPE_CHECKING:
    from ridgeline.studies.query import Answer
    from ridgeline.studies.sweep import Swept

__all__ = ["query", "sweep"]


def sweep(
    study: Name,
    out: Name | None = None,
    *,
    executor: str | Executor = "local",
    workers: int | None = None,
    kernels: Name | None = None,
) -> Swept:
    """Estimate every point of a study into Parquet files, as ``ridgeline sweep`` does; existing results are kept.

    The executor ``local`` starts processes, so a script has to call this under ``if __name__ == "__main__":``.

    Args:
        study: path of its TOML file; docs/studies.md has the form.
        out: folder of the files; left out, one in the working directory named after the study's file.
        executor: "local", or "dask://HOST:PORT" of a scheduler whose workers see the same folder, or any executor of
            ``concurrent.futures``.
        workers: processes of "local"; left out, one for each core.
        kernels: profile or folder of the user's own calibration, for a study that names none.

    Raises:
        RidgelineError: a field of the study is invalid, the folder holds another study, or there is no executor.
    """
    from ridgeline.catalog.profiles import kernels_folder  # noqa: PLC0415
    from ridgeline.studies.read import read_study  # noqa: PLC0415
    from ridgeline.studies.sweep import sweep as swept  # noqa: PLC0415

    path = Path(os.fspath(study))
    folder = Path(path.stem if out is None else os.fspath(out))
    own = None if kernels is None else kernels_folder(kernels if isinstance(kernels, str) else Path(kernels))
    return swept(read_study(path, kernels=own), folder, executor=executor, workers=workers)


def query(folder: Name, sql: str) -> Answer:
    """Result of an SQL query over a study, as ``ridgeline query`` does.

    Args:
        folder: folder of a sweep, complete or not.
        sql: one statement over ``study`` and the views of docs/studies.md.

    Raises:
        RidgelineError: the folder holds no study, or the statement is invalid.
    """
    from ridgeline.studies.query import query as answered  # noqa: PLC0415

    return answered(Path(os.fspath(folder)), sql)
