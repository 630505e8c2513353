"""The example of docs/adding-a-format.md does what the page says."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace

from expectations.contract import load_contracts
from turnup.formats.benchmarks.results import results_of
from turnup.formats.content import Content
from turnup.formats.model import Request
from turnup.programme import Source

PAGE = Path(__file__).resolve().parents[3] / "docs" / "adding-a-format.md"


def test_the_example_reads_its_log(tmp_path):
    blocks = [
        dedent(block) for block in re.findall(r"(?:^    .*\n|^\n(?=    |\n    ))+", PAGE.read_text(), re.MULTILINE)
    ]
    log = next(block for block in blocks if "memtest done" in block and "import" not in block).strip("\n") + "\n"
    module = next(block for block in blocks if "import re" in block)
    names: dict = {}
    exec(compile(module, str(PAGE), "exec", dont_inherit=True), names)  # the page's own code
    example = SimpleNamespace(**names)

    def read(text):
        path = tmp_path / "content"
        path.write_text(text)
        content = Content(path, "memtest.log")
        assert example.is_memtest(content)
        source = Source.model_construct(dataset="benchmarks", files="*")
        return example.parse_memtest(Request(content, source, load_contracts()["benchmarks"]))

    whole = read(log)
    assert whole.frame.select("node", "member", "value", "unit", "status", "tool_version").rows() == [
        ("gpu001", "gpu0", "812.4", "GB/s", "valid", "2.1"), ("gpu001", "gpu1", "809.9", "GB/s", "valid", "2.1")
    ]  # fmt: skip
    assert results_of(whole).verdict_ready
    assert not results_of(read(log.replace("memtest done\n", ""))).verdict_ready
