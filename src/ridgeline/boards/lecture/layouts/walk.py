"""The walk from 0:32:30: experts over the chips of a rack, the road out of it, and why racks grow."""

from __future__ import annotations

import math

from ridgeline.boards.board import Mode
from ridgeline.boards.clause import Clause
from ridgeline.boards.constant import implied
from ridgeline.boards.in_a_sentence import as_long, count_text
from ridgeline.boards.lecture.layouts import choices, domains, experts, moe_layer, others, racks, scale_out, switches
from ridgeline.boards.lecture.pipelines.hand_over import times
from ridgeline.boards.picture import Colour
from ridgeline.boards.tie import Tie
from ridgeline.boards.tied_to import as_said, control, in_picture, mark_y, not_drawn
from ridgeline.boards.walk import Seen, Step, cell, height, is_as_opened, said_of
from ridgeline.catalog import load_machine
from ridgeline.quantity_text import format_number, format_quantity

__all__ = ["STEPS"]


RACK_CHIPS = load_machine("gb200-nvl72").scale_up_chips
"""Chips of a rack, more than his experts divide by."""


def _dot(machine: str, column: str) -> Tie:
    return in_picture(lambda seen: choices.chips(seen, machine, column), f"dot of {machine} among the {column}")


def _packages_grown(seen: Seen) -> float:
    """Packages of the next rack over those of the one before it: what its silicon grows by with packages alike."""
    return choices.chips(seen, "Rubin Ultra", "packages") / choices.chips(seen, "Vera Rubin", "packages")


def _counted(seen: Seen) -> str:
    dies, before = (cell(seen, machine, "dies", view=1) for machine in ("Rubin Ultra", "Vera Rubin"))
    return (
        f"So racks grow from 8 chips to 72, and soon, by NVIDIA's count, to {dies}. But that counts dies, the pieces"
        f" of silicon; the 72 are packages of two. From {before} dies to {dies} is a factor of"
        f" {choices.more_dies(seen):g}, he says. If the larger package is cancelled, as SemiAnalysis reports, it is"
        f" {_packages_grown(seen):g}."
    )


def _is_real(seen: Seen) -> str:
    before, packages = (cell(seen, "Vera Rubin", column, view=1) for column in ("dies", "packages"))
    more = choices.more_dies(seen)
    if more > 1:
        return f"From {before} dies in {packages} packages, it is a factor of {more:g}"
    return f"The rack before it has {before} dies already, in {packages} packages: none of the growth is real"


PAST = (
    Clause(
        words="But that counts dies, … packages of two",
        holds=lambda seen: seen.values[seen.mode]["dies_per_chip"] > 1,
        otherwise="With one die to a package, dies and packages are the same number",
    ),
    Clause(
        words="From … dies to … is a factor of …, he says",
        holds=lambda seen: is_as_opened(seen, "dies_per_chip"),
        otherwise=_is_real,
    ),
)


def _experts_of_a_chip(seen: Seen) -> float:
    values = seen.values[seen.mode]
    return values["experts"] / values["chips"]


def _experts_apart(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        "In a sparse model, a router in each layer sends every token to a few of the layer's experts."
        f" DeepSeek's {values['experts']:g} experts are spread over {values['chips']:g} of a rack's {RACK_CHIPS} chips,"
        f" {_experts_of_a_chip(seen):g} on each. So in every layer, each of these chips sends to every other: an"
        " all-to-all."
    )


def _cabled(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"A rack is built for this traffic. A link joins each of its {values['chips']:g} chips to each of its"
        f" {values['switches']:g} switches, so any two chips are two hops apart. With {_cables_of_a_link(seen):g}"
        f" cables to each link, {values['cables_per_chip']:g} to a chip, a rack has {_all_cables(seen):,.0f}. Links to"
        " other racks are far slower."
    )


def _cables_of_a_link(seen: Seen) -> float:
    values = seen.values[seen.mode]
    return values["cables_per_chip"] / values["switches"]


def _all_cables(seen: Seen) -> float:
    values = seen.values[seen.mode]
    return values["cables_per_chip"] * values["chips"]


def _slower_half(seen: Seen) -> str:
    values = seen.values[seen.mode]
    slower = choices.slower_half(seen)
    return (
        f"Links inside a rack, he says, are about {values['link_ratio']:g} times as fast as links out of it. With"
        f" two racks, half of the traffic has to leave its rack. That half takes {slower:.0f} times as long as all"
        " traffic takes in one rack. So he keeps a layer's experts in one rack."
    )


def _one_token(seen: Seen) -> str:
    values = seen.values[seen.mode]
    return (
        f"Follow one token: in every layer it visits {values['active_experts']:g} experts, on whatever chips they sit."
        f" Spread the experts over {values['racks']:g} racks, and about half of its visits leave the rack."
    )


def _grown(_: Seen) -> str:
    ratio = scale_out.BOARD.values(Mode.LECTURE)["link_ratio"]
    return (
        f"On all chips of one rack, since links out of a rack are about {ratio:g} times slower. So a rack bounds how"
        " many experts a layer has, and racks grow."
    )


