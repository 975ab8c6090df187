"""Engine options that predictions follow, and the host time that some of them expose."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from ridgeline.errors import RidgelineError

__all__ = ["AS_BY_DEFAULT", "NOT_KNOWN", "EngineOptions", "HostTime"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """Options that an operator sets; None where one is left at the engine's default.

    Attributes:
        step_tokens: maximum prompt tokens of a group in a step; longer prompts are read in chunks.
        sequences: maximum sequences of a group in a step.
        all_step_tokens: ``step_tokens`` of all ``dp`` groups together, which divide them evenly.
        all_sequences: ``sequences`` of all ``dp`` groups together, which divide them evenly.
        memory_fraction: part of a chip's memory that the engine may use.
        stream_interval: tokens that the server sends together; the first token waits for them where the engine holds it
            back.
        replays_graphs: whether steps are replayed from CUDA graphs, and not launched kernel by kernel.
        captured_sequences: sequences of a group in the largest captured graph; decode steps of more are launched kernel
            by kernel. None where graphs are captured for all batches that run; 0 where none are.
        overlaps_host: whether the host schedules the next step while the chips run this one.
        aligned_prompt_steps: steps between prefills, which all ``dp`` groups start together; no effect without groups.
        decode_steps_after_prompts: decode steps after a prefill before the next one.
        prompt_hold_steps: steps for which a prompt is held back so that others can be read with it.
    """

    step_tokens: int | None = None
    sequences: int | None = None
    all_step_tokens: int | None = None
    all_sequences: int | None = None
    memory_fraction: float | None = None
    stream_interval: int | None = None
    replays_graphs: bool | None = None
    captured_sequences: int | None = None
    overlaps_host: bool | None = None
    aligned_prompt_steps: int | None = None
    decode_steps_after_prompts: int | None = None
    prompt_hold_steps: int | None = None

    def __post_init__(self) -> None:
        if self.memory_fraction is not None and not 0 < self.memory_fraction <= 1:
            raise RidgelineError(f"memory_fraction={self.memory_fraction!r} must be above 0 and at most 1")
        for name in ("replays_graphs", "overlaps_host"):
            if getattr(self, name) not in {None, True, False}:
                raise RidgelineError(f"{name}={getattr(self, name)!r} must be true or false")
        for name in ("step_tokens", "sequences"):
            if None not in {getattr(self, name), getattr(self, f"all_{name}")}:
                raise RidgelineError(f"{name} of a group and of all groups together are both set; keep one")
        for name, least in LEAST.items():
            value = getattr(self, name)
            if value is not None and not _is_whole(value, least):
                raise RidgelineError(f"{name}={value!r} must be a whole number from {least} up")

    @property
    def given(self) -> dict[str, Any]:
        """Options that are set, by field."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    @property
    def unmeasured(self) -> tuple[str, ...]:
        """Options that no measured run under load had, in words."""
        said = {
            "kernels launched one by one": self.replays_graphs is False or self.captured_sequences == 0,
            f"CUDA graphs up to {self.captured_sequences} sequences": bool(self.captured_sequences),
            "no overlap of host and chips": self.overlaps_host is False,
            f"prefills once in {self.aligned_prompt_steps} steps": (self.aligned_prompt_steps or 1) > 1,
            f"{self.decode_steps_after_prompts} decode steps after a prefill": bool(self.decode_steps_after_prompts),
        }
        return tuple(text for text, holds in said.items() if holds)

    @property
    def of_loads(self) -> tuple[str, ...]:
        """Options that change no single pass, only the schedule, in words."""
        said = {
            f"a stream interval of {self.stream_interval}": self.stream_interval is not None,
            f"prefills once in {self.aligned_prompt_steps} steps": self.aligned_prompt_steps is not None,
            f"{self.decode_steps_after_prompts} decode steps after a prefill": (
                self.decode_steps_after_prompts is not None
            ),
            f"prompts held back for {self.prompt_hold_steps} steps": self.prompt_hold_steps is not None,
        }
        return tuple(text for text, holds in said.items() if holds)


LEAST = {
    "step_tokens": 1,
    "sequences": 1,
    "all_step_tokens": 1,
    "all_sequences": 1,
    "stream_interval": 1,
    "captured_sequences": 0,
    "aligned_prompt_steps": 1,
    "decode_steps_after_prompts": 0,
    "prompt_hold_steps": 0,
}
"""Smallest value allowed for each option that is a count."""


def _is_whole(value: float, least: int) -> bool:
    return not isinstance(value, bool) and least <= value < math.inf and value == value // 1


AS_BY_DEFAULT = EngineOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class HostTime:
    """Host time of a decode step that graphs and overlap hide by default.

    Attributes:
        eager_layer_s: host time to launch a layer's kernels one by one, s; overlapped with the chips, which wait where
            it is longer.
        step_s: host time to schedule a step and process its tokens, s; chips idle for it where nothing overlaps.
    """

    eager_layer_s: float = 0.0
    step_s: float = 0.0

    def __post_init__(self) -> None:
        for name in ("eager_layer_s", "step_s"):
            value = getattr(self, name)
            if not 0 <= value < 1:
                raise RidgelineError(f"HostTime: {name}={value!r} must be seconds from 0 up, and below a second")


NOT_KNOWN = HostTime()
