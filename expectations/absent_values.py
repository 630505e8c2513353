"""Words that say why a cell has no date or number: known ones, and those that a source declares.

Each has a code that stays with its row. A word that is none of them is no reason: its row is quarantined.
"""

import re

from expectations.typing_rules import TypingRules

_KNOWN = {
    "unknown": r"t\.?\s?b\.?\s?[dca]\.?|to be (?:determined|defined|confirmed|announced|advised|decided)"
    r"|unknown|not (?:yet )?known|not yet (?:available|confirmed|scheduled)|\?+",
    "not_applicable": r"n\s?/\s?a\b.*|n\.a\.|na|not applicable|does not apply",
    "not_captured": r"(?:[\w ]+ )?not (?:captured|recorded|measured|available|provided|stated)",
    "before_process": r"pre-?\s?[\w-]+ process",
    "included": r"(?:[\w ]+ )?included(?: (?:in|with|by)\b.*)?",
    "separate": r"(?:[\w ]+ )?(?:invoiced|captured|billed|charged|recorded|reported|shipped) separately",
}
_PATTERNS = {code: re.compile(pattern) for code, pattern in _KNOWN.items()}
_NO_DATE = re.compile(r"0?0?0?0-0?0-0?0(?:[t ].*)?|1900-0?1-0?0(?:[t ].*)?|0?0?[-/.]0?0[-/.](?:0{2}|0{4})")
_ZERO_DAY = re.compile(r"(?:0?1[-/.]0?0|0?0[-/.]0?1|0?0[-\s]?jan(?:uary)?)[-/.\s](?:19)?00")

REFERENCE = "reference"
WORDS = {
    "unknown": "that the value is not known yet",
    "not_applicable": "that the value does not apply",
    "not_captured": "that the value was not captured",
    "before_process": "that the step did not exist then",
    "included": "that the value is included elsewhere",
    "separate": "that the value is recorded separately",
    "no_date": "a spreadsheet's empty date",
    REFERENCE: "that the value stands in another row",
}
"""What each code means, to complete "says ..."."""

CODES = tuple(WORDS)


def reason_of(text: str, column: str, rules: TypingRules, *, date: bool) -> str | None:
    """The code of the reason that a text gives, `reference:<row>` for another row, or None when it gives none."""
    folded = " ".join(text.split()).casefold()
    declared = rules.reasons.get(column, {}).get(folded)
    if declared is not None:
        return declared
    pattern = rules.references.get(column)
    found = re.search(pattern, text) if pattern is not None else None
    if found is not None and found[1]:
        return f"{REFERENCE}:{found[1].strip()}"
    if date and (_NO_DATE.fullmatch(folded) or _ZERO_DAY.fullmatch(folded)):
        return "no_date"
    return next((code for code, pattern in _PATTERNS.items() if pattern.fullmatch(folded)), None)


def meaning(code: str) -> str:
    """What a code says, to complete "says ...": a declared code says itself."""
    return WORDS.get(code.partition(":")[0], f"'{code}'")