def _waiting(seen: Seen) -> str:
    return (
        "GPT-4 was rumoured to have a trillion parameters; then models hardly grew for years. Did they lack memory?"
        " Later he says no. Eight Hopper chips have 640 GB, a rack of Blackwells 10 to 20 TB."
        f" {_first_roomy(seen)}."
    )


def _first_roomy(seen: Seen) -> str:
    values = seen.values[seen.mode]
    first, wanted = domains.first_to_hold(values), f"{count_text(values['total_params'], 3)} parameters"
    if first is None:
        return f"No machine of NVIDIA's has room for {wanted} yet"
    kind = "servers" if first[0].isdigit() else "racks"  # a server is named by its count of chips
    row = f"{values['stages']:g} {kind} of " if values["stages"] > 1 else ""
    pods = "; Google's pods had it before" if domains.is_pod_first(values) else ""
    return f"NVIDIA's first machine with room for {wanted} is {row}{first}{pods}"


def _all_to_all(seen: Seen) -> bool:
    """Whether each of several chips holds an expert."""
    values = seen.values[seen.mode]
    return values["experts"] + values["redundant_experts"] >= values["chips"] > 1


def _spread(seen: Seen) -> str:
    values = seen.values[seen.mode]
    experts, chips = values["experts"], values["chips"]
    if chips == 1:
        return f"All {experts:,.0f} experts are on one chip"
    if experts < chips:
        return f"All experts are spread over {experts:g} of {chips:,.0f} chips, one on each"
    each = _experts_of_a_chip(seen)
    mean = "" if each.is_integer() else ", on average"
    return f"All experts are spread over {chips:,.0f} chips, {each:.3g} of the {experts:,.0f} on each{mean}"


FEW = 16
"""Most experts of a token that are few."""


def _sent_to(seen: Seen) -> str:
    count = seen.values[seen.mode]["active_experts"]
    return f"{count:g} of the layer's experts" if count > 1 else "one of the layer's experts"


SPREAD = (
    Clause(
        words="a few of the layer's experts",
        holds=lambda seen: 1 < seen.values[seen.mode]["active_experts"] <= FEW,
        otherwise=_sent_to,
    ),
    Clause(
        words="DeepSeek's … experts are spread over … of a rack's … on each",
        holds=lambda seen: (
            is_as_opened(seen, "experts")
            and _all_to_all(seen)
            and seen.values[seen.mode]["chips"] < RACK_CHIPS
            and _experts_of_a_chip(seen).is_integer()
        ),
        otherwise=_spread,
    ),
    Clause(
        words="each of these chips sends to every other: an all-to-all",
        holds=_all_to_all,
        otherwise=lambda seen: (
            "each of these chips sends to those with experts"
            if seen.values[seen.mode]["chips"] > 1
            else "nothing leaves the chip"
        ),
    ),
)


def _reached(seen: Seen) -> float:
    """Switches that a chip has a cable to."""
    values = seen.values[seen.mode]
    return min(values["cables_per_chip"], values["switches"])


def _wired(seen: Seen) -> str:
    reached, switches = _reached(seen), seen.values[seen.mode]["switches"]
    if reached < switches:
        return f"to {reached:g} of its {switches:g} switches, as far as its cables go"
    return f"to {'its one switch' if switches == 1 else f'each of its {switches:g} switches'}{TWO_HOPS}"


def _in_all(seen: Seen) -> str:
    each, of_chip = _cables_of_a_link(seen), seen.values[seen.mode]["cables_per_chip"]
    told = (
        f"{times(each, 'cable')} to each link, {of_chip:g} to a chip"
        if each.is_integer()
        else f"{times(of_chip, 'cable')} to each chip"
    )
    return f"With {told}, a rack has {_all_cables(seen):,.0f}"


TWO_HOPS = ", so any two chips are two hops apart"
CABLED = (
    Clause(words=f"to each of its … switches{TWO_HOPS}", otherwise=_wired),
    Clause(words="With … cables to each link, … to a chip, a rack has …", otherwise=_in_all),
)


def _leaving(racks: float) -> str:
    """Part of what goes to experts that leaves its rack, where they lie evenly over racks."""
    return "half" if racks == HALVED else f"{racks - 1:g}/{racks:g}"


def _visited(seen: Seen) -> str:
    count = seen.values[seen.mode]["active_experts"]
    return f"{times(count, 'expert')}, on whatever {'chip that expert sits' if count == 1 else 'chips they sit'}"


def _visits_that_leave(seen: Seen) -> str:
    racks, part = seen.values[seen.mode]["racks"], others.leaving_share(seen)
    if racks == 1:
        return "Keep the experts in one rack, and no visit leaves it"
    # Copies of experts in the own rack keep visits there.
    evenly = math.isclose(part, 1 - 1 / racks, rel_tol=LIKE)
    leaving = f"about {_leaving(racks)}" if evenly else format_quantity(part, "fraction", 2)
    return f"Spread the experts over {racks:g} racks, and {leaving} of its visits leave the rack"


