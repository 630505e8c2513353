"""What hardware must achieve, as data: baselines by SKU and test, rules over several figures, peaks, golden versions.

Belongs here: the shape of these rows and what makes one unsound. Does not: judging (``judge``), other tools' rule files
(``importers``) or deriving limits from measurements (``learn``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from turnup.acceptance import units
from turnup.strict import Strict
from turnup.yaml_source import load_model

Operator = Literal[">=", ">", "<=", "<", "==", "between"]
Comparison = Literal[">", ">=", "<", "<=", "=="]
Take = Literal["min", "max", "mean", "sum", "count", "violations"]
_SIZES = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
_SIZE = re.compile(r"^(\d+)\s*([KMGT]?)i?B?$")
Fraction = Annotated[float, Field(gt=-1, lt=10)]


class Bounds(Strict):
    """An expectation as intervals: outside ``low`` to ``high`` fails, outside ``warn_low`` to ``warn_high`` warns.

    The limits themselves are good, unless ``open`` says that they are not.
    """

    low: float | None = None
    high: float | None = None
    open: bool = False
    warn_low: float | None = None
    warn_high: float | None = None


class Baseline(Strict):
    """What a SKU must achieve in a test.

    Only figures of the same statistic count: an average limit says nothing about the figure at the largest size.

    Attributes:
        id: name of the rule it belongs to, for counting its violations.
        system: the one whose units must achieve it; ``*`` is any.
        sku: part number or device name as in the data; ``*`` is any.
        test: name of the test.
        metric: what is measured.
        statistic: ``value``, ``mean``, ``p99`` ...: as the figure says.
        size: ``largest`` of the run, or a message size (bytes, or 16G).
        placement: of a collective's buffers; figures without placement always take part.
        direction: such as ``read`` or ``h2d``; none takes every direction.
        nodes: number of nodes in the run; none takes any.
        unit: of ``value``.
        operator: what a good figure does.
        value: the limit or the reference.
        lower, upper: allowed distance from ``value`` as a fraction, such as -0.05 and 0.05.
        warn: figures that pass by less than this fraction are a warning.
        category: heading under which a violation is told.
        required: whether a node without the figure is a hole in the coverage.
        decides: whether acceptance depends on it; an advisory limit is judged and told, and opens or closes nothing.
        missing: what a missing figure is.
        verified: whether results that the tool did not check count for nothing.
        source, source_date, author, valid_from: where the limit comes from, and since when it holds.
    """

    id: str = ""
    system: Annotated[str, Field(min_length=1)] = "*"
    sku: Annotated[str, Field(min_length=1)] = "*"
    test: Annotated[str, Field(min_length=1)]
    metric: Annotated[str, Field(min_length=1)] = "busbw"
    statistic: str = "value"
    size: int | str = "largest"
    placement: Literal["out_of_place", "in_place"] = "out_of_place"
    direction: str | None = None
    nodes: Annotated[int, Field(ge=1)] | None = None
    unit: str
    operator: Operator = ">="
    value: float
    lower: Fraction = 0.0
    upper: Fraction = 0.0
    warn: Annotated[float, Field(ge=0, lt=1)] = 0.0
    category: str = "performance"
    required: bool = True
    decides: bool = True
    missing: Literal["not_evaluated", "fail"] = "not_evaluated"
    verified: bool = True
    source: Annotated[str, Field(min_length=1)]
    source_date: date | None = None
    author: str = ""
    valid_from: date | None = None

    @field_validator("unit")
    @classmethod
    def _unit_is_known(cls, value: str) -> str:
        units.unit(value)
        return value

    @field_validator("value")
    @classmethod
    def _value_is_finite(cls, value: float) -> float:
        if not math.isfinite(value):
            raise ValueError("must be a finite number")
        return value

    @field_validator("size")
    @classmethod
    def _size_is_a_size(cls, value: int | str) -> int | str:
        if value == "largest" or isinstance(value, int):
            return value
        found = _SIZE.match(value)
        if found is None:
            raise ValueError(f"'{value}' is neither 'largest' nor a size such as 8589934592 or 8G")
        return int(found.group(1)) << _SIZES[found.group(2)]

    @model_validator(mode="after")
    def _bands_are_sound(self) -> Baseline:
        if self.lower > 0 or self.upper < 0:
            raise ValueError(f"reversed band: lower ({self.lower}) must be 0 or less, upper ({self.upper}) 0 or more")
        if self.operator == "between" and not (self.lower < 0 < self.upper):
            raise ValueError("'between' needs both limits: lower below 0 and upper above 0")
        if (self.operator in (">=", ">") and self.upper) or (self.operator in ("<=", "<") and self.lower):
            raise ValueError(f"'{self.operator}' has one limit: the other band means nothing")
        if self.operator == "==" and (self.lower or self.upper or units.unit(self.unit).dimension != "count"):
            raise ValueError("'==' is for counts, without a band; a measured figure needs 'between'")
        return self

    @property
    def bounds(self) -> Bounds:
        """The expectation as intervals, in the baseline's unit."""
        spread = abs(self.value)
        low = self.value + self.lower * spread if self.operator in (">=", ">", "between", "==") else None
        high = self.value + self.upper * spread if self.operator in ("<=", "<", "between", "==") else None
        warned = self.warn * spread
        return Bounds(
            low=low,
            high=high,
            open=self.operator in (">", "<"),
            warn_low=low + warned if low is not None and self.operator != "==" else low,
            warn_high=high - warned if high is not None and self.operator != "==" else high,
        )

    @property
    def identity(self) -> tuple[object, ...]:
        """What makes two baselines the same expectation, of which the newest holds."""
        return (
            self.id, self.system.casefold(), self.sku.casefold(), self.test.casefold(), self.metric.casefold(),
            self.statistic, self.size, self.placement, self.direction, self.nodes, self.operator, self.decides,
        )  # fmt: skip


