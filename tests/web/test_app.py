from __future__ import annotations

import asyncio
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tests.any_text import any_text
from tests.each import of_each

from ridgeline.boards.lecture import BOARDS, EXERCISES, board
from ridgeline.boards.picture import Colour
from ridgeline.catalog import machine_ids, model_ids
from ridgeline.cli import commands
from ridgeline.figures.theme import THEMES
from ridgeline.web.app import MOST_CONFIG_BYTES, PAGE, app
from ridgeline.web.facts import MOST_KEPT
from ridgeline.web.fields import MOST_CHARACTERS, MOST_MESSAGE

FIRST_GZIPPED, CODE_GZIPPED, FONTS = 139_000, 294_000, 160_000
"""Bytes that the page may weigh on its way: what its first view waits for, so that it is there at once on a slow line
too (the chip that opens there is 4 kB, definitions of words another, what ties the numbers of sentences to drawings 1,
a phone's order of the same pieces 1 more, whole sentences there, frames that follow a hand and guesses in their unit
another 1); with what comes beside the first answers, of which KaTeX is 76 kB and what draws scenes 54 (15 of them what
stands beside charts: vessels, stores, prices, experts, bits, stacks of layers, what is read and what is known; 2 two
racks and what a token crosses, and 1 sources of numbers), and questions of one tap 2, with what is drawn before them,
and what tells an answer from where its line runs now 2; and its letters."""

CLIENT = TestClient(app(hosts=("testserver",)), raise_server_exceptions=False)


def asked(path: str, **fields: str) -> Any:  # noqa: ANN401  JSON
    response = CLIENT.get(path, params=fields)
    assert response.status_code == 200, response.text
    return response.json()


def refused(path: str, **fields: str) -> Any:  # noqa: ANN401  JSON
    response = CLIENT.get(path, params=fields)
    assert response.status_code == 400, response.text
    return response.json()


def test_the_shelf_names_all_that_can_be_chosen() -> None:
    found = asked("/api/shelf")
    assert [one["name"] for one in found["boards"]] == [one.name for one in BOARDS]
    assert found["models"] == model_ids()
    assert found["machines"] == machine_ids()


@pytest.mark.slow
@of_each("name", [one.name for one in BOARDS])
def test_views_are_the_command_lines(name: str) -> None:
    """In both modes, in the worker that found once which controls move the board's views."""
    opened = asked(f"/api/boards/{name}")
    for mode in ("lecture", "careful"):
        found = asked(f"/api/boards/{name}/views", mode=mode)
        line = CliRunner().invoke(commands, ["board", name, "--mode", mode, "--json"])
        document = json.loads(line.stdout)
        views = [
            {name: view[name] for name in ("heading", "kind", "axes")} | view["pictures"][mode]
            for view in found["views"]
        ]
        # The page has them beside the board, since they do not change with its values.
        controls = [view.pop("controls") for view in document["views"]]
        assert controls == opened["view_controls"], mode
        assert views == document["views"], mode
        assert found["controls"][mode] == document["inputs"]["controls"], mode
        # The page's address has these beside the controls.
        assert not {"board", "mode", "over", "only", "model", "machine"} & set(found["controls"][mode])
        assert [one["id"] for one in opened["claims"]] == document["claims"]


def test_controls_are_turned_by_typed_text_and_facts_are_of_the_chosen_machine() -> None:
    turned = asked("/api/boards/latency/views", mode="careful", hbm_bytes_per_s="3.35 TB/s", chips="8")
    assert turned["controls"]["careful"]["hbm_bytes_per_s"] == 3.35e12
    assert turned["controls"]["careful"]["chips"] == 8
    dense = asked("/api/boards/latency/views", mode="careful", model="llama-3.1-70b", machine="h100-sxm")
    assert dense["controls"]["careful"]["expansion"] == pytest.approx(1)
    assert dense["controls"]["careful"]["chips"] == 8


@of_each(
    ("path", "fields", "field", "said"),
    [
        ("/api/boards/latincy", {}, "board", "nearest: latency"),
        ("/api/boards/latency", {"model": "gpt-9"}, "model", "not in the catalog"),
        ("/api/boards/latency", {"model": "../../etc/passwd"}, "model", "not in the catalog"),
        ("/api/boards/latency", {"model": "config-0123456789ab"}, "model", "drop it again"),
        ("/api/boards/latency", {"machine": "/etc/hostname"}, "machine", "not in the catalog"),
        ("/api/boards/latency", {"chips": "8"}, "chips", "takes a model and a machine"),
        ("/api/boards/latency/views", {"mode": "bold"}, "mode", "both, lecture, careful"),
        ("/api/boards/latency/views", {"chips": "1.5"}, "chips", "not whole"),
        ("/api/boards/latency/views", {"chips": "1e999"}, "chips", "not finite"),
        ("/api/boards/latency/views", {"chips": "many"}, "chips", "accepted"),
        ("/api/boards/latency/views", {"flop_per_s": "3"}, "flop_per_s", "has no unit"),
        ("/api/boards/latency/views", {"x" * 200: "3"}, "x" * MOST_CHARACTERS, "longer"),
        ("/api/boards/latency/views", {"chips": "3" * 200}, "chips", "longer"),
        ("/api/boards/latency/views?chips=3&chips=4", {}, "chips", "twice"),
        ("/api/exercises/nothing", {}, "name", "not an exercise"),
        ("/api/exercises/roofline-floor", {"answer": "3 kg"}, "answer", "kg"),
        ("/api/exercises/roofline-floor", {"board": "x"}, "board", "an answer alone"),
    ],
)
def test_what_is_wrong_is_refused_by_its_field(path: str, fields: dict[str, str], field: str, said: str) -> None:
    found = CLIENT.get(path, params=fields or None)
    assert found.status_code == 400, found.text
    assert found.json()["field"] == field
    assert said in found.json()["message"]


