"""Questions on pipelines that words or a drawing answer."""

from __future__ import annotations

from ridgeline.boards.card import Card, Kind, Level
from ridgeline.boards.lecture.numbers import LINK_RATIO
from ridgeline.boards.lecture.pipelines import numbers
from ridgeline.equations import pipelines, racks
from ridgeline.quantity_text import format_number

__all__ = ["CARDS"]

STAGES, MICRO_BATCHES = numbers.STAGES_DRAWN.value, numbers.MICRO_BATCHES.value


def _idle(micro_batches: float) -> str:
    return f"{100 * float(pipelines.idle_fraction(stages=STAGES, micro_batches=micro_batches)):.3g} %"


def _bubble() -> str:
    found = pipelines.training_bubble_fraction(stages=STAGES, micro_batches=MICRO_BATCHES)
    return f"{100 * float(found):.3g} %"


def _ratio() -> str:
    found = racks.scale_up_over_scale_out(
        copies_per_token=float(numbers.ACTIVE_EXPERTS),
        layers_per_stage=1,
        dispatch_bytes=1,
        combine_bytes=1,
        send_bytes=1,
        link_ratio=float(LINK_RATIO),
    )
    return format_number(float(found))


CARDS: tuple[Card, ...] = (
    Card(
        id="pipelines-why-layers-leave-a-rack",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="0:48:30",
        question="Experts of one layer should stay inside a rack. Why may the next layers move to another rack?",
        answer="Between layers a token is sent once; inside a layer copies of it go to several experts and back. The"
        " slow network between racks has that much less to carry.",
        board="stages",
    ),
    Card(
        id="pipelines-enough-layers",
        kind=Kind.DERIVATION,
        level=Level.APPLY,
        time_stamp="0:51:00",
        question=f"Links inside a rack are {float(LINK_RATIO):.0f} times as fast as those between racks. Derive when a"
        " stage's hand-over to the next rack hides behind the traffic inside its own.",
        answer=f"Time inside over time between: (1/{float(LINK_RATIO):.0f}) times active experts times layers a stage"
        " times 2, for the way to the experts and back. It has to be at least 1; with"
        f" {float(numbers.ACTIVE_EXPERTS):.0f} experts and one layer it is {_ratio()}.",
        board="stages",
    ),
    Card(
        id="pipelines-idle-number",
        kind=Kind.NUMBER,
        level=Level.RECALL,
        time_stamp="0:58:00",
        question=f"{STAGES} racks run one batch after another through a pipeline, the next once the last is done. How"
        " much of the time does a rack idle? And with as many batches under way as racks?",
        answer=f"{_idle(1)}, since one rack works at a time; then {_idle(STAGES)}.",
        board="inference-loop",
    ),
    Card(
        id="pipelines-sketch-loop",
        kind=Kind.SKETCH,
        level=Level.APPLY,
        time_stamp="1:08:20",
        question=f"Sketch decoding through {STAGES} stages: time along, stages up, each batch by its number. What does"
        " the drawing prove about the number of batches?",
        answer="Diagonals, one behind the other; each batch starts again at the first stage when it leaves the last."
        f" No gap is left if its turn comes just then, with as many batches as stages: {STAGES} along and {STAGES} up.",
        board="inference-loop",
    ),
    Card(
        id="pipelines-latency",
        kind=Kind.CONCEPT,
        level=Level.APPLY,
        time_stamp="1:01:36",
        question="A model moves from one rack to a pipeline of four. What becomes of the time of a token, of the batch"
        " that amortises the weights, and of the memory a rack needs for weights?",
        answer="Time and batch stay as they were, but for hops between racks: the stages' times add up to the same"
        " whole, and each reads its weights once for as large a batch. The weights of a rack fall to a quarter.",
        board="inference-loop",
    ),
    Card(
        id="pipelines-why-a-bubble",
        kind=Kind.CONCEPT,
        level=Level.RECALL,
        time_stamp="0:59:30",
        question="Inference fills a pipeline's gaps with the next batch. Why can training not?",
        answer="The next batch needs the weights that this one's gradients change. All backward passes have to end,"
        f" and the optimiser to step, before it starts: {STAGES} stages with {MICRO_BATCHES} micro-batches idle"
        f" {_bubble()} of the time.",
        board="bubbles",
    ),
    Card(
        id="pipelines-sketch-training",
        kind=Kind.SKETCH,
        level=Level.APPLY,
        time_stamp="0:59:00",
        question=f"Sketch a training step of {MICRO_BATCHES} micro-batches through {STAGES} stages, all forward before"
        " all backward. Where are the idle places?",
        answer="A parallelogram that rises and one that comes back. Late stages wait at the start, early ones in the"
        " middle, while the last micro-batch goes out and its gradient returns, and late ones again at the end.",
        board="bubbles",
    ),
    Card(
        id="pipelines-batch-of-training",
        kind=Kind.CONCEPT,
        level=Level.COMBINE,
        time_stamp="0:59:50",
        question="Why not simply fill a training pipeline with so many micro-batches that the bubble vanishes?",
        answer="All of them are one batch, and the larger it is, the less a step learns from each token: its gradient"
        " is taken at older weights. The fastest batch lies between, near √((p - 1) m_c) micro-batches by the law of"
        " the critical batch.",
        board="training-batch",
    ),
)
