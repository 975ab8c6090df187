"""How a training step is run where little is said of it: as a framework's runs usually are."""

from __future__ import annotations

from ridgeline.catalog.trainers import TRAINER_RUNS, run_defaults
from ridgeline.errors import RidgelineError
from ridgeline.specs.trainer import IDEAL_TRAINER
from ridgeline.specs.training_defaults import TrainingDefaults
from ridgeline.training.recipe import Recipe
from ridgeline.training.recompute import NO_RECOMPUTE, Recompute

__all__ = ["FORMATS", "usual_recipe"]

FORMATS = {
    "bf16": "",
    "fp8": "delayed",
    "fp8-tensor": "tensor",
    "fp8-row": "row",
    "fp8-block": "block",
    "mxfp8": "mx",
}
"""What layers multiply in: scaling of their products, as ``Recipe`` has it, by the name of both."""

IDEAL_RUNS = TrainingDefaults(trainer=IDEAL_TRAINER.name, hides=("gradients", "weights", "tp"), gradients="bf16")
"""Runs of the ideal framework: all is hidden that may be, and sums of gradients are as short as any framework's."""


def usual_recipe(
    trainer: str,
    *,
    number_format: str = "bf16",
    recompute: Recompute = NO_RECOMPUTE,
    dispatcher: str = "alltoall",
    routing: str | None = None,
    gradients: str | None = None,
    hides_dispatch: bool = False,
) -> Recipe:
    """The recipe of a framework's runs, as the catalog has them, with what is said.

    Args:
        trainer: id of the framework.
        number_format: one of ``FORMATS``.
        recompute: what is computed again.
        dispatcher: what sends tokens to experts.
        routing: "balanced" or "natural"; None for the framework's.
        gradients: number format of summed gradients; None for the framework's.
        hides_dispatch: whether tokens travel to experts while another micro-batch computes.

    Raises:
        RidgelineError: a name is not known.

    >>> usual_recipe("torchtitan", number_format="fp8-row").scaling
    'row'
    """
    if number_format not in FORMATS:
        raise RidgelineError(f"number format {number_format!r} of training is not one of {', '.join(FORMATS)}")
    defaults = IDEAL_RUNS if trainer == IDEAL_TRAINER.name else run_defaults(TRAINER_RUNS[trainer])
    if defaults is None:  # pragma: no cover  a file of the catalog's own
        raise RidgelineError(f"framework {trainer!r} has no runs in the catalog")
    return Recipe(
        scaling=FORMATS[number_format],
        gradients=gradients or defaults.gradients,
        recompute=recompute,
        hides_gradients="gradients" in defaults.hides,
        hides_weights="weights" in defaults.hides,
        hides_tp="tp" in defaults.hides,
        hides_dispatch=hides_dispatch,
        dispatcher=dispatcher,
        routing=routing or defaults.routing,
        fuses_loss=defaults.fuses_loss,
        fuses_attention=defaults.fuses_attention,
        dropout=defaults.dropout,
    )
