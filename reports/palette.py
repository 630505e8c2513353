"""Colours of the reports, light and dark, and the contrast formula that the tests hold them to.

Status hue is used for status only, always beside a glyph and a word: backgrounds are of nearly equal lightness, so a
grey print keeps its meaning through glyph and word alone.
"""

# ruff: noqa: RUF001 - typographic dashes and signs are what readers should see

from collections.abc import Mapping
from dataclasses import dataclass

LIGHT: Mapping[str, str] = {
    "page": "#ffffff", "panel": "#f5f7fa", "ink": "#1b2330", "muted": "#535d6b", "line": "#d3d8df", "rule": "#1b2330",
    "link": "#1b5aa6", "red": "#a81c17", "red-bg": "#fbe2e0", "amber": "#744700", "amber-bg": "#fcebc6",
    "green": "#15603a", "green-bg": "#dcf1e3", "grey": "#4a5361", "grey-bg": "#e8ebef", "passed-bg": "#dfe6ee",
    "bar": "#1b2330", "drop": "#c0534d", "forecast": "#1f5fbf", "band": "#c8dcf6", "range-1": "#c9d0d9",
    "range-2": "#e3e7ec", "waived": "#8a6a2f",
}  # fmt: skip
DARK: Mapping[str, str] = {
    "page": "#12161c", "panel": "#1a2029", "ink": "#e7eaef", "muted": "#a9b2bf", "line": "#323b47", "rule": "#8d97a5",
    "link": "#8ab8f2", "red": "#ff9e97", "red-bg": "#4a1c1a", "amber": "#f4c76a", "amber-bg": "#43310d",
    "green": "#86d9a5", "green-bg": "#153a25", "grey": "#c0c8d2", "grey-bg": "#2b333e", "passed-bg": "#273342",
    "bar": "#d5dae2", "drop": "#e0736c", "forecast": "#7fb0f5", "band": "#24406a", "range-1": "#465060",
    "range-2": "#2b333e", "waived": "#d8b25e",
}  # fmt: skip


@dataclass(frozen=True)
class Mark:
    """How a status is written: glyph, word and the name of its hue (`hue` and `hue-bg` in the palette)."""

    glyph: str
    word: str
    hue: str


STATUS: Mapping[str, Mark] = {
    "red": Mark("■", "Red", "red"),
    "amber": Mark("▲", "Amber", "amber"),
    "green": Mark("●", "Green", "green"),
    "grey": Mark("◇", "Not rated", "grey"),
    "met": Mark("✓", "met", "green"),
    "not met": Mark("■", "not met", "red"),
    "no data": Mark("◇", "no data", "grey"),
    "stale": Mark("◇", "stale", "amber"),
    "waived": Mark("△", "waived", "amber"),
    "pass": Mark("✓", "pass", "green"),
    "warn": Mark("▲", "warning", "amber"),
    "fail": Mark("■", "fail", "red"),
    "not_evaluated": Mark("◇", "not evaluated", "grey"),
    "tool_error": Mark("◇", "tool failed", "grey"),
    "conflict": Mark("▲", "conflict", "amber"),
    "passed": Mark("✓", "passed", "green"),
    "in progress": Mark("◐", "in progress", "grey"),
    "not started": Mark("○", "not started", "grey"),
    "regressed": Mark("■", "regressed", "red"),
    "fresh": Mark("●", "fresh", "green"),
    "missing": Mark("■", "missing", "red"),
    "rejected": Mark("■", "rejected", "red"),
    "all refused": Mark("■", "all rows refused", "red"),
    "error": Mark("■", "error", "red"),
    "warning": Mark("▲", "warning", "amber"),
    "info": Mark("○", "info", "grey"),
    "balanced": Mark("✓", "balances", "green"),
    "unbalanced": Mark("■", "does not balance", "red"),
    "as issued": Mark("✓", "as issued", "green"),
    "restated": Mark("△", "restated", "amber"),
    "unexplained": Mark("■", "not explained", "red"),
    "overdue": Mark("■", "overdue", "red"),
    "due soon": Mark("▲", "due soon", "amber"),
    "expired": Mark("■", "expired", "red"),
    "FINAL": Mark("●", "FINAL", "green"),
    "DRAFT": Mark("▲", "DRAFT", "amber"),
    "NOT RATED": Mark("◇", "NOT RATED", "grey"),
    "YES": Mark("✓", "YES", "green"),
    "NO": Mark("■", "NO", "red"),
    "UNKNOWN": Mark("◇", "UNKNOWN", "grey"),
    "N/A": Mark("–", "N/A", "grey"),
}
SEVERITY_ORDER = ("red", "amber", "grey", "green")


def mark(status: str) -> Mark:
    """Return glyph and word of a status; an unknown word is shown as it is, grey, never as a pass."""
    return STATUS.get(status) or Mark("◇", status or "no status", "grey")


def worst(statuses: list[str]) -> str:
    """Return the worst of some commitment statuses; no status at all is grey."""
    ranked = [status for status in SEVERITY_ORDER if status in statuses]
    return ranked[0] if ranked else "grey"


def _channel(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def contrast(first: str, second: str) -> float:
    """Return the WCAG 2 contrast ratio of two `#rrggbb` colours, 1 to 21."""
    lights = []
    for colour in (first, second):
        red, green, blue = (_channel(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
        lights.append(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    return (max(lights) + 0.05) / (min(lights) + 0.05)
