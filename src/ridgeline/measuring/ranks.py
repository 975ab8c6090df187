"""Processes that time messages together, one for each chip."""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

from ridgeline.calibration.cases import Case
from ridgeline.measuring.bench import UnrunError

__all__ = ["Rank", "Ranks"]

TIMEOUT_S = 45.0
"""Longest time that all ranks together are waited for, s; the first answer includes their start."""


class Rank(Protocol):
    """Function that one of the processes runs; it can be pickled."""

    def __call__(self, pipe: Connection, rank: int, rendezvous: str, /) -> None:
        """Answer each case that comes with its time, s, or with the reason why there is none."""


class Ranks:
    """Processes of all ranks, each of which is sent each case.

    Attributes:
        timeout_s: longest time that the answers of all ranks to a case are waited for, s.
    """

    def __init__(self, run: Rank, ranks: int, *, timeout_s: float = TIMEOUT_S) -> None:
        spawned = multiprocessing.get_context("spawn")
        self.timeout_s = timeout_s
        self._folder = tempfile.TemporaryDirectory(prefix="ridgeline-measure-")
        rendezvous = (Path(self._folder.name) / "ranks").as_uri()
        self._pipes, self._processes = [], []
        for rank in range(ranks):
            mine, theirs = spawned.Pipe()
            process = spawned.Process(target=run, args=(theirs, rank, rendezvous), daemon=True)
            process.start()
            theirs.close()  # so that an ended process is seen at once
            self._pipes.append(mine)
            self._processes.append(process)

    def seconds(self, case: Case) -> float:
        """Time of a message on its slowest rank, s.

        Raises:
            UnrunError: a rank does not run it, or none answers.
        """
        if not self._processes:
            raise UnrunError("a rank of the messages has ended")
        answers: list[float | str] = []
        # Where one has ended, the others wait for it for ever.
        with suppress(EOFError, OSError):
            for pipe in self._pipes:
                pipe.send(case)
            ends_s = time.monotonic() + self.timeout_s
            answers = [pipe.recv() for pipe in self._pipes if pipe.poll(max(0.0, ends_s - time.monotonic()))]
        if len(answers) < len(self._pipes):
            self.end()
            raise UnrunError(f"a rank has ended, or did not answer in {self.timeout_s:g} s")
        refused = [answer for answer in answers if isinstance(answer, str)]
        if refused:
            raise UnrunError(refused[0])
        return max(float(answer) for answer in answers)

    def end(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()
        self._pipes, self._processes = [], []
        self._folder.cleanup()
