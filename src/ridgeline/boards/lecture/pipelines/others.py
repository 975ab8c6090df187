"""Sentences of the chapter's steps on the numbers that they do not open in."""

from __future__ import annotations

from ridgeline.boards.board import Mode
from ridgeline.boards.bubble import Bubble
from ridgeline.boards.in_a_sentence import as_long
from ridgeline.boards.lecture.not_wise import not_wise
from ridgeline.boards.lecture.pipelines import stages
from ridgeline.boards.lecture.pipelines.bubbles import DRAWN
from ridgeline.boards.lecture.pipelines.hand_over import times
from ridgeline.boards.lecture.whose import where_he
from ridgeline.boards.scene import Gantt, Played
from ridgeline.boards.walk import Seen, height, is_as_opened
from ridgeline.boards.written import flat
from ridgeline.equations import pipelines
from ridgeline.quantity_text import format_number, format_quantity
from ridgeline.training.schedules import find_schedule

__all__ = [
    "bubble",
    "hand_overs",
    "kept",
    "longer_loop",
    "longer_stay",
    "more_stages",
    "of_fewer_layers",
    "parted",
    "played",
    "vectors",
]


def hand_overs(seen: Seen, mode: Mode | None = None) -> float:
    """Time of a rack's expert traffic over that of its hand-over, as it is drawn."""
    values = seen.values[mode or seen.mode]
    return float(stages.traffic_ratio(values, stages.AS_SENT, values["layers_per_stage"]))


def longer_stay(seen: Seen) -> str:
    """Sentence on more layers of a rack, and faster links."""
    values, ratio, his = seen.values[seen.mode], hand_overs(seen), hand_overs(seen, Mode.LECTURE)
    layers = times(values["layers_per_stage"], "layer")
    copies, faster = (format_number(values[name]) for name in ("copies_per_token", "link_ratio"))
    chips = f"{copies} chip{'' if values['copies_per_token'] == 1 else 's'}"
    fast = "no faster than those outside" if values["link_ratio"] == 1 else f"{faster} times as fast as those outside"
    return (
        f"Here a rack has {layers}, a token visits {chips} in each on average, and links inside are {fast}. Expert"
        f" traffic takes {as_long(ratio)} as the move to the next rack; with his numbers, {as_long(his)}."
    )


def vectors(seen: Seen, line: str, mode: Mode | None = None) -> float:
    """Vectors that all stages hand on of a token, as a line has them."""
    return height(seen, flat(line), seen.values[mode or seen.mode]["stages"], mode)


def of_fewer_layers(seen: Seen) -> str:
    """Sentence on the layers of a known model."""
    values, his = seen.values[seen.mode], seen.values[Mode.LECTURE]
    own = "Gemma has" if is_as_opened(seen, "layers") else "This model has"
    layers, his_layers = (f"{one['layers']:g}" for one in (values, his))
    few, every = vectors(seen, not_wise.FEW), vectors(seen, not_wise.ALL)
    also = f", and {few:,.0f} if at the last {values['attended_layers']:g}" if few < every else ""
    return (
        f"{own} {layers} layers{where_he('he has', his_layers, layers)}. Over {values['stages']:g} stages a token"
        f" hands on {every:,.0f} vectors if layers look back at all before them{also}. By his numbers, looking"
        f" back at all takes {vectors(seen, not_wise.ALL, Mode.LECTURE):,.0f}."
    )


def longer_loop(seen: Seen) -> str:
    """Sentence on a loop of other racks."""
    racks, his = (seen.values[mode]["stages"] for mode in (seen.mode, Mode.LECTURE))
    batches = seen.values[seen.mode]["micro_batches"]
    idle = float(pipelines.idle_fraction(stages=racks, micro_batches=batches))
    some = f"{batches:g} batch{'es' if batches > 1 else ''}"
    draws = where_he("he draws", f"{his:g}", f"{racks:g}")
    busy = "keep all of them busy" if batches == racks else "keep all of them busy, and some wait"
    leave = f"leave{'' if batches > 1 else 's'} each waiting {format_quantity(idle, 'fraction', 2)} of the time"
    return (
        f"Nobody says over how many racks a model is decoded. We take {racks:g} here{draws}: a single"
        f" batch would leave {racks - 1:g} of them idle. {some.capitalize()} in flight {leave if idle else busy}."
    )


def bubble(seen: Seen, mode: Mode | None = None) -> Bubble:
    """The step's picture of a training step.

    Raises:
        TypeError: it is another.
    """
    picture = seen.pictures[mode or seen.mode]
    if not isinstance(picture, Bubble):
        raise TypeError(f"a gap is asked of a view of {type(picture).__name__}; ask the last of the board")
    return picture


def more_stages(seen: Seen) -> str:
    """Sentence on the stages over which a known model was trained."""
    values, here, his = seen.values[seen.mode], bubble(seen), bubble(seen, Mode.LECTURE)
    stages, batches = values["stages"], values["micro_batches"]
    own = f"DeepSeek-V3 was trained over {stages:g} stages. There"
    counted = f"{batches:g} micro-batch{'es' if batches > 1 else ''}"
    idle, his_idle = here.idle_text[here.here], his.idle_text[his.here]
    beside = where_he("his drawing leaves", his_idle, idle)
    return (
        f"{own if is_as_opened(seen, 'stages') else f'Over {stages:g} stages,'} {counted}, our choice, would leave"
        f" {idle} of the time idle{beside}. More stages lengthen the bubble, and more"
        " micro-batches shorten it."
    )


def played(seen: Seen) -> tuple[Played, ...]:
    """The three schedules: all forward first, in turn, and with weight gradients delayed.

    Raises:
        TypeError: the step's picture has none.
    """
    picture = seen.pictures[seen.mode]
    if not isinstance(picture, Gantt):
        raise TypeError(f"schedules are asked of a view of {type(picture).__name__}; ask the first of the board")
    return tuple(next(one for one in picture.played if one.name == find_schedule(each).name) for each in DRAWN)


def kept(one: Played) -> float:
    """Micro-batches that a stage keeps at most."""
    return max(stage.peak for stage in one.kept)


def parted(seen: Seen) -> str:
    """Sentence on the three schedules at another size."""
    all_forward, in_turn, delayed = played(seen)
    stages, batches = (seen.values[seen.mode][name] for name in ("stages", "micro_batches"))
    whole, shrunk = (format_quantity(one.bubble_fraction, "fraction", 2) for one in (all_forward, delayed))
    kept_all, kept_some = kept(all_forward), kept(in_turn)
    same = f"and both store {kept_all:g} of them"
    stores = same if kept_some == kept_all else f"though {in_turn.name} stores {kept_some:g} of them, not {kept_all:g}"
    return (
        f"Over {stages:g} stages, with {batches:g} micro-batch{'es' if batches > 1 else ''}, all forward first"
        f" ({all_forward.name}) and {in_turn.name} idle {whole} of the time, {stores}. {delayed.name} idles {shrunk}."
    )
