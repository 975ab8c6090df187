"""Costs of each phase on a machine, from estimates of a model's training step and serving, per parameter and token.

Costs of a parameter and a token in each phase are estimated for one model on one machine, and assumed for models near
it: their efficiency varies far less than their size. Rollouts are generated as that machine serves, at the lengths of
reinforcement learning, and trained on as in a training step; no part of their cost is a constant.
"""

from __future__ import annotations

from dataclasses import dataclass

from ridgeline.equations.roofline import FLOP_PER_PARAM
from ridgeline.equations.training import TRAINING_FLOP_PER_PARAM
from ridgeline.errors import RidgelineError
from ridgeline.estimator.parameters import active_params
from ridgeline.lifecycle.costs import CHIP_S, USD, Costs
from ridgeline.planner.outcome import Plan
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.tariff import unlisted
from ridgeline.specs.workload import Workload
from ridgeline.training.plan import TrainingPlan
from ridgeline.training.rl_step import LOGPROB_PASSES

__all__ = ["MeasuredPhases", "Phase", "measured_phases"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A phase on a machine.

    Attributes:
        chip_s_per_token: chip-seconds per token.
        mfu_fraction: FLOP of the parameters alone, over the chips' peak FLOP in that time.
        layout: layout in which it runs.
    """

    chip_s_per_token: float
    mfu_fraction: float
    layout: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPhases:
    """Every phase of a model's life on a machine.

    Attributes:
        model: id of the model that they were estimated for.
        machine: id of the machine.
        pretraining: phase of a training token.
        input: phase of a served input token.
        output: phase of a served output token.
        rollout: phase of a token generated in reinforcement learning, with its part of the prompt.
        learning: phase of scoring that token and training on it.
        trained_fraction: part of the generated tokens that are trained on.
        usd_per_chip_s: price of a chip, $/s; None where none is known.
    """

    model: str
    machine: str
    pretraining: Phase
    input: Phase
    output: Phase
    rollout: Phase
    learning: Phase
    trained_fraction: float
    usd_per_chip_s: float | None

    @property
    def rl_chip_s_per_token(self) -> float:
        """Chip-seconds of a token of reinforcement learning."""
        return self.rollout.chip_s_per_token + self.trained_fraction * self.learning.chip_s_per_token

    @property
    def rl_flop_over_efficiency(self) -> float:
        """FLOP per parameter of such a token over the relative efficiency, the board's term, with six for training."""
        return TRAINING_FLOP_PER_PARAM * self.rl_chip_s_per_token / self.pretraining.chip_s_per_token

    @property
    def decode_relative_efficiency(self) -> float:
        """Efficiency of served output tokens over training's: the board's third."""
        return self.output.mfu_fraction / self.pretraining.mfu_fraction

    def costs(self, unit: str, params: float) -> Costs:
        """Costs of a parameter and a token.

        Args:
            unit: ``usd`` or ``chip_s``.
            params: active parameters of the model that they were estimated for.

        Raises:
            RidgelineError: costs in dollars are asked for, and no price is known.
        """
        note = f"phases of {self.model} on {self.machine}, for each active parameter and token"
        chip_s = Costs(
            unit=CHIP_S,
            pretraining=self.pretraining.chip_s_per_token / params,
            rl=self.rl_chip_s_per_token / params,
            input=self.input.chip_s_per_token / params,
            output=self.output.chip_s_per_token / params,
            notes=(note,),
        )
        if unit == CHIP_S:
            return chip_s
        if self.usd_per_chip_s is None:
            raise RidgelineError(f"{unlisted(self.machine)}, or count chip-hours")
        return chip_s.scaled(USD, self.usd_per_chip_s)


def measured_phases(
    model: Model,
    machine: Machine,
    *,
    trained: TrainingPlan,
    serving: Plan,
    rollouts: Plan,
    lengths: Workload,
    trained_fraction: float,
    usd_per_chip_s: float | None,
) -> MeasuredPhases:
    """Phases of a model on a machine.

    Args:
        model: model that they are estimated for.
        machine: machine that runs all phases.
        trained: plan of its training step.
        serving: cheapest serving plan of the model, at a price of one dollar per chip-second.
        rollouts: cheapest serving plan of the model at the lengths of reinforcement learning.
        lengths: lengths of reinforcement learning.
        trained_fraction: part of the generated tokens that are trained on.
        usd_per_chip_s: price of a chip, $/s.
    """
    params = float(active_params(model))
    peak = machine.chip.flop_per_s["bf16"]

    def phase(flop_per_param: float, chip_s: float, layout: object) -> Phase:
        return Phase(chip_s_per_token=chip_s, mfu_fraction=flop_per_param * params / chip_s / peak, layout=str(layout))

    step_s = trained.job.layout.chips / trained.tokens_per_s
    read, written = _chip_s(serving)
    rollout_read, rollout_written = _chip_s(rollouts)
    rollout = rollout_written + rollout_read * lengths.prompt_tokens / lengths.output_tokens
    scored = step_s * (1 + LOGPROB_PASSES * FLOP_PER_PARAM / TRAINING_FLOP_PER_PARAM)
    scored_flop = TRAINING_FLOP_PER_PARAM + LOGPROB_PASSES * FLOP_PER_PARAM
    return MeasuredPhases(
        model=model.id,
        machine=machine.id,
        pretraining=phase(TRAINING_FLOP_PER_PARAM, step_s, trained.job.layout),
        input=phase(FLOP_PER_PARAM, read, serving.layout),
        output=phase(FLOP_PER_PARAM, written, serving.layout),
        rollout=phase(FLOP_PER_PARAM, rollout, rollouts.layout),
        learning=phase(scored_flop, scored, trained.job.layout),
        trained_fraction=trained_fraction,
        usd_per_chip_s=usd_per_chip_s,
    )


def _chip_s(plan: Plan) -> tuple[float, float]:
    """Chip-seconds of an input token and of an output token, for a plan at one dollar per chip-second."""
    read, written = plan.usd_per_input_token, plan.usd_per_output_token
    if read is None or written is None:  # pragma: no cover  it was planned at a price
        raise RidgelineError("a plan without a price says no cost of a token")
    return read, written
