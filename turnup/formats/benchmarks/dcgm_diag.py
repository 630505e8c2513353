"""``dcgmi diag -j``, DCGM 3 and 4: what it said about every entity in every test.

Pass is 1, Fail and Warn are 0 with the tool's word beside them. Skip judged nothing and is a row without a value. Every
entity counts, not the first. An error of category "software configuration", or of severity "configuration", is a node
setting and no hardware fault. Exit codes are negative DCGM errors as unsigned bytes (226 is -30).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from turnup.formats.benchmarks.documents import Found, at, documents, mentions, need_documents
from turnup.formats.benchmarks.lines import read_log
from turnup.formats.benchmarks.measured import Figure, Run, Status, given_of, to_table
from turnup.formats.model import Fact, RawTable, Request

if TYPE_CHECKING:
    from turnup.formats.content import Content

_KEYS = ("DCGM Diagnostic", "DCGM GPU Diagnostic")
_WORST = ("fail", "warn", "skip")
_SOFTWARE = ("software", "deployment", "denylist")
_CONFIGURATION = "5"
_HARDWARE_FROM = 9
_ERROR_WORDS = re.compile(r"\berror\b|fail(?:ed|ure)\b|unable to|could not", re.IGNORECASE)
_SETTING_WORDS = re.compile(r"persistence mode", re.IGNORECASE)


def is_dcgm(content: Content) -> bool:
    """Whether a text holds a document of ``dcgmi diag``."""
    return mentions(content, r'"DCGM (?:GPU )?Diagnostic"\s*:')


def is_dcgm_failure(content: Content) -> bool:
    """Whether a short text says only that ``dcgmi diag`` ended with an error."""
    if len(content.head) > 8_000 or "\t" in content.head_text:
        return False
    return mentions(content, r"\bdcgmi diag\b", r"(?i)\bexit(?:ed)?\b[a-z -]{0,30}(?:code|status)\W{0,3}-?\d+")


def parse_dcgm(request: Request) -> RawTable:
    """Read a document, whatever stands before it.

    Raises:
        FileRejected: when there is none.
    """
    named = next((key for key in _KEYS if f'"{key}"' in request.content.head_text), None)
    held = documents(request, key=named)
    found = [each for each in held.found if isinstance(each.value, dict) and any(key in each.value for key in _KEYS)]
    if held.broken is None:
        need_documents(held, "dcgm-diag")
    facts: list[Fact] = []
    runs = [_run(each, facts) for each in found]
    if held.broken is not None or not runs:
        runs.append(Run("dcgm-diag", "dcgm_diag", "passed", "count", why=held.reason or "the document has no test"))
    for run in runs[:1]:
        if held.outside:
            run.note("text_around_json", f"{len(held.outside)} lines of text stand beside the document", None)
    return to_table(request, "dcgm-diag", runs, held.lines, findings=held.findings, facts=facts)


def parse_dcgm_failure(request: Request) -> RawTable:
    """Read what is left of a diagnosis that gave no document: its exit code.

    Raises:
        FileRejected: when it is no such text.
    """
    log = read_log(request)
    code = log.exit_code
    run = Run("dcgm-diag", "dcgm_diag", "passed", "count", hosts=[log.host] if log.host else [])
    signed = code - 256 if code is not None and code > 127 else code
    run.failed = f"exit code {code}" + (f" is DCGM error {signed}" if signed != code else "")
    facts = [Fact("exit_code", code if code is not None else "unknown"), Fact("dcgm_error", signed or 0)]
    return to_table(request, "dcgm-diag", [run], log.count, findings=log.findings, facts=facts)


def _run(found: Found, facts: list[Fact]) -> Run:
    document = found.value
    body = next(document[key] for key in _KEYS if key in document)
    body = body if isinstance(body, dict) else {}
    run = Run("dcgm-diag", "dcgm_diag", "passed", "count", complete=True)
    run.tool_version = _first(at(document, "metadata", "version"), body.get("version"), document.get("version"))
    driver = _first(at(document, "metadata", "Driver Version Detected"), body.get("Driver Version Detected"))
    run.stack = f"driver {driver}" if driver else None
    run.hosts = [str(document["hostname"])] if document.get("hostname") else []
    failure = body.get("runtime_error") or document.get("runtime_error")
    if failure:
        run.failed, run.complete = str(failure), False
        return run
    tests = [
        (str(category.get("category") or ""), test)
        for category in body.get("test_categories") or []
        if isinstance(category, dict)
        for test in category.get("tests") or []
        if isinstance(test, dict)
    ]
    for _, test in tests:
        run.figures += _test(run, found, test)
    _judge(run, tests, facts)
    _identities(run, document)
    return run


def _first(*values: Any) -> str | None:
    return next((str(value) for value in values if value), None)


def _test(run: Run, found: Found, test: dict[str, Any]) -> Iterator[Figure]:
    """One row for each entity of each result."""
    name = re.sub(r"\W+", "_", str(test.get("name") or "unnamed").lower()).strip("_")
    summary = test.get("test_summary") if isinstance(test.get("test_summary"), dict) else {}
    shared = _texts(summary.get("info")) if isinstance(summary, dict) else []
    results = [result for result in test.get("results") or [] if isinstance(result, dict)]
    if not results and summary:
        results = [{**summary, "entity_group": "test"}]
    for result in results:
        said = str(result.get("status") or "").strip()
        notes = [*_texts(result.get("warnings")), *_texts(result.get("info")), *shared]
        status = _status(run, found, name, said, notes)
        value = {"pass": "1", "fail": "0", "warn": "0"}.get(said.lower())
        for member in _members(result):
            yield Figure(
                found.row, "passed", value if status in (None, "valid") else None, "count", test=f"dcgm_{name}",
                member=member, status=status, outcome=said.lower() or None,
                given=given_of(test=name, entity=member, status=said, notes=" | ".join(notes)[:1000] or None),
            )  # fmt: skip
        _errors(run, found, name, result)


def _status(run: Run, found: Found, name: str, said: str, notes: list[str]) -> Status | None:
    word = said.lower()
    if word == "pass":
        bad = next((note for note in notes if _ERROR_WORDS.search(note)), None)
        if bad is None:
            return None
        run.note("inconsistent", f"{name} says Pass, and its text says: {bad[:200]}", found.row, said)
        return "conflict"
    if word in ("fail", "warn"):
        return None
    if word not in ("skip", "not run", "notrun"):
        run.note("status_unknown", f"{name} has status '{said}', which is not known", found.row, said)
        return "tool_error"
    return "skipped"


def _texts(value: Any) -> list[str]:
    """Warnings and notes, which are a text, a list of texts, or a list of objects."""
    items = value if isinstance(value, list) else [value] if value else []
    return [str(item.get("warning") or item) if isinstance(item, dict) else str(item) for item in items]


def _members(result: dict[str, Any]) -> list[str]:
    """The entities of a result: ``gpu0``, or several of them in DCGM 3."""
    if result.get("entity_group") is not None:
        kind = str(result["entity_group"]).lower()
        return [f"{kind}{result['entity_id']}" if result.get("entity_id") is not None else kind]
    ids = str(result.get("gpu_ids") or result.get("gpu_id") or "")
    return [f"gpu{part.strip()}" for part in ids.split(",") if part.strip()] or ["all"]


def _errors(run: Run, found: Found, name: str, result: dict[str, Any]) -> None:
    warnings = result.get("warnings")
    for item in warnings if isinstance(warnings, list) else [warnings] if warnings else []:
        held = item if isinstance(item, dict) else {"warning": item}
        code, text = str(held.get("error_id") or "none"), str(held.get("warning") or "")
        category = str(held.get("error_category") or "")
        setting = str(held.get("error_severity")) == _CONFIGURATION or bool(_SETTING_WORDS.search(text))
        hardware = category.isdigit() and int(category) >= _HARDWARE_FROM
        kind = "node_setting" if setting else "hardware_fault" if hardware else "diagnosis_error"
        message = f"{name}, {', '.join(_members(result))}: error {code}, {text[:300]}"
        run.note(kind, message, found.row, code)


def _judge(run: Run, tests: list[tuple[str, dict[str, Any]]], facts: list[Fact]) -> None:
    words: dict[str, set[str]] = {}
    for figure in run.figures:
        words.setdefault(figure.test.removeprefix("dcgm_"), set()).add(figure.outcome or "none")
    worst = {
        name: next((word for word in ("fail", "warn", "skip") if word in seen), "pass") for name, seen in words.items()
    }
    facts += [Fact("tests", len(tests)), Fact("entities", len({figure.member for figure in run.figures}))]
    facts += [
        Fact(f"tests_{word}", tuple(sorted(name for name, seen in worst.items() if seen == word)))
        for word in ("pass", "fail", "warn", "skip")
    ]
    codes = tuple(sorted({str(finding.value) for finding in run.findings if finding.code in
                          ("node_setting", "hardware_fault", "diagnosis_error")}))  # fmt: skip
    facts.append(Fact("error_ids", codes))
    if not tests:
        run.complete, run.why = False, "the document has no test"
    judging = [
        name for name, word in worst.items() if word != "skip" and name not in ("software", "deployment", "denylist")
    ]
    if tests and not judging:
        run.note("nothing_judged", "no test judged the hardware: all that would were skipped, which is no pass")


def _identities(run: Run, document: dict[str, Any]) -> None:
    groups = document.get("entity_groups")
    serials = [
        str(entity.get("serial_num"))
        for group in (groups if isinstance(groups, list) else [])
        for entity in group.get("entities") or []
        if isinstance(entity, dict) and "NOT_SUPPORTED" not in str(entity.get("serial_num") or "NOT_SUPPORTED")
    ]
    if len(serials) > 1 and len(set(serials)) == 1:
        run.note("duplicate_serials", f"all {len(serials)} entities have serial number {serials[0]}", None, serials[0])
