"""Reading files that the tests write, and the real files where they are at hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from expectations.contract import Contract
from tests.formats.small import PARTS
from turnup.formats import RawTable, parse
from turnup.programme import Source

_CASES = Path(__file__).parents[3] / "shared" / "cases"


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


@pytest.fixture
def cases() -> Path:
    """The folder of real files; a test that needs it is skipped without it."""
    if not _CASES.is_dir():
        pytest.skip("the real files are not here")
    return _CASES
