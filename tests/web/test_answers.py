from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

import pytest
from tests.each import of_each

from ridgeline.boards.board import ROUNDED, Board, Facts
from ridgeline.boards.claim import Claim
from ridgeline.boards.documents.view import LEAST_ALONG, LEAST_DRAWN, LEAST_HIGH
from ridgeline.boards.lecture import BOARDS, CLAIMS, board
from ridgeline.boards.lecture.recording import END_S, seconds
from ridgeline.boards.picture import ROOM_ABOVE_LINEAR
from ridgeline.boards.turned import end_beyond, end_text
from ridgeline.quantity_text import format_quantity, parse_quantity
from ridgeline.web.answers import answers
from ridgeline.web.facts import Dropped
from ridgeline.web.fields import MOST_CHARACTERS, MOST_FIELDS, FieldError, UnknownPathError

DROPPED = Dropped()
MODES = ["lecture", "careful"]


def asked(path: str, **fields: str) -> Any:  # noqa: ANN401  JSON
    return json.loads(json.dumps(answers(path, fields, DROPPED), allow_nan=False))


def views(name: str, **fields: str) -> Any:  # noqa: ANN401  JSON
    return asked(f"boards/{name}/views", **fields)


def test_a_field_that_no_board_has_is_left_out_and_said() -> None:
    plain = views("latency", chips="8")
    tracked = views("latency", chips="8", fbclid="x", utm_source="mail")
    assert plain["ignored"] == {}
    assert list(tracked["ignored"]) == ["fbclid", "utm_source"]
    assert "no control 'fbclid'; it has active_params" in tracked["ignored"]["fbclid"]
    assert tracked | {"ignored": {}} == plain


def test_so_many_times_what_a_mode_starts_with_moves_both_modes_alike() -> None:
    start, found = views("latency")["controls"], views("latency", flop_per_s="1.8x")["controls"]
    assert start["lecture"]["flop_per_s"] != start["careful"]["flop_per_s"]
    for mode in MODES:
        assert found[mode] == start[mode] | {"flop_per_s": 1.8 * start[mode]["flop_per_s"]}
    assert views("latency", flop_per_s="1.8\u00d7")["controls"] == found  # as the page writes it
    # What counts stays whole.
    assert views("memory", stages="1.4x")["controls"]["lecture"]["stages"] % 1 == 0
    with pytest.raises(FieldError, match="or 2x for twice the number that it starts with"):
        views("latency", flop_per_s="fast")


def test_a_field_that_names_a_mode_sets_its_control_in_that_mode_alone() -> None:
    start, found = views("latency")["controls"], views("latency", **{"lecture.expansion": "18"})
    assert found["controls"] == {**start, "lecture": start["lecture"] | {"expansion": 18.0}}
    assert found["ignored"] == {}
    # Beside one that names none it is the nearer; and one of a mode that is not asked for says nothing.
    both = views("latency", **{"expansion": "4", "lecture.expansion": "18"})["controls"]
    assert [both[mode]["expansion"] for mode in MODES] == [18.0, 4.0]
    other = views("latency", **{"lecture.expansion": "18", "mode": "careful"})["controls"]
    assert other == {"careful": start["careful"]}
    assert list(views("latency", **{"lecture.beta": "1", "no.chips": "1"})["ignored"]) == ["lecture.beta", "no.chips"]
    # At the end of its range it stays in its mode, too.
    beyond = views("latency", **{"lecture.expansion": "1000"})["controls"]
    assert [beyond[mode]["expansion"] for mode in MODES] == [128.0, start["careful"]["expansion"]]


def test_the_shelf_has_the_chapters_in_the_lectures_order() -> None:
    found = asked("shelf")
    assert [one["time_stamp"] for one in found["boards"]] == [one.time_stamp for one in BOARDS]
    starts = [seconds(chapter["time_stamp"]) for chapter in found["chapters"]]
    assert starts == sorted(starts)
    assert [name for chapter in found["chapters"] for name in chapter["boards"]] == [one.name for one in BOARDS]
    assert all(
        chapter["link"].endswith(f"t={start}s") for chapter, start in zip(found["chapters"], starts, strict=True)
    )


