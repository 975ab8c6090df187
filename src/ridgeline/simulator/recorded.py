"""A recorded run played again from its settings and requests alone, beside its measurements.

A folder holds ``run.toml`` (model, machine, layout, formats, engine and its limits) and ``requests.csv`` (arrival and
lengths of each request, and what its client measured).
"""

from __future__ import annotations

import csv
import dataclasses
import math
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ridgeline.catalog import load_machine, load_model
from ridgeline.catalog.engine_options import options_of, options_stated, run_with
from ridgeline.catalog.engines import load_engine
from ridgeline.errors import RidgelineError
from ridgeline.estimator.deploy import deploy
from ridgeline.estimator.memory import limits_of
from ridgeline.simulator.capacity import Capacity, capacity_of
from ridgeline.simulator.limits import limits_for
from ridgeline.simulator.outcome import Simulation
from ridgeline.simulator.policies import policy_of
from ridgeline.simulator.served import Latency, ServedRequests, latency_of
from ridgeline.simulator.simulate import simulate
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.layout import Layout
from ridgeline.traces.requests import Requests

__all__ = ["Recorded", "Replay", "Seen", "read_recorded", "replay"]

Array = NDArray[np.float64]

LAYOUT = ("tp", "dp", "ep", "pp", "cp")
"""Settings that name a layout; those left out are 1."""

FORMATS = {"bfloat16": "bf16", "float16": "fp16", "auto": None}
"""Number formats in engines' own names, which the catalog does not have."""

TOKENS_OF_CACHE, BLOCKS_OF_CACHE = ("kv_tokens", "kv_cache_tokens"), ("num_gpu_blocks", "num_gpu_blocks_override")
"""Settings that give the size of the KV cache, as engines log and take it."""

BLOCK = ("kv_block_tokens", "block_size")
"""Settings that give the tokens of a block."""

NOTED = {"policy", "prefix_caching", "max_model_len", *TOKENS_OF_CACHE, *BLOCKS_OF_CACHE, *BLOCK}
"""Settings of the scheduler that are no options of the engine here: read elsewhere, or without effect on these runs."""

