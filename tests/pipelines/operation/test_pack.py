"""The agenda of a call has what is the party's, by hand from the fixture's files, and nothing of another vendor."""

import io
import zipfile
from pathlib import Path

import html5lib
import openpyxl
import pytest

NOW = "2026-10-09T20:00:00+00:00"
OF_MERLIN = ("Merlin", "4600", "M-OPTIC", "MS-1", "777.77", "test reports")
PRICES = ("31250.55", "31,250.55", "777.77", "unit cost", "USD")


@pytest.fixture
def packed(mine, turnup):
    """Make a pack; gives its subjects by title, its page and the text of its workbook."""

    def make(*party):
        found = turnup(mine, "pack", *party, "--now", NOW)
        subjects = {item["title"]: item["rows"] for item in found.subjects}
        return subjects, Path(found.page).read_text(), Path(found.workbook).read_bytes()

    return make


def texts(workbook):
    with zipfile.ZipFile(io.BytesIO(workbook)) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def test_a_vendor_reads_its_promises_goods_rows_actions_and_files(packed):
    subjects, page, _ = packed("--vendor", "kestrel")
    promise = {
        "po": "4500", "line": "10", "part": "K-NODE", "ordered": 32, "received good": 0, "rejected": 0, "expected": 32,
        "requested": None, "first promise": "2026-10-12", "promise now": "2026-10-19", "pushes": 1, "moved days": 7,
    }  # fmt: skip
    assert subjects["Open order lines and what was promised"] == [promise]
    assert [(row["shipment"], row["quantity"], row["eta"]) for row in subjects["Goods under way"]] == [
        ("KS-1", 8, "2026-10-12")
    ]
    assert [row["id"] for row in subjects["Open actions and decisions"]] == ["A-2"]
    assert [(row["file"], row["row"], row["column"]) for row in subjects["Rows to correct"]] == [
        ("2026-10-07/shipments.csv", 4, "quantity")
    ]
    assert subjects["Files that should be here"] == []
    assert "agenda for the vendor" in page


@pytest.mark.parametrize("party", [("--vendor", "Kestrel"), ("--site", "ABQ"), ("--owner", "Ana Ruiz")])
def test_a_pack_holds_no_price_and_is_a_page_without_script(party, packed):
    _, page, workbook = packed(*party)
    for price in PRICES:
        assert price not in page
        assert price not in texts(workbook)
    parsed = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    assert not list(parsed.iter("script"))
    assert not any("style" in item.attrib or "href" in item.attrib for item in parsed.iter() if item.tag == "td")
    policy = next(item.attrib["content"] for item in parsed.iter("meta") if "http-equiv" in item.attrib)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")


def test_a_vendor_reads_nothing_of_another_vendor(packed):
    _, page, workbook = packed("--vendor", "Kestrel")
    for word in OF_MERLIN:
        assert word not in page, word
        assert word not in texts(workbook), word


def test_an_owner_reads_what_is_theirs(packed):
    subjects, _, workbook = packed("--owner", "ana ruiz")
    assert [row["id"] for row in subjects["Open entries of the RAID log"]] == ["A-1", "D-1", "R-1"]
    assert [row["contract"] for row in subjects["What was promised: contract lines of their systems"]] == ["C-1"]
    assert {row["owner"] for row in subjects["What holds capacity back"]} == {"Ana Ruiz"}
    book = openpyxl.load_workbook(io.BytesIO(workbook))
    assert len(book.sheetnames) == len(subjects)


def test_a_decider_reads_what_waits_for_them(packed):
    subjects, _, _ = packed("--owner", "Vera Lang")
    assert [(row["id"], row["who"]) for row in subjects["Open entries of the RAID log"]] == [("D-1", "decides")]


def test_a_site_reads_what_comes_to_it(packed):
    subjects, _, _ = packed("--site", "abq")
    assert [row["shipment"] for row in subjects["Goods on their way there"]] == ["KS-1", "MS-1"]
    assert {row["system"] for row in subjects["What holds capacity back"]} == {"GPU-1"}


def test_equal_packs_have_equal_bytes(packed):
    assert packed("--vendor", "Kestrel") == packed("--vendor", "Kestrel")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(("--vendor", "Nobody"), "known: Kestrel, Merlin"), ((), "name one party"),
     (("--vendor", "Kestrel", "--site", "ABQ"), "name one party")],
)  # fmt: skip
def test_one_known_party_is_asked_for(arguments, says, mine, turnup):
    with pytest.raises(Exception, match=says):
        turnup(mine, "pack", *arguments)
