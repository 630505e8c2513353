"""``scontrol show node`` as text: a record a node, over several lines, or in one (``-o``).

Values may hold blanks and equals signs, so a field ends where the next known kind of field begins; a reason is what
stands before its ``[user@time]``, over several lines where somebody typed them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from turnup.formats.content import Content
from turnup.formats.decoding import decode
from turnup.formats.model import FileRejected, RawTable, Rejected, Request
from turnup.formats.scheduler.slurm_nodes import SlurmNode, row_of
from turnup.formats.scheduler.slurm_states import state_of
from turnup.formats.scheduler.snapshot import Place, placed, require, table

_BEGIN = re.compile(r"^NodeName=", re.MULTILINE)
_FIELD = re.compile(r"(?:^|\s)([A-Z][A-Za-z_]*)=(\S*)")
_REASON = re.compile(
    r"(?:^|\s)Reason=(.*?)(?:\s*\[([^\[\]@]*)@([^\[\]]+)\]|(?=\s+(?:Comment|Extra|InstanceId)=)|\Z)", re.S
)
_LOCAL = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$")


@dataclass(frozen=True)
class _Record:
    row: int
    text: str
    lines: int


def is_scontrol(content: Content) -> bool:
    """Whether a text is scontrol's list of nodes."""
    found = _BEGIN.search(content.head_text)
    if found is None:
        return False
    before, after = content.head_text[: found.start()], content.head_text[found.start() : found.start() + 8192]
    return before.count("\n") < 20 and not content.looks_like_json and "State=" in after


def parse_scontrol(request: Request) -> RawTable:
    """Read every record.

    Raises:
        FileRejected: ``slurm`` when no record begins with NodeName, or another dataset is asked for.
    """
    require(request, "slurm_text")
    decoded = decode(request.content.data, request.source.encoding)
    records = _records(decoded.text)
    if not records:
        raise FileRejected("slurm", "no record begins with NodeName=", expected="scontrol show node")
    place, findings = placed(request, Place(None, None))
    rows, rejected = [], []
    for record in records:
        node = _node(record, zoned=request.source.time_zone is not None)
        if isinstance(node, Rejected):
            rejected.append(node)
        else:
            rows.append(row_of(node, place.cluster, place.observed_at))
    lines = len(decoded.text.removesuffix("\n").split("\n"))
    return table(request, "slurm_text", rows, lines, [*decoded.findings, *findings], rejected)


def _records(text: str) -> list[_Record]:
    starts = [found.start() for found in _BEGIN.finditer(text)]
    return [
        _Record(text.count("\n", 0, start) + 1, text[start:end], text.count("\n", start, end))
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True)
    ]


def _node(record: _Record, *, zoned: bool) -> SlurmNode | Rejected:
    told = _REASON.search(record.text)
    rest = record.text[: told.start()] + record.text[told.end() :] if told else record.text
    fields = {name: value for name, value in reversed(_FIELD.findall(rest)) if value not in ("", "(null)", "N/A")}
    name, state = fields.get("NodeName"), state_of([fields.get("State", "")])
    if name is None or state is None:
        message = f"the record in line {record.row} has no {'State' if name else 'name'}: it may be cut off"
        given = record.text.strip()[:2000]
        return Rejected(record.row, None, "state", None, "slurm_node", "NodeName and State", message, given)
    reason, by, at = _reason(told, zoned)
    return SlurmNode(
        name, state, record.row, fields | ({"Reason": told.group().strip()} if told else {}),
        reason=reason, reason_by=by, reason_at=at,
        gres=fields.get("Gres") or _of_resources(fields.get("CfgTRES")),
        gres_used=fields.get("GresUsed") or _of_resources(fields.get("AllocTRES")),
        gres_drained=fields.get("GresDrain"),
        partitions=", ".join(fields["Partitions"].split(",")) if "Partitions" in fields else None,
        topology=fields.get("Topology"),
    )  # fmt: skip


def _reason(told: re.Match[str] | None, zoned: bool) -> tuple[str | None, str | None, str | None]:
    """Words, user and time of a reason; the time is the controller's own clock, so it needs a declared zone."""
    if told is None:
        return None, None, None
    words = " ".join(told.group(1).split()) or None
    by, at = told.group(2), told.group(3)
    if at and not (zoned and _LOCAL.match(at)):
        return f"{words or ''} [{by}@{at}]".strip(), by or None, None
    return words, by or None, at


def _of_resources(text: str | None) -> str | None:
    """GPUs in a list of trackable resources: ``cpu=192,gres/gpu=8,gres/gpu:h200=8`` counts the untyped total."""
    total = re.search(r"(?:^|,)gres/gpu=(\d+)", text or "")
    return f"gpu:{total.group(1)}" if total else None
