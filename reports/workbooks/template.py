"""The workbook of a dataset, made from its contract, empty or with rows: what a supplier fills in needs no mapping."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

from xlsxwriter.format import Format
from xlsxwriter.utility import xl_rowcol_to_cell
from xlsxwriter.workbook import Workbook
from xlsxwriter.worksheet import Worksheet

from expectations.contract import Column, Contract
from reports.workbooks.book import made, remark, sheet_name, width_for, write_texts

EXPLAINED = "How to fill"
Value = str | Decimal | date | None
_CREATED = datetime(2026, 1, 1, tzinfo=UTC)
_LAST_ROW = 99_999
_FIRST_DAY, _LAST_DAY = datetime(1990, 1, 1), datetime(2099, 12, 31)  # noqa: DTZ001 - days of a sheet have no zone
_ANY = 10**12
_TEXT = frozenset({"id", "text", "enum", "bool", "ts", "local"})
_WRITTEN = {
    "id": "text, exactly as printed, with leading zeros",
    "text": "text",
    "enum": "one of the words to the right",
    "bool": "true or false",
    "date": "a date, YYYY-MM-DD",
    "local": "date and time of the place as text: 2026-09-04T16:00",
    "ts": "date, time and zone as text: 2026-09-04T16:00:00Z or 2026-09-04T11:00:00-05:00",
}
_HEADINGS = ("Heading in the first sheet", "Must be given", "What to write", "In what form", "Such as", "Words")


def asked(contract: Contract) -> Contract:
    """The contract without the columns that only readers of formats fill."""
    return replace(contract, columns=tuple(column for column in contract.columns if not column.machine))


def template(contract: Contract) -> bytes:
    """An XLSX with the contract's columns as headings, one marked example row, and a sheet that explains them."""
    contract = asked(contract)

    def fill(book: Workbook) -> None:
        data = book.add_worksheet(sheet_name(contract.title, [EXPLAINED]))
        explained = book.add_worksheet(EXPLAINED)
        lists = _explain(book, explained, contract)
        _lay_out(book, data, contract, lists)

    return made(_CREATED, f"{contract.title} ({contract.name} {contract.version})", fill)


def filled(contract: Contract, rows: Sequence[Sequence[Value]], created: datetime) -> bytes:
    """The same workbook with rows in place of the example, to be edited and read again.

    Args:
        contract: the dataset; its columns that people fill give the cells of a row.
        rows: text, numbers and days as they are; None for an empty cell.
        created: instant that stands in its properties.
    """
    contract = asked(contract)

    def fill(book: Workbook) -> None:
        data = book.add_worksheet(sheet_name(contract.title, [EXPLAINED]))
        lists = _explain(book, book.add_worksheet(EXPLAINED), contract)
        _headings(book, data, contract, lists)
        forms = [_form(book, column) for column in contract.columns]
        for number, row in enumerate(rows, start=1):
            for place, (value, form) in enumerate(zip(row, forms, strict=True)):
                _write(data, number, place, value, form)
        data.autofilter(0, 0, len(rows), len(contract.columns) - 1)

    return made(created, f"{contract.title} ({contract.name} {contract.version})", fill)


def _write(sheet: Worksheet, row: int, place: int, value: Value, form: Format) -> None:
    match value:
        case None:
            sheet.write_blank(row, place, None, form)
        case str():
            sheet.write_string(row, place, value, form)
        case date():
            sheet.write_datetime(row, place, datetime(value.year, value.month, value.day), form)  # noqa: DTZ001
        case _:
            sheet.write_number(row, place, float(value), form)


def heading(column: Column) -> str:
    """A column's heading; readers take no notice of the star that marks a required one."""
    return f"{column.name} *" if must_be_given(column) else column.name


def must_be_given(column: Column) -> bool:
    """Whether a row without the column is refused."""
    return column.required and column.default is None and column.fallback is None


def written_as(column: Column) -> str:
    """How a value is written, with its bounds and unit."""
    form = _WRITTEN.get(column.type) or ("a whole number" if column.type == "int" else "a number")
    if column.minimum is not None:
        form += f", at least {column.minimum:g}"
    if column.maximum is not None:
        form += f", at most {column.maximum:g}"
    return f"{form}, in {column.unit}" if column.unit else form


def _lay_out(book: Workbook, sheet: Worksheet, contract: Contract, lists: dict[str, str]) -> None:
    _headings(book, sheet, contract, lists)
    example = book.add_format({"italic": True, "font_color": "#666666", "bg_color": "#F2F2F2", "num_format": "@"})
    # The mark makes the reader count the row as a comment; whoever overwrites the cell removes it.
    first, *others = (column.example for column in contract.columns)
    write_texts(sheet, 1, 0, [f"# example, overwrite it: {first or ''}", *others], example)


