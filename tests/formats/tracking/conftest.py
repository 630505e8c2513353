"""The way to read a tracking document."""

from __future__ import annotations

import json

import pytest

from expectations.contract import load_contracts
from turnup.formats import parse
from turnup.programme import Source

CONTRACTS = load_contracts()


@pytest.fixture
def take(tmp_path):
    """Return a reader of a document for logistics_events; the ledger must balance."""

    def reader(document, **settings):
        path = tmp_path / "content"
        path.write_text(json.dumps(document), encoding="utf-8")
        source = Source.model_construct(dataset="logistics_events", files="*", **settings)
        table = parse(path, "sent.json", source, CONTRACTS["logistics_events"])
        assert table.ledger.balanced
        assert table.frame.height == table.ledger.data
        return table

    return reader
