"""Chat and other channels, over a real HTTP server of our own."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

CHANNEL = {"name": "ops-chat", "url_env": "CHAT", "report": "executive"}


@pytest.fixture
def chat():
    """A web hook that keeps what it is told and answers as it is asked to."""

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self):
            self.server.told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(self.server.answer)
            self.end_headers()

        def log_message(self, *args):
            pass

    server = HTTPServer(("127.0.0.1", 0), Hook)
    server.told, server.answer = [], 200
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


def test_a_channel_is_told_once(house, chat):
    house.recipients, house.delivery = (), {"channels": [CHANNEL]}
    house.secrets = {"CHAT": f"json://127.0.0.1:{chat.server_port}/token-of-the-room"}
    house.manifest()
    assert house.round().sent == 1
    assert house.round().sent == 0
    assert [told["title"] for told in chat.told] == ["Readiness 2026-W44: 96 of 128"]
    assert "The executive report of 2026-W44." in chat.told[0]["message"]
    kept = b"".join(file.read_bytes() for file in (house.root / "store").rglob("*") if file.is_file())
    assert b"token-of-the-room" not in kept


def test_a_channel_that_does_not_confirm_is_not_told_again_and_the_operator_knows(house, chat):
    chat.answer = 500
    house.recipients, house.delivery = (), {"channels": [CHANNEL]}
    house.secrets = {"CHAT": f"json://127.0.0.1:{chat.server_port}/"}
    house.manifest()
    for _ in range(2):
        assert [entry.state for entry in house.round().entries] == ["uncertain"]
    assert len(chat.told) == 1
    assert len(house.taken.of("ops@example.net")) == 1


def test_an_address_that_is_none_is_refused_without_showing_it(house):
    house.recipients, house.delivery = (), {"channels": [CHANNEL]}
    house.secrets = {"CHAT": "nonsense-with-a-secret"}
    house.manifest()
    [entry] = house.round().entries
    assert entry.state == "refused"
    assert "nonsense" not in entry.note
