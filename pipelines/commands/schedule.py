"""``turnup schedule``: the dates, floats and health of a schedule file, and whether its own tool agrees."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from turnup.formats.content import Content
from turnup.formats.model import FileRejected
from turnup.formats.schedule import read_schedule
from turnup.schedule.health.assess import assess
from turnup.schedule.health.settings import HealthSettings
from turnup.schedule.listing import activity_table
from turnup.schedule.network import NO_INSTANT
from turnup.schedule.passes import schedule
from turnup.schedule.stored import compare_stored
from turnup.schedule.working_time import moment_of
from turnup.yaml_source import ConfigurationError, load_model

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from pipelines.commands.output import Output
    from turnup.schedule.health.results import Health
    from turnup.schedule.model import Project
    from turnup.schedule.passes import Schedule
    from turnup.schedule.stored import Compared

_LISTED = 20


def schedule_file(file: Path, output: Output, settings: Path | None = None) -> None:
    """Print dates, floats, health and the comparison with what is stored.

    Args:
        file: the schedule.
        output: where to.
        settings: a YAML file that says how health is judged; by default as the DCMA does.

    Raises:
        SystemExit: exit code 1, the file cannot be read.
    """
    judged_by = load_model(settings, HealthSettings, "'preset'") if settings is not None else HealthSettings()
    if not file.is_file():
        raise ConfigurationError(f"{file}: no such file")
    try:
        projects = read_schedule(Content(file, file.name))
    except FileRejected as refusal:
        output.document({"file": file.name, "error": {"code": refusal.code, "message": refusal.message}})
        output.line(f"{file.name}: {refusal.message}")
        raise SystemExit(1) from None
    found = schedule(*projects)
    compared = compare_stored(found)
    health = [assess(project, found, judged_by) for project in projects]
    if output.as_json:
        output.document(_document(file, found, health, compared))
        return
    for number, project in enumerate(projects):
        _show(project, found, number, health[number], [each for each in compared if each.project == project.id], output)
    _show_findings(found, output)


def _document(file: Path, found: Schedule, health: list[Health], compared: list[Compared]) -> dict[str, Any]:
    table = activity_table(found)
    own = found.network.activities["_project"]
    findings = [asdict(finding) for finding in found.findings]
    return {
        "file": file.name,
        "projects": [
            {
                "id": project.id,
                "name": project.name,
                "tool": project.tool,
                "data_date": project.data_date,
                "planned_start": project.planned_start,
                "must_finish": project.must_finish,
                "finish": _finish(found, number),
                "stored_finish": project.stored_finish,
                "options": asdict(project.options),
                "activities": table.filter(own == number).drop("project").to_dicts(),
                "links": project.links.height,
                "health": [check.record() for check in health[number].checks],
                "beside": [observation.record() for observation in health[number].beside],
                "earned_schedule": _earned(health[number]),
                "practices": [asdict(practice) for practice in health[number].practices],
                "stored": _stored(found, [each for each in compared if each.project == project.id]),
                "findings": [asdict(finding) for finding in project.findings],
            }
            for number, project in enumerate(found.network.projects)
        ],
        "findings": findings,
    }


def _stored(found: Schedule, compared: list[Compared]) -> dict[str, Any]:
    """Per field, how many stored values there are, how many are ours, and which activities differ."""
    codes = found.network.activities["code"]
    return {
        each.field: {
            "equal": each.equal,
            "compared": each.compared,
            "differing": [codes[row] for row in each.differing[:_LISTED]],
        }
        for each in compared
    }


def _earned(health: Health) -> dict[str, Any] | None:
    return None if health.earned is None else health.earned.record()


def _finish(found: Schedule, number: int) -> datetime | None:
    return None if found.finish[number] == NO_INSTANT else moment_of(found.finish[number])


def _show(
    project: Project, found: Schedule, number: int, health: Health, compared: list[Compared], output: Output
) -> None:
    own = (found.network.activities["_project"] == number).to_numpy()
    finish = _finish(found, number)
    dated = f"finish {finish:%Y-%m-%d %H:%M}" if finish else "no finish: nothing could be scheduled"
    output.line(
        f"\nProject {project.id} ({project.name}): {own.sum()} activities, {project.links.height} links, {dated}"
    )
    table = activity_table(found).filter(own & found.longest_path)
    output.table(
        "Longest path",
        ("activity", "name", "early start", "early finish", "total float days"),
        [
            (row["code"], row["name"], row["early_start"], row["early_finish"], row["total_float_days"])
            for row in table.sort("early_start", "code").iter_rows(named=True)
        ],
    )
    output.table(
        "Health (DCMA 14 points)",
        ("point", "name", "verdict", "what"),
        [(check.id, check.name, check.verdict, check.sentence) for check in health.checks],
    )
    stored = [(each.field, each.equal, each.compared) for each in compared if each.compared]
    if stored:
        output.table("Stored by its own tool, and equal in working time", ("field", "equal", "compared"), stored)


def _show_findings(found: Schedule, output: Output) -> None:
    told = [*(finding for project in found.network.projects for finding in project.findings), *found.findings]
    findings = list({(finding.code, finding.row, finding.value): finding for finding in reversed(told)}.values())[::-1]
    if findings:
        output.table(
            "Findings", ("severity", "code", "row", "what"),
            [(finding.severity, finding.code, finding.row, finding.message) for finding in findings],
        )  # fmt: skip
