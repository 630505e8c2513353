"""A small programme whose files have faults, looked at week by week without an orchestrator."""

import io
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import openpyxl

from expectations.contract import load_contracts
from reports.workbooks.send_back import send_back_workbook
from turnup.ingest import claims, ingest_dataset
from turnup.landing import Landing
from turnup.plan import plan_week
from turnup.programme import Home
from turnup.returns.headings import ANSWER, ROW, ROW_ID, TAKE_BACK
from turnup.returns.open_rows import send_backs
from turnup.warehouse.connection import connect
from turnup.warehouse.parts import PartStore
from turnup.warehouse.stage import stage

NOW = datetime(2026, 11, 20, tzinfo=UTC)
CONTRACTS = load_contracts()


@dataclass
class House:
    """A programme's folders, and its staged weeks as they are asked for."""

    home: Home
    datasets: tuple[str, ...]
    staged: dict = field(default_factory=dict)

    def drop(self, path: str, content: str | bytes) -> None:
        file = self.home.inbox / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    def week(self, label: str):
        """Read what is new and stage a week; the connection stays open for questions."""
        programme, landing = self.home.load(), Landing(self.home, "UTC")
        landing.scan(NOW)
        claimed = claims(programme, landing.deliveries(), CONTRACTS, landing)
        for dataset in self.datasets:
            ingest_dataset(PartStore(self.home.store), landing, dataset, CONTRACTS[dataset], claimed)
        plan = plan_week(self.home, programme, CONTRACTS, landing, label, NOW)
        return Staged(self.home, programme, plan)


class Staged:
    """One staged week."""

    def __init__(self, home, programme, plan) -> None:
        self._open = connect()
        self.con = self._open.__enter__()
        self.plan = plan
        stage(self.con, home, programme, plan, CONTRACTS)

    def ask(self, query: str):
        return self.con.sql(query).fetchall()

    def open_rows(self, owner: str):
        return next((item for item in send_backs(self.con) if item.owner == owner), None)

    def workbook(self, owner: str) -> bytes:
        return send_back_workbook(self.open_rows(owner))

    def balanced(self) -> bool:
        return self.ask("SELECT bool_and(balanced) FROM meta.ledger") == [(True,)]


@dataclass
class Vendor:
    """Somebody who corrects a workbook and returns it."""

    content: bytes

    def __post_init__(self) -> None:
        self.book = openpyxl.load_workbook(io.BytesIO(self.content))

    def sheet(self, number: int = 0):
        return [each for each in self.book.worksheets if any(cell.value == ROW_ID for cell in each[1])][number]

    def place(self, sheet, heading: str) -> int:
        return next(cell.column for cell in sheet[1] if cell.value == heading)

    def line(self, sheet, row: int) -> int:
        """The line on which a row of the file stands."""
        column = self.place(sheet, ROW)
        return next(n for n in range(2, sheet.max_row + 1) if sheet.cell(n, column).value == str(row))

    def set(self, row: int, number: int = 0, **cells: object) -> None:
        sheet = self.sheet(number)
        for heading, value in cells.items():
            sheet.cell(self.line(sheet, row), self.place(sheet, heading)).value = value

    def answer(self, row: int, text: str = TAKE_BACK, number: int = 0) -> None:
        sheet = self.sheet(number)
        sheet.cell(self.line(sheet, row), self.place(sheet, ANSWER)).value = text

    def delete(self, row: int, number: int = 0) -> None:
        sheet = self.sheet(number)
        sheet.delete_rows(self.line(sheet, row))

    def rows(self, number: int = 0) -> list[dict[str, object]]:
        lines = list(self.sheet(number).iter_rows(values_only=True))
        return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]

    def saved(self) -> bytes:
        target = io.BytesIO()
        self.book.save(target)
        return target.getvalue()


def made(folder: Path, sources: str, datasets: tuple[str, ...]) -> House:
    home = Home(folder)
    home.playbooks.mkdir(parents=True)
    home.inbox.mkdir()
    home.configuration.write_text(f"name: Aurora\ntime_zone: UTC\nfirst_week: 2026-W40\nsources:\n{sources}", "utf-8")
    return House(home, datasets)
