"""What a child process hands back: rows as an Arrow file, everything else as one JSON document beside it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from turnup.formats import FileRejected, Inspection, RawTable

READY, DONE, LAST = b"ready\n", b"done\n", b"last\n"
"""The words of a child: it may be asked, it has answered, it has answered and ends."""

OUT_OF_MEMORY = 3
"""Exit code of a child whose memory did not suffice."""

_ANSWER, _FRAME = "answer.json", "frame.arrow"
_LISTS = ("rejected", "findings", "columns", "facts", "returned")
_FIELDS = ("message", "row", "column", "value", "expected")


def save(folder: Path, answer: RawTable | Inspection | FileRejected, largest: int) -> None:
    """Write an answer; one whose words alone are larger than ``largest`` bytes becomes a refusal."""
    from turnup.formats import FileRejected, RawTable

    if isinstance(answer, FileRejected):
        record = {"kind": "refused", "code": answer.code, **{name: getattr(answer, name) for name in _FIELDS}}
    elif isinstance(answer, RawTable):
        record = {"kind": "table", **_without_frame(answer)}
        answer.frame.write_ipc(folder / _FRAME, compression="uncompressed")
    else:
        record = {"kind": "inspection", **asdict(answer)}
    text = json.dumps(record)
    if len(text) > largest and not isinstance(answer, FileRejected):
        save(folder, _too_many(answer, largest), largest)
        return
    (folder / _ANSWER).write_text(text, encoding="ascii")


def _without_frame(table: RawTable) -> dict[str, Any]:
    return {
        "format": table.format,
        "dataset": table.dataset,
        "ledger": asdict(table.ledger),
        "date_epoch": table.date_epoch,
        "source": table.source.model_dump(mode="json") if table.source is not None else None,
        **{name: [asdict(item) for item in getattr(table, name)] for name in _LISTS},
    }


def _too_many(answer: RawTable | Inspection, largest: int) -> FileRejected:
    from turnup.formats import FileRejected, RawTable

    refused = answer.rejected if isinstance(answer, RawTable) else ()
    told = [*((item.row, item.message) for item in refused), *((item.row, item.message) for item in answer.findings)]
    row, first = next(((row, message) for row, message in told if row is not None), (None, ""))
    message = (
        f"{len(refused):,} rows cannot be read and {len(answer.findings):,} are remarked upon, more than "
        f"{largest >> 20} MiB of words"
        f"; the first is row {row}: {first}"
    )
    return FileRejected("too_many_refused", message, row=row, expected="rows that can be read")


def load(folder: Path) -> RawTable | Inspection:
    """Read an answer back.

    Raises:
        FileRejected: the answer is a refusal.
        OSError: the child met trouble of this machine, not of the file.
    """
    record: dict[str, Any] = json.loads((folder / _ANSWER).read_text(encoding="ascii"))
    match record.pop("kind"):
        case "table":
            return _table(folder, record)
        case "inspection":
            return _inspection(record)
        case "machine":
            raise OSError(record["number"], record["message"])
        case _:
            from turnup.formats import FileRejected

            raise FileRejected(record.pop("code"), record.pop("message"), **record)


def save_trouble(folder: Path, error: OSError) -> None:
    """Hand over trouble of this machine."""
    record = {"kind": "machine", "number": error.errno, "message": str(error.strerror)}
    (folder / _ANSWER).write_text(json.dumps(record), encoding="ascii")


def _table(folder: Path, record: dict[str, Any]) -> RawTable:
    from turnup.formats import ColumnMapping, Finding, Ledger, RawTable, Rejected, Returned
    from turnup.programme import Source

    return RawTable(
        format=record["format"],
        dataset=record["dataset"],
        frame=_frame(folder / _FRAME),
        ledger=Ledger(**record["ledger"]),
        rejected=tuple(Rejected(**item) for item in record["rejected"]),
        findings=tuple(Finding(**item) for item in record["findings"]),
        columns=tuple(ColumnMapping(**item) for item in record["columns"]),
        facts=_facts(record["facts"]),
        source=Source.model_validate(record["source"]) if record["source"] is not None else None,
        date_epoch=record["date_epoch"],
        returned=tuple(Returned(**item) for item in record["returned"]),
    )


def _frame(file: Path) -> pl.DataFrame:
    """The rows, mapped into memory: columns that nobody asks for are never copied. The file may be deleted."""
    import polars as pl
    import pyarrow as pa

    frame = pl.from_arrow(pa.ipc.open_file(pa.memory_map(str(file))).read_all(), rechunk=False)
    return frame if isinstance(frame, pl.DataFrame) else frame.to_frame()


def _inspection(record: dict[str, Any]) -> Inspection:
    from turnup.formats import ColumnProposal, Finding, Inspection, Ledger
    from turnup.formats.inspected import Results

    results = record["results"]
    made = {
        "columns": tuple(ColumnProposal(**item) for item in record["columns"]),
        "findings": tuple(Finding(**item) for item in record["findings"]),
        "facts": _facts(record["facts"]),
        "ledger": Ledger(**record["ledger"]),
        "results": Results(
            figures=tuple(results["figures"]),
            verdict_ready=results["verdict_ready"],
            incomplete=results["incomplete"],
            reasons=tuple(results["reasons"]),
        )
        if results
        else None,
    }
    return Inspection(**(record | made))


def _facts(items: list[dict[str, Any]]) -> tuple[Any, ...]:
    from turnup.formats import Fact

    return tuple(
        Fact(**(item | {"value": tuple(item["value"]) if isinstance(item["value"], list) else item["value"]}))
        for item in items
    )
