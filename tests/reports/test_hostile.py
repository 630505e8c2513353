"""Hostile text in every text column of every table: nothing executes, nothing disappears, no report crashes."""

# ruff: noqa: E501 - expected sentences stand whole

from collections.abc import Callable, Sequence
from itertools import cycle
from pathlib import Path

import pytest

from reports.render import render
from tests.reports.pages import Page
from tests.reports.sample_warehouse import Rows, build_sample

STRINGS = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "javascript:alert(1)", "{{7*7}}", '#read("/etc/passwd")',
    '=HYPERLINK("http://x","y")', "-2+3", "@SUM(1)", "$x_{", "a\x00b", "\x1b[31m", "rtl\u202eevil", "zero\u200bwidth", "]]>",
    "</style><script>alert(2)</script>", "x" * 10_000, "検収待ち", "بانتظار القبول", "👷 on site", "../../x", "BOM [1].csv",
    "</svg></title>", "' onmouseover='alert(3)", "--><!--",
)  # fmt: skip
# Words that rules compare with; everything else that is text is fair game.
KEPT = {"kind", "stage", "status", "state", "type", "component", "series", "scope_type", "severity", "unit", "week", "time_zone",
        "previous_week", "worst", "scope", "dataset", "gate", "block", "metric", "system_key", "_ingest", "claimed_status"}  # fmt: skip


Change = Callable[[dict[str, Rows]], None]


def infest(strings: Sequence[str], columns: set[str] | None = None) -> Change:
    """Put the strings, in turn, into every text value; ids keep their own value in front so that rows stay apart."""

    def change(tables: dict[str, Rows]) -> None:
        turn = cycle(strings)
        for rows in tables.values():
            for row in rows:
                for name, value in row.items():
                    wanted = name not in KEPT if columns is None else name in columns
                    if isinstance(value, str) and wanted:
                        text = next(turn)
                        row[name] = f"{value} {text}" if name.endswith("id") else text

    return change


@pytest.mark.parametrize("shift", range(0, len(STRINGS), 6))
def test_hostile_text_everywhere(shift: int, tmp_path: Path) -> None:
    paths = render(build_sample(infest(STRINGS[shift:] + STRINGS[:shift])), tmp_path)
    for path in paths:
        content = path.read_text(encoding="utf-8")
        assert not {"\x00", "\x1b", "\u202e"} & set(content)
        if path.suffix == ".html":
            inspect(content)


def test_long_words_everywhere(tmp_path: Path) -> None:
    for path in render(build_sample(infest(["x" * 10_000])), tmp_path)[::2]:
        inspect(path.read_text(encoding="utf-8"))


def inspect(content: str) -> None:
    parsed = Page(content)
    assert not parsed.names() & {"script", "img", "iframe"}
    attributes = {name for _, attrs in parsed.elements for name in attrs}
    assert not [name for name in attributes if name.startswith("on") or name == "style"]
    assert all(
        link.startswith(("#", "governance.html", "executive.html", "../", "systems/", "sites/"))
        for link in parsed.links
    )
    assert len(parsed.ids) == len(set(parsed.ids))
    assert parsed.unbalanced == []


def test_nothing_disappears(tmp_path: Path) -> None:
    strings = ("<script>alert(1)</script>", "検収待ち", "{{7*7}}", "../../x", "=HYPERLINK(1)")
    render(build_sample(infest(strings)), tmp_path)
    governance = Page((tmp_path / "governance.html").read_text(encoding="utf-8")).text
    assert all(governance.count(text) > 50 for text in strings)


def test_marks_are_made_visible(tmp_path: Path) -> None:
    render(build_sample(infest(["rtl\u202eevil"])), tmp_path)
    assert "rtl⟦U+202E⟧evil" in (tmp_path / "governance.html").read_text(encoding="utf-8")


RULED = (
    "kind",
    "status",
    "state",
    "unit",
    "gate",
    "block",
    "metric",
    "dataset",
    "severity",
    "type",
    "worst",
    "scope",
    "stage",
    "component",
)


@pytest.mark.parametrize("columns", [RULED[::2], RULED[1::2]])
def test_hostile_words_where_rules_expect_known_ones(columns: tuple[str, ...], tmp_path: Path) -> None:
    for path in render(build_sample(infest(['"><script>alert(1)</script>'], set(columns))), tmp_path)[::2]:
        inspect(path.read_text(encoding="utf-8"))
