"""Writes the reference pages of ``docs/`` from the contracts, the metric registry and the playbooks."""

from __future__ import annotations

import sys
from pathlib import Path

from expectations.contract import load_contracts
from expectations.documentation import markdown
from pipelines.commands.init import shipped_playbooks
from turnup.readiness.kinds import SUPPLY_MODELS
from turnup.readiness.playbook import Criterion, Gate, Playbook, load_playbooks
from turnup.readiness.registry import load_metrics


def reference_pages() -> dict[str, str]:
    """Path inside ``docs/`` to content, for every page that is made from definitions."""
    contracts = load_contracts()
    pages = {f"datasets/{name}.md": markdown(contract) for name, contract in sorted(contracts.items())}
    listed = "\n".join(f"- [{name}]({name}.md): {item.title}" for name, item in sorted(contracts.items()))
    pages["datasets/README.md"] = f"# Datasets\n\nMade from `expectations/contracts/` by `make docs`.\n\n{listed}\n"
    pages["metrics.md"] = _metrics()
    pages["playbook-criteria.md"] = _playbooks()
    return pages


def _playbooks() -> str:
    parts = [
        "# What the playbooks ask\n\nMade from `playbooks/` by `make docs`; [playbooks](playbooks.md) says what the "
        "columns mean. A gate also asks that every gate before it has passed.\n"
    ]
    for book in load_playbooks(shipped_playbooks()):
        parts.append(f"## {book.title}\n\n`{book.playbook}`, version {book.version}\n")
        parts.append("| gate | criterion | asks | age | severity | owner | may waive |")
        parts.append("| --- | --- | --- | --- | --- | --- | --- |")
        for gate in book.gates:
            for number, criterion in enumerate(gate.asked):
                parts.append(_criterion_row(book, gate, criterion, is_entry=number < len(gate.entry)))
        parts.append("")
    return "\n".join(parts)


def _criterion_row(book: Playbook, gate: Gate, criterion: Criterion, *, is_entry: bool) -> str:
    rule = book.waiver_rule(criterion)
    may = (
        "whoever is named" if rule is None else f"{', '.join(rule.by)}: {rule.longest_days} d" if rule.by else "nobody"
    )
    share = f" of {criterion.min_share:.0%} of units" if criterion.min_share < 1 else ""
    only = f", where a {criterion.needs} is needed" if criterion.needs else ""
    models = tuple(model for model in criterion.supply_models if model in gate.supply_models)
    cells = (
        f"{gate.title} (`{gate.id}`)",
        f"{criterion.title} (`{criterion.id}`){', to enter' if is_entry else ''}",
        f"`{criterion.metric}` {criterion.comparison} {criterion.threshold}{share}{only}"
        + ("" if len(models) == len(SUPPLY_MODELS) else f"; {' and '.join(models)} only"),
        f"{criterion.evidence_age_days} d" if criterion.evidence_age_days else "",
        f"{criterion.severity}{', standing' if criterion.standing else ''}",
        criterion.owner_role,
        may,
    )
    return f"| {' | '.join(cells)} |"


def _metrics() -> str:
    parts = [
        "# Metrics\n\nEvery figure is defined once, in `turnup/readiness/metrics/`. This page is made from there by "
        "`make docs`; `turnup explain METRIC SYSTEM` shows a figure's value and the rows behind it.\n"
    ]
    parts += [
        f"## {metric.name}\n\n**{metric.title}** ({metric.unit})\n\n{metric.definition}\n\n    {metric.formula}\n"
        for _, metric in sorted(load_metrics().items())
    ]
    return "\n".join(parts)


def main(folder: Path) -> None:
    """Write every page."""
    for path, text in reference_pages().items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