CLOSE = 0.01
"""Relative difference between facts of a run and the catalog's up to which no remark is made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Latencies that clients measured in a run.

    Attributes:
        ttft_s: time to the first token, s.
        tpot_s: time per further token, s.
        e2e_s: time to the last token, s.
        makespan_s: time from the first arrival to the last token, s.
    """

    ttft_s: Latency
    tpot_s: Latency
    e2e_s: Latency
    makespan_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A run's settings, its requests, and their measurements.

    Attributes:
        path: path of its folder.
        deployment: deployment as it was served.
        capacity: capacity of its KV cache.
        keeps_prefixes: whether unused blocks of prompts are kept until their room is needed.
        requests: requests in the order of arrival.
        measured: measurements of its clients; NaN where the file has none.
        remarks: differences between its facts and the catalog's, and settings that predictions ignore.
    """

    path: Path
    deployment: Deployment
    capacity: Capacity
    keeps_prefixes: bool
    requests: Requests
    measured: Seen
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """Prediction of a recorded run.

    Attributes:
        recorded: run that was recorded.
        simulation: simulation of its requests.
        predicted: predicted measurements of its clients.
    """

    recorded: Recorded
    simulation: Simulation
    predicted: Seen

    @property
    def measured(self) -> Seen:
        """Measurements of its clients."""
        return self.recorded.measured


def replay(recorded: Recorded) -> Replay:
    """Play the requests of a run again, from its settings, arrivals and lengths alone."""
    deployment, capacity = recorded.deployment, recorded.capacity
    hashed_tokens = capacity.block_tokens if recorded.keeps_prefixes else 0
    requests = _by_themselves(recorded.requests, hashed_tokens) if hashed_tokens else recorded.requests
    simulation, served = simulate(
        deployment,
        [requests],
        limits=limits_for(deployment, policy_of(limits_of(deployment)), capacity, hashed_tokens=hashed_tokens),
        capacity=capacity,
    )
    return Replay(recorded=recorded, simulation=simulation, predicted=_seen(served))


def _by_themselves(requests: Requests, hashed_tokens: int) -> Requests:
    """Requests whose prompts share nothing, and that find their own blocks again after a preemption."""
    ends = np.cumsum(requests.prompt_tokens // hashed_tokens).tolist()
    hashes = tuple(tuple(range(begin, end)) for begin, end in zip([0, *ends[:-1]], ends, strict=True))
    return dataclasses.replace(requests, prefix_hashes=hashes)


def _seen(served: ServedRequests) -> Seen:
    return Seen(
        ttft_s=latency_of(served.ttft_s),
        tpot_s=latency_of(served.tpot_s),
        e2e_s=latency_of(served.e2e_s),
        makespan_s=float(np.max(served.arrivals_s + served.e2e_s) - served.arrivals_s[0]),
    )


def read_recorded(folder: str | os.PathLike[str]) -> Recorded:
    """Read a recorded run.

    Raises:
        RidgelineError: a file is missing or invalid, a setting is invalid, or the model does not fit.
    """
    path = Path(folder)
    settings = _settings(path / "run.toml")
    requests, measured = _requests(path / "requests.csv")
    scheduler: Mapping[str, Any] = settings.get("scheduler", {})
    deployment = _deployment(settings, scheduler, path / "run.toml")
    held = float(np.mean(requests.prompt_tokens + requests.output_tokens / 2))
    block = _whole(scheduler, settings, BLOCK, path) or limits_of(deployment).block_tokens
    blocks, tokens = (
        _whole(scheduler, settings, BLOCKS_OF_CACHE, path),
        _whole(scheduler, settings, TOKENS_OF_CACHE, path),
    )
    capacity = capacity_of(
        deployment,
        held,
        kv_blocks=tokens // block if blocks is None and tokens is not None else blocks,
        block_tokens=block,
    )
    return Recorded(
        path=path,
        deployment=deployment,
        capacity=capacity,
        keeps_prefixes=not capacity.is_reserved and scheduler.get("prefix_caching", True) is not False,
        requests=requests,
        measured=measured,
        remarks=(*_differences(settings, deployment), *_unread(scheduler, deployment.engine.name)),
    )


def _settings(path: Path) -> dict[str, Any]:
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RidgelineError(
            f"{path}: {error.strerror or error}; give a folder with run.toml and requests.csv"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RidgelineError(f"{path}: is not TOML: {error}") from None
    for name in ("model", "machine", "engine"):
        if not isinstance(settings.get(name), str):
            raise RidgelineError(f'{path}: {name} is missing or no text; write such as {name} = "{EXAMPLES[name]}"')
    if not isinstance(settings.get("scheduler", {}), dict):
        raise RidgelineError(f"{path}: scheduler is no table; write [scheduler] and its settings below")
    return settings


EXAMPLES = {"model": "llama-3.1-8b", "machine": "rtx-pro-6000", "engine": "vllm-0.19.0"}
"""Example values of settings, by name."""


def _deployment(settings: Mapping[str, Any], scheduler: Mapping[str, Any], path: Path) -> Deployment:
    """Deployment of a run, with its engine as it was run."""
    cut = {name: _whole(settings, {}, (name,), path) or 1 for name in LAYOUT}
    engine = load_engine(settings["engine"])
    return deploy(
        load_model(settings["model"]),
        load_machine(settings["machine"]),
        Layout(**cut),
        engine=run_with(engine, options_stated(engine.name, {**_plain(settings), **scheduler})),
        weights=_format(settings.get("weight_dtype")),
        kv=_format(settings.get("kv_dtype")),
    )


def _plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if not isinstance(value, dict)}


def _format(name: str | None) -> str | None:
    return None if name is None else FORMATS.get(name, name)


def _whole(first: Mapping[str, Any], then: Mapping[str, Any], names: Sequence[str], path: Path) -> int | None:
    """Integer from 1 up under one of several names; None where none is present."""
    for settings in (first, then):
        for name in names:
            value = settings.get(name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise RidgelineError(f"{path}: {name} = {value!r} must be a whole number from 1 up")
            return value
    return None


def _requests(path: Path) -> tuple[Requests, Seen]:
    """Requests in the order of arrival, and their measurements."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise RidgelineError(
            f"{path}: {error.strerror or error}; give a folder with run.toml and requests.csv"
        ) from None
    if not rows:
        raise RidgelineError(f"{path}: has no requests; write a header and a line for each")
    arrivals_s, prompts, outputs = (
        _column(rows, name, path, least=least)
        for name, least in (("arrival_s", -math.inf), ("prompt_tokens", 1), ("output_tokens", 1))
    )
    order = np.argsort(arrivals_s, kind="stable")
    requests = Requests(
        arrivals_s=(arrivals_s - arrivals_s.min())[order],
        prompt_tokens=prompts[order].astype(np.int64),
        output_tokens=outputs[order].astype(np.int64),
    )
    ttft_s, tpot_s, e2e_s = (_measured(rows, name) for name in ("ttft_s", "tpot_s", "e2e_s"))
    measured = Seen(
        ttft_s=latency_of(ttft_s),
        tpot_s=latency_of(np.where(outputs > 1, tpot_s, np.nan)),
        e2e_s=latency_of(e2e_s),
        makespan_s=float(np.max(arrivals_s + e2e_s) - arrivals_s.min()),
    )
    return requests, measured


def _column(rows: Sequence[Mapping[str, str | None]], name: str, path: Path, *, least: float) -> Array:
    """Numbers of a column that every request must have."""
    found = []
    for line, row in enumerate(rows, start=2):
        try:
            value = float(row.get(name) or "")
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or value < least:
            raise RidgelineError(f"{path}, line {line}: {name} is {row.get(name)!r}, and must be a number")
        found.append(value)
    return np.array(found)


def _measured(rows: Sequence[Mapping[str, str | None]], name: str) -> Array:
    """Numbers of a column; NaN where there are none."""

    def number(text: str | None) -> float:
        try:
            return float(text or "nan")
        except ValueError:
            return math.nan

    return np.array([number(row.get(name)) for row in rows])


def _differences(settings: Mapping[str, Any], deployment: Deployment) -> list[str]:
    """Remarks on facts of the machine that differ from the catalog's, which are used."""
    chip, facts = deployment.machine.chip, settings.get("machine_facts", {})
    ours = {
        "memory_gb": ("GB of memory", chip.hbm_bytes / 1e9),
        "memory_bandwidth_gb_s": ("GB/s of memory bandwidth", chip.hbm_bytes_per_s / 1e9),
    }
    return [
        f"run.toml notes {facts[name]:.6g} {said}; predicted with the catalog's {value:.6g}"
        for name, (said, value) in ours.items()
        if isinstance(facts.get(name), int | float) and abs(math.log(max(facts[name], 1e-9) / value)) > CLOSE
    ]


def _unread(scheduler: Mapping[str, Any], engine: str) -> list[str]:
    """Remarks on settings that predictions ignore."""
    unknown = sorted(scheduler.keys() - NOTED - options_of(engine).keys())
    return [f"run.toml states {name}, which no prediction follows" for name in unknown]
