"""``turnup baseline`` and ``turnup diagnose``: limits from elsewhere or from measurements, and files judged by them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

import polars as pl
from pydantic import ValidationError

from turnup.acceptance.diagnose import NodeDiagnosis, diagnose
from turnup.acceptance.expectations import Acceptance, Baseline, load_acceptance
from turnup.acceptance.files import as_yaml, figures_of
from turnup.acceptance.importers import from_azure_nhc, from_superbench
from turnup.acceptance.learn import Learned, Method, NotEnough, as_baseline, learn
from turnup.acceptance.lint import lint
from turnup.acceptance.units import unit
from turnup.durable import replace_bytes
from turnup.programme import Home
from turnup.warehouse.connection import connect
from turnup.yaml_source import ConfigurationError, in_words

if TYPE_CHECKING:
    from pipelines.commands.output import Output


def import_rules(file: Path, sku: str, baseline: Path | None, write_to: Path | None, output: Output) -> None:
    """Take over SuperBench rules (YAML) or an Azure health check file (conf); print them, or save them."""
    taken = _imported(file, sku, baseline)
    _hand_over(taken, file.stem, write_to, output)


def _imported(file: Path, sku: str, baseline: Path | None) -> Acceptance:
    if not file.is_file():
        raise ConfigurationError(f"{file}: no such file")
    if file.suffix == ".conf":
        return from_azure_nhc(file, sku)
    return from_superbench(file, baseline, sku)


def lint_baselines(files: Sequence[Path], home: Path, output: Output) -> None:
    """Say what is unsound about some files, or about the programme's own; exit code 1 when something is."""
    acceptance = Home(home).load().acceptance if not files else Acceptance()
    for file in files:
        acceptance = acceptance.plus(load_acceptance(file))
    found = lint(acceptance)
    output.document({"baselines": len(acceptance.baselines), "rules": len(acceptance.rules), "problems": found})
    output.line(f"{len(acceptance.baselines)} baselines, {len(acceptance.rules)} rules, {len(found)} problems")
    for problem in found:
        output.line(f"- {problem}")
    if found:
        raise SystemExit(1)


_LEARNT = ("byte_rate", "bit_rate", "time", "flops", "rate")
"""Of times less is good, of the others more."""


def wanted(settings: dict[str, Any]) -> Baseline:
    """The baseline that is to be learnt, still without its value.

    Raises:
        ConfigurationError: a setting that no baseline can have.
    """
    try:
        return Baseline.model_validate(settings | {"value": 0, "source": "to be learnt"})
    except ValidationError as error:
        raise ConfigurationError(in_words(error)) from error


def learn_baseline(home: Path, like: Baseline, method: str, tolerance: float, write: bool, output: Output) -> None:
    """Learn a limit from the programme's newest figures of a SKU.

    Raises:
        ConfigurationError: nothing to learn from, an unknown method, or a unit of which more may be good or bad.
    """
    dimension = unit(like.unit).dimension
    if dimension not in _LEARNT:
        raise ConfigurationError(
            f"{like.unit} measures {dimension}, and whether more of it is good is not known; write the limit by hand"
            " into baselines/, with its operator"
        )
    if method not in get_args(Method):
        raise ConfigurationError(f"the method '{method}' is not known; write {' or '.join(get_args(Method))}")
    week, samples, better = _population(Home(home), like)
    if not samples:
        raise ConfigurationError(
            f"week {week} has no complete, correct figure of {like.sku} {like.test}/{like.metric} of a unit whose run "
            "has a time; section 7 of the governance report says what is wrong with those there are"
        )
    try:
        learned = learn(samples, cast("Method", method))
    except NotEnough as error:
        raise ConfigurationError(f"{like.sku} {like.test}/{like.metric}: {error}") from error
    made = as_baseline(learned, like, higher_is_better=better, tolerance=tolerance, origin=week)
    output.line(_told(learned))
    name = "-".join(re.findall(r"[a-z0-9]+", f"{like.sku} {like.test} {like.metric}".casefold()))
    _hand_over(Acceptance(baselines=(made,)), f"learnt-{name}", home if write else None, output)


def _told(learned: Learned) -> str:
    removed = f"; taken out: {', '.join(learned.removed)}" if learned.removed else ""
    return f"median {learned.value:g} of {len(learned.kept)} nodes ({learned.lowest:g} to {learned.highest:g}){removed}"


_FIGURES = """
SELECT s.subject_id, r.value * m.factor / (SELECT factor FROM core.measures WHERE unit = $unit), r.dimension
FROM acceptance.readings r
JOIN acceptance.figure_names n ON n.figure_no = r.figure_no
JOIN core.subjects s ON s.subject_no = r.subject_no
JOIN core.subject_skus k ON k.subject_no = r.subject_no
JOIN core.measures m ON m.unit = r.unit
WHERE r.is_usable AND k.sku_key = $sku AND n.test_key = $test AND n.metric_key = $metric AND n.statistic = $statistic
    AND n.placement IN ('none', $placement) AND ($direction IS NULL OR n.direction = $direction)
    AND ($nodes IS NULL OR n.nodes = $nodes)
    AND CASE WHEN $size IS NULL THEN r.is_largest ELSE r.size_bytes = $size END
    AND m.dimension = (SELECT dimension FROM core.measures WHERE unit = $unit)
ORDER BY ALL
"""


