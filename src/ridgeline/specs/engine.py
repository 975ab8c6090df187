"""Engine overhead beside the kernels, how an engine schedules requests, and its memory limits."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ridgeline.errors import RidgelineError
from ridgeline.numeric import Numeric, exp
from ridgeline.specs.engine_options import AS_BY_DEFAULT, NOT_KNOWN, EngineOptions, HostTime
from ridgeline.specs.engine_support import EngineSupport
from ridgeline.specs.evidence import NOT_MEASURED, Evidence
from ridgeline.specs.frozen import freeze_mappings
from ridgeline.specs.hashed import Hashed, hashed_once
from ridgeline.specs.provenance import Grade, Source
from ridgeline.specs.stage_cut import SpareLayers
from ridgeline.specs.workload import PREFILL_TOKENS_PER_PASS

__all__ = [
    "IDEAL_ENGINE",
    "Engine",
    "Limits",
    "Release",
    "Replay",
    "Scheduling",
    "Spread",
    "is_ideal",
    "overhead_left",
]


def _require_numbers(record: Any) -> None:  # noqa: ANN401  any record of this file
    """Refuse a negative number, or a value that is no number."""
    for field_ in dataclasses.fields(record):
        value = getattr(record, field_.name)
        if not 0 <= value < math.inf:
            raise RidgelineError(f"{type(record).__name__}: {field_.name}={value!r} must be a number from 0 up")


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """Kernel time inside a replayed CUDA graph over that of the isolated benchmark, and small kernels that it adds.

    Attributes:
        launch_fraction: launch overhead of GEMMs and elementwise kernels, over the benchmark's.
        attention_launch_fraction: launch overhead of decode attention, over the benchmark's.
        experts_launch_fraction: launch overhead of routed experts, over the benchmark's.
        experts_busy_fraction: computing and reading of routed experts, over the benchmark's.
        quantise_fraction: quantising of inputs that can be fused into the kernel before, over the benchmark's.
        latent_attention_layer_s: small kernels of a layer with latent attention (MLA): rope, concatenation, cache
            write, s.
        linear_attention_layer_s: small kernels of a layer with linear attention: convolution, gates, norms, s.
        token_topk_layer_s: small kernels by which a layer chooses the tokens that it attends to, beside its base's,
            s: quantising the indexer's keys, top-k, gathering.
        block_topk_layer_s: small kernels of a layer that chooses whole blocks of tokens, s.
        compressed_attention_layer_s: small kernels of a layer with compressed attention: its compressors, window and
            indexer, s.
        dispatch_s: overhead of a layer with experts where ``dp`` groups exchange tokens, s.
        dispatch_sequence_s: overhead of that exchange for each sequence of a group, s.
        prefill_gap_fraction: gaps between the kernels of a prefill pass, over the kernels' and collectives' time.
        overhead_decline_per_year: rate at which releases shorten launches, quantising and small kernels, 1/year: they
            take ``exp(-rate * years)`` of the numbers here (``Release.years``).
    """

    launch_fraction: float
    attention_launch_fraction: float
    experts_launch_fraction: float
    experts_busy_fraction: float
    quantise_fraction: float
    latent_attention_layer_s: float
    linear_attention_layer_s: float
    token_topk_layer_s: float
    block_topk_layer_s: float
    compressed_attention_layer_s: float
    dispatch_s: float
    dispatch_sequence_s: float
    prefill_gap_fraction: float
    overhead_decline_per_year: float = 0.0

    def __post_init__(self) -> None:
        _require_numbers(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A release of an engine.

    Attributes:
        version: version number as its makers write it; empty where none is named.
        date: release date, ISO 8601; empty where no version is named.
        years: time from the date that the engine's numbers hold for to the release, years.
        unmeasured: reason for extrapolating its overhead from other releases; empty where it lies among measured ones.
    """

    version: str = ""
    date: str = ""
    years: float = 0.0
    unmeasured: str = ""


def overhead_left(decline_per_year: float, years: Numeric) -> Numeric:
    """Remaining fraction of an engine's overhead, a given number of years after the date that its numbers hold for.

    >>> overhead_left(0.5, 0.6)
    0.741
    """
    return exp(-decline_per_year * years)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduling:
    """How an engine admits and schedules requests.

    Attributes:
        first_token_s: host time before a lone request's first token, s: HTTP, tokenising, scheduling, streaming.
        first_token_users_power: exponent of the number of users by which ``first_token_s`` grows.
        first_token_steps: decode steps of other requests that a prefill waits for.
        dp_balance_steps: further decode steps that a prefill waits where ``dp`` groups wait for each other's prefills.
        stream_interval_steps: decode steps before a server under test sends its first chunk, as the public benchmark's
            scripts set it (``--stream-interval``); other servers send each token at once.
        arrivals_wait_fraction: fitted factor on ``serving.arrivals_wait_s``, the queueing delay of a closed loop.
        prefill_first_fraction: part of a full wave of prefills that a request waits for before its first token under
            prefill-first scheduling; 0 where prefill and decode interleave.
        batch_occupancy_fraction: sequences in flight under saturation, over those that memory and limits admit.
        starts_prefills_alone: whether each ``dp`` group starts its prefills on its own while the others wait, and not
            all groups together.
    """

    first_token_s: float = 0.0
    first_token_users_power: float = 0.0
    first_token_steps: float = 0.0
    dp_balance_steps: float = 0.0
    stream_interval_steps: float = 0.0
    arrivals_wait_fraction: float = 0.0
    prefill_first_fraction: float = 0.0
    batch_occupancy_fraction: float = 1.0
    starts_prefills_alone: bool = False

    def __post_init__(self) -> None:
        _require_numbers(self)