def test_the_ledger_is_all_claims_on_the_time_line() -> None:
    found = asked("ledger")
    # The chip is of the rack whose memory stands beside it: DeepSeek-V3's 671 GB in 14.3 TB.
    assert found["chip"]["weights_memory_fraction"] == pytest.approx(671e9 / 14.3e12, rel=1e-2)  # without the embedding
    places = [one["seconds"] for one in found["claims"]]
    assert places == sorted(places)
    assert places[0] >= 0
    assert places[-1] < asked("shelf")["end_s"] == END_S
    assert {one["id"] for one in found["claims"]} == {one.id for one in CLAIMS}
    (one,) = (one for one in found["claims"] if one["id"] == "A11")
    assert (one["seconds"], one["board"], one["verdict"]) == (seconds("0:19:22"), "latency", "reproduces")
    assert [one["note"]["word"], *one["note"]["line"]] == ["Yes", ": at his 300 that makes ", "2,400", " sequences."]
    assert one["note"]["given"] == "with 32 of 256 experts active"
    for name in {row["board"] for row in found["claims"]}:
        of_board = {claim["id"] for claim in asked(f"boards/{name}")["claims"]}
        assert {row["id"] for row in found["claims"] if row["board"] == name} <= of_board


def test_the_shelf_has_what_is_written_of_the_ledger_and_computes_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's dots and counts come with its first document: they wait for no claim's numbers."""
    with monkeypatch.context() as patch:
        patch.setattr(Claim, "lecture_mode", None)
        patch.setattr(Claim, "careful", None)
        found = asked("shelf")["claims"]
    rows = asked("ledger")["claims"]
    assert found == [{name: row[name] for name in one} for one, row in zip(found, rows, strict=True)]
    assert set(found[0]) == {"id", "seconds", "verdict", "board"}


def test_the_shelf_knows_whose_machines_a_token_can_be_priced_on() -> None:
    shelf = asked("shelf")
    for machine in shelf["machines"]:
        controls = asked("boards/cost", machine=machine)["controls"]
        (price,) = (control["careful"] for control in controls if control["name"] == "usd_per_chip_s")
        assert (price is not None) == (machine in shelf["priced_machines"])


def test_the_shelf_says_where_a_chapter_begins_on_the_walk() -> None:
    chapters, steps = asked("shelf")["chapters"], asked("walk")["steps"]
    assert [name for one in chapters for name in [one["name"]] * one["steps"]] == [one["chapter"] for one in steps]


def test_what_lies_beyond_a_range_is_drawn_at_its_end_and_said() -> None:
    one = board("latency")
    chips, context = one.control("chips"), one.control("context_tokens")
    found = views("latency", chips="0", context_tokens="1e12")
    for mode in MODES:
        assert (found["controls"][mode]["chips"], found["controls"][mode]["context_tokens"]) == (
            chips.low,
            context.high,
        )
    assert [text["said"] for text in found["clamped"].values()] == [
        "chips set to 1, the least this board takes",
        "context set to 1M, the most this board takes",
    ]
    # What the page asks for next is the same picture, of which nothing more is to be said.
    again = views("latency", **{name: text["text"] for name, text in found["clamped"].items()})
    assert again == found | {"clamped": {}}


def test_what_lies_beyond_a_range_in_one_mode_is_at_its_end_in_both() -> None:
    flops = board("latency").control("flop_per_s")
    found = views("latency", flop_per_s="50x")
    lecture, careful = (50 * views("latency")["controls"][mode]["flop_per_s"] for mode in MODES)
    assert min(lecture, careful) <= flops.high < max(lecture, careful)
    assert {values["flop_per_s"] for values in found["controls"].values()} == {flops.high}
    assert set(found["clamped"]) == {"flop_per_s"}


def test_one_view_alone_is_drawn_as_among_all() -> None:
    frame = {"context_tokens": "20k", "over": ";1:1000"}
    assert views("latency", **frame, only="1")["views"] == [views("latency", **frame)["views"][1]]
    for text in ("2", "-1", "first"):
        with pytest.raises(FieldError, match="there are 0, 1") as caught:
            answers("boards/latency/views", {"only": text}, DROPPED)
        assert caught.value.field == "only"


@of_each("one", BOARDS, ids=lambda one: one.name)
def test_every_end_is_read_again_as_it_is_written(one: Board) -> None:
    for control in one.controls:
        for end in (control.low, control.high):
            read = parse_quantity(end_text(control, end), control.dimension)
            assert end_beyond(control, read) is None
            assert read == pytest.approx(end, rel=ROUNDED)


def test_of_what_is_wrong_controls_alone_are_refused() -> None:
    with pytest.raises(FieldError, match="accepted") as caught:
        answers("boards/latency/views", {"fbclid": "x", "chips": "many", "hbm_bytes_per_s": "3"}, DROPPED)
    assert set(caught.value.wrong) == {"chips", "hbm_bytes_per_s"}


def test_all_that_is_wrong_is_named_at_once() -> None:
    fields = {"model": "gpt-99", "machine": "abacus", "mode": "bold", "chips": "72.5", "hbm_bytes_per_s": "3"}
    with pytest.raises(FieldError) as caught:
        answers("boards/latency/views", fields, DROPPED)
    assert list(caught.value.wrong) == list(fields)
    assert all(said in str(caught.value) for said in ("gpt-99", "abacus", "bold", "has no unit"))
    assert "chips=72.5 is not whole" in caught.value.wrong["chips"]
    with pytest.raises(FieldError, match=r"gpt-99.*abacus"):
        answers("boards/latency", {"model": "gpt-99", "machine": "abacus"}, DROPPED)


def test_models_and_machines_have_a_name_for_sentences() -> None:
    found = asked("shelf")
    assert set(found["names"]) == {*found["models"], *found["machines"]}
    assert (found["names"]["deepseek-v3"], found["names"]["gb200-nvl72"]) == ("DeepSeek-V3", "GB200 NVL72")
    assert len(set(found["names"].values())) == len(found["names"])
    assert not [name for name in found["names"].values() if "(" in name]


def test_the_ledger_says_by_how_much_a_number_is_off() -> None:
    rows = {row["id"]: row for row in asked("ledger")["claims"]}
    for claim in CLAIMS:
        ours = claim.lecture_mode()
        if claim.lecture is None or not float(claim.lecture) or not ours:
            assert rows[claim.id]["ratios"] == []
        else:
            assert pytest.approx(ours / float(claim.lecture)) in rows[claim.id]["ratios"]
    # Through one port a hop takes a third of what he says, and through all of them a hundredth.
    near, far = rows["B16"]["ratios"]
    assert near / far > 10


@pytest.mark.slow
@of_each("one", BOARDS, ids=lambda one: one.name)
def test_the_ends_of_a_slider_are_taken_as_they_are_written(one: Board) -> None:
    for control in asked(f"boards/{one.name}")["controls"]:
        for end in ("low", "high"):
            text = format_quantity(control[end], control["dimension"], 6)
            # One picture is enough: tests/boards draws each at these ends.
            assert views(one.name, mode="lecture", only="0", **{control["name"]: text})["modes"] == ["lecture"]


def test_fields_are_few_and_short() -> None:
    assert max(len(one.controls) for one in BOARDS) < MOST_FIELDS / 2
    with pytest.raises(FieldError, match="more than"):
        answers("boards/latency/views", {f"x{number}": "1" for number in range(MOST_FIELDS + 1)}, DROPPED)
    with pytest.raises(FieldError, match="longer") as caught:
        answers("shelf", {"x" * 1000: ""}, DROPPED)
    assert caught.value.field == "x" * MOST_CHARACTERS


@pytest.mark.parametrize("path", ["", "shelves", "boards", "boards/latency/view", "boards/latency/views/0", "/shelf"])
def test_a_path_that_nothing_answers_is_said_to_be_one(path: str) -> None:
    with pytest.raises(UnknownPathError, match="is not answered"):
        answers(path, {}, DROPPED)


@of_each("one", BOARDS, ids=lambda one: one.name)
def test_both_modes_are_drawn_in_one_frame(one: Board) -> None:
    both, *alone = (views(one.name, mode=mode) for mode in ("both", *MODES))
    is_alike = alone[0]["controls"]["lecture"] == alone[1]["controls"]["careful"]
    assert both["modes"] == (["lecture"] if is_alike else MODES)
    assert both["refused"] == both["ignored"] == {}
    for together, *apart in zip(both["views"], *(found["views"] for found in alone), strict=True):
        assert list(together["pictures"]) == both["modes"]
        if together["kind"] != "curves":
            assert together["pictures"] == {mode: apart[MODES.index(mode)]["pictures"][mode] for mode in both["modes"]}
            continue
        for axis, found in together["axes"].items():
            lows, highs = zip(*(view["axes"][axis]["ends"] for view in apart), strict=True)
            assert found["ends"] == [min(lows), max(highs)]
            assert all(min(lows) <= tick <= max(highs) for tick in found["ticks"])
        for mode, picture in together["pictures"].items():
            low, high = apart[MODES.index(mode)]["axes"]["x"]["ends"]
            # At least as far as it is drawn alone, and never out of the frame.
            assert together["axes"]["x"]["ends"][0] <= picture["x"][0] <= low
            assert high <= picture["x"][-1] <= together["axes"]["x"]["ends"][1]


def test_lines_of_both_modes_run_through_the_whole_frame() -> None:
    view, *_ = views("latency")["views"]
    assert view["axes"]["x"]["ends"][0] == 0
    assert all([x[0], x[-1]] == view["axes"]["x"]["ends"] for x in (one["x"] for one in view["pictures"].values()))
    assert views("latency", mode="lecture")["views"][0]["axes"]["x"]["ends"] != view["axes"]["x"]["ends"]


@pytest.mark.parametrize("name", ["latency", "cost", "utilisation", "tokens", "training-batch", "prefill"])
def test_a_mode_alone_is_drawn_in_the_frame_of_both_where_it_is_asked_for(name: str) -> None:
    both = views(name)["views"][0]
    for mode in MODES:
        alone = views(name, mode=mode, frame="both")
        assert alone["modes"] == [mode]
        assert alone["views"][0]["axes"] == both["axes"]
        assert alone["views"][0]["pictures"][mode]["lines"] == both["pictures"][mode]["lines"]


def test_what_is_set_in_one_mode_moves_the_frame_of_the_other_as_it_does_that_of_both() -> None:
    # So many that no mode has a frame of its own.
    turned = {"careful.chips": "60"}
    both = views("latency", **turned)["views"][0]["axes"]
    assert both != views("latency")["views"][0]["axes"]
    assert [views("latency", **turned, mode=mode, frame="both")["views"][0]["axes"] for mode in MODES] == [both, both]


@pytest.mark.parametrize("one", BOARDS, ids=lambda one: one.name)
@pytest.mark.parametrize("mode", MODES)
def test_a_modes_lines_run_over_most_of_the_axis(one: Board, mode: str) -> None:
    """Where they do not go on to the ends of a frame made for all, it has its own."""
    for view in views(one.name, mode=mode, frame="both")["views"]:
        if view["kind"] != "curves" or not view["axes"]["x"]["is_logarithmic"]:
            continue
        (picture,) = view["pictures"].values()
        (low, high), x = view["axes"]["x"]["ends"], picture["x"]
        assert math.log(x[-1] / x[0]) >= LEAST_DRAWN * math.log(high / low), view["heading"]


@pytest.mark.parametrize(
    ("name", "mode", "place"),
    [
        ("reversible", "lecture", 1),
        ("reversible", "lecture", 2),
        ("bubbles", "lecture", 1),
        ("scale-out", "lecture", 0),
    ],
)
def test_a_mode_that_would_take_less_than_its_part_of_an_axis_has_its_own_frame(
    name: str, mode: str, place: int
) -> None:
    alone, own, both = (
        views(name, **fields)["views"][place]
        for fields in ({"mode": mode, "frame": "both"}, {"mode": mode}, {"mode": "both"})
    )
    assert alone == own
    spans = [[axes["ends"][1] - axes["ends"][0] for axes in one["axes"].values()] for one in (own, both)]
    along, up = (mine / all_ for mine, all_ in zip(*spans, strict=True))
    assert along < LEAST_ALONG or up < LEAST_HIGH
    (other,) = {*MODES} - {mode}
    assert views(name, mode=other, frame="both")["views"][place]["axes"] == both["axes"]


def test_a_frame_for_one_mode_alone_ends_a_little_above_its_highest_line() -> None:
    """The links' ratio, which for the sourced numbers is more than twice as high."""
    (view,) = (one for one in views("scale-out", mode="lecture", frame="both")["views"][:1])
    highest = max(max(line["y"]) for line in view["pictures"]["lecture"]["lines"])
    assert highest < view["axes"]["y"]["ends"][1] <= ROOM_ABOVE_LINEAR * highest


