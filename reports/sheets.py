"""Files beside the reports of a week: ``systems/<id>.html``, ``sites/<id>.html`` and ``vendors/<id>.html``.

At thousands of systems most of the cost is the disk: a sheet that says what its file says already is not written.
Belongs here: where sheets lie and how their links lead out. Does not: their content (``reports.build.sheets``).
"""

from collections.abc import Iterable, Mapping, Set
from pathlib import Path

from reports.build.made_later import Sheets
from reports.models.canonical import to_json
from reports.models.common import Header, Table
from reports.models.sheets import Sheet
from reports.models.vendor import VendorReport
from reports.page import page

FOLDERS = {"system": "systems", "site": "sites"}


def sheet_paths(sheets: Iterable[Sheet]) -> dict[str, str]:
    """Path of every sheet in its week's folder, by the id of its subject."""
    return {sheet.id: f"{FOLDERS[sheet.kind]}/{sheet.file}.html" for sheet in sheets}


def write_sheets(sheets: Sheets, header: Header, known: Set[str], out_dir: Path) -> list[Path]:
    """Write the sheets of a week and remove those of subjects it no longer has; return all paths, systems first."""
    paths = sheet_paths(sheets.heads)
    for folder in FOLDERS.values():
        (out_dir / folder).mkdir(parents=True, exist_ok=True)
    written = [_write(out_dir / paths[sheet.id], sheet_html(sheet, header, known, paths)) for sheet in sheets]
    current = set(written)
    for folder in FOLDERS.values():
        for old in (out_dir / folder).glob("*.html"):
            if old not in current:
                old.unlink()
    return written


def sheet_html(sheet: Sheet, header: Header, known: Set[str], paths: Mapping[str, str]) -> str:
    """Return one sheet's page. Links lead within it, to other sheets, else into the governance report beside it."""
    own = {box.id for box in sheet.boxes} | {
        row.id for box in sheet.boxes for block in box.blocks if isinstance(block, Table) for row in block.rows
    }

    def href(link: str) -> str:
        if link == sheet.id or not link:
            return ""
        if link in own:
            return f"#{link}"
        if link in paths:
            return f"../{paths[link]}"
        return f"../governance.html#{link}" if link in known else ""

    return page("sheet.html.j2", href, s=sheet, h=header)


def write_vendor_report(report: VendorReport, out_dir: Path) -> list[Path]:
    """Write ``vendors/<id>.html`` and ``.json`` of one vendor; nothing in them leads to another file."""
    folder = out_dir / "vendors"
    folder.mkdir(parents=True, exist_ok=True)
    html = page("vendor.html.j2", lambda link: "", r=report)
    return [_write(folder / f"{report.file}.html", html), _write(folder / f"{report.file}.json", to_json(report))]


def _write(path: Path, text: str) -> Path:
    content = text.encode()
    try:
        if path.read_bytes() == content:
            return path
    except FileNotFoundError:
        pass
    # Beside its place, then renamed: whole or not at all. A sheet is made again from the store, so it is not flushed.
    beside = path.with_name(f".{path.name}.part")
    beside.write_bytes(content)
    beside.replace(path)
    return path
