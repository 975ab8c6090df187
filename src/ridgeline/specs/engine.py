"""What a serving engine adds to the work of its kernels: few numbers, the same on every chip."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ridgeline.errors import RidgelineError
from ridgeline.specs.engine_support import EngineSupport
from ridgeline.specs.frozen import freeze_mappings
from ridgeline.specs.workload import PREFILL_TOKENS_PER_PASS

__all__ = ["IDEAL_ENGINE", "Engine", "Limits", "Replay", "Scheduling", "Spread", "is_ideal"]


def _require_numbers(record: Any) -> None:  # noqa: ANN401  any record of this file
    """Refuse a number below zero, or one that is none."""
    for one in dataclasses.fields(record):
        value = getattr(record, one.name)
        if not 0 <= value < math.inf:
            raise RidgelineError(f"{type(record).__name__}: {one.name}={value!r} must be a number from 0 up")


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What kernels take in an engine's replayed step against the same in a benchmark, and what it runs besides.

    Attributes:
        launch_fraction: of launches of products and streams.
        core_launch_fraction: of attention's launches.
        experts_launch_fraction: of the experts' launches.
        experts_fraction: of the experts' time at work.
        narrowing_fraction: of narrowing inputs, where that can be part of the kernel before.
        latent_layer_s: of a layer with latent attention: rotating, joining and storing its vectors.
        other_layer_s: of a layer with linear or sparse attention: its many small kernels.
        dispatch_s: of a layer with experts where groups of ``dp`` exchange tokens.
        dispatch_sequence_s: and for each sequence of a group.
        prompt_more_fraction: time of a pass over prompts beyond that of its kernels and messages, as a part of it.
    """

    launch_fraction: float
    core_launch_fraction: float
    experts_launch_fraction: float
    experts_fraction: float
    narrowing_fraction: float
    latent_layer_s: float
    other_layer_s: float
    dispatch_s: float
    dispatch_sequence_s: float
    prompt_more_fraction: float

    def __post_init__(self) -> None:
        _require_numbers(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduling:
    """How an engine takes in requests.

    Attributes:
        first_token_s: time of the host before a lone request's first token: tokenising, planning, sending.
        users_power: power of the number of users by which that grows: those who come together wait for each other.
        first_token_steps: decode steps that a prompt waits for where other requests are under way.
        balance_steps: the same where groups of ``dp`` wait for each other's prompts.
        streamed_steps: decode steps before a server under test sent its first chunk, as the public benchmark's scripts
            set it (``--stream-interval``); a server that nobody told so sends each token at once.
        arrivals_fraction: part of the wait behind prompts that come together (``arrivals_wait_s``) that requests see.
        wave_fraction: part of the wait behind all others' prompts, where all that wait are read before any request
            goes on, so that equal requests end together; of the prompts, too, half delay a request's tokens. 0 where
            prompts are read between steps.
        occupancy_fraction: part of the sequences that fit, which are in flight where requests never lack.
    """

    first_token_s: float = 0.0
    users_power: float = 0.0
    first_token_steps: float = 0.0
    balance_steps: float = 0.0
    streamed_steps: float = 0.0
    arrivals_fraction: float = 0.0
    wave_fraction: float = 0.0
    occupancy_fraction: float = 1.0

    def __post_init__(self) -> None:
        _require_numbers(self)


UNLIMITED = 10**9
"""Sequences, where an engine has no limit of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What an engine takes of a chip's memory and lets into a step, on chips from a size up, unless told otherwise.

    Attributes:
        least_hbm_bytes: memory of the smallest chip on which they hold, bytes.
        not_on: parts of the names of chips on which they do not hold.
        memory_fraction: part of a chip's memory for weights, a pass and the cache (vLLM's ``gpu_memory_utilization``,
            SGLang's ``mem_fraction_static``); None for what the machine's efficiency says is usable.
        reserved_bytes: memory besides, for what the engine cannot give away: CUDA context, communication buffers,
            captured graphs; bytes.
        profiles_pass: whether room is left for the activations of the largest pass, and not of the one at hand.
        reserves_pass: whether ``reserved_bytes`` holds the activations of a pass.
        cache_fraction: part of what is left that the cache takes (TensorRT-LLM's ``free_gpu_memory_fraction``).
        output_fraction: part of its output for which a sequence takes room: all where it is let in with room for its
            last token, half, on the mean, where pages are added as it grows.
        sequences: most sequences of a group in a step (``max_num_seqs``).
        pass_tokens: most prompt tokens of a group in a step (``max_num_batched_tokens``).
        raised_fraction: part of a chip's memory that operators give it where its default leaves no room for a cache;
            0 where they do not.
    """

    least_hbm_bytes: float = 0.0
    not_on: tuple[str, ...] = ()
    memory_fraction: float | None = None
    reserved_bytes: float = 0.0
    profiles_pass: bool = False
    reserves_pass: bool = False
    cache_fraction: float = 1.0
    output_fraction: float = 1.0
    sequences: int = UNLIMITED
    pass_tokens: int = PREFILL_TOKENS_PER_PASS
    raised_fraction: float = 0.0

    def __post_init__(self) -> None:
        for name in ("memory_fraction", "cache_fraction", "output_fraction"):
            value = getattr(self, name)
            if value is not None and not 0 < value <= 1:
                raise RidgelineError(f"Limits: {name}={value!r} must be above 0 and at most 1")
        if not 0 <= self.raised_fraction <= 1:
            raise RidgelineError(f"Limits: raised_fraction={self.raised_fraction!r} must be from 0 to 1")
        for name in ("least_hbm_bytes", "reserved_bytes"):
            value = getattr(self, name)
            if not 0 <= value < math.inf:
                raise RidgelineError(f"Limits: {name}={value!r} must be bytes from 0 up")
        for name in ("sequences", "pass_tokens"):
            value = getattr(self, name)
            if isinstance(value, bool) or value != value // 1 or not 1 <= value < math.inf:
                raise RidgelineError(f"Limits: {name}={value!r} must be a whole number from 1 up")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Standard deviations, in logarithms, of what errors of predictions under load are made of.

    Attributes:
        deployment: of a model in a format on a machine by an engine.
        layout: of one of its layouts.
        row: of one measurement.
    """

    deployment: float
    layout: float
    row: float

    def __post_init__(self) -> None:
        _require_numbers(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """How an engine launches its kernels, and the time that it takes besides. ``IDEAL_ENGINE`` takes none.

    Attributes:
        name: whose it is.
        status: what its numbers were fitted on; shown in every output that uses them.
        is_captured: whether a pass is replayed from captured graphs. If not, kernels and the general library's
            messages are launched one by one, and each takes as much longer as the chip's kernels say.
        has_own_sums: whether it sums buffers of a domain itself where that is faster than the general library.
        step_s: of the host for a pass, during which the chips wait: scheduling, sampling, checks for the end.
        sequence_s: of the host for each sequence of a pass.
        request_s: of the host for a pass over prompts, besides.
        layer_s: of a layer, in kernels that others fuse.
        token_s: of a layer for each token that passes, in kernels that others fuse.
        launch_layer_s: of the host to launch a layer's kernels, beside the chips; they wait where they are done sooner.
        widened_layer_s: of a layer with experts whose weights are widened, in place of what a benchmark's kernel takes.
        replay: what kernels take in its captured steps; None where they take what they do in a benchmark.
        scheduling: how it takes in requests.
        limits: what it takes of a chip's memory and lets into a step, by size of chips, the largest first; none where
            nothing is known of it, and the machine says what is usable.
        widths: half-width, in logarithms, that a quantity's 80 % interval has beside that of its kernels, by what was
            measured: ``step`` of whole passes, ``tpot_s``, ``ttft_s`` and ``requests_per_s`` under load, and more by
            kind.
        support: what it can run; None where nothing is known of that, so that it is taken to run all.
    """

    name: str
    status: str
    is_captured: bool = True
    has_own_sums: bool = True
    step_s: float = 0.0
    sequence_s: float = 0.0
    request_s: float = 0.0
    layer_s: float = 0.0
    token_s: float = 0.0
    launch_layer_s: float = 0.0
    widened_layer_s: float = 0.0
    replay: Replay | None = None
    scheduling: Scheduling = Scheduling()
    limits: tuple[Limits, ...] = ()
    widths: Mapping[str, float] = field(default_factory=dict)
    support: EngineSupport | None = None

    def __post_init__(self) -> None:
        freeze_mappings(self)
        for one in dataclasses.fields(self):
            value = getattr(self, one.name)
            if one.name.endswith("_s") and not 0 <= value < 1:
                raise RidgelineError(
                    f"Engine {self.name!r}: {one.name}={value!r} must be seconds from 0 up, and below a second"
                )
        for of, width in self.widths.items():
            if not 0 <= width < math.inf:
                raise RidgelineError(f"Engine {self.name!r}: widths[{of!r}]={width!r} must be a number from 0 up")


IDEAL_ENGINE = Engine(name="ideal", status="no time besides the kernels: a bound from below")


def is_ideal(engine: Engine) -> bool:
    """Whether an engine takes no time of its own, also where an operator limits it."""
    plain = dataclasses.replace(
        engine, name=IDEAL_ENGINE.name, status=IDEAL_ENGINE.status, limits=(), widths={}, support=None
    )
    return plain == IDEAL_ENGINE