def test_a_mode_that_takes_no_such_number_has_no_part_in_the_frame_of_the_other() -> None:
    with pytest.raises(FieldError):
        views("latency", **{"careful.chips": "many"})
    refused = {"mode": "lecture", "frame": "both", "careful.chips": "many"}
    assert views("latency", **refused)["views"] == views("latency", mode="lecture")["views"]
    with pytest.raises(FieldError) as caught:
        views("latency", mode="lecture", frame="wide")
    assert caught.value.field == "frame"


@pytest.mark.parametrize(
    "turned", [{}, {"kv_bytes_per_token": "758 B"}, {"active_params": "813B"}, {"price_step_tokens": "1.81k"}]
)
def test_the_cost_against_context_takes_most_of_the_height_wherever_it_begins_to_rise(turned: dict[str, str]) -> None:
    (view, _) = views("context", **turned)["views"]
    low, high = view["axes"]["y"]["ends"]
    heights = [
        min(max(y, low), high)
        for picture in view["pictures"].values()
        for line in picture["lines"]
        if line["is_bold"]
        for y in line["y"]
    ]
    assert math.log(max(heights) / min(heights)) >= 0.6 * math.log(high / low)


def test_a_frame_that_is_held_is_kept_along_and_the_upright_axis_says_what_it_would_be() -> None:
    held = views("kv-bytes")["views"][0]["axes"]
    low, high = held["x"]["ends"]
    (free,) = views("kv-bytes", context_tokens="20k")["views"]
    (view,) = views("kv-bytes", context_tokens="20k", over=f"{low}:{high}")["views"]
    assert view["axes"]["x"] == held["x"]
    assert view["axes"]["y"] == free["axes"]["y"]
    assert all([one["x"][0], one["x"][-1]] == [low, high] for one in view["pictures"].values())


