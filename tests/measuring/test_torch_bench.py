"""Kernels as PyTorch runs them: on a CPU where it is there, and the way of a GPU's timing on a stand-in."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from ridgeline.calibration.cases import Case
from ridgeline.catalog import load_machine
from ridgeline.measuring.bench import BenchError, UnrunError
from ridgeline.measuring.ranks import Ranks
from ridgeline.measuring.shapes import shapes
from ridgeline.measuring.torch_bench import CPU, GPU, REPEATS, TorchBench, seconds_of_runs, torch_bench
from ridgeline.measuring.torch_kernels import KERNELS

H100 = "h100-sxm"


class Stand:
    """What a GPU's timing asks of PyTorch, on a clock of its own: a run takes 3 ms, and its launch by the host 9 ms."""

    def __init__(self) -> None:
        self.now_s, self.captured, self.log = 0.0, 0, list[str]()
        self.is_capturing = False
        self.inference_mode = nullcontext
        self.cuda = SimpleNamespace(
            synchronize=lambda: None,
            Stream=object,
            stream=nullcontext,
            CUDAGraph=lambda: self,
            Event=lambda enable_timing: Mark(self),  # noqa: ARG005  PyTorch's name
        )

    def capture_begin(self, **_: object) -> None:
        self.is_capturing, self.captured = True, 0
        self.log.append("begin")

    def capture_end(self) -> None:
        self.is_capturing = False
        self.log.append("end")

    def replay(self) -> None:
        self.now_s += 3e-3 * self.captured
        self.log.append("replay")

    def run(self) -> None:
        if self.is_capturing:
            self.captured += 1
        else:
            self.now_s += 12e-3


class Mark:
    """An event on the stand-in's stream."""

    def __init__(self, stand: Stand) -> None:
        self.stand = stand

    def record(self) -> None:
        self.at_s = self.stand.now_s

    def synchronize(self) -> None:
        pass

    def elapsed_time(self, other: Mark) -> float:
        return 1e3 * (other.at_s - self.at_s)


@pytest.mark.parametrize("copies", [1, 4])
def test_a_gpus_time_is_that_of_a_replayed_graph_over_its_runs(copies: int) -> None:
    stand = Stand()
    assert seconds_of_runs(stand, GPU, [stand.run] * copies) == pytest.approx(3e-3)
    assert stand.captured % copies == 0
    assert stand.log == ["begin", "end", *["replay"] * (1 + REPEATS)]


def test_a_capture_ends_where_a_kernel_cannot_be_captured() -> None:
    stand = Stand()

    def run() -> None:
        if stand.is_capturing:
            raise RuntimeError("not while a stream is captured")

    with pytest.raises(RuntimeError, match="not while"):
        seconds_of_runs(stand, GPU, [run], passes=1)
    assert stand.log == ["begin", "end"]


def test_without_pytorch_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(BenchError, match=r"needs PyTorch .*https://pytorch.org"), torch_bench():
        pass


def test_without_a_gpu_the_error_says_where_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    blind = SimpleNamespace(__version__="2.0", cuda=SimpleNamespace(is_available=lambda: False))
    monkeypatch.setitem(sys.modules, "torch", blind)
    with pytest.raises(BenchError, match=r"PyTorch 2\.0 sees no GPU .*nvidia-smi"), torch_bench():
        pass


@pytest.mark.slow
def test_ranks_that_end_are_not_waited_for() -> None:
    """A process starts for each, which takes seconds, and fails."""
    ranks = Ranks(len, 2)  # type: ignore[arg-type]  # it takes no pipe
    case = Case(name="one", family="made", kind="all_reduce", ranks=2, message_bytes=4096)
    with pytest.raises(UnrunError, match="a rank has ended"):
        ranks.seconds(case)
    with pytest.raises(UnrunError, match="has ended"):
        ranks.seconds(case)


def test_all_ranks_together_have_one_time_to_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    waited_s: list[float] = []

    class Silent:
        """Pipe and process of a rank that never answers."""

        def __init__(self, **_: object) -> None: ...

        start = close = terminate = join = send = lambda *_: None

        def poll(self, timeout_s: float) -> bool:
            waited_s.append(timeout_s)
            time.sleep(timeout_s)
            return False

    spawned = SimpleNamespace(Pipe=lambda: (Silent(), Silent()), Process=Silent)
    monkeypatch.setattr("multiprocessing.get_context", lambda _: spawned)
    with pytest.raises(UnrunError, match=r"did not answer in 0\.02 s"):
        Ranks(len, 4, timeout_s=0.02).seconds(Case(name="one", family="made"))  # type: ignore[arg-type]  # it is not run
    assert len(waited_s) == 4
    assert sum(waited_s) <= 0.02


def test_decode_attention_is_asked_for_as_of_one_token() -> None:
    """Query heads in the place of tokens are a prompt's, of which no kernel shares out a long context."""
    asked: list[tuple[tuple[int, ...], tuple[int, ...], bool]] = []

    def attend(queries: Tensor, keys: Tensor, _: Tensor, *, enable_gqa: bool) -> None:
        asked.append((queries.shape, keys.shape, enable_gqa))

    class Tensor:
        def __init__(self, *shape: int) -> None:
            self.shape = shape

        def __getitem__(self, index: object) -> Tensor:
            return Tensor(*self.shape[1:])

        def copy_(self, other: Tensor) -> None: ...

    torch = SimpleNamespace(nn=SimpleNamespace(functional=SimpleNamespace(scaled_dot_product_attention=attend)))
    one = Case(
        name="one", family="made", kind="attention_decode", batch=3, context_tokens=512, kv_heads=8, head_dim=128
    )
    for case in (dataclasses.replace(one, query_heads=32), dataclasses.replace(one, query_heads=8)):
        for run in KERNELS[case.kind](torch, case, Tensor).runs(2):
            run()
    assert asked == [*[((3, 32, 1, 128), (3, 8, 512, 128), True)] * 2, *[((3, 8, 1, 128), (3, 8, 512, 128), False)] * 2]


SMALLEST: dict[str, Callable[[Case], float]] = {
    "gemm": lambda case: (case.m or 0) * (case.n or 0) * (case.k or 0),
    "attention_decode": lambda case: (case.batch or 0) * (case.context_tokens or 0) * (case.kv_heads or 0),
    "attention_prefill": lambda case: (case.batch or 0) * (case.prompt_tokens or 0) * (case.query_heads or 0),
    "elementwise": lambda case: (case.m or 0) * (case.n or 0),
}


def smallest(cases: list[Case]) -> Case:
    return min(cases, key=SMALLEST.get(cases[0].kind, lambda case: case.message_bytes or 0))


@pytest.mark.slow
def test_every_kind_runs_on_a_cpu() -> None:
    pytest.importorskip("torch", reason="PyTorch is no dependency; without it no kernel runs")
    machine = load_machine(H100)
    with torch_bench(CPU, chips=2) as bench:
        assert bench.device.chips == 2
        for group, cases in shapes(machine, H100, chips=2, engine="").items():
            assert 1e-9 < bench.seconds(smallest(cases)) < 10, group
        huge = Case(name="huge", family="made", kind="gemm", m=1, n=2**20, k=2**20, weight_dtype="bf16")
        with pytest.raises(UnrunError, match=r"needs 2\.2 TB of memory"):
            bench.seconds(huge)


def test_messages_need_two_chips() -> None:
    bench = TorchBench(Any, CPU, None, 0.0, None)  # type: ignore[arg-type]  # neither is asked
    with pytest.raises(UnrunError, match="messages need two"):
        bench.seconds(Case(name="one", family="made", kind="all_reduce"))
