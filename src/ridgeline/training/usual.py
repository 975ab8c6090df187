"""How a training step is run where little is said of it, and how many sequences a batch of tokens is."""

from __future__ import annotations

from ridgeline.catalog.trainers import TRAINER_RUNS, run_defaults
from ridgeline.errors import RidgelineError
from ridgeline.specs.trainer import IDEAL_TRAINER
from ridgeline.specs.training_defaults import TrainingDefaults
from ridgeline.training.recipe import NO_RECOMPUTE, Recipe, Recompute

__all__ = ["FORMATS", "sequences_of", "usual_recipe"]

FORMATS = {
    "bf16": ("bf16", ""),
    "fp8": ("fp8", "delayed"),
    "fp8-tensor": ("fp8", "tensor"),
    "fp8-row": ("fp8", "row"),
    "fp8-block": ("fp8", "block"),
    "mxfp8": ("fp8", "mx"),
}
"""What layers multiply in, and how that is scaled, by the name of both."""

WRITTEN = {1_000_000: 2**20, 1_000: 2**10}
"""What is often meant by a suffix of tokens, M and k, beside what it says."""


def usual_recipe(
    trainer: str,
    *,
    number_format: str = "bf16",
    recompute: Recompute = NO_RECOMPUTE,
    dispatcher: str = "alltoall",
    routing: str | None = None,
    hides_dispatch: bool = False,
) -> Recipe:
    """The recipe of a framework's runs, as the catalog has them, with what is said.

    Args:
        trainer: id of the framework.
        number_format: one of ``FORMATS``.
        recompute: what is computed again.
        dispatcher: what sends tokens to experts.
        routing: "balanced" or "natural"; None for the framework's.
        hides_dispatch: whether tokens travel to experts while another micro-batch computes.

    Raises:
        RidgelineError: a name is not known.

    >>> usual_recipe("torchtitan", number_format="fp8-row").scaling
    'row'
    """
    if number_format not in FORMATS:
        raise RidgelineError(f"number format {number_format!r} of training is not one of {', '.join(FORMATS)}")
    compute, scaling = FORMATS[number_format]
    defaults = TrainingDefaults() if trainer == IDEAL_TRAINER.name else run_defaults(TRAINER_RUNS[trainer])
    if defaults is None:  # pragma: no cover  a file of the catalog's own
        raise RidgelineError(f"framework {trainer!r} has no runs in the catalog")
    return Recipe(
        compute=compute,
        scaling=scaling,
        gradients=defaults.gradients,
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


def sequences_of(batch_tokens: float, sequence_tokens: int) -> tuple[int, str]:
    """Sequences of a batch, and what to say of how that was read; empty where there is nothing to say.

    Where k or M leave a part of a sequence and the same as powers of two do not, those are meant: batches are powers of
    two of sequences that are powers of two of tokens.

    Raises:
        RidgelineError: it is no whole number of sequences; names the nearest that are.

    >>> sequences_of(16e6, 8192)
    (2048, '16,000,000 tokens are no whole number of sequences; 2,048 sequences of 8,192 are taken: 16Mi tokens')
    """
    whole, over = divmod(batch_tokens, sequence_tokens)
    if not over and whole:
        return int(whole), ""
    for unit, meant in WRITTEN.items():
        if batch_tokens % unit == 0 and (batch_tokens // unit * meant) % sequence_tokens == 0:
            sequences = int(batch_tokens // unit * meant // sequence_tokens)
            written = f"{batch_tokens / unit:g}{'M' if unit > 1_000 else 'k'}i"  # noqa: PLR2004  one of two
            said = (
                f"{batch_tokens:,.0f} tokens are no whole number of sequences; {sequences:,} sequences of"
                f" {sequence_tokens:,} are taken: {written} tokens"
            )
            return sequences, said
    near = " or ".join(f"{count * sequence_tokens:,.0f}" for count in (whole, whole + 1) if count)
    raise RidgelineError(
        f"a batch of {batch_tokens:,.0f} tokens is no whole number of sequences of {sequence_tokens:,}; the nearest"
        f" are {near}"
    )
