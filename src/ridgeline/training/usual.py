"""Default settings of a training step: those of a framework's usual runs."""

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
"""Scaling of layers' products, as in ``Recipe``, by the name of a number format."""

IDEAL_RUNS = TrainingDefaults(trainer=IDEAL_TRAINER.name, hides=("gradients", "weights", "tp"), gradients="bf16")
"""Runs of the ideal framework: everything overlaps that may, and reduced gradients are as narrow as in any."""


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
    """Recipe of a framework's runs, from the catalog, with the given changes.

    Args:
        trainer: id of the framework.
        number_format: one of ``FORMATS``.
        recompute: parts that are recomputed.
        dispatcher: implementation of expert dispatch.
        routing: "balanced" or "natural"; None for the framework's.
        gradients: number format of reduced gradients; None for the framework's.
        hides_dispatch: whether expert dispatch overlaps with another micro-batch's computing.

    Raises:
        RidgelineError: a name is unknown.

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