class Term(Strict):
    """One number of a rule: an aggregate over the figures of a node, or how many of its figures violate baselines.

    ``of`` are patterns over ``test/metric`` (a regular expression that must fit the whole name), or, for
    ``violations``, ids of baselines.
    """

    take: Take
    of: Annotated[tuple[str, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _patterns_compile(self) -> Term:
        for pattern in self.of if self.take != "violations" else ():
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"'{pattern}' is no pattern: {error}") from error
        return self


class Rule(Strict):
    """A rule over several figures of one node: violated when ``left`` (over ``right``) compares to ``limit``."""

    id: Annotated[str, Field(min_length=1)]
    category: str = "performance"
    sku: str = "*"
    left: Term
    right: Term | None = None
    violated: Comparison
    limit: float
    source: Annotated[str, Field(min_length=1)]


class Peak(Strict):
    """The physical limit of a figure: more than this is a mistake of unit or of measurement, never a good result."""

    sku: str
    test: str = "*"
    metric: str
    unit: str
    value: Annotated[float, Field(gt=0)]
    source: str
    note: str = ""

    @field_validator("unit")
    @classmethod
    def _unit_is_known(cls, value: str) -> str:
        units.unit(value)
        return value


class Golden(Strict):
    """The versions that a component of a system must have."""

    system: str = "*"
    sku: str = "*"
    component: Annotated[str, Field(min_length=1)]
    versions: Annotated[tuple[str, ...], Field(min_length=1)]
    source: Annotated[str, Field(min_length=1)]
    valid_from: date | None = None


class Relative(Strict):
    """A node against its peers: an outlier is beyond both limits, judged only among enough nodes.

    ``robust_z`` is 0.6745 (x - median) / MAD (Iglewicz and Hoaglin, 1993); ``tolerance`` a fraction of the median.
    """

    tolerance: Annotated[float, Field(gt=0, lt=1)] = 0.05
    robust_z: Annotated[float, Field(gt=0)] = 3.5
    minimum_nodes: Annotated[int, Field(ge=3)] = 5


class Acceptance(Strict):
    """Everything that hardware is judged by."""

    baselines: tuple[Baseline, ...] = ()
    rules: tuple[Rule, ...] = ()
    peaks: tuple[Peak, ...] = ()
    golden: tuple[Golden, ...] = ()
    relative: Relative = Relative()
    scaling_minimum: Annotated[float, Field(gt=0, le=1)] = 0.9
    regression_tolerance: Annotated[float, Field(gt=0, lt=1)] = 0.05
    review_above: Annotated[float, Field(ge=1)] = 1.25

    @model_validator(mode="after")
    def _rules_count_baselines_that_exist(self) -> Acceptance:
        ids = {baseline.id for baseline in self.baselines if baseline.id}
        for rule in self.rules:
            for term in (rule.left, rule.right):
                missing = set(term.of) - ids if term is not None and term.take == "violations" else set()
                if missing:
                    raise ValueError(f"rule '{rule.id}' counts violations of '{min(missing)}', which no baseline has")
        return self

    def plus(self, other: Acceptance) -> Acceptance:
        """Two sets together; the settings are the first one's."""
        return self.model_copy(
            update={
                name: (*getattr(self, name), *getattr(other, name))
                for name in ("baselines", "rules", "peaks", "golden")
            }
        )


def in_force(baselines: Sequence[Baseline], day: date) -> list[Baseline]:
    """Of each expectation the newest one that holds on a day, in a fixed order."""
    newest: dict[tuple[object, ...], Baseline] = {}
    for baseline in baselines:
        since = baseline.valid_from or date.min
        standing = newest.get(baseline.identity)
        if since <= day and (standing is None or since >= (standing.valid_from or date.min)):
            newest[baseline.identity] = baseline
    return sorted(newest.values(), key=lambda item: tuple(str(part) for part in item.identity))


def load_acceptance(file: Path) -> Acceptance:
    """Read one file of expectations.

    Raises:
        ConfigurationError: with file, line, key, what was found and what is allowed.
    """
    return load_model(file, Acceptance, "'baselines' and 'rules'")
