"""The written files: self-contained, one hashed style, sound ids and links, equal bytes anywhere, written whole."""

# ruff: noqa: E501 - expected sentences stand whole

import hashlib
import json
import os
import re
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import duckdb
import pytest

from reports.index import render_index
from reports.page import environment
from reports.render import render, write_whole
from tests.reports.pages import Page
from tests.reports.sample_warehouse import build_sample

ROOT = Path(__file__).resolve().parents[2]
NAMES = ["governance.html", "governance.json", "executive.html", "executive.json"]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("out")
    render(build_sample(), root / "2026-W44")
    render_index(root)
    return root


def test_render_writes_both_reports_and_a_sheet_each_and_leaves_nothing_else(
    sample: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    paths = render(sample, tmp_path / "2026-W44")
    week = tmp_path / "2026-W44"
    assert [p.name for p in paths[: len(NAMES)]] == NAMES
    assert sorted(p.name for p in week.iterdir() if p.is_file()) == sorted(NAMES)
    sheets = [p.relative_to(week).as_posix() for p in paths[len(NAMES) :]]
    assert sorted(p.relative_to(week).as_posix() for p in week.glob("*/*")) == sorted(sheets)
    assert len(sheets) == 12 + 5


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    target = write_whole(tmp_path / "a.html", "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(target, "new \ud800")
    assert target.read_text() == "old"


@pytest.fixture(params=["2026-W44/governance.html", "2026-W44/executive.html", "index.html"])
def page(request: pytest.FixtureRequest, out: Path) -> tuple[str, Page]:
    text = (out / request.param).read_text(encoding="utf-8")
    return text, Page(text)


def test_policy_comes_first_and_its_hash_is_that_of_the_only_style(page: tuple[str, Page]) -> None:
    text, parsed = page
    head = text[text.index("<head>") : text.index("</head>")]
    styles = re.findall(r"<style>(.*?)</style>", text, re.S)
    assert len(styles) == 1
    digest = b64encode(hashlib.sha256(styles[0].encode()).digest()).decode()
    policy = next(
        a["content"] for n, a in parsed.elements if n == "meta" and a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert f"style-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert head.index("Content-Security-Policy") < head.index("<title>") < head.index("<style>")


def test_no_script_no_inline_style_no_handler_nothing_loaded(page: tuple[str, Page]) -> None:
    _, parsed = page
    assert not parsed.names() & {"script", "iframe", "img", "link", "object", "embed", "form", "base"}
    attributes = {name for _, attrs in parsed.elements for name in attrs}
    assert "style" not in attributes
    assert not [name for name in attributes if name.startswith("on")]
    assert not [name for name in attributes if name in {"src", "srcset", "xlink:href", "action"}]


def test_elements_nest_and_ids_stand_once(page: tuple[str, Page]) -> None:
    _, parsed = page
    assert parsed.unbalanced == []
    assert len(parsed.ids) == len(set(parsed.ids))


def test_links_lead_to_ids_that_exist(out: Path) -> None:
    pages = {p.relative_to(out).as_posix(): Page(p.read_text(encoding="utf-8")) for p in out.rglob("*.html")}
    for name, parsed in pages.items():
        for link in parsed.links:
            path, _, fragment = link.partition("#")
            target = os.path.normpath(Path(name).parent / path) if path else name
            assert (out / target).is_file()
            assert not fragment or fragment in pages[target].ids


def test_aria_references_exist(page: tuple[str, Page]) -> None:
    _, parsed = page
    wanted = {i for _, a in parsed.elements for i in (a.get("aria-labelledby") or "").split()}
    assert wanted <= set(parsed.ids)


def test_every_drawing_has_title_description_and_a_table_behind_it(out: Path) -> None:
    parsed = Page((out / "2026-W44/executive.html").read_text(encoding="utf-8"))
    names = [name for name, _ in parsed.elements]
    assert names.count("svg") == names.count("desc") > 10
    assert names.count("svg") == 2 * names.count("details")


def test_colours_in_drawings_are_presentation_attributes(out: Path) -> None:
    parsed = Page((out / "2026-W44/executive.html").read_text(encoding="utf-8"))
    fills = [a["fill"] for n, a in parsed.elements if n in {"path", "rect", "text", "circle"} and "fill" in a]
    assert fills
    assert all(f == "none" or re.fullmatch(r"#[0-9a-f]{6}|url\(#[^)]+\)", f or "") for f in fills)


def test_each_page_carries_freshness_quarantine_code_and_inputs(out: Path) -> None:
    text = (out / "2026-W44/executive.html").read_text(encoding="utf-8")
    parts = re.split(r'<(?:div|section) class="page', text)[1:]
    assert len(parts) == 5
    for part in parts:
        plain = Page(part).text
        assert "15 of 16 sources fresh" in plain
        assert "rows quarantined" in plain
        assert "code 4be2d10" in plain
        assert "inputs 7f3a1c9e52d0" in plain
        assert "DRAFT" in plain


def test_html_prints_the_figures_of_the_json(out: Path) -> None:
    model = json.loads((out / "2026-W44/executive.json").read_text(encoding="utf-8"))
    shown = Page((out / "2026-W44/executive.html").read_text(encoding="utf-8")).text
    for line in model["how_much"]["classes"]:
        assert f"{int(float(line['contracted'])):,}" in shown
    assert model["what_changed"]["check"] in shown
    assert model["version"] == "1"


def test_equal_bytes_under_another_time_zone_and_hash_seed(out: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from reports.render import render; from reports.index import render_index\n"
        "from tests.reports.sample_warehouse import build_sample\n"
        "render(build_sample(), Path(sys.argv[1]) / '2026-W44'); render_index(Path(sys.argv[1]))"
    )
    env = {**os.environ, "TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "77", "PYTHONPATH": str(ROOT), "LC_ALL": "C"}
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, env=env, cwd=ROOT)
    for name in [f"2026-W44/{n}" for n in NAMES] + ["index.html"]:
        assert (out / name).read_bytes() == (tmp_path / name).read_bytes()


def test_index_lists_weeks_newest_first_with_what_changed(out: Path, tmp_path: Path) -> None:
    def earlier(tables):  # type: ignore[no-untyped-def]
        tables["meta.week"][0]["week"] = "2026-W43"

    render(build_sample(), tmp_path / "2026-W44")
    render(build_sample(earlier), tmp_path / "2026-W43")
    text = Page(render_index(tmp_path).read_text(encoding="utf-8")).text
    assert text.index("2026-W44 #") < text.index("2026-W43 #")
    assert "GPU: 2,752 of 3,072 GPUs (89 %), +320" in text
    assert "Schedulable: GPU +320 GPUs" in text


def test_index_of_nothing_is_an_empty_list(tmp_path: Path) -> None:
    assert "0 weeks" in render_index(tmp_path).read_text(encoding="utf-8")


def test_escaping_is_on_for_every_template() -> None:
    made = environment()
    assert made.autoescape is True
    assert made.from_string("{{ x }}").render(x="<b>") == "&lt;b&gt;"


def test_no_template_marks_anything_safe() -> None:
    for path in sorted((ROOT / "reports/templates").rglob("*.j2")):
        source = path.read_text(encoding="utf-8")
        assert "|safe" not in source.replace(" ", "")
        assert "autoescape" not in source.replace("{# ", "").split("#}")[-1]
        assert not re.search(r"=\{\{", source), f"unquoted attribute in {path.name}"


def test_the_answers_of_page_1_keep_figure_and_unit_together(out: Path) -> None:
    text = (out / "2026-W44/executive.html").read_text(encoding="utf-8")
    answers = re.findall(r'<p class="answer">(.*?)</p>', text)
    assert len(answers) == 8  # four, and each again above its deeper page
    assert "38\u00a0% (last week 44\u00a0%)" in answers[1]
    assert not any(re.search(r"\d %", answer) for answer in answers)