def _headings(book: Workbook, sheet: Worksheet, contract: Contract, lists: dict[str, str]) -> None:
    base = {"valign": "top", "text_wrap": True, "bold": True, "border": 1}
    required = book.add_format({**base, "bg_color": "#1F4E79", "font_color": "#FFFFFF"})
    optional = book.add_format({**base, "bg_color": "#DDE6F0"})
    for place, column in enumerate(contract.columns):
        sheet.set_column(place, place, width_for([heading(column), column.example], most=32), _form(book, column))
        sheet.write_string(0, place, heading(column), required if must_be_given(column) else optional)
        remark(sheet, 0, place, _comment(column))
        sheet.data_validation(1, place, _LAST_ROW, place, _rule(column, place, lists))
    sheet.freeze_panes(1, 0)
    sheet.ignore_errors({"number_stored_as_text": f"A1:{xl_rowcol_to_cell(_LAST_ROW, len(contract.columns) - 1)}"})


def _form(book: Workbook, column: Column) -> Format:
    form = "@" if column.type in _TEXT else {"date": "yyyy-mm-dd", "int": "0"}.get(column.type, "General")
    return book.add_format({"num_format": form})


def _comment(column: Column) -> str:
    lines = [column.description, f"Written as: {written_as(column)}."]
    if column.values:
        lines.append(f"Words: {', '.join(column.values)}.")
    if column.example:
        lines.append(f"Example: {column.example}")
    if must_be_given(column):
        lines.append("Required.")
    elif column.default is not None:
        lines.append(f"Left empty it counts as {column.default}.")
    return "\n".join(lines)


def _rule(column: Column, place: int, lists: dict[str, str]) -> dict[str, object]:
    expected = written_as(column).replace(_WRITTEN["enum"], "a word of the list")
    return {
        "ignore_blank": not must_be_given(column),
        "error_title": column.name[:32],
        "error_message": f"Expected {expected}."[:255],
        **_criteria(column, place, lists),
    }


def _criteria(column: Column, place: int, lists: dict[str, str]) -> dict[str, object]:
    match column.type:
        case "enum":
            return {"validate": "list", "source": lists[column.name]}
        case "bool":
            return {"validate": "list", "source": ["true", "false"]}
        case "id" | "text":
            longest = column.max_length or 32_767
            return {"validate": "length", "criteria": "<=", "value": longest}
        case "date":
            return {"validate": "date", "criteria": "between", "minimum": _FIRST_DAY, "maximum": _LAST_DAY}
        case "ts":
            return {"validate": "custom", "value": _instant_formula(xl_rowcol_to_cell(1, place))}
        case "local":
            return {"validate": "length", "criteria": ">=", "value": len("2026-09-04")}
        case _:
            least = _ANY * -1 if column.minimum is None else column.minimum
            most = _ANY if column.maximum is None else column.maximum
            kind = "integer" if column.type == "int" else "decimal"
            return {"validate": kind, "criteria": "between", "minimum": least, "maximum": most}


def _instant_formula(cell: str) -> str:
    zone = f'OR(RIGHT({cell},1)="Z",MID({cell},LEN({cell})-5,1)="+",MID({cell},LEN({cell})-5,1)="-")'
    return f'=AND(LEN({cell})>=17,MID({cell},5,1)="-",MID({cell},8,1)="-",MID({cell},14,1)=":",{zone})'


def _explain(book: Workbook, sheet: Worksheet, contract: Contract) -> dict[str, str]:
    """Write the second sheet; returns the range of each column's allowed words."""
    head = book.add_format({"bold": True, "bg_color": "#DDE6F0", "valign": "top"})
    text = book.add_format({"valign": "top", "text_wrap": True, "num_format": "@"})
    write_texts(sheet, 0, 0, _HEADINGS, head)
    lists = {}
    for row, column in enumerate(contract.columns, start=1):
        required = "yes" if must_be_given(column) else ""
        cells = [heading(column), required, column.description, written_as(column), column.example, *column.values]
        write_texts(sheet, row, 0, cells, text)
        if column.values:
            first, last = (xl_rowcol_to_cell(row, at, row_abs=True, col_abs=True) for at in (5, 4 + len(column.values)))
            lists[column.name] = f"='{EXPLAINED}'!{first}:{last}"
    for place, width in enumerate((30, 14, 70, 40, 30)):
        sheet.set_column(place, place, width)
    sheet.freeze_panes(1, 1)
    return lists
