"""Durations and predecessors as text: the vectors, what must be refused, and round trips."""

import csv
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnup.formats.schedule.durations import UNITS, Length, Malformed, Unit, parse_duration, parse_length
from turnup.formats.schedule.predecessors import Predecessor, parse_predecessor, split_predecessors
from turnup.formats.schedule.progress import share_of
from turnup.schedule.model import DAY, HOUR, WorkCalendar

VECTORS = Path(__file__).parents[4] / "shared" / "cases" / "schedule" / "csv"
STANDARD = WorkCalendar("Standard", ())
real = pytest.mark.skipif(not VECTORS.is_dir(), reason="the real schedules are not beside this checkout")


def vectors(name: str) -> list[dict[str, str]]:
    path = VECTORS / name
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))


def read(text: str) -> str:
    """A cell of predecessors as the vectors write it."""
    try:
        links = [parse_predecessor(part) for part in split_predecessors(text)]
    except Malformed:
        return "ERROR"
    return "|".join(shown(link) for link in links) or "(none)"


def shown(link: Predecessor) -> str:
    name = str(link if link.lag is not None else Predecessor(link.ref, link.type, None, link.project))
    text = name if link.lag is not None else f"{name} 0 d"
    return f"external {text.replace('C:/plans/', '')}" if link.project else text


@real
@pytest.mark.parametrize("row", vectors("predecessor_strings.tsv"), ids=lambda row: row["input"] or "blank")
def test_predecessor_vectors(row: dict[str, str]) -> None:
    found = read(row["input"]).replace("C:\\plans\\net.mpp\\", "net.mpp ")
    wanted = row["expected"]
    if wanted.startswith("ERROR"):
        assert found == "ERROR"
    else:
        assert found == "|".join(part if part.endswith(" 0 d") else part.removesuffix(" 0") + " 0 d"
                                 if part.endswith(" 0") else part for part in wanted.split("|"))  # fmt: skip


@real
@pytest.mark.parametrize(
    ("text", "seconds", "estimated"),
    [
        ("5 days", 2400 * 60, False),
        ("5d", 2400 * 60, False),
        ("1 day?", 480 * 60, True),
        ("2.5 wks", 6000 * 60, False),
        ("2,5 Wochen", 6000 * 60, False),
        ("3 ed", 4320 * 60, False),
        ("4 edays", 5760 * 60, False),
        ("2 ewks", 20160 * 60, False),
        ("90 mins", 90 * 60, False),
        ("8 hrs", 480 * 60, False),
        ("1 mon", 9600 * 60, False),
        ("1 emon", 43200 * 60, False),
        ("0 days", 0, False),
        ("PT40H0M0S", 40 * HOUR, False),
    ],
)
def test_duration_vectors(text: str, seconds: int, estimated: bool) -> None:
    assert text in {row["input"] for row in vectors("duration_strings.tsv")}
    length = parse_duration(text)
    assert length is not None
    assert (length.seconds(STANDARD), length.estimated) == (seconds, estimated)


def test_what_is_elapsed() -> None:
    for text in ("3 ed", "3 edays", "3 eday", "e3d", "~3d", "3 elapsed days", "3 fTage", "3 ft"):
        length = parse_length(text)
        assert length.elapsed
        assert length.seconds(STANDARD) == 3 * DAY, text
    assert not parse_length("3 d").elapsed


def test_nothing_written_is_not_zero() -> None:
    assert parse_duration("") is None
    assert parse_duration("   ") is None


def test_progress_as_percentage_and_as_fraction() -> None:
    assert share_of("85%") == Decimal("0.85")
    assert share_of("0.85") == Decimal("0.85")
    assert share_of("85 %") == Decimal("0.85")
    assert share_of("0,85") == Decimal("0.85")
    assert share_of("100%") == 1
    assert share_of("") is None
    for text in ("140%", "-3%", "eighty"):
        with pytest.raises(Malformed):
            share_of(text)


@pytest.mark.parametrize(
    "text",
    ["50%", "-5d", "five days", "5 parsecs", "5", "1.2.3 d", "1,500 d", "3 ed 4 h", "5d FS", "PT", "P3DT4H", "d", "?"],
)
def test_no_duration(text: str) -> None:
    with pytest.raises(Malformed, match="'"):
        parse_duration(text)


