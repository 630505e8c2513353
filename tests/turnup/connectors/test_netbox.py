"""Pulling from NetBox: pages, tokens and every way in which it can fail, against a server on this machine."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from expectations.contract import load_contracts
from pipelines.cli import app
from turnup.connectors.netbox import FILES, PullFailed, pull_netbox
from turnup.connectors.settings import NetBoxConnector
from turnup.formats import parse
from turnup.programme import Source

TOKEN = "0123456789abcdef0123456789abcdef01234567"


def record(kind: str, number: int) -> dict:
    held = {"id": number, "url": f"http://nb/api/{kind}/{number}/", "display": f"{kind} {number}"}
    end = {"object_type": "dcim.interface", "object": {"name": "p0", "device": {"id": 1, "name": "gpu-1"}}}
    more = {
        "devices": {
            "name": f"gpu-{number}", "device_type": {"model": "G8", "manufacturer": {"name": "Acme"}},
            "role": {"name": "Server"}, "site": {"slug": "aus1"}, "serial": f"S{number}",
            "status": {"value": "active", "label": "Active"},
        },
        "modules": {"device": {"id": 1, "name": "gpu-1"}, "module_type": {"model": "NIC"}, "serial": f"M{number}",
                    "status": {"value": "active"}},
        "cables": {"a_terminations": [end], "b_terminations": [end], "status": {"value": "connected"}},
        "racks": {"name": "R1", "u_height": 48, "desc_units": False, "status": {"value": "active"}},
        "circuits": {"cid": f"C{number}", "provider": {"name": "T"}, "type": {"slug": "w"},
                     "status": {"value": "active"}, "commit_rate": 1000000},
        "circuit-terminations": {"circuit": {"id": number}, "term_side": "A", "site": {"slug": "aus1"}},
    }  # fmt: skip
    return held | more[kind]


class NetBox(ThreadingHTTPServer):
    """Speaks the pages of NetBox's REST API; a test changes what it holds or how it fails."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.reset()

    def reset(self) -> None:
        self.records = {kind: [record(kind, n) for n in (3, 1, 2)] for kind in ("devices", "modules", "cables")}
        self.records |= {kind: [record(kind, 1)] for kind in ("racks", "circuits", "circuit-terminations")}
        self.largest_page = 2
        self.fail: dict[str, object] = {}
        self.asked: list[str] = []
        self.authorization: set[str] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: NetBox

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.server.authorization.add(self.headers.get("authorization", ""))
        split = urlsplit(self.path)
        kind = split.path.strip("/").rsplit("/", 1)[-1]
        if self.headers.get("authorization") != f"Token {TOKEN}":
            self._answer(403, {"detail": "Invalid token"})
            return
        if kind in self.server.fail:
            self._fail(kind, self.server.fail[kind])
            return
        query = {name: int(values[0]) for name, values in parse_qs(split.query).items() if values[0].isdigit()}
        offset, limit = query.get("offset", 0), min(query.get("limit", 50), self.server.largest_page)
        held = sorted(self.server.records[kind], key=lambda item: item["id"])
        more = offset + limit < len(held)
        following = f"http://elsewhere.invalid{split.path}?limit={limit}&offset={offset + limit}" if more else None
        page = {"count": len(held), "next": following, "previous": None, "results": held[offset : offset + limit]}
        self._answer(200, page)

    def _fail(self, kind: str, how: object) -> None:
        match how:
            case int():
                self._answer(how, {"detail": f"fault for {self.headers.get('authorization')}"})
            case threading.Event():
                how.wait(30)
                self.close_connection = True
            case "cut":
                body = b'{"count": 3, "results": [{"id": 1'
                self._send(200, body, len(body) + 100)
                self.close_connection = True
            case "html":
                self._send(200, b"<html>login</html>", 18)
            case "short":
                self._answer(200, {"count": 9, "next": None, "results": [] if "offset=1" in self.path else [{"id": 1}]})
            case "twice":
                self._answer(200, {"count": 2, "next": None, "results": [{"id": 1}, {"id": 1}]})
            case "redirect":
                self.send_response(302)
                self.send_header("Location", "http://elsewhere.invalid/")
                self.send_header("Content-Length", "0")
                self.end_headers()

    def _answer(self, status: int, value: object) -> None:
        body = json.dumps(value).encode()
        self._send(status, body, len(body))

    def _send(self, status: int, body: bytes, length: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def running():
    server = NetBox()
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def server(running, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    running.reset()
    return running


def settings(server: NetBox, **changes: object) -> NetBoxConnector:
    return NetBoxConnector.model_validate({"url": server.url, "token_env": "NB", "page_size": 100, **changes})


def pull(server: NetBox, inbox: Path, token: str = TOKEN, **changes: object):
    return pull_netbox(settings(server, **changes), token, inbox)


def contents(inbox: Path) -> dict[str, bytes]:
    return {
        path.relative_to(inbox).as_posix(): path.read_bytes() for path in sorted(inbox.rglob("*")) if path.is_file()
    }


def test_every_page_of_every_kind_lies_in_the_inbox_as_one_file(server, tmp_path):
    files = pull(server, tmp_path)
    assert sorted(contents(tmp_path)) == [f"netbox/{kind}.json" for kind in sorted(FILES)]
    assert {file.kind: file.records for file in files} == {
        "devices": {"devices": 3}, "modules": {"modules": 3}, "cables": {"cables": 3}, "racks": {"racks": 1},
        "circuits": {"circuits": 1, "circuit_terminations": 1},
    }  # fmt: skip
    devices = json.loads((tmp_path / "netbox/devices.json").read_bytes())["devices"]
    assert [device["id"] for device in devices] == [1, 2, 3]
    assert any("exclude=config_context" in path for path in server.asked)
    assert server.authorization == {f"Token {TOKEN}"}


def test_an_unchanged_netbox_gives_the_same_bytes_and_a_new_time(server, tmp_path):
    pull(server, tmp_path)
    before = contents(tmp_path)
    stamp = (tmp_path / "netbox/devices.json").stat().st_ctime_ns
    server.records["devices"].reverse()
    server.largest_page = 50
    again = pull(server, tmp_path)
    assert contents(tmp_path) == before
    assert not any(file.changed for file in again)
    assert (tmp_path / "netbox/devices.json").stat().st_ctime_ns > stamp
    server.records["devices"][0]["name"] = "renamed"
    assert {file.kind: file.changed for file in pull(server, tmp_path)}["devices"]


@pytest.mark.parametrize(
    ("how", "told"),
    [
        (401, "refuses the token"), (403, "refuses the token"), (404, "without /api"), (500, "failed \\(500\\)"),
        (503, "failed \\(503\\)"), ("cut", "broke off|no whole NetBox page"),
        ("html", "no whole NetBox page"), ("short", "announces 9 records and gave 1"), ("twice", "changed while"),
        ("redirect", "sends us elsewhere"),
    ],
)  # fmt: skip
def test_a_pull_that_fails_names_the_fault_and_writes_nothing(server, tmp_path, how, told):
    server.fail = {"racks": how}
    with pytest.raises(PullFailed, match=told) as failed:
        pull(server, tmp_path)
    assert "/api/dcim/racks/" in str(failed.value)
    assert TOKEN not in str(failed.value)
    assert contents(tmp_path) == {}


def test_a_server_that_does_not_answer_in_time_is_named(server, tmp_path):
    never = threading.Event()
    server.fail = {"devices": never}
    with pytest.raises(PullFailed, match=r"did not answer within 0\.2 s"):
        pull(server, tmp_path, timeout_s=0.2)
    never.set()
    assert contents(tmp_path) == {}


def test_a_pull_that_fails_leaves_the_files_of_the_last_one(server, tmp_path):
    pull(server, tmp_path)
    before = contents(tmp_path)
    server.records["devices"].append(record("devices", 9))
    server.fail = {"circuit-terminations": 500}
    with pytest.raises(PullFailed):
        pull(server, tmp_path)
    assert contents(tmp_path) == before


def test_a_wrong_token_and_a_server_that_is_not_there_are_named(server, tmp_path):
    with pytest.raises(PullFailed, match="refuses the token"):
        pull(server, tmp_path, token="wrong")
    closed = NetBoxConnector(url="http://127.0.0.1:9", token_env="NB")
    with pytest.raises(PullFailed, match="cannot be reached"):
        pull_netbox(closed, TOKEN, tmp_path)


def test_what_was_pulled_feeds_the_datasets(server, tmp_path):
    pull(server, tmp_path)
    contracts = load_contracts()
    rows = {}
    for name, dataset in (("devices", "installs"), ("modules", "installs"), ("cables", "links"),
                          ("circuits", "circuits")):  # fmt: skip
        path = tmp_path / f"netbox/{name}.json"
        table = parse(path, path.name, Source.model_construct(dataset=dataset, files="*"), contracts[dataset])
        assert table.ledger.balanced
        rows[name] = table.frame
    assert rows["devices"]["serial"].to_list() == ["S1", "S2", "S3"]
    assert rows["modules"]["parent_asset"].to_list() == ["nb-device-1"] * 3
    assert rows["cables"].height == 3
    assert rows["circuits"].select("circuit", "a_site", "gbps").rows() == [("C1", "aus1", "1")]
    server.records["circuits"] = server.records["circuit-terminations"] = []
    pull(server, tmp_path)
    path = tmp_path / "netbox/circuits.json"
    table = parse(path, path.name, Source.model_construct(dataset="circuits", files="*"), contracts["circuits"])
    assert (table.frame.height, table.format) == (0, "netbox")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"url": "https://user:secret@nb.example.net"}, "no user or password"),
        ({"url": "http://nb.example.net"}, "write https"),
        ({"url": "nb.example.net"}, "is expected"),
        ({"into": "../elsewhere"}, "inside the inbox"),
        ({"token_env": None}, "where the token is kept"),
        ({"token_file": "t"}, "where the token is kept"),
        ({"token": "abc"}, "Extra inputs"),
    ],
)
def test_a_configuration_that_would_leak_or_stray_is_refused(changes, told):
    with pytest.raises(ValidationError, match=told):
        NetBoxConnector.model_validate({"url": "https://nb.example.net/", "token_env": "NB"} | changes)


