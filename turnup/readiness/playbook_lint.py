"""What is wrong with a playbook, all of it at once: with file, line and key, before it judges anything.

Belongs here: faults that reading does not refuse, because a playbook with them can still be judged by, though not
sensibly. Does not: the shape of a playbook (``turnup.readiness.playbook``).
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from turnup.readiness.kinds import STAGES, SUPPLY_MODELS, UNITS, applicable
from turnup.readiness.limits import threshold_fault
from turnup.readiness.playbook import Criterion, Gate, Playbook
from turnup.readiness.playbook_order import named_twice, needed_in_a_ring, order_faults, waits_for_later
from turnup.readiness.playbook_problem import Problem, at, items, word
from turnup.readiness.registry import load_metrics
from turnup.yaml_source import ConfigurationError, YamlDocument, load_yaml, sentences_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from turnup.readiness.playbook_problem import Place

LONGEST_AGE_DAYS = 366
"""Evidence or a waiver older than a year is no limit in practice."""


def check_playbooks(files: Sequence[Path]) -> list[Problem]:
    """Every fault of some playbook files, by file and line; files are also held against each other."""
    problems: list[Problem] = []
    documents = []
    for file in files:
        try:
            document = load_yaml(file)
        except ConfigurationError as error:
            problems.append(_unreadable(file, str(error)))
            continue
        documents.append(document)
        problems += _unique([*_shape(document), *_sense(document)])
    problems += named_twice(documents)
    problems += needed_in_a_ring(documents)
    return sorted(problems)


def _unreadable(file: Path, sentence: str) -> Problem:
    found = re.match(r".*?, line (\d+)(?:, key '([^']*)')?: (.*)", sentence, re.DOTALL)
    if found:
        return Problem(str(file), int(found[1]), found[2] or "", found[3])
    return Problem(str(file), 1, "", sentence.removeprefix(f"{file}: "))


def _unique(problems: list[Problem]) -> list[Problem]:
    """One sentence a fault: what reading says of a criterion's limit is said again at the key of the limit."""
    first: dict[str, Problem] = {}
    for problem in problems:
        first.setdefault(problem.key, problem)
    said_below = {key.removesuffix(".threshold") for key in first if key.endswith(".threshold")}
    return [problem for key, problem in first.items() if key not in said_below]


def _shape(document: YamlDocument) -> Iterator[Problem]:
    if not isinstance(document.data, dict):
        yield Problem(str(document.path), 1, "", "expected keys such as 'playbook' and 'gates'")
        return
    try:
        Playbook.model_validate(document.data)
    except ValidationError as error:
        for place, sentence in sentences_of(error):
            if place:  # what is said of the whole is said again at its gates
                yield at(document, place, sentence)


def _sense(document: YamlDocument) -> Iterator[Problem]:
    """Faults of each part that can be read by itself, so that one unreadable part hides no other."""
    data = document.data if isinstance(document.data, dict) else {}
    kind = word(data.get("kind"))
    gates = items(data.get("gates"))
    yield from _waiver_lengths(document, ("waivers",), data.get("waivers"))
    closed_by = {word(gate.get("stage")): number for number, gate in reversed(gates)}
    yield from order_faults(document, gates)
    if kind in UNITS:
        yield from _kind_faults(document, kind, gates)
    for number, gate in gates:
        for part in ("entry", "criteria"):
            for place, given in items(gate.get(part)):
                where: Place = ("gates", number, part, place)
                if isinstance(given.get("waiver"), dict):
                    yield from _waiver_lengths(document, where, {"waiver": given["waiver"]})
                criterion = _readable(given)
                if criterion is not None:
                    yield from _criterion_faults(document, where, criterion, kind)
                    yield from waits_for_later(document, where, criterion, gates, closed_by)
                    yield from _never_asked(document, where, criterion, gate)


def _readable(given: dict[str, Any]) -> Criterion | None:
    """A criterion as far as it can be read; None when nothing can be said of its limit."""
    known = {key: value for key, value in given.items() if key in Criterion.model_fields}
    try:
        return Criterion.model_validate(known)
    except ValidationError as error:
        faulty = {fault["loc"][0] for fault in error.errors() if fault["loc"]}
    rest = {key: value for key, value in known.items() if key not in faulty}
    if not {"metric", "comparison", "threshold"} <= rest.keys():
        return None
    if rest["threshold"] != "planned":
        rest["threshold"] = Decimal(str(rest["threshold"]))
    return Criterion.model_construct(**rest)


def _kind_faults(document: YamlDocument, kind: str, gates: list[tuple[int, dict[str, Any]]]) -> Iterator[Problem]:
    for number, gate in gates:
        stage = word(gate.get("stage"))
        if stage in STAGES and not any(applicable(kind, model, stage) for model in SUPPLY_MODELS):
            yield at(document, ("gates", number, "stage"), f"a {kind} never reaches the stage '{stage}'")


def _criterion_faults(document: YamlDocument, where: Place, criterion: Criterion, kind: str) -> Iterator[Problem]:
    metric = load_metrics()[criterion.metric]
    fault = threshold_fault(metric, criterion.comparison, criterion.threshold, UNITS.get(kind, ""))
    if fault:
        yield at(document, (*where, "threshold"), fault)
    if metric.spread == "programme":
        yield at(document, (*where, "metric"), f"{metric.name} is of the whole programme; no system ever has a value")
    if criterion.scope == "unit" and metric.spread != "unit":
        yield at(document, (*where, "scope"), f"{metric.name} has no rows by unit, so no unit ever satisfies it")
    if (
        metric.name in STAGES
        and kind in UNITS
        and not any(applicable(kind, model, metric.name) for model in criterion.supply_models)
    ):
        yield at(document, (*where, "metric"), f"a {kind} never reaches the stage '{metric.name}'")
    yield from _age_faults(document, where, criterion)


def _age_faults(document: YamlDocument, where: Place, criterion: Criterion) -> Iterator[Problem]:
    age = criterion.evidence_age_days
    if age is None:
        return
    if age > LONGEST_AGE_DAYS:
        yield at(document, (*where, "evidence_age_days"), f"{age} days are no limit; leave it out, or write 1 to 366")
    elif not load_metrics()[criterion.metric].is_dated:
        words = f"the rows behind {criterion.metric} bear no time, so no age limit ever applies"
        yield at(document, (*where, "evidence_age_days"), words)


def _waiver_lengths(document: YamlDocument, where: Place, rules: Any) -> Iterator[Problem]:
    for name, given in rules.items() if isinstance(rules, dict) else ():
        days = given.get("longest_days") if isinstance(given, dict) else None
        if isinstance(days, int) and days > LONGEST_AGE_DAYS:
            words = f"{days} days are no limit; a waiver is renewed, with its reason, within 366"
            yield at(document, (*where, name, "longest_days"), words)


def _never_asked(document: YamlDocument, where: Place, criterion: Criterion, gate: dict[str, Any]) -> Iterator[Problem]:
    of_gate = gate.get("supply_models", list(Gate.model_fields["supply_models"].default))
    if isinstance(of_gate, list) and all(map(word, of_gate)) and not set(criterion.supply_models) & set(of_gate):
        words = f"never asked: its gate is for {', '.join(map(str, of_gate))} only"
        yield at(document, (*where, "supply_models"), words)