NAMES = st.sampled_from([control.name for control in board("memory").controls]) | any_text(max_size=120)
TEXTS = any_text(max_size=120) | st.floats().map(str) | st.floats(0, 1e30).map("{} GB".format)


@given(name=NAMES, text=TEXTS)
def test_whatever_an_address_holds_it_is_answered_or_refused(name: str, text: str) -> None:
    found = CLIENT.get("/api/boards/memory/views", params={name: text})
    assert found.status_code in {200, 400}
    if found.status_code == 400:
        assert found.json()["field"] in {name[:MOST_CHARACTERS], "model", "machine", "mode", "frame", "over"}
    assert CLIENT.get(f"/api/boards/x{text.encode('utf-8', 'replace').hex()}").status_code == 400


def test_an_answer_is_judged_and_the_way_is_shown() -> None:
    right = next(one for one in EXERCISES if one.id == "roofline-floor")
    answer = f"{right.answer()} s"
    assert asked("/api/exercises/roofline-floor", answer=answer)["is_right"] is True
    assert asked("/api/exercises/roofline-floor", answer="1 s")["is_right"] is False
    assert "is_right" not in asked("/api/exercises/roofline-floor")
    assert "1.88 ms" in asked("/api/exercises/roofline-floor")["working"]


CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 1024,
    "intermediate_size": 4096,
    "num_attention_heads": 16,
    "num_hidden_layers": 4,
    "num_key_value_heads": 4,
    "vocab_size": 32000,
    "torch_dtype": "bfloat16",
}


def test_a_dropped_configuration_gives_the_careful_numbers() -> None:
    kept = CLIENT.post("/api/models", content=json.dumps(CONFIG))
    assert kept.status_code == 200, kept.text
    found = asked("/api/boards/latency", model=kept.json()["model"])
    careful = {control["name"]: control["careful"] for control in found["controls"]}
    assert careful["kv_bytes_per_token"] == 4 * 2 * 4 * 64 * 2  # layers, keys and values, heads, width, bytes
    assert careful["bytes_per_param"] == 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "not JSON"),
        (b"[1]", "not an object"),
        (b'{"hidden_size": -3}', "config.json"),
        (b"\xff\xfe", "config.json"),
        (json.dumps({f"x{number}": number for number in range(9000)}).encode(), "config.json"),
        (b'{"\\ud800": 1, "hidden_size": 8}', "config.json"),
        (b"[" * 100_000, "config.json"),
        (b" " * (MOST_CONFIG_BYTES + 1), "more than"),
    ],
)
def test_a_file_that_is_no_configuration_is_refused(body: bytes, said: str) -> None:
    found = CLIENT.post("/api/models", content=body)
    assert found.status_code == 400, found.text
    assert found.json()["field"] == "config"
    assert said in found.json()["message"]
    assert len(found.json()["message"]) <= MOST_MESSAGE + 3
    assert "/tmp" not in found.json()["message"]  # noqa: S108  no path of this machine


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
        (json.dumps(CONFIG | {"layer_types": ["full_attention"] * 50_000}).encode(), "50,000 items for 4 layers"),
        (json.dumps(CONFIG | {"hidden_size": 1e308}).encode(), "hidden_size: 1e+308 is outside"),
        (json.dumps(CONFIG | {"hidden_size": 10**59}).encode(), "hidden_size: 1e+59 is outside"),
        (json.dumps(CONFIG | {"hidden_size": 10**308}).encode(), "a number of 309 digits"),
    ],
)
def test_what_is_absurd_is_refused_in_a_few_words(body: bytes, said: str) -> None:
    message = CLIENT.post("/api/models", content=body).json()["message"]
    assert said in message
    assert len(message) < 200
    assert "recursion" not in message


def test_a_dropped_model_is_called_by_the_name_under_which_it_is_found() -> None:
    name = CLIENT.post("/api/models", content=json.dumps(CONFIG)).json()["model"]
    assert asked("/api/boards/latency", model=name)["model"] == name
    # So it is in refusals, where the model lacks what a board needs.
    message = refused("/api/boards/budget/views", model=name, mode="careful")["message"]
    assert name in message
    assert "tmp" not in message