LIKE = 0.03
"""Part by which a share of visits may differ from that of equally popular experts and still be about as much."""
HALVED = 2.0
"""Racks of which each has half of the experts."""
VISITS = (
    Clause(words="8 experts, on whatever chips they sit", otherwise=_visited),
    Clause(words="Spread the experts over … of its visits leave the rack", otherwise=_visits_that_leave),
)


def _kept_in_one(seen: Seen) -> str:
    racks = seen.values[seen.mode]["racks"]
    if racks == 1:
        return "In one rack, all traffic has the fast links"
    slower = height(seen, "all-to-all", racks)
    ratio, his = (values["link_ratio"] for values in (seen.values[seen.mode], scale_out.BOARD.values(Mode.LECTURE)))
    fast = (
        "" if ratio == his else f"Here they are {'just' if ratio == 1 else f'{format_number(ratio)} times'} as fast. "
    )
    ending = "So he keeps a layer's experts in one" if slower > 1 else "So a layer's experts need not be kept in one"
    return (
        f"{fast}With {racks:g} racks, {_leaving(racks)} of the traffic has to leave its rack. That takes"
        f" {as_long(slower)} as all traffic takes in one rack. {ending} rack"
    )


def _is_slower_on_two(seen: Seen) -> bool:
    racks = seen.values[seen.mode]["racks"]
    return racks == HALVED and is_as_opened(seen, "link_ratio") and height(seen, "all-to-all", racks) > 1


KEPT_IN_ONE = Clause(
    words="With two racks, … So he keeps a layer's experts in one rack",
    holds=_is_slower_on_two,
    otherwise=_kept_in_one,
)

STEPS = (
    Step(
        board="moe-layer",
        time_stamp="0:32:30",
        formula=moe_layer.ROUTED_EQUATION,
        sentence=_experts_apart,
        other=others.copied,
        named={"a router": Colour.ALSO, "experts": Colour.COMPUTE},
        ties=(
            as_said(control("experts")),
            control("chips"),
            not_drawn(float(RACK_CHIPS), "chips of a rack, with those that stay without experts"),
            in_picture(_experts_of_a_chip, "words over the chips"),
        ),
        claims=("B1", "B45"),
        clauses=SPREAD,
    ),
    Step(
        board="switches",
        time_stamp="0:38:40",
        formula=switches.SWITCHES_EQUATION,
        sentence=_cabled,
        other=others.drawn_small,
        named={"cables": Colour.LINKS},
        ties=(
            control("chips"),
            control("switches"),
            not_drawn(_cables_of_a_link, "a chip's cables over its links"),
            control("cables_per_chip"),
            in_picture(_all_cables, "words in the corner above the rack"),
        ),
        # His two trays on each side stand for 72 chips.
        modes=(Mode.CAREFUL,),
        claims=("B2",),
        clauses=CABLED,
    ),
    Step(
        board="experts",
        time_stamp="0:39:30",
        formula=experts.LEAVING_EQUATION,
        turned={"skew": implied(0, "0:39:30", hedge="all experts are alike to him")},
        sentence=_one_token,
        other=others.fewer_leave,
        ties=(control("active_experts"), control("racks")),
        controls=("active_experts", "racks"),
        claims=("B4",),
        clauses=VISITS,
    ),
    Step(
        board="scale-out",
        time_stamp="0:40:00",
        sentence=_slower_half,
        other=others.faster_links,
        named={"Links inside a rack": Colour.LINKS, "links out of it": Colour.AWAY},
        ties=(as_said(control("link_ratio")), mark_y("racks")),
        claims=("B3", "B4", "B46"),
        choice=choices.TWO_RACKS,
        clauses=(KEPT_IN_ONE,),
    ),
    Step(
        board="racks",
        view=2,
        time_stamp="0:41:05",
        formula=racks.DIES_EQUATION,
        sentence=_counted,
        named={"dies": Colour.BOUND, "packages": Colour.ASIDE},
        ties=(
            _dot("H100", "packages"),
            _dot("GB200", "packages"),
            _dot("Rubin Ultra", "dies"),
            _dot("Vera Rubin", "packages"),
            _dot("Vera Rubin", "dies"),
            _dot("Rubin Ultra", "dies"),
            not_drawn(choices.more_dies, "the step from one dot to the next"),
            not_drawn(_packages_grown, "packages of one rack over those of another"),
        ),
        claims=("B5", "B19"),
        choice=choices.REAL_GROWTH,
        clauses=PAST,
    ),
    Step(
        board="domains",
        time_stamp="0:44:50",
        sentence=_waiting,
        other=others.sparser,
        named={"a trillion parameters": Colour.ALSO, "a rack of Blackwells": Colour.BOUND},
        ties=(
            not_drawn(lambda seen: said_of(seen, "B6").value, "memory of eight Hoppers"),
            not_drawn(lambda seen: (said_of(seen, "B20").low or 0.0) / 1e12, "memory of a rack, at least"),
            not_drawn(lambda seen: said_of(seen, "B20").high or 0.0, "memory of a rack, at most"),
            control("total_params"),
        ),
        clauses=(Clause(words="NVIDIA's first machine with room for …", otherwise=_first_roomy),),
        claims=("B6", "B20", "B26"),
        answer=_grown,
    ),
)