def test_decimal_mark_declared() -> None:
    assert parse_length("1,500 h", ".").amount == 1500
    assert parse_length("1,500 h", ",").amount == Decimal("1.5")
    assert parse_length("1.500 h", ",").amount == 1500
    assert parse_length("1,234.5 h").amount == Decimal("1234.5")


def test_several_units_of_one_duration() -> None:
    assert parse_length("2w 3d 4h").seconds(STANDARD) == (2 * 40 + 3 * 8 + 4) * HOUR


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("12,5;7SS", "12 FS|5 FS|7 SS"),
        ("3FS+2,5d", "3 FS +2.5 d"),
        ("3FS+2d,5", "3 FS +2 d|5 FS"),
        ("3FS+2d,5SS+1,5 h", "3 FS +2 d|5 SS +1.5 h"),
        ("A1000: FS 5d, A1010: FF", "A1000 FS +5 d|A1010 FF"),
        ("A-1010FS-2d", "A-1010 FS -2 d"),
        ("A1010BFS+2d", "A1010B FS +2 d"),
        ("ROSS", "ROSS FS"),
        ("3EA+1 Tag;4AA", "3 FS +1 d|4 SS"),
        ("C:\\a, b\\net.mpp\\14FS,3", "C:\\a, b\\net.mpp\\14 FS|3 FS"),
        ("3,C:\\a\\n.mpp\\14FS+1d,5", "3 FS|C:\\a\\n.mpp\\14 FS +1 d|5 FS"),
        ("\\\\srv\\a.mpp\\1,\\\\srv\\b.mpp\\2", "\\\\srv\\a.mpp\\1 FS|\\\\srv\\b.mpp\\2 FS"),
        ("<>\\Server Plan\\7SS", "<>\\Server Plan\\7 SS"),
    ],
)
def test_cells_of_links(text: str, links: str) -> None:
    assert "|".join(str(parse_predecessor(part)) for part in split_predecessors(text)) == links


@pytest.mark.parametrize(
    "text",
    ["14FF1", "12XX", "12FS3d", "12FS 3d", "12FS+", "12FS+3", "12FS+2,5", "12+3d", "12FS+3 parsecs", "FS", "12S"],
)
def test_malformed_is_never_finish_to_start(text: str) -> None:
    with pytest.raises(Malformed):
        for part in split_predecessors(text):
            parse_predecessor(part)


def test_known_ids_settle_what_a_code_is() -> None:
    assert parse_predecessor("10SS", {"10SS"}) == Predecessor("10SS")
    assert parse_predecessor("10SS", {"10"}) == Predecessor("10", 1)
    assert parse_predecessor("A1010BFS", {"A1010B"}) == Predecessor("A1010B", 0)
    assert parse_predecessor("14FF1", {"14FF1"}) == Predecessor("14FF1")
    with pytest.raises(Malformed, match="of its own"):
        parse_predecessor("10SS", {"10", "10SS"})


def test_an_unknown_id_is_kept_for_its_reader_to_report() -> None:
    assert parse_predecessor("99FS+1d", {"12"}).ref == "99"
    assert parse_predecessor("A99", {"12"}) == Predecessor("A99")


amounts = st.decimals(0, 99, places=2)
units: st.SearchStrategy[Unit] = st.sampled_from(["min", "h", "d", "w", "mo", "%"])
lengths = st.builds(lambda amount, unit, elapsed, sign: Length(sign * amount, unit, elapsed),
                    amounts, units, st.booleans(), st.sampled_from([1, -1]))  # fmt: skip
ids = st.integers(1, 99999).map(str) | st.from_regex(r"[A-Z]{1,3}-?[0-9]{2,5}", fullmatch=True)


@given(st.lists(st.builds(Predecessor, ids, st.integers(0, 3), st.none() | lengths), max_size=5), st.sampled_from(",;"))
def test_links_survive_being_written(links: list[Predecessor], separator: str) -> None:
    text = separator.join(str(link) for link in links)
    assert [str(parse_predecessor(part)) for part in split_predecessors(text)] == [str(link) for link in links]


@given(lengths, st.sampled_from(sorted(UNITS)))
def test_every_word_of_a_unit_is_that_unit(length: Length, word: str) -> None:
    assert parse_length(f"{length.amount} {word}").unit == UNITS[word]


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read_text in (parse_duration, parse_length):
        try:
            read_text(text)
        except Malformed:
            continue
    for part in split_predecessors(text):
        try:
            parse_predecessor(part)
        except Malformed:
            continue
