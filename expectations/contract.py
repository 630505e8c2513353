"""The data contracts as frozen dataclasses, read from the ODCS v3 files in `contracts/`.

Here: the shape of a contract and its loader. Not here: what the rules of a contract do to a row (`row_rules`) or to a
table (`suites`). The files are checked against the standard's JSON schema by a test; the loader itself refuses
whatever it would otherwise ignore, and names file and key.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

CONTRACTS = Path(__file__).parent / "contracts"

ColumnType = Literal["id", "text", "int", "dec", "money", "price", "float", "date", "ts", "local", "bool", "enum"]
Severity = Literal["error", "warning"]

SQL_TYPES: Mapping[str, str] = {
    "id": "VARCHAR",
    "text": "VARCHAR",
    "enum": "VARCHAR",
    "int": "BIGINT",
    "dec": "DECIMAL(18,3)",
    "money": "DECIMAL(18,2)",
    "price": "DECIMAL(18,6)",
    "float": "DOUBLE",
    "date": "DATE",
    "ts": "TIMESTAMP",
    "local": "TIMESTAMP",
    "bool": "BOOLEAN",
}
"""DuckDB type of each contract type; a `ts` is an instant kept in UTC, a `local` what the clock of its place shows."""

TIMES = ("date", "ts", "local")
"""Types of a day or a time."""

_LOGICAL_TYPES: Mapping[str, str] = {
    "id": "string",
    "text": "string",
    "enum": "string",
    "int": "integer",
    "dec": "number",
    "money": "number",
    "price": "number",
    "float": "number",
    "date": "date",
    "ts": "timestamp",
    "local": "timestamp",
    "bool": "boolean",
}
_COUNT_OF_BAD_ROWS = "SELECT count(*) FROM ${table} AS checked WHERE "
_COLUMN_PROPERTIES = {
    *("type", "unit", "default", "fallback", "synonyms", "expectedShare", "actual", "unitColumn", "machine")
}
_TABLE_PROPERTIES = {"core", "minRows"}


class ContractError(ValueError):
    """A contract file that cannot be used; the message names the file and the key."""

    def __init__(self, file: str, key: str, reason: str) -> None:
        """`key` is the dotted path inside the file, such as `schema.bom.properties.quantity`."""
        super().__init__(f"{file}: {key}: {reason}")
        self.file = file
        self.key = key
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Reference:
    """Every non-empty value of `column` must exist as `target_column` of `dataset` (compared in the normal form)."""

    column: str
    dataset: str
    target_column: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class TableRule:
    """A rule on a table: `condition` is SQL, true for a row (alias `checked`) that breaks it; it may read `stg`."""

    name: str
    description: str
    severity: Severity
    condition: str


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a dataset.

    `default` is the text used for an empty value, `fallback` an SQL expression over the row's other columns used
    before it, `minimum` and `maximum` are inclusive, `values` the allowed values of an enum, `synonyms` the names
    under which suppliers deliver the column, `max_length` the longest text in characters, `expected_share` the share
    of rows (0 to 1) that should carry a value although the single row may do without. `actual` marks a date or time of
    something that has happened, which therefore cannot lie in the future. `unit_column` names the column with the unit
    of this one, where it changes from row to row. `machine` marks a column that readers of formats fill and nobody is
    asked for.
    """

    name: str
    type: ColumnType
    required: bool
    description: str
    unit: str | None
    values: tuple[str, ...]
    minimum: float | None
    maximum: float | None
    default: str | None
    fallback: str | None
    synonyms: tuple[str, ...]
    example: str | None
    max_length: int | None = None
    expected_share: float | None = None
    actual: bool = False
    unit_column: str | None = None
    machine: bool = False

    @property
    def sql_type(self) -> str:
        """The DuckDB type of the staged column."""
        return SQL_TYPES[self.type]


