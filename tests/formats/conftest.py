"""Reading files that the tests write, and the real files where they are at hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from expectations.contract import Contract
from tests.formats.small import PARTS
from turnup.formats import RawTable, parse
from turnup.programme import Source


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., RawTable]:
    """Write bytes (or text, as UTF-8) under a name and read them for a contract."""

    def reader(
        content: bytes | str, *, contract: Contract = PARTS, name: str = "file.csv", **settings: object
    ) -> RawTable:
        path = tmp_path / "content"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        source = Source.model_construct(dataset=contract.name, files="*", **settings)
        return parse(path, name, source, contract)

    return reader