UNLIMITED = 10**9
"""``sequences`` of an engine without a limit of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Default memory split and batch limits of an engine, on chips from a memory size up.

    Attributes:
        least_hbm_bytes: memory of the smallest chip to which they apply, bytes.
        not_on: substrings of the names of chips to which they do not apply.
        memory_fraction: part of a chip's memory for weights, activations and KV cache (vLLM's
            ``gpu_memory_utilization``, SGLang's ``mem_fraction_static``); None for what the machine's efficiency says
            is usable.
        reserved_bytes: further reserved memory, bytes: CUDA context, communication buffers, CUDA graphs.
        profiles_pass: whether activations of the largest pass are set aside (a profiling run), and not of the pass at
            hand.
        reserves_pass: whether ``reserved_bytes`` includes the activations of a pass.
        reserved_token_bytes: part of ``reserved_bytes`` for each of ``pass_tokens``, of all groups together, bytes.
        cache_fraction: part of the remaining memory that the KV cache takes (TensorRT-LLM's
            ``free_gpu_memory_fraction``).
        output_fraction: part of its output for which a sequence holds KV cache: 1 where the full length is reserved at
            admission, on average one half where pages are added as it grows.
        sequences: maximum sequences of a group in a step (``max_num_seqs``).
        pass_tokens: maximum prompt tokens of a group in a step (``max_num_batched_tokens``).
        shares_sequences: whether ``sequences`` counts all ``dp`` groups together, which divide it (SGLang's
            ``max_running_requests``).
        shares_pass_tokens: whether ``pass_tokens`` counts all ``dp`` groups together, which divide it (SGLang's
            ``chunked_prefill_size``).
        block_tokens: tokens of a KV cache block, the unit in which sequences get memory (``--block-size``).
        mixes_prompts: whether steps that read prompts also decode; if not, decoding stops while prompts are read.
        raised_fraction: ``memory_fraction`` that operators set where the default leaves no room for a KV cache; 0 where
            they set none.
    """

    least_hbm_bytes: float = 0.0
    not_on: tuple[str, ...] = ()
    memory_fraction: float | None = None
    reserved_bytes: float = 0.0
    profiles_pass: bool = False
    reserves_pass: bool = False
    reserved_token_bytes: float = 0.0
    cache_fraction: float = 1.0
    output_fraction: float = 1.0
    sequences: int = UNLIMITED
    pass_tokens: int = PREFILL_TOKENS_PER_PASS
    shares_sequences: bool = False
    shares_pass_tokens: bool = False
    block_tokens: int = 16
    mixes_prompts: bool = True
    raised_fraction: float = 0.0

    def __post_init__(self) -> None:
        for name in ("memory_fraction", "cache_fraction", "output_fraction"):
            value = getattr(self, name)
            if value is not None and not 0 < value <= 1:
                raise RidgelineError(f"Limits: {name}={value!r} must be above 0 and at most 1")
        if not 0 <= self.raised_fraction <= 1:
            raise RidgelineError(f"Limits: raised_fraction={self.raised_fraction!r} must be from 0 to 1")
        for name in ("least_hbm_bytes", "reserved_bytes", "reserved_token_bytes"):
            value = getattr(self, name)
            if not 0 <= value < math.inf:
                raise RidgelineError(f"Limits: {name}={value!r} must be bytes from 0 up")
        for name in ("sequences", "pass_tokens", "block_tokens"):
            value = getattr(self, name)
            if isinstance(value, bool) or value != value // 1 or not 1 <= value < math.inf:
                raise RidgelineError(f"Limits: {name}={value!r} must be a whole number from 1 up")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Components of the errors of predictions under load, as standard deviations of logarithms.

    Attributes:
        deployment: component shared by a model in a format on a machine by an engine.
        layout: component shared by measurements of one layout of a deployment.
        row: component of a single measurement.
    """

    deployment: float
    layout: float
    row: float

    def __post_init__(self) -> None:
        _require_numbers(self)


@hashed_once
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Engine(Hashed):
    """How an engine launches kernels, and its overhead beside them. ``IDEAL_ENGINE`` has none.

    Attributes:
        name: catalog id of the engine.
        status: data that its numbers were fitted on; shown in every output that uses them.
        is_captured: whether passes are replayed from CUDA graphs. If not, kernels and library collectives are launched
            eagerly, each with the extra launch overhead of the chip's kernels (``eager_launch_s``).
        has_custom_all_reduce: whether it has a one- and two-shot all-reduce, used where it is faster than the
            library's.
        step_s: host time of a pass during which chips idle, s: scheduling, sampling, stop checks.
        sequence_s: host time of each sequence of a pass, s.
        prefill_pass_s: further host time of a prefill, s.
        layer_s: unfused kernels of a layer that other engines fuse, s.
        layer_token_s: unfused kernels of a layer for each token that passes it, s.
        launch_layer_s: host time to launch a layer's kernels, s; overlapped with the chips, which wait where it is
            longer.
        dequantise_layer_s: dequantising experts' weights in a decode step, for each layer with experts, s; replaces the
            benchmark's.
        replay: kernel time in its CUDA graphs over the benchmark's; None where they are equal.
        scheduling: admission and scheduling of requests.
        limits: memory split and batch limits, by memory of the chip, the largest first; empty where unknown, so that
            the machine's usable memory holds.
        widths: half-width of a quantity's 80 % interval beside that of its kernels, in logarithms, by quantity:
            ``step`` of whole passes, ``tpot_s``, ``ttft_s`` and ``requests_per_s`` under load, and others.
        spare_layers: pipeline stages that hold more layers where the stages do not divide the layers evenly.
        support: models, formats and layouts that it can run; None where unknown, in which case all are assumed to run.
        release: release of the engine that runs.
        evidence: deployments in which it was measured under load.
        options: options that its operator sets.
        host: host time hidden by CUDA graphs and overlap, part of which some options expose.
    """

    name: str
    status: str
    is_captured: bool = True
    has_custom_all_reduce: bool = True
    step_s: float = 0.0
    sequence_s: float = 0.0
    prefill_pass_s: float = 0.0
    layer_s: float = 0.0
    layer_token_s: float = 0.0
    launch_layer_s: float = 0.0
    dequantise_layer_s: float = 0.0
    replay: Replay | None = None
    scheduling: Scheduling = Scheduling()
    limits: tuple[Limits, ...] = ()
    widths: Mapping[str, float] = field(default_factory=dict)
    spare_layers: SpareLayers = SpareLayers.BEFORE_LAST
    support: EngineSupport | None = None
    release: Release = Release()
    evidence: Evidence = NOT_MEASURED
    options: EngineOptions = AS_BY_DEFAULT
    host: HostTime = NOT_KNOWN

    def __repr__(self) -> str:
        return f"Engine(name={self.name!r}, release={self.release.version!r}, ...)"

    @property
    def replays_graphs(self) -> bool:
        """Whether its passes are replayed from CUDA graphs, as it is run."""
        options = self.options
        if options.captured_sequences == 0:
            return False
        return self.is_captured if options.replays_graphs is None else options.replays_graphs

    @property
    def may_wait_for_launches(self) -> bool:
        """Whether chips may wait for the host to launch a layer's kernels."""
        is_all_captured = self.replays_graphs and self.options.captured_sequences is None
        return self.launch_layer_s > 0 or (self.host.eager_layer_s > 0 and not is_all_captured)

    @property
    def title(self) -> str:
        """Name of the engine with its release's version."""
        return f"{self.name} {self.release.version}".strip()

    def source_on(self, number: str, machine: str, family: str) -> Source:
        """Source of a number of its release, seen from a machine (``Evidence.source_on``)."""
        found = self.evidence.source_on(number, machine, family)
        if not self.release.unmeasured:
            return found
        return Source(grade=Grade.ASSUMED, rows=found.rows, note=self.release.unmeasured)

    @property
    def overhead_fraction(self) -> float:
        """Launches, quantising and small kernels of its release, over the numbers in this record."""
        replay, years = self.replay, self.release.years
        return 1.0 if replay is None else float(overhead_left(replay.overhead_decline_per_year, years))

    def __post_init__(self) -> None:
        freeze_mappings(self)
        for field_ in dataclasses.fields(self):
            value = getattr(self, field_.name)
            if field_.name.endswith("_s") and not 0 <= value < 1:
                raise RidgelineError(
                    f"Engine {self.name!r}: {field_.name}={value!r} must be seconds from 0 up, and below a second"
                )
        for quantity, width in self.widths.items():
            if not 0 <= width < math.inf:
                raise RidgelineError(f"Engine {self.name!r}: widths[{quantity!r}]={width!r} must be a number from 0 up")


IDEAL_ENGINE = Engine(name="ideal", status="no time besides the kernels, each as it is benchmarked alone")


def is_ideal(engine: Engine) -> bool:
    """Whether an engine has no overhead, even where an operator limits it."""
    plain = dataclasses.replace(
        engine,
        name=IDEAL_ENGINE.name,
        status=IDEAL_ENGINE.status,
        limits=(),
        widths={},
        spare_layers=IDEAL_ENGINE.spare_layers,
        support=None,
        release=Release(),
        evidence=NOT_MEASURED,
        options=AS_BY_DEFAULT,
    )
    return plain == IDEAL_ENGINE
