"""The time of a step as a lookup table, which a simulator queries a million times.

A step runs three kinds of operations, whose times add up: those of all its rows (most matrices and messages), those of
the decoding sequences or of the prompt alone, and attention. Attention of decoding sequences depends on their number
and on the entries that they attend to, summed over all of them, for each kernel separately: windows and indexers attend
to other sums than full attention does. All counts are per group of ``dp``, and groups are equal.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from math import frexp

import numpy as np

from ridgeline.estimator.attention import cores
from ridgeline.estimator.kernels import AttentionCore
from ridgeline.serving.step_tables import Array, Lines, StepTables
from ridgeline.specs.attention import Attention
from ridgeline.specs.deployment import Deployment
from ridgeline.specs.passes import Lane

__all__ = ["ATTENTION_KINDS", "StepSurface", "attention_core", "attention_kinds"]

ATTENTION_KINDS = frozenset({"decode_attention", "latent_attention", "prefill_attention"})
"""Kinds of kernels whose time depends on contexts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSurface:
    """Lookup tables of a deployment's step times.

    Attributes:
        deployment: deployment whose steps are tabulated, without its correction.
        kinds: attention kernels of a step: kind of attention, name of the kernel, and layers that run it; empty where
            steps are timed as a whole, by their mean context.
        tables: times of its steps.
    """

    deployment: Deployment
    kinds: tuple[tuple[Attention, str, int], ...]
    tables: StepTables

    def scaled(self, factor: float) -> StepSurface:
        """The surface with all times multiplied by ``factor``."""
        return dataclasses.replace(self, tables=self.tables.scaled(factor))

    def entries(self, context_tokens: float) -> tuple[float, ...]:
        """Entries that one sequence attends to in each kernel of ``kinds``, for a context with its new token."""
        return tuple(float(attended[0]) for attended in self.entries_over(np.array([context_tokens], dtype=float)))

    def entries_over(self, context_tokens: Array) -> tuple[Array, ...]:
        """Entries for many contexts; the contexts themselves where steps are timed as a whole, without kernels."""
        if not self.kinds:
            return (context_tokens,) * len(self.tables.cores_s)
        lane, kv = Lane(sequences=1, past_tokens=context_tokens - 1), self.deployment.precision.kv
        kernels = (
            attention_core(cores(attention, lane, sequences=1, tp=1, kv_format=kv)[name])
            for attention, name, _ in self.kinds
        )
        return tuple(np.broadcast_to(np.asarray(one.pairs, dtype=float), context_tokens.shape) for one in kernels)

    def step_s(
        self, sequences: int, entries: Sequence[float], prompt_tokens: int = 0, past_tokens: float = 0.0
    ) -> float:
        """Time of one step, s.

        Args:
            sequences: sequences of each group that decode; 0 for a step that only reads prompts.
            entries: attended to by each kernel of ``kinds``, summed over these sequences.
            prompt_tokens: tokens in this step of the one prompt that each group reads.
            past_tokens: tokens of that prompt that were read before.
        """
        tables = self.tables
        if prompt_tokens:
            core_s = self._prompt_core_s(prompt_tokens, past_tokens)
            if not sequences:
                alone_s = tables.alone_s[prompt_tokens] + tables.alone_experts_s[prompt_tokens]
                return max(alone_s + core_s, tables.least_s[prompt_tokens])
            rows_s = tables.rows_s[sequences + prompt_tokens] + tables.experts_s[sequences + prompt_tokens]
            time_s = rows_s + tables.beside_s[sequences] + tables.prompt_s[prompt_tokens] + core_s
        else:
            time_s = tables.decode_s[sequences]
        time_s += _decode_cores_s(tables.mixed_cores_s if prompt_tokens else tables.cores_s, sequences, entries)
        return max(time_s, tables.least_s[sequences + prompt_tokens])

    def ragged_step_s(
        self, decoding: int, entries: Sequence[float] = (), chunks: Sequence[tuple[int, float]] = ()
    ) -> float:
        """Time of one step of all groups, s, with sequences and prompts spread as evenly as possible.

        Groups wait for the fullest, but share routed experts. A group's prompts are attended to in one launch.

        Args:
            decoding: sequences of all groups that decode.
            entries: attended to by each kernel of ``kinds``, summed over them.
            chunks: pairs of tokens in this step and tokens read before, for each prompt that is read.
        """
        tables, groups = self.tables, self.deployment.layout.dp
        sequences, tokens = -(-decoding // groups), sum(take for take, _ in chunks)
        each = [attended / max(decoding, 1) * sequences for attended in entries]
        if not tokens:
            return self.step_s(sequences, each)
        fullest = max(*(take for take, _ in chunks), -(-tokens // groups))
        cores_s = [self._prompt_core_s(take, past) for take, past in chunks if take]
        most_s, launch_s = max(cores_s), self._prompt_core_s(1, 0)
        # Groups share attention evenly except for the launch; a lone prompt takes its own time.
        time_s = max(most_s, sum(max(one - launch_s, 0.0) for one in cores_s) / groups + min(launch_s, most_s))
        if not decoding:
            time_s += tables.alone_s[fullest] + tables.alone_experts_s[-(-tokens // groups)]
            return max(time_s, tables.least_s[fullest])
        time_s += tables.rows_s[sequences + fullest] + tables.beside_s[sequences] + tables.prompt_s[fullest]
        time_s += tables.experts_s[-(-(decoding + tokens) // groups)]
        time_s += _decode_cores_s(tables.mixed_cores_s, sequences, each)
        return max(time_s, tables.least_s[sequences + fullest])

    def _prompt_core_s(self, prompt_tokens: int, past_tokens: float) -> float:
        """Attention time of a prompt, s."""
        nodes, place = self.tables.prompt_nodes, self.tables.node_of[prompt_tokens]
        part = (prompt_tokens - nodes[place - 1]) / (nodes[place] - nodes[place - 1])
        octave = frexp(past_tokens)[1] if past_tokens >= 1 else 0
        low_s, low_slope_s = self.tables.prompt_cores_s[place - 1][octave]
        high_s, high_slope_s = self.tables.prompt_cores_s[place][octave]
        first_s = low_s + low_slope_s * past_tokens
        return first_s + (high_s + high_slope_s * past_tokens - first_s) * part

    def steps_s(self, sequences: Array, entries: Sequence[Array]) -> Array:
        """Times of many steps without prompts, s.

        Args:
            sequences: sequences of each group that decode; whole numbers.
            entries: attended to by each kernel of ``kinds``, summed over these sequences; arrays of the same length.
        """
        count = np.asarray(sequences, dtype=np.intp)
        time_s = np.array(self.tables.decode_s)[count]
        for table, attended in zip(self.tables.cores_s, entries, strict=True):
            values, each = np.array(table), attended / count
            lines = values[count, np.where(each >= 1, np.frexp(each)[1], 0)]
            time_s = time_s + lines[:, 0] + lines[:, 1] * each
        return np.asarray(np.maximum(time_s, np.array(self.tables.least_s)[count]))


def _decode_cores_s(cores_s: tuple[list[Lines], ...], sequences: int, entries: Sequence[float]) -> float:
    """Attention time of sequences that decode, s."""
    time_s = 0.0
    for table, attended in zip(cores_s, entries, strict=True):
        each = attended / sequences
        start_s, slope_s = table[sequences][frexp(each)[1] if each >= 1 else 0]
        time_s += start_s + slope_s * each
    return time_s


def attention_core(kernel: object) -> AttentionCore:
    """A kernel that is known to be attention, typed as such."""
    if not isinstance(kernel, AttentionCore):
        raise TypeError(f"{type(kernel).__name__} attends to nothing")
    return kernel


def attention_kinds(deployment: Deployment) -> tuple[tuple[Attention, str, int], ...]:
    """Attention kernels of a step: kind of attention, name of the kernel, and layers that run it."""
    layers: dict[tuple[Attention, str], int] = {}
    lane = Lane(sequences=1)
    for group in deployment.model.groups:
        for name, kernel in cores(group.attention, lane, sequences=1, tp=1, kv_format=deployment.precision.kv).items():
            if isinstance(kernel, AttentionCore):
                layers[group.attention, name] = layers.get((group.attention, name), 0) + group.layers
    return tuple((attention, name, count) for (attention, name), count in layers.items())
