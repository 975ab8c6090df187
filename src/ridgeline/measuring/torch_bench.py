"""Kernels and messages timed by PyTorch, on GPUs (CUDA or ROCm) or, to try the code, on a CPU.

On a GPU, a case's runs are captured in a graph that is replayed between events: no launch by the host is timed.
Weights and caches come in as many copies as exceed the L2 together, used in turn, so that each is read from memory.
"""

from __future__ import annotations

import math
import os
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cache, partial
from itertools import pairwise
from statistics import median
from typing import Any

from ridgeline.calibration.cases import Case
from ridgeline.measuring.bench import BenchError, Device, UnrunError
from ridgeline.measuring.ranks import Ranks
from ridgeline.measuring.torch_kernels import KERNELS, Fresh, message_run
from ridgeline.quantity_text import format_apart

__all__ = ["CPU", "GPU", "REPEATS", "TorchBench", "seconds_of_runs", "torch_bench"]

CPU, GPU = "cpu", "cuda"
"""Names of devices, as PyTorch has them; ROCm's are called ``cuda`` there, too."""

REPEATS, LEAST_RUNS = 7, 10
"""Timings whose median counts, and runs of one long kernel for them: three before, to warm up and to see its time."""

REPLAY_S, MOST_RUNS = 5e-3, 512
"""Time of one timing, s, beside which the start of a graph is nothing, and the most runs that are captured for it."""

CACHES, MOST_COPIES = 3.0, 64
"""Bytes of all copies over those of the L2, and the most copies: of smaller tensors the launch is most of the time."""

MEMORY_FRACTION = 0.7
"""Part of the free memory that a case's tensors may take; the rest is for outputs and for workspaces."""

WARM_S, WARM_SIDE = 0.5, 4096
"""Time for which a GPU multiplies before anything is timed, s, so that it has its clocks, and the side of matrices."""

SHORT_MESSAGE_BYTES, SHORT_RUNS, LONG_RUNS = 2**24, 20, 2
"""Runs of a message for one timing, by its size: all ranks have to make as many."""

UNRUNNABLE = (RuntimeError, TypeError, NotImplementedError)
"""Errors by which PyTorch says what it, or the device, does not run; memory that is lacking is among them."""


