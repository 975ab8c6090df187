"""The walk from 0:32:30: experts over the chips of a rack, the road out of it, and why racks grow."""

from __future__ import annotations

from ridgeline.boards.board import Mode
from ridgeline.boards.walk import FINE, Question, Seen, Step, at_mark, cell, height, mark_named

__all__ = ["STEPS"]


def _two_racks_prompt(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"Half of the mail leaves, and the road out is {values['link_ratio']:g} times slower. Over {values['racks']:g}"
        " racks, how many times as long does the exchange take?"
    )


def _two_racks_reveal(seen: Seen) -> str:
    racks = mark_named(seen, "racks").x
    slower, on_gb200 = (seen.values[mode]["link_ratio"] for mode in (Mode.LECTURE, Mode.CAREFUL))
    his, ours = (height(seen, "all-to-all", racks, mode) for mode in (Mode.LECTURE, Mode.CAREFUL))
    return (
        f"{his:.0f} times: half of the mail at 1/{slower:g} of the speed. On GB200, whose links inside are"
        f" {on_gb200:g} times as fast as its port to other racks, it is {ours:.0f} times."
    )


def _counted(seen: Seen) -> str:
    dies, packages = (cell(seen, "Rubin Ultra", column) for column in ("dies", "packages"))
    return (
        f"So racks grow: from 8 chips to 72, and next to more than 500. Part of that is another way to count, since"
        f" {dies} dies are {packages} packages; at least fourfold is real, he says, and takes a new design."
    )


STEPS = (
    Step(
        board="moe-layer",
        time_stamp="0:32:30",
        sentence="Now one sparse layer from inside: a router sends each token to a few small networks, its experts."
        " They are spread over all chips of a rack, so in every layer every chip has mail for every other.",
        claims=("B1", "B45"),
    ),
    Step(
        board="switches",
        time_stamp="0:38:40",
        sentence="A rack is built for that mail. Cables run from each chip to switches in the middle, so any chip is"
        " two hops from any other; the road to other racks is far narrower.",
        claims=("B2",),
    ),
    Step(
        board="scale-out",
        time_stamp="0:40:00",
        lines=("the links' ratio", "all-to-all"),
        sentence="Lay the experts over two racks, and half of the tokens' visits have to take the narrow road. That is"
        " why a layer of experts wants to stay inside one rack.",
        claims=("B3", "B4", "B46"),
        question=Question(
            prompt=_two_racks_prompt,
            line="all-to-all",
            x=at_mark("racks"),
            tolerance_ratio=FINE,
            reveal=_two_racks_reveal,
        ),
    ),
    Step(board="racks", view=1, time_stamp="0:41:05", sentence=_counted, claims=("B5", "B19")),
    Step(
        board="domains",
        time_stamp="0:44:50",
        sentence="GPT-4 was rumoured to have a trillion parameters, and then for years models hardly grew. Were they"
        " waiting for room, since eight Hoppers hold 640 GB and a rack of Blackwells over ten times that?",
        claims=("B20", "B26", "B28"),
    ),
)