def test_of_dropped_configurations_the_last_few_are_kept() -> None:
    client = TestClient(app(hosts=("testserver",)))
    names = [
        client.post("/api/models", content=json.dumps(CONFIG | {"vocab_size": 100 + extra})).json()["model"]
        for extra in range(MOST_KEPT + 1)
    ]
    assert client.get("/api/boards/latency", params={"model": names[0]}).status_code == 400
    assert client.get("/api/boards/latency", params={"model": names[-1]}).status_code == 200


def test_a_foreign_pages_configuration_is_not_taken() -> None:
    for site, status in (("cross-site", 400), ("same-site", 400), ("same-origin", 200), ("none", 200)):
        found = CLIENT.post("/api/models", content=json.dumps(CONFIG), headers={"sec-fetch-site": site})
        assert found.status_code == status, site


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "https://evil.com"}, 400),
        ({"origin": "null"}, 400),
        ({"origin": "http://testserver:8000"}, 400),
        ({"origin": "http://testserver"}, 200),
        ({"origin": "https://evil.com", "sec-fetch-site": "same-origin"}, 200),  # which a page cannot say
        ({}, 200),
    ],
)
def test_of_a_browser_that_does_not_say_so_the_origin_tells(headers: dict[str, str], status: int) -> None:
    assert CLIENT.post("/api/models", content=json.dumps(CONFIG), headers=headers).status_code == status


def posted(*events: dict[str, Any]) -> list[Any]:
    """What is sent back where a body arrives so; after the last event nothing comes."""
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/models",
        "raw_path": b"/api/models",
        "query_string": b"",
        "headers": [(b"host", b"testserver")],
    }
    coming, sent = list(events), []

    async def receive() -> Any:  # noqa: ANN401  an event
        if not coming:
            await asyncio.sleep(60)
        return coming.pop(0)

    async def send(message: Any) -> None:  # noqa: ANN401  an event
        sent.append(message)

    async def served() -> None:
        await app(hosts=("testserver",))(scope, receive, send)

    asyncio.run(served())
    return sent


def test_who_hangs_up_while_a_file_is_sent_leaves_no_trace() -> None:
    head, _ = posted({"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"})
    assert head["status"] == 400


def test_a_file_that_does_not_arrive_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ridgeline.web.app.MOST_BODY_S", 0.05)
    head, body = posted({"type": "http.request", "body": b"{", "more_body": True})
    assert head["status"] == 400
    assert "did not arrive within" in json.loads(body["body"])["message"]


def test_long_answers_are_sent_zipped() -> None:
    found = CLIENT.get("/api/boards/latency/views")
    assert found.headers["content-encoding"] == "gzip"
    assert int(found.headers["content-length"]) < 0.6 * len(found.content)
    plain = CLIENT.get("/api/boards/latency/views", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.json() == found.json()


def test_a_foreign_name_is_not_answered() -> None:
    assert TestClient(app(), base_url="http://ridge.example").get("/api/shelf").status_code == 400
    assert TestClient(app(), base_url="http://127.0.0.1:8265").get("/api/shelf").status_code == 200


@pytest.mark.parametrize("path", ["/", "/api/shelf", "/theme.css", "/nothing", "/assets/of-an-older-build.js"])
def test_every_answer_keeps_the_page_by_itself(path: str) -> None:
    found = CLIENT.get(path)
    policy = found.headers["content-security-policy"]
    assert found.headers["cache-control"] == "no-cache"
    assert "default-src 'none'" in policy
    assert "http" not in policy


def test_colours_are_the_figures() -> None:
    css = CLIENT.get("/theme.css").text
    for theme in THEMES.values():
        assert f"color-scheme:{theme.name};" in css
        assert all(
            f"--{name}:{getattr(theme, name)};" in css for name in (*Colour, "background", "beyond", "right", "wrong")
        )


def test_the_built_page_is_there_light_and_asks_for_nothing_elsewhere() -> None:
    files = [path for path in PAGE.rglob("*") if path.is_file()]
    assert CLIENT.get("/").text == (PAGE / "index.html").read_text(encoding="utf-8")
    fonts = [path for path in files if path.suffix == ".woff2"]
    assert sum(path.stat().st_size for path in fonts) < FONTS
    weights = {path.relative_to(PAGE).as_posix(): len(gzip.compress(path.read_bytes())) for path in files}
    assert sum(weights.values()) - sum(weights[path.relative_to(PAGE).as_posix()] for path in fonts) < CODE_GZIPPED
    page = (PAGE / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'(?:src|href)="\./(assets/[^"]+)"', page)
    assert len(named) > 1
    assert weights["index.html"] + sum(weights[name] for name in named) < FIRST_GZIPPED
    assert 'href="http' not in page
    assert 'src="http' not in page
    assert not [path for path in files if path.suffix == ".css" and "url(http" in path.read_text(encoding="utf-8")]
    assert Path(PAGE / "assets").is_dir()