def test_of_a_view_without_lines_no_frame_is_held() -> None:
    (trains, waits, overflow) = views("departures", mode="lecture", over=";0.5:0.95;")["views"]
    assert trains["kind"] == "trains"
    assert waits["axes"]["x"]["ends"] == [0.5, 0.95]
    assert waits["pictures"]["lecture"]["x"][0] == pytest.approx(0.9)  # which no load of the picture is below
    assert overflow["axes"]["x"]["ends"] == pytest.approx([0.9, 0.998])


@pytest.mark.parametrize(
    ("name", "over", "said"),
    [
        ("kv-bytes", "0:1;0:1", "ends for 2 views"),
        ("kv-bytes", "0", "is not LOW:HIGH"),
        ("kv-bytes", "a:b", "is not LOW:HIGH"),
        ("kv-bytes", "0:nan", "does not rise"),
        ("kv-bytes", "0:inf", "does not rise"),
        ("kv-bytes", "-1:2", "does not rise"),
        ("kv-bytes", "2:2", "does not rise"),
        ("kv-bytes", "0:2", "does not rise between 1e-30"),
        ("kv-bytes", "0:" + "2" * 1000, "longer"),
    ],
)
def test_what_is_no_frame_is_refused(name: str, over: str, said: str) -> None:
    with pytest.raises(FieldError, match=said) as caught:
        answers(f"boards/{name}/views", {"over": over}, DROPPED)
    assert caught.value.field == "over"


