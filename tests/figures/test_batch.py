from __future__ import annotations

import dataclasses
import itertools

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from ridgeline.catalog import load_machine, load_model
from ridgeline.estimator.curves import BatchCurves, decode_curves
from ridgeline.estimator.deploy import deploy
from ridgeline.figures.batch import batch_figure
from ridgeline.figures.style import style
from ridgeline.figures.theme import DARK, LIGHT
from ridgeline.planner.curves import plan_curves
from ridgeline.planner.plan import plan
from ridgeline.quantity_text import format_quantity
from ridgeline.specs.fidelity import FIDELITIES
from ridgeline.specs.layout import Layout
from ridgeline.specs.passes import decode
from ridgeline.specs.workload import Workload


def planned(model_id: str, machine_id: str, workload: Workload, chips: int) -> BatchCurves:
    deployment = deploy(load_model(model_id), load_machine(machine_id))
    found = plan(deployment, workload, chips=chips)
    return plan_curves(deployment, workload, found, found.plans[0])


def asked(
    model_id: str, machine_id: str, layout: str, batch: int, context_tokens: int, fidelity: str = "measured"
) -> BatchCurves:
    step = decode(batch=batch, context_tokens=context_tokens)
    return decode_curves(
        deploy(load_model(model_id), load_machine(machine_id), Layout.from_text(layout), fidelity=FIDELITIES[fidelity]),
        step,
    )


USUAL = Workload(prompt_tokens=4000, output_tokens=1000, tpot_s=0.05)
CASES = {
    "planned": lambda: planned("deepseek-v3", "gb200-nvl72", USUAL, 16),
    "planned, balance": lambda: planned(
        "deepseek-v3", "gb200-nvl72", Workload(prompt_tokens=500, output_tokens=200), 8
    ),
    "planned, dense": lambda: planned("llama-3.1-70b", "h100-sxm", USUAL, 8),
    "planned, at its end": lambda: planned("llama-3.1-8b", "tpu-v5e", USUAL, 4),
    "far from the balance": lambda: asked("llama-3.1-70b", "h100-sxm", "tp8", 1, 1000),
    "small balance": lambda: asked("llama-3.1-8b", "tpu-v5e", "tp4", 700, 128),
    "no price": lambda: asked("llama-3.1-8b", "gaudi2", "tp1", 16, 2000),
    "long context": lambda: asked("llama-3.1-405b", "h200-sxm", "tp8", 4, 128_000, "roofline"),
    "napkin": lambda: asked("mixtral-8x7b", "a100-80-sxm", "tp4", 64, 2000, "napkin"),
    "copies": lambda: asked("deepseek-v3", "gb200-nvl72", "tp8,ep8", 236, 4500),
    "many chips": lambda: asked("deepseek-v3", "gb200-nvl72", "dp64,ep64", 2048, 8000),
}


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=[pytest.mark.slow] * (at % 2)) for at, name in enumerate(CASES)]
)
def curves(request: pytest.FixtureRequest) -> BatchCurves:
    return CASES[request.param]()


@pytest.fixture(scope="module")
def light(curves: BatchCurves) -> Figure:
    """The picture, drawn once."""
    return batch_figure(curves, LIGHT)


def texts(figure: Figure) -> list[Text]:
    with style():
        figure.draw_without_rendering()
    return [text for text in figure.findobj(Text) if isinstance(text, Text) and text.get_visible() and text.get_text()]


@pytest.mark.slow
def test_words_neither_touch_each_other_nor_leave_the_picture(light: Figure) -> None:
    found = [(text.get_text(), text.get_window_extent()) for text in texts(light)]
    assert len(found) > 25
    for words, box in found:
        inside = light.bbox
        assert inside.x0 <= box.x0 < box.x1 <= inside.x1, words
        assert inside.y0 <= box.y0 < box.y1 <= inside.y1, words
    for (one, box), (other, other_box) in itertools.combinations(found, 2):
        assert not box.overlaps(other_box), (one, other)


@pytest.mark.slow
def test_words_are_legible_on_a_slide(curves: BatchCurves) -> None:
    figure = batch_figure(curves, DARK)
    assert tuple(figure.get_size_inches()) == pytest.approx((40 / 3, 7.5))
    assert min(float(text.get_fontsize()) for text in texts(figure)) >= 12


def test_the_words_say_the_records_numbers(curves: BatchCurves, light: Figure) -> None:
    words = "\n".join(text.get_text() for text in texts(light))
    usd = curves.usd_per_output_token
    expected = [
        curves.deployment.model.name,
        f"{curves.deployment.layout.chips} chip",
        curves.deployment.machine.name,
        f"batch {curves.asked_batch:,.0f}",
        f"memory full: {curves.room_sequences:,}",
        format_quantity(curves.bounds.floor_step_time_s, "s"),
        format_quantity(curves.asked_step_s, "s"),
        curves.deployment.fidelity.name,
    ]
    if usd is None:
        expected += ["chip-time of an output token", "No price known"]
    else:
        assert curves.usd_per_chip_s is not None
        expected += [
            format_quantity(float(usd.estimate[curves.asked]), "usd_per_token"),
            format_quantity(usd.floor, "usd_per_token").removesuffix("/Mtok"),
            format_quantity(curves.usd_per_chip_s, "usd_per_s"),
        ]
    if curves.balance is not None:
        expected.append(f"balance\n{curves.bounds.balance_batch_with_kv:,.0f}")
    if curves.paid_usd_per_output_token is not None:
        paid = format_quantity(curves.paid_usd_per_output_token, "usd_per_token")
        expected.append(f"{paid.removesuffix('/Mtok')} with waits")
    if curves.tpot_s is not None:
        expected.append(f"{format_quantity(curves.tpot_s, 's')} TPOT")
    for part in expected:
        assert part in words.replace("\n", " ") or part in words, part


def test_the_axes_are_the_blackboards_where_its_marks_are_seen_on_them() -> None:
    far, near = CASES["far from the balance"](), CASES["planned, dense"]()
    assert {axes.get_xscale() for axes in batch_figure(far, LIGHT).axes} == {"log"}
    assert {axes.get_xscale() for axes in batch_figure(near, LIGHT).axes} == {"linear"}


def test_long_names_shrink_until_they_fit() -> None:
    short = CASES["no price"]()
    model = dataclasses.replace(short.deployment.model, name="A model of a long name " * 6)
    long = dataclasses.replace(short, deployment=dataclasses.replace(short.deployment, model=model))
    figure = batch_figure(long, LIGHT)
    for text in texts(figure):
        assert text.get_window_extent().x1 <= figure.bbox.x1