def seconds_of_runs(
    torch: Any, device_type: str, runs: Sequence[Callable[[], object]], passes: int | None = None
) -> float:
    """Time of one run, s; passes over all runs in one timing are found from a first one, unless they are given."""
    if device_type == GPU:
        torch.cuda.synchronize()  # tensors are made on another stream
    stream = torch.cuda.stream(_stream(torch)) if device_type == GPU else nullcontext()
    with torch.inference_mode(), stream:
        _run_all(runs, 1)
        if passes is None:
            once_s = _elapsed_s(torch, device_type, partial(_run_all, runs, 1), 1)[0]
            passes = max(1, min(math.ceil(REPLAY_S / max(once_s, 1e-9)), MOST_RUNS // len(runs)))
        many = partial(_run_all, runs, passes)
        if device_type == GPU:
            many = _captured(torch, many)
        many()
        return median(_elapsed_s(torch, device_type, many, REPEATS)) / (passes * len(runs))


@cache
def _stream(torch: Any) -> Any:
    """The one stream on which graphs are captured, which cannot be the default one."""
    return torch.cuda.Stream()


def _captured(torch: Any, many: Callable[[], object]) -> Any:
    """Replay of a graph of what runs, captured on the stream at hand."""
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    # Other threads of a library of collectives may call the driver meanwhile.
    graph.capture_begin(capture_error_mode="thread_local")
    try:
        many()
    finally:  # else the stream would go on capturing
        graph.capture_end()
    return graph.replay


def _run_all(runs: Sequence[Callable[[], object]], passes: int) -> None:
    for _ in range(passes):
        for run in runs:
            run()


def _elapsed_s(torch: Any, device_type: str, many: Callable[[], object], repeats: int) -> list[float]:
    """Times of repeats, s: between events on a GPU's stream, and by the clock on a CPU."""
    if device_type != GPU:
        marks_s = [time.perf_counter()]
        for _ in range(repeats):
            many()
            marks_s.append(time.perf_counter())
        return [after - before for before, after in pairwise(marks_s)]
    marks = [torch.cuda.Event(enable_timing=True) for _ in range(repeats + 1)]
    torch.cuda.synchronize()
    marks[0].record()
    for mark in marks[1:]:
        many()
        mark.record()
    marks[-1].synchronize()
    return [before.elapsed_time(after) / 1e3 for before, after in pairwise(marks)]


def _fresh(torch: Any, device_type: str) -> Fresh:
    return partial(torch.randn, device=device_type, dtype=torch.bfloat16)


class TorchBench:
    """A bench of PyTorch, with a process for each rank of messages.

    Attributes:
        device_type: type of the device, as PyTorch names it.
        device: device as its driver describes it.
        runs: number of runs of a long kernel for one timing.
    """

    runs = LEAST_RUNS

    def __init__(self, torch: Any, device_type: str, device: Device, cache_bytes: float, ranks: Ranks | None) -> None:
        self.torch, self.device_type, self.device = torch, device_type, device
        self._cache_bytes, self._ranks = cache_bytes, ranks

    def seconds(self, case: Case) -> float:
        """Time of a case's kernel or message, s.

        Raises:
            UnrunError: it does not run here, or needs more memory.
        """
        if case.kind not in KERNELS:
            if self._ranks is None:
                raise UnrunError("there is one chip, and messages need two")
            return self._ranks.seconds(case)
        operation = KERNELS[case.kind](self.torch, case, _fresh(self.torch, self.device_type))
        free_bytes = MEMORY_FRACTION * self._free_bytes()
        fitting = int((free_bytes - operation.shared_bytes) / operation.copy_bytes)
        if fitting < 1:
            needed = operation.shared_bytes + operation.copy_bytes
            met, (free, _) = format_apart(needed, (free_bytes, free_bytes), "bytes")
            raise UnrunError(f"needs {met} of memory, where {free} may be used")
        wanted = math.ceil(CACHES * self._cache_bytes / operation.copy_bytes)
        try:
            return seconds_of_runs(
                self.torch, self.device_type, operation.runs(max(1, min(wanted, MOST_COPIES, fitting)))
            )
        except UNRUNNABLE as error:
            if self.device_type == GPU:
                self.torch.cuda.empty_cache()
            raise UnrunError(_first_line(error)) from None

    def _free_bytes(self) -> float:
        if self.device_type == CPU:
            return self.device.memory_bytes / 2  # other programs run on it, too
        cuda = self.torch.cuda
        return float(cuda.mem_get_info()[0] + cuda.memory_reserved() - cuda.memory_allocated())


@contextmanager
def torch_bench(device_type: str | None = None, chips: int | None = None) -> Iterator[TorchBench]:
    """Bench on a type of device, for as long as the block lasts.

    Args:
        device_type: ``GPU`` or ``CPU``; left out, GPUs, which there then have to be.
        chips: number of chips for messages; left out, all GPUs of this machine, or one CPU.

    Raises:
        BenchError: PyTorch is missing, or sees no such device; the message says what to do.
    """
    try:
        import torch  # noqa: PLC0415  the user's own, which fits the machine's driver
    except (ImportError, OSError) as error:
        raise BenchError(
            f"measure needs PyTorch as built for this machine's driver ({_first_line(error)}); install it beside"
            " Ridgeline as https://pytorch.org/get-started/locally says"
        ) from None
    if device_type != CPU and not torch.cuda.is_available():
        raise BenchError(
            f"PyTorch {torch.__version__} sees no GPU (CUDA or ROCm); see whether nvidia-smi or rocm-smi does, and"
            " whether it was built for this machine's driver"
        )
    device_type = device_type or GPU
    held = torch.cuda.device_count() if device_type == GPU else 1
    if chips is not None and device_type == GPU and chips > held:
        raise BenchError(f"chips={chips}: this machine has {held}")
    device, cache_bytes = _device(torch, device_type, chips or held)
    if device_type == GPU:
        _warm(torch)
    ranks = (
        Ranks(partial(_rank, device_type=device_type, chips=device.chips), device.chips) if device.chips > 1 else None
    )
    try:
        yield TorchBench(torch, device_type, device, cache_bytes, ranks)
    finally:
        if ranks is not None:
            ranks.end()


def _warm(torch: Any) -> None:
    """Multiply for a while, until the GPU has the clocks that it works at."""
    matrix = _fresh(torch, GPU)(WARM_SIDE, WARM_SIDE)
    ends_s = time.perf_counter() + WARM_S
    while time.perf_counter() < ends_s:
        torch.mm(matrix, matrix)
        torch.cuda.synchronize()


def _device(torch: Any, device_type: str, chips: int) -> tuple[Device, float]:
    """Device, and the bytes of its L2; of a CPU none, whose caches are not known here."""
    library = f"torch {torch.__version__}"
    if device_type == CPU:
        memory_bytes, units = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"), torch.get_num_threads()
        name = platform.processor() or platform.machine()
        return Device(name=name, chips=chips, memory_bytes=memory_bytes, compute_units=units, library=library), 0.0
    found = torch.cuda.get_device_properties(0)
    device = Device(
        name=found.name,
        chips=chips,
        memory_bytes=found.total_memory,
        compute_units=found.multi_processor_count,
        library=library,
    )
    return device, float(found.L2_cache_size)


def _rank(pipe: Any, rank: int, rendezvous: str, *, device_type: str, chips: int) -> None:
    """Time messages as one of several ranks, until the process is ended.

    Args:
        pipe: end of a pipe from which cases come, and to which times go, s, or the reasons why there is none.
        rank: number of the rank, and of its device.
        rendezvous: address of a file by which ranks find each other.
        device_type: type of the devices, as PyTorch names it.
        chips: number of ranks in all.
    """
    import torch  # noqa: PLC0415

    torch.set_num_threads(1)
    if device_type == GPU:
        torch.cuda.set_device(rank)
    backend = "nccl" if device_type == GPU else "gloo"
    torch.distributed.init_process_group(backend, init_method=rendezvous, rank=rank, world_size=chips)
    groups: dict[int, Any] = {}
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            case = pipe.recv()
            ranks = case.whole("ranks")
            if ranks not in groups:  # which all processes make together
                groups[ranks] = torch.distributed.new_group(range(ranks))
            try:
                time_s = 0.0
                if rank < ranks:
                    run = message_run(torch, case, _fresh(torch, device_type), groups[ranks])
                    is_short = case.number("message_bytes") < SHORT_MESSAGE_BYTES
                    time_s = seconds_of_runs(torch, device_type, [run], SHORT_RUNS if is_short else LONG_RUNS)
                pipe.send(time_s)
            except UNRUNNABLE as error:
                pipe.send(_first_line(error))


def _first_line(error: BaseException) -> str:
    """The first line of an error's message, or its class where it has none."""
    return f"{error}".strip().partition("\n")[0] or type(error).__name__
