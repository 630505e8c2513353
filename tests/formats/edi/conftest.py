"""EDI files written by the tests, and the way to read them."""

from __future__ import annotations

import pytest

from expectations.contract import load_contracts
from turnup.formats import parse
from turnup.programme import Source

CONTRACTS = load_contracts()


@pytest.fixture
def take(tmp_path):
    """Return a reader of a text as a file for one dataset; the ledger must balance."""

    def reader(content, dataset, **settings):
        path = tmp_path / "content"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        table = parse(
            path, "sent.edi", Source.model_construct(dataset=dataset, files="*", **settings), CONTRACTS[dataset]
        )
        assert table.ledger.balanced
        assert table.frame.height == table.ledger.data
        assert len({(row.sheet, row.row) for row in table.rejected}) == table.ledger.rejected
        return table

    return reader