def _population(home: Home, like: Baseline) -> tuple[str, dict[str, list[float]], bool]:
    """Week, figures by node, and whether more is better."""
    if not home.warehouse.exists():
        raise ConfigurationError(f"{home.root}: nothing was refreshed yet, so there is nothing to learn from")
    with connect(home.warehouse.resolve(), read_only=True) as con:
        week = con.sql("SELECT week FROM meta.week").fetchall()[0][0]
        keys = {name: getattr(like, name).strip().casefold() for name in ("sku", "test", "metric")}
        settings: dict[str, Any] = {
            **keys, "unit": like.unit, "statistic": like.statistic, "placement": like.placement,
            "direction": like.direction, "nodes": like.nodes,
            "size": like.size if isinstance(like.size, int) else None,
        }  # fmt: skip
        rows = con.execute(_FIGURES, settings).fetchall()
    samples: dict[str, list[float]] = {}
    for node, value, _ in rows:
        samples.setdefault(node, []).append(value)
    return week, samples, not rows or rows[0][2] != "time"


def _hand_over(acceptance: Acceptance, name: str, write_to: Path | None, output: Output) -> None:
    text = as_yaml(acceptance)
    target = Home(write_to).baselines / f"{name}.yaml" if write_to is not None else None
    if target is not None:
        Home(target.parent.parent).load()
        target.parent.mkdir(exist_ok=True)
        replace_bytes(target, text.encode())
    problems = lint(acceptance)
    output.document(
        acceptance.model_dump(mode="json", exclude_defaults=True) | {"written_to": target, "problems": problems}
    )
    output.line(text if target is None else f"Saved {target}.")
    for problem in problems:
        output.line(f"- {problem}")


def diagnose_files(
    files: Sequence[Path], rules: Path | None, baseline: Path | None, sku: str, node: str, home: Path, output: Output
) -> None:
    """Judge measurement files by rules of their own, or by the programme's.

    Exit code 1 when a node does not pass, or a file, a row or the SKU could not be taken into account.
    """
    _check_files([*files, *([] if rules is None else [rules])])
    if rules is None:
        if not Home(home).configuration.is_file():
            raise ConfigurationError(
                f"{Home(home).configuration}: no such file, so there are no limits to judge by; give the limits "
                "with --rules FILE, or the programme's folder with --home"
            )
        acceptance = Home(home).load().acceptance
    else:
        acceptance = load_acceptance(rules) if _is_ours(rules) else _imported(rules, sku, baseline)
    figures, findings = figures_of(files, node)
    _check_skus(figures, acceptance, sku)
    today = datetime.now(UTC).date()
    nodes = diagnose(figures, acceptance, sku=sku, day=today) if figures.height else []
    output.document({"nodes": [_document(node) for node in nodes],
                     "findings": [{"file": file, "code": finding.code, "row": finding.row, "message": finding.message}
                                  for file, finding in findings]})  # fmt: skip
    output.table("Nodes", ("node", "verdict", "categories", "why"),
                 [(node.node, node.verdict, ", ".join(node.categories), node.note) for node in nodes])  # fmt: skip
    doubts = [(file.name, finding.row, finding.message) for file, finding in findings if finding.severity == "warning"]
    if doubts:
        output.table("In doubt", ("file", "row", "what"), doubts)
    serious = [(file, finding) for file, finding in findings if finding.severity == "error"]
    if serious:
        told = [(file.name, finding.row, finding.message) for file, finding in serious]
        output.table("Not read", ("file", "row", "what"), told)
    # A run that failed or was wrong has its place in the verdict of its node; a file that was not read has none.
    unread = any(finding.code not in ("tool_error", "wrong_results") for _, finding in serious)
    if not nodes or unread or any(item.verdict != "pass" for item in nodes):
        raise SystemExit(1)


def _check_files(files: Sequence[Path]) -> None:
    for file in files:
        if not file.is_file():
            raise ConfigurationError(f"{file}: no such file")


def _check_skus(figures: pl.DataFrame, acceptance: Acceptance, sku: str) -> None:
    """Refuse to judge a node by the limits of any SKU alone, because nobody said which SKU it is.

    Raises:
        ConfigurationError: naming the node, or the SKU that no limit names.
    """
    skus_named = [*(item.sku for item in acceptance.baselines), *(item.sku for item in acceptance.rules)]
    named = {each.strip() for each in skus_named} - {"*"}
    keys = {name.casefold() for name in named}
    if not named or not figures.height or sku.strip().casefold() in keys:
        return
    known = ", ".join(sorted(named))
    if sku != "*":
        raise ConfigurationError(f"no limit names the SKU '{sku}'; they name {known}")
    told = figures.group_by("node").agg(pl.col("sku").drop_nulls().unique()).sort("node")
    for name, skus in told.rows():
        if not keys & {each.strip().casefold() for each in skus}:
            raise ConfigurationError(f"the limits are for {known}, and nothing says which {name} is; write --sku")


def _is_ours(rules: Path) -> bool:
    """Our own file of expectations, and not another tool's."""
    if rules.suffix == ".conf":
        return False
    return re.search(rb"^(baselines|rules|peaks|golden):", rules.read_bytes(), re.MULTILINE) is not None


def _document(node: NodeDiagnosis) -> dict[str, Any]:
    return {
        "node": node.node, "verdict": node.verdict, "categories": list(node.categories), "missing": list(node.missing),
        "violations": [vars(violation) for violation in node.violations], "note": node.note,
    }  # fmt: skip
