"""The steps of the walk with what is seen of them, for the tests of the walk."""

from __future__ import annotations

from tests.each import of_each

from ridgeline.boards.claim import Claim
from ridgeline.boards.lecture import CHAPTERS, CLAIMS, board
from ridgeline.boards.walk import Seen, Step, other_than, see, told

BY_ID: dict[str, Claim] = {claim.id: claim for claim in CLAIMS}
STEPS: tuple[Step, ...] = tuple(step for chapter in CHAPTERS for step in chapter.steps)
SEEN: tuple[Seen, ...] = tuple(see(step, board(step.board), BY_ID) for step in STEPS)


def name(step: Step) -> str:
    return f"{step.time_stamp}-{step.board}"


every_step = of_each(("step", "seen"), list(zip(STEPS, SEEN, strict=True)), ids=[name(one) for one in STEPS])
asking = [(step, step.question, seen) for step, seen in zip(STEPS, SEEN, strict=True) if step.question]


def texts(step: Step, seen: Seen) -> list[str]:
    asked = step.question
    answer = (step.answer,) if step.answer else ()
    chosen = step.choice
    # As they are read after an answer: the name of an option, and why.
    why = [f"{option.name}: {told(chosen.why, seen)}." for option in chosen.options] if chosen else []
    choice = (chosen.prompt, *why[:1], *(f"{option.name}." for option in chosen.options[1:])) if chosen else ()
    own = [
        told(text, seen) for text in (step.sentence, *((asked.prompt, asked.reveal) if asked else ()), *choice, *answer)
    ]
    return [*own, *([other_than(step, seen)] if step.other else [])]
