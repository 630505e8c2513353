"""The page and the workbook of a call print what files hold as text, whatever it looks like."""

import io
from datetime import date, datetime
from decimal import Decimal

import html5lib
import openpyxl

from reports.packs import pack_html, pack_workbook
from turnup.working_day.pack import Pack, PackTable

HOSTILE = (
    "<script>alert(1)</script>", "=HYPERLINK('http://x')", "a\u202eb", "\x00nul", "+1", "'\" onload=x",
)  # fmt: skip
PACK = Pack(
    "Aurora <b>", "2026-W41", datetime(2026, 10, 9, 18), "vendor", "<i>Kestrel</i>",
    (
        PackTable("Texts", ("text",), tuple((text,) for text in HOSTILE), "none"),
        PackTable("Values", ("n", "share", "day", "at", "yes", "gap"),
                  ((Decimal("1250.500"), 0.25, date(2026, 10, 9), datetime(2026, 10, 9, 8, 5), True, None),), "none"),
        PackTable("Nothing", ("a", "b"), (), "Nothing is open."),
        PackTable("Values", ("a second of this name",), (("x",),), "none"),
    ),
)  # fmt: skip


def test_the_page_holds_texts_and_no_markup_of_theirs():
    page = pack_html(PACK)
    parsed = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    assert not [item for item in parsed.iter() if item.tag in ("script", "b", "i", "img")]
    assert not [name for item in parsed.iter() for name in item.attrib if name.startswith("on") or name == "src"]
    said = "".join(parsed.itertext())
    assert "<script>alert(1)</script>" in said
    assert "a⟦U+202E⟧b" in said
    assert "Nothing is open." in said
    assert pack_html(PACK) == page


def test_the_workbook_holds_texts_and_no_formula():
    book = openpyxl.load_workbook(io.BytesIO(pack_workbook(PACK)))
    assert book.sheetnames == ["Texts", "Values", "Nothing", "Values (2)"]
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} == {"s"}
    assert [cell.value for cell in book["Values"][2]] == [
        "1,250.5",
        "0.25",
        "9 Oct 26",
        "2026-10-09 08:05 UTC",
        "yes",
        None,
    ]
    assert book["Nothing"]["A2"].value == "Nothing is open."
    assert pack_workbook(PACK) == pack_workbook(PACK)