def test_the_command_pulls_and_keeps_the_token_to_itself(server, tmp_path, monkeypatch):
    home = tmp_path / "home"
    (home / "inbox").mkdir(parents=True)
    configuration = f"name: A\ntime_zone: UTC\nconnectors:\n  netbox: {{url: '{server.url}', token_env: NB_TOKEN}}\n"
    (home / "programme.yaml").write_text(configuration)
    run = CliRunner().invoke

    monkeypatch.setenv("NB_TOKEN", TOKEN)
    done = run(app, ["pull", "netbox", "--home", str(home), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert [file["file"] for file in told["files"]] == [f"netbox/{kind}.json" for kind in FILES]
    assert all(file["changed"] for file in told["files"])
    assert not any(TOKEN.encode() in content for content in contents(home).values())

    server.fail = {"devices": 500}
    failed = run(app, ["pull", "netbox", "--home", str(home), "--json"])
    assert failed.exit_code == 3
    error = json.loads(failed.stdout)["error"]
    assert (error["kind"], TOKEN in failed.output) == ("netbox", False)
    assert "nothing was written" in error["message"]

    server.fail = {}
    (home / "netbox.token").write_text(TOKEN + "\n")
    (home / "programme.yaml").write_text(configuration.replace("token_env: NB_TOKEN", "token_file: netbox.token"))
    shown = run(app, ["pull", "netbox", "--home", str(home)])
    assert shown.exit_code == 0
    assert "netbox/devices.json" in shown.output
    rows = [line for line in shown.output.splitlines() if line.startswith("netbox/")]
    assert {line.split("│")[-1].strip() for line in rows} == {"no"}  # nothing is new
    assert TOKEN not in shown.output
