"""Effect of a training framework on a step: slower kernels, overlapped messages, host launches."""

from __future__ import annotations

from ridgeline.equations.training import scale_ratio
from ridgeline.specs.trainer import FITTED_CHIPS, Trainer
from ridgeline.training.breakdown import ACROSS, Factors, Item
from ridgeline.training.job import TrainingJob
from ridgeline.training.recipe import Recipe

__all__ = ["exposed_s", "factors", "host_s", "lengthening"]

HOST_SHARES = {"attn": 0.6, "mlp": 0.4}
"""Parts of a dense layer's launches that can be captured separately: of some twenty kernels, twelve are attention's."""


def factors(job: TrainingJob) -> Factors:
    """Factor of a job's framework on each item's time: slower kernels, and the exposed part of messages."""
    trainer, recipe, machine = job.trainer, job.recipe, job.machine
    products = trainer.by_family(trainer.products_factor, machine.family)
    if recipe.is_narrow:
        products *= trainer.by_family(trainer.narrow_products_factor, machine.family)
    if recipe.has_row_scales:
        products *= trainer.row_scales_factor
    if recipe.power_limit_w and machine.chip.power_w:
        products *= (machine.chip.power_w / recipe.power_limit_w) ** trainer.power_exponent
    attention = trainer.by_family(trainer.attention_factor, machine.family)
    back = trainer.attention_backward_factor * (trainer.deterministic_factor if recipe.is_deterministic else 1.0)
    elementwise = trainer.elementwise_factor * (trainer.compiled_fraction if recipe.is_compiled else 1.0)
    exposed = {
        Item.TP: 1 - (trainer.hidden_tp if recipe.hides_tp else 0.0),
        Item.CP: 1 - trainer.hidden_tp,
        Item.DISPATCH: 1 - (trainer.hidden_dispatch if recipe.hides_dispatch else 0.0),
        Item.STATES: 1.0,
        Item.SENDS: 1.0,
    }
    return {
        Item.PRODUCTS: products,
        Item.EXPERTS: products * trainer.by_family(trainer.experts_factor, machine.family),
        Item.ATTENTION: attention,
        Item.ATTENTION_BACK: attention * back,
        Item.ELEMENTWISE: elementwise,
        Item.LOSS: elementwise * trainer.loss_streams,
        **exposed,
        **{ACROSS[item]: part * trainer.across_factor for item, part in exposed.items()},
    }


def host_s(recipe: Recipe, trainer: Trainer, experts: float) -> float:
    """Host time to launch a layer's forward pass, without what is captured in graphs, s.

    Args:
        recipe: settings of the step.
        trainer: framework that runs it.
        experts: routed experts of the layer on a chip; 0 for none.
    """
    if "full_iteration" in recipe.graphs:
        return 0.0
    launches_s = trainer.layer_host_s * sum(share for part, share in HOST_SHARES.items() if part not in recipe.graphs)
    if experts and "moe" not in recipe.graphs:
        experts_s = trainer.experts_host_s.get(recipe.dispatcher, 0.0)
        launches_s += experts_s * (trainer.captured_host_fraction if "moe_router" in recipe.graphs else 1.0)
        launches_s += trainer.narrow_expert_host_s * experts * recipe.is_narrow
    return launches_s


def exposed_s(message_s: float, window_s: float, hidden: float) -> float:
    """Exposed time of messages of which a part may overlap with work, s.

    >>> exposed_s(1.0, 5.0, 0.75), exposed_s(1.0, 0.5, 0.75)
    (0.25, 0.5)
    """
    return message_s - min(hidden * message_s, window_s)


def lengthening(job: TrainingJob, chips: int) -> float:
    """Time of a job's step on a number of chips over that of its parts: what scale costs beside them."""
    return float(scale_ratio(chips=chips, from_chips=FITTED_CHIPS, exponent=job.trainer.scale_exponent))
