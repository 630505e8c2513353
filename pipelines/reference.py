"""Writes the reference pages of ``docs/`` from the contracts and the metric registry."""

from __future__ import annotations

import sys
from pathlib import Path

from expectations.contract import load_contracts
from expectations.documentation import markdown
from turnup.readiness.registry import load_metrics


def reference_pages() -> dict[str, str]:
    """Path inside ``docs/`` to content, for every page that is made from definitions."""
    contracts = load_contracts()
    pages = {f"datasets/{name}.md": markdown(contract) for name, contract in sorted(contracts.items())}
    listed = "\n".join(f"- [{name}]({name}.md): {item.title}" for name, item in sorted(contracts.items()))
    pages["datasets/README.md"] = f"# Datasets\n\nMade from `expectations/contracts/` by `make docs`.\n\n{listed}\n"
    pages["metrics.md"] = _metrics()
    return pages


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