@pytest.mark.slow
@of_each("one", BOARDS, ids=lambda one: one.name)
@of_each("ends", [(1e-30, 1e30), (1e-30, 1e-29), (1e29, 1e30), (0.5, 0.6), (3.0, 3.0001)])
def test_over_whatever_ends_lines_are_numbers(one: Board, ends: tuple[float, float]) -> None:
    over = ";".join([f"{ends[0]}:{ends[1]}"] * len(one.views))
    for view in views(one.name, over=over)["views"]:  # which is JSON: there is no NaN in it
        if view["kind"] != "curves":
            continue
        assert view["axes"]["x"]["ends"] == list(ends)
        for picture in view["pictures"].values():
            assert {len(line["y"]) for line in picture["lines"]} == {len(picture["x"])}
            assert all(y >= 0 for line in picture["lines"] for y in line["y"])


def test_a_mode_whose_facts_are_missing_is_refused_beside_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    unpriced = dataclasses.replace(board("cost").facts().machine, tariff=None)
    monkeypatch.setattr(Dropped, "facts", lambda *_, **__: Facts(model=board("cost").facts().model, machine=unpriced))
    found = views("cost")
    assert found["modes"] == ["lecture"]
    assert found["refused"]["careful"]["field"] == "usd_per_chip_s"
    assert "has no usd_per_chip_s" in found["refused"]["careful"]["wrong"]["usd_per_chip_s"]
    assert set(found["controls"]) == set(found["views"][0]["pictures"]) == {"lecture"}
    with pytest.raises(FieldError, match="has no usd_per_chip_s"):
        answers("boards/cost/views", {"mode": "careful"}, DROPPED)
    assert views("cost", usd_per_chip_s="$2/h")["refused"] == {}


def test_a_sentence_is_followed_with_its_step_and_without_one_or_with_another_boards_it_is_not() -> None:
    asked = {"mode": "lecture", "chips": "144"}
    assert views("latency", **asked)["live"] is None
    (number,) = views("latency", step="latency-0:09:10", **asked)["live"]["numbers"]
    assert number["text"].endswith("µs")
    with pytest.raises(FieldError, match="is no step of board 'cost'; there are cost-"):
        views("cost", step="latency-0:09:10")
