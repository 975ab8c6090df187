"""A training job: a search over its layouts, or the time of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ridgeline.specs.fidelity import Fidelity
from ridgeline.specs.machine import Machine
from ridgeline.specs.model import Model
from ridgeline.specs.tariff import Tariff
from ridgeline.verbs.names import Name, fidelity_of, load_machine, load_model, refuse_beside_peaks

if TYPE_CHECKING:
    from ridgeline.training.outcome import Training

__all__ = ["train"]


def train(
    model: Model | Name,
    machine: Machine | Name,
    *,
    chips: int | Sequence[int] | None = None,
    tokens: float,
    batch_tokens: float,
    sequence_tokens: int = 8192,
    layout: str | None = None,
    why_not: str | None = None,
    schedule: str | None = None,
    recompute: str | None = None,
    micro_batch: int | None = None,
    number_format: str = "bf16",
    framework: str | None = None,
    dispatcher: str = "alltoall",
    routing: str | None = None,
    gradients: str | None = None,
    hides_dispatch: bool = False,
    fidelity: Fidelity | str = "measured",
    kernels: Name | None = None,
    usd_per_chip_s: float | None = None,
    electricity_usd_per_j: float | None = None,
    pue: float = 1.0,
    chip_mtbf_s: float | None = None,
    measured_s: float | None = None,
    count: int = 5,
) -> Training:
    """Search layouts of a training job for the fastest step, or time a given one, as ``ridgeline train`` does.

    Args:
        model: catalog id, path or record of the model that is trained.
        machine: catalog id, path or record of the machine.
        chips: number of chips of the run, or several numbers whose best plans are compared; left out with a layout, its
            own.
        tokens: training tokens of the run.
        batch_tokens: tokens of a step, the global batch.
        sequence_tokens: tokens of a sequence.
        layout: layout to time: "tp8,pp16,dp64,vpp8"; left out, all are searched.
        why_not: a layout for which to state why it is not the best.
        schedule: pipeline schedule, or "all" for every one that is timed; left out, 1F1B and interleaved.
        recompute: "none", "full", "selective:layernorm+mlp"; left out, the fastest that fits of several.
        micro_batch: sequences of a micro-batch; left out, powers of two are tried, or the layout's is used.
        number_format: format in which layers multiply: bf16, fp8, fp8-tensor, fp8-row, fp8-block or mxfp8.
        framework: framework whose overhead is included: megatron, torchtitan, maxtext, llm-foundry, or ideal, which has
            none; left out, megatron, or maxtext on TPUs.
        dispatcher: implementation of expert dispatch: alltoall, allgather, deepep or hybridep.
        routing: "balanced" or "natural"; left out, the framework's.
        gradients: number format of reduced gradients, bf16 or fp32; left out, the framework's.
        hides_dispatch: whether expert dispatch overlaps with another micro-batch's computing.
        fidelity: "roofline" or "measured".
        kernels: profile or folder of the user's own calibration, for the machine.
        usd_per_chip_s: price of a chip, $/s; left out, the catalog's.
        electricity_usd_per_j: price of electricity, charged on top of chips, $/J.
        pue: power usage effectiveness of the site: its power over that of its chips.
        chip_mtbf_s: mean time between failures of one chip, s; left out, that of published runs.
        measured_s: measured step time to compare with the predicted one, s.
        count: number of plans to find.

    Raises:
        RidgelineError: a name, a number or a combination is invalid; the message says what to give instead.

    >>> found = train("llama-3.1-8b", "h100-sxm", chips=64, tokens=1e12, batch_tokens=4 * 2**20)
    >>> found.plans[0].job.layout.chips, found.plans[0].fits
    (64, True)
    """
    # Imported here: other verbs load faster without these modules.
    from ridgeline.training.asked import Asked  # noqa: PLC0415
    from ridgeline.training.train import train as trained  # noqa: PLC0415

    fidelity = fidelity_of(fidelity)
    refuse_beside_peaks(fidelity, [] if kernels is None else ["kernels"])
    loaded = load_machine(machine, kernels=kernels)
    tariff = loaded.tariff if usd_per_chip_s is None else Tariff(usd_per_chip_s=usd_per_chip_s, label="as given")
    asked = Asked(
        model=load_model(model),
        machine=loaded,
        chips=() if chips is None else (chips,) if isinstance(chips, int) else tuple(chips),
        tokens=tokens,
        batch_tokens=batch_tokens,
        sequence_tokens=sequence_tokens,
        layout=layout,
        why_not=why_not,
        schedule=schedule,
        recompute=recompute,
        micro_batch=micro_batch,
        number_format=number_format,
        framework=framework,
        dispatcher=dispatcher,
        routing=routing,
        gradients=gradients,
        hides_dispatch=hides_dispatch,
        fidelity=fidelity,
        tariff=tariff,
        electricity_usd_per_j=electricity_usd_per_j,
        pue=pue,
        chip_mtbf_s=chip_mtbf_s,
        measured_s=measured_s,
        count=count,
    )
    return trained(asked)