@dataclass(frozen=True, slots=True)
class Contract:
    """The contract of one dataset; `key` names its columns in order, `core` says that a broken key blocks a refresh."""

    name: str
    title: str
    version: str
    description: str
    key: tuple[str, ...]
    core: bool
    columns: tuple[Column, ...]
    references: tuple[Reference, ...]
    min_rows: int
    fingerprint: str
    usage: str = ""
    domain: str = ""
    rules: tuple[TableRule, ...] = ()

    def column(self, name: str) -> Column:
        """The column of that name; KeyError when the contract has none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(f"{self.name} has no column {name}")

    @property
    def quantity(self) -> Column | None:
        """The column whose unit stands in another column of its row, or None."""
        return next((column for column in self.columns if column.unit_column is not None), None)

    @property
    def ids(self) -> tuple[str, ...]:
        """Names of the identifier columns, in order; each has a `<name>_key` column beside it once staged."""
        return tuple(column.name for column in self.columns if column.type == "id")


def load_contracts() -> dict[str, Contract]:
    """All contracts by dataset name, in name order; the files are read once per process."""
    return dict(_shipped())


@cache
def _shipped() -> tuple[tuple[str, Contract], ...]:
    return tuple(read_folder(CONTRACTS).items())


def read_folder(folder: Path) -> dict[str, Contract]:
    """The contracts of a folder, checked one by one and then against each other.

    Raises:
        ContractError: a file is not a usable contract, or refers to a column that no contract has.
    """
    contracts = {path.stem: read_contract(path) for path in sorted(folder.glob("*.yaml"))}
    for contract in contracts.values():
        _check_references(contract, contracts)
    return contracts


def read_contract(path: Path) -> Contract:
    """One contract file. Raises ContractError naming the file and the key that is wrong."""
    text = path.read_text(encoding="utf-8")
    try:
        document = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 (both are safe loaders)
    except yaml.YAMLError as error:
        raise ContractError(path.name, "(document)", f"not YAML: {error}") from error
    return _Reader(path.name, path.stem).contract(document, hashlib.sha256(text.encode()).hexdigest())


def _check_references(contract: Contract, contracts: Mapping[str, Contract]) -> None:
    for reference in contract.references:
        target = contracts.get(reference.dataset)
        known = target is not None and reference.target_column in {column.name for column in target.columns}
        if not known:
            key = f"schema.{contract.name}.properties.{reference.column}.relationships"
            raise ContractError(
                f"{contract.name}.yaml", key, f"{reference.dataset}.{reference.target_column} does not exist"
            )


@dataclass(frozen=True, slots=True)
class _Reader:
    """Turns one parsed document into a contract; carries the file name for its errors."""

    file: str
    dataset: str

    def contract(self, document: Any, fingerprint: str) -> Contract:
        tables = self.need(document, "schema", "", list)
        table = tables[0] if len(tables) == 1 else None
        if not isinstance(table, dict) or table.get("name") != self.dataset:
            raise ContractError(self.file, "schema", f"expected exactly one table, named {self.dataset}")
        at = f"schema.{self.dataset}"
        custom = self.custom(table, at, _TABLE_PROPERTIES)
        properties = self.need(table, "properties", at, list)
        columns = tuple(self.column(each, f"{at}.properties") for each in properties)
        description = self.need(document, "description", "", dict)
        return Contract(
            name=self.dataset,
            title=self.need(table, "businessName", at, str),
            version=self.need(document, "version", "", str),
            description=self.need(description, "purpose", "description", str),
            key=self.key(properties, at),
            core=bool(custom.get("core", False)),
            columns=columns,
            references=tuple(ref for each in properties for ref in self.references(each, f"{at}.properties")),
            min_rows=int(custom.get("minRows", 0)),
            fingerprint=fingerprint,
            usage=str(description.get("usage", "")),
            domain=str(document.get("domain", "")),
            rules=tuple(self.rule(each, f"{at}.quality") for each in table.get("quality", [])),
        )

    def column(self, raw: Any, at: str) -> Column:
        name = self.need(raw, "name", at, str)
        at = f"{at}.{name}"
        custom = self.custom(raw, at, _COLUMN_PROPERTIES)
        kind: Any = custom.get("type")
        if kind not in SQL_TYPES:
            raise ContractError(
                self.file, f"{at}.customProperties.type", f"{kind!r} is not one of {', '.join(SQL_TYPES)}"
            )
        for key, expected in (("logicalType", _LOGICAL_TYPES[kind]), ("physicalType", SQL_TYPES[kind])):
            if raw.get(key) != expected:
                raise ContractError(
                    self.file, f"{at}.{key}", f"{raw.get(key)!r}, a column of type {kind} has {expected}"
                )
        options = raw.get("logicalTypeOptions", {})
        examples = raw.get("examples", [])
        return Column(
            name=name,
            type=kind,
            required=bool(raw.get("required", False)),
            description=self.need(raw, "description", at, str),
            unit=custom.get("unit"),
            values=self.values(raw, kind, at),
            minimum=options.get("minimum"),
            maximum=options.get("maximum"),
            default=custom.get("default"),
            fallback=custom.get("fallback"),
            synonyms=tuple(custom.get("synonyms", ())),
            example=str(examples[0]) if examples else None,
            max_length=options.get("maxLength"),
            expected_share=custom.get("expectedShare"),
            actual=bool(custom.get("actual", False)),
            unit_column=custom.get("unitColumn"),
            machine=bool(custom.get("machine", False)),
        )

    def values(self, raw: Mapping[str, Any], kind: str, at: str) -> tuple[str, ...]:
        values = tuple(str(each["value"]) for each in raw.get("enum", []))
        if (kind == "enum") != bool(values):
            raise ContractError(
                self.file, f"{at}.enum", "a column of type enum, and no other, lists its allowed values"
            )
        return values

    def key(self, properties: list[Mapping[str, Any]], at: str) -> tuple[str, ...]:
        parts = sorted(
            (each.get("primaryKeyPosition", -1), each["name"]) for each in properties if each.get("primaryKey")
        )
        if not parts or [position for position, _ in parts] != list(range(1, len(parts) + 1)):
            raise ContractError(
                self.file, f"{at}.properties", "primaryKeyPosition must run 1, 2, 3 ... over the key columns"
            )
        return tuple(name for _, name in parts)

    def references(self, raw: Mapping[str, Any], at: str) -> list[Reference]:
        found = []
        for each in raw.get("relationships", []):
            where = f"{at}.{raw['name']}.relationships"
            dataset, _, column = self.need(each, "to", where, str).partition(".")
            severity = self.severity(self.custom(each, where, {"severity"}).get("severity"), where)
            found.append(Reference(raw["name"], dataset, column, severity))
        return found

    def rule(self, raw: Any, at: str) -> TableRule:
        name = self.need(raw, "name", at, str)
        query = self.need(raw, "query", f"{at}.{name}", str)
        if not query.startswith(_COUNT_OF_BAD_ROWS) or raw.get("mustBe") != 0:
            raise ContractError(self.file, f"{at}.{name}.query", f"must be `{_COUNT_OF_BAD_ROWS}...` with mustBe: 0")
        severity = self.severity(raw.get("severity"), f"{at}.{name}")
        description = self.need(raw, "description", f"{at}.{name}", str)
        return TableRule(name, description, severity, query.removeprefix(_COUNT_OF_BAD_ROWS))

    def severity(self, found: object, at: str) -> Severity:
        if found == "error":
            return "error"
        if found == "warning":
            return "warning"
        raise ContractError(self.file, f"{at}.severity", f"{found!r} is neither error nor warning")

    def custom(self, raw: Mapping[str, Any], at: str, known: set[str]) -> dict[str, Any]:
        found = {each["property"]: each["value"] for each in raw.get("customProperties", [])}
        unknown = sorted(found.keys() - known)
        if unknown:
            raise ContractError(
                self.file, f"{at}.customProperties.{unknown[0]}", f"unknown; known are {', '.join(sorted(known))}"
            )
        return found

    def need(self, raw: Any, key: str, at: str, kind: type) -> Any:
        where = f"{at}.{key}".lstrip(".")
        if not isinstance(raw, dict):
            raise ContractError(self.file, at or "(document)", "expected a mapping")
        if not isinstance(raw.get(key), kind):
            found = "missing" if key not in raw else f"expected {kind.__name__}, found {type(raw[key]).__name__}"
            raise ContractError(self.file, where, found)
        return raw[key]
