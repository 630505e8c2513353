"""Large texts: pieces of the scan fit together, and rows as delivered are the same whether made JSON early or late."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from expectations.contract import load_contracts
from turnup.formats import parse
from turnup.formats.adapted import given_texts
from turnup.formats.tabular import bulk, finish
from turnup.programme import Source

_CELL = st.sampled_from(["", "a", "bc", '"x,y"', '"two\nlines"', '"a ""b"""', "ü"])
_ROW = st.lists(_CELL, min_size=1, max_size=4).map(",".join)


@given(st.lists(_ROW, min_size=1, max_size=12), st.integers(1, 40), st.booleans())
def test_a_scan_in_pieces_finds_what_one_over_the_whole_finds(lines: list[str], piece: int, ended: bool) -> None:
    data = ("\n".join(lines) + "\n" * ended).encode()
    whole = bulk.scan(data, ",")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bulk, "_PIECE", piece)
        pieces = bulk.scan(data, ",")
    if whole is None or pieces is None:
        assert whole is pieces
        return
    for name in ("starts", "ends", "widths", "rows", "lines"):
        assert np.array_equal(getattr(whole, name), getattr(pieces, name)), name
    expected = [len(bulk.Scan.record(whole, index).cells) or 1 for index in range(whole.starts.size)]
    assert whole.widths.tolist() == expected


_HEADER = 'Shipment No,Line No,Qty,Our note,"Due, then"'


@pytest.mark.parametrize("again", [False, True])
def test_rows_as_delivered_are_the_same_as_cells_and_as_texts(tmp_path, monkeypatch, again: bool) -> None:
    monkeypatch.setattr(finish, "_LARGE", 3)
    rows = ["ASN-1,1, 5 ,,2026-05-04", 'ASN-1,2,TBD,"say ""no""",', 'ASN-2,1,7,"a\nb",ü']
    file = tmp_path / "s.csv"
    file.write_text("\n".join([_HEADER, *rows, *rows[:1] * again]) + "\n", encoding="utf-8")
    source, contract = (
        Source(dataset="shipments", files="*.csv", ignore=("Our note", "Due, then")),
        load_contracts()["shipments"],
    )
    early = parse(file, "s.csv", source, contract)
    late = parse(file, "s.csv", source, contract, cells=True)
    assert isinstance(late.frame.schema["_given"], pl.Struct)
    assert given_texts(late.frame).equals(early.frame)
    assert late.facts == early.facts
    facts = {fact.name: fact.value for fact in late.facts}
    assert (facts["rows"], facts["distinct_rows"], facts["duplicate_rows"]) == (3 + again, 3, int(again))
    assert early.frame.get_column("_given").to_list()[1] == (
        '{"Shipment No":"ASN-1","Line No":"2","Qty":"TBD","Our note":"say \\"no\\"","Due, then":""}'
    )
