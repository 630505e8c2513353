"""Rule files of other tools as expectations. A criterion that cannot be expressed exactly is an error, never a pass.

SuperBench: rule YAML with its baseline JSON. Azure node health checks: conf files. Criteria there are Python text; they
are parsed by their grammar and never run.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, cast

from turnup.acceptance.expectations import Acceptance, Baseline, Comparison, Operator, Rule, Take, Term
from turnup.yaml_source import ConfigurationError, load_yaml

_COMPARE = re.compile(r"^lambda\s+(\w+)\s*:\s*\1\s*(>=|<=|>|<|==)\s*(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)$")
_OPERATORS: Mapping[type[ast.cmpop], Comparison] = {
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Eq: "==",
}
_RANK = re.compile(r"(?::\\d\+|:\(\\d\+\)|:\[0-9\]\+|:\\d\{\d\})$")


class RuleError(ConfigurationError):
    """A rule file that cannot be taken over exactly; the message names file, rule and what is not understood."""


def from_superbench(rules: Path, baseline: Path | None, sku: str = "*") -> Acceptance:
    """SuperBench diagnosis rules with their baseline.

    ``variance`` is (value - baseline) / baseline, ``value`` the figure itself; the criterion says what is a violation.
    A metric that a rule names and a node does not have is a failed test there, and so it is here.

    Raises:
        RuleError: a rule that cannot be expressed.
    """
    document = load_yaml(rules).data
    found = (document or {}).get("superbench", {}).get("rules") if isinstance(document, dict) else None
    if not isinstance(found, dict):
        raise RuleError(f"{rules}: no 'superbench: rules:' here")
    figures = json.loads(baseline.read_text(encoding="utf-8")) if baseline is not None else {}
    baselines: list[Baseline] = []
    multi: list[Rule] = []
    stored: dict[str, tuple[str, ...]] = {}
    for name, rule in found.items():
        at = f"{rules}, rule '{name}'"
        kind = rule.get("function")
        metrics = tuple(rule.get("metrics", ()))
        if kind in ("variance", "value"):
            baselines += _figure_rule(at, name, rule, metrics, figures, sku)
        elif kind == "multi_rules":
            multi.append(_multi_rule(at, name, rule, stored, {item.id for item in baselines}, sku))
        elif kind == "failure_check":
            baselines += _figure_rule(at, name, rule, metrics, figures, sku)
        elif kind is None and rule.get("store"):
            stored[name] = tuple(_pattern(metric) for metric in metrics)
        elif kind is not None:
            raise RuleError(f"{at}: the function '{kind}' is not known; known are variance, value, multi_rules")
    return Acceptance(baselines=tuple(baselines), rules=tuple(multi))


def _split(metric: str) -> tuple[str, str]:
    r"""``mem-bw/H2D_Mem_BW:\d+`` is the metric of a test, for every member."""
    test, _, name = _RANK.sub("", metric).rpartition("/")
    return test, name


def _pattern(metric: str) -> str:
    return _RANK.sub("", metric)


def _figure_rule(
    at: str, name: str, rule: Mapping[str, Any], metrics: tuple[str, ...], figures: Mapping[str, float], sku: str
) -> Iterator[Baseline]:
    comparison, limit = _simple(at, rule.get("criteria"))
    for metric in metrics:
        test, measured = _split(metric)
        reference = figures.get(f"{test}/{measured}")
        if rule["function"] == "variance" and not reference:
            raise RuleError(f"{at}: the baseline has no value for '{test}/{measured}', which variance needs")
        operator, value, lower, upper = _limit(at, rule["function"], comparison, limit, reference)
        yield Baseline(
            id=name, sku=sku, test=test, metric=measured, unit="count" if operator == "==" else _unit(measured),
            operator=operator, value=value, lower=lower, upper=upper, category=str(rule.get("categories", "")),
            missing="fail", verified=False, source=at,
        )  # fmt: skip


def _unit(metric: str) -> str:
    """SuperBench names no units; its figures compare with its own baseline only."""
    return "count" if metric.endswith("return_code") else "native"


_GOOD: Mapping[Comparison, Operator] = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}
"""What is good when this comparison is a violation."""


def _limit(
    at: str, function: str, comparison: Comparison, limit: float, reference: float | None
) -> tuple[Operator, float, float, float]:
    """Operator, value, lower and upper band of what is *good*, from what is a violation."""
    if function == "variance":
        base = cast("float", reference)
        if comparison in (">", ">="):
            return _GOOD[comparison], base, 0.0, limit
        if comparison in ("<", "<="):
            return _GOOD[comparison], base, limit, 0.0
        raise RuleError(f"{at}: a variance equal to a number is no rule")
    if comparison in _GOOD:
        return _GOOD[comparison], limit, 0.0, 0.0
    raise RuleError(f"{at}: '== {limit:g}' as a violation cannot be expressed")


def _simple(at: str, criteria: object) -> tuple[Comparison, float]:
    found = _COMPARE.match(str(criteria).strip())
    if found is None:
        raise RuleError(f"{at}: the criterion '{criteria}' is no comparison of the figure with a number")
    return cast("Comparison", found.group(2)), float(found.group(3))


def _multi_rule(
    at: str, name: str, rule: Mapping[str, Any], stored: Mapping[str, tuple[str, ...]], counted: set[str], sku: str
) -> Rule:
    text = str(rule.get("criteria"))
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise RuleError(f"{at}: the criterion '{text}' cannot be read") from error
    body = tree.body if isinstance(tree, ast.Lambda) else tree
    compared = _unwrapped(body)
    if not isinstance(compared, ast.Compare) or len(compared.ops) != 1:
        raise RuleError(f"{at}: the criterion '{text}' is no single comparison")
    operator = _OPERATORS.get(type(compared.ops[0]))
    limit = _number(compared.comparators[0])
    if operator is None or limit is None:
        raise RuleError(f"{at}: the criterion '{text}' compares with something else than a number")
    left, right = _terms(at, compared.left, stored, counted)
    return Rule(
        id=name, category=str(rule.get("categories", "")), sku=sku, left=left, right=right, violated=operator,
        limit=limit, source=at,
    )  # fmt: skip


def _unwrapped(node: ast.expr) -> ast.expr:
    """``bool(x)`` and ``True if x else False`` are x."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "bool"
        and len(node.args) == 1
    ):
        return _unwrapped(node.args[0])
    if isinstance(node, ast.IfExp) and _constant(node.body) is True and _constant(node.orelse) is False:
        return _unwrapped(node.test)
    return node


def _constant(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _number(node: ast.expr) -> float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand)
        return -inner if inner is not None else None
    value = _constant(node)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _terms(
    at: str, node: ast.expr, stored: Mapping[str, tuple[str, ...]], counted: set[str]
) -> tuple[Term, Term | None]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return _aggregate(at, node.left, stored), _aggregate(at, node.right, stored)
    labels = _summed(node)
    if labels and set(labels) <= counted:
        return Term(take="violations", of=tuple(labels)), None
    return _aggregate(at, node, stored), None


def _summed(node: ast.expr) -> list[str]:
    """The labels of ``label["a"] + label["b"]``, empty when it is something else."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _summed(node.left), _summed(node.right)
        return left + right if left and right else []
    label = _label(node)
    return [label] if label else []


def _label(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        value = _constant(node.slice)
        return value if isinstance(value, str) else ""
    return ""


def _aggregate(at: str, node: ast.expr, stored: Mapping[str, tuple[str, ...]]) -> Term:
    """``min(label["rule"].values())`` over the figures that a rule stored."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        inner = node.args[0]
        values = inner.func if isinstance(inner, ast.Call) else None
        label = _label(values.value) if isinstance(values, ast.Attribute) and values.attr == "values" else ""
        if node.func.id in ("min", "max", "sum", "len") and label in stored:
            take = cast("Take", "count" if node.func.id == "len" else node.func.id)
            return Term(take=take, of=stored[label])
    raise RuleError(f"{at}: '{ast.unparse(node)}' is no aggregate over figures that an earlier rule stores")


_CONF_LINE = re.compile(r"^\s*[^#|]*\|\|\s*(check_\w+)\s*(.*)$")
_STAMP = re.compile(r"^#\s+\w{3} (\w{3})\s+(\d{1,2}) [\d:]+ UTC (\d{4})", re.MULTILINE)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WARN = 0.05
"""Azure warns on figures within 5 % above the expected one."""


def from_azure_nhc(conf: Path, sku: str) -> Acceptance:
    """Expected values of a conf file of Azure's node health checks, for a SKU.

    Adapter bandwidth there is in Gbit/s (the test runs with ``--report_gbits``), whatever its published table says.
    Checks that expect no figure (such as XID errors) are not baselines and are left out.

    Raises:
        RuleError: a check with a figure that cannot be read.
    """
    text = conf.read_text(encoding="utf-8")
    stamp = _STAMP.search(text)
    made = date(int(stamp.group(3)), _MONTHS.index(stamp.group(1)) + 1, int(stamp.group(2))) if stamp else None
    found: list[Baseline] = []
    for number, line in enumerate(text.splitlines(), start=1):
        check = _CONF_LINE.match(line)
        if check is not None:
            source = f"{conf.name}, line {number}"
            found += _conf_check(source, check.group(1), check.group(2).split(), sku, made)
    found = list({baseline.identity: baseline for baseline in found}.values())
    if not found:
        raise RuleError(f"{conf}: no check with an expected figure here")
    return Acceptance(baselines=tuple(found))


def _conf_check(at: str, check: str, given: list[str], sku: str, made: date | None) -> Iterator[Baseline]:
    for index, (test, metric, unit, changes) in enumerate(_CONF.get(check, ())):
        if index >= len(given):
            continue
        try:
            value = float(given[index])
        except ValueError as error:
            raise RuleError(f"{at}: '{given[index]}' of {check} is no number") from error
        settings: dict[str, Any] = {"warn": _WARN, "verified": test.startswith(("all_reduce",))} | changes
        if check.startswith("check_nccl_allreduce") and len(given) > 2:
            settings["size"] = given[2]
        yield Baseline(
            id=check, sku=sku, test=test, metric=metric, unit=unit, value=value, category=check, source=at,
            source_date=made, **settings,
        )  # fmt: skip


_COUNT: dict[str, Any] = {"operator": "==", "warn": 0.0}
_MOST: dict[str, Any] = {"operator": "<=", "warn": 0.0}
_CONF: dict[str, tuple[tuple[str, str, str, dict[str, Any]], ...]] = {
    "check_nccl_allreduce": (("all_reduce", "busbw", "GB/s", {}),),
    "check_nccl_allreduce_ib_loopback": (("all_reduce_ib_loopback", "busbw", "GB/s", {}),),
    "check_rccl_allreduce": (("all_reduce", "busbw", "GB/s", {}),),
    "check_gpu_bw": (
        ("gpu_host_copy", "bandwidth", "GB/s", {}),
        ("gpu_peer_copy", "bandwidth", "GB/s", {}),
    ),
    "check_ib_bw_gdr": (("ib_write_bw_gdr", "bandwidth", "Gbit/s", {}),),
    "check_ib_bw_non_gdr": (("ib_write_bw", "bandwidth", "Gbit/s", {}),),
    "check_cpu_stream": (("stream", "triad", "MB/s", {}),),
    "check_gpu_count": (("gpu_count", "count", "count", _COUNT),),
    "check_nvme_count": (("nvme_count", "count", "count", _COUNT),),
    "check_hw_ib": (("ib_port", "rate", "Gbit/s", {"warn": 0.0}),),
    "check_gpu_ecc": (
        ("gpu_ecc", "dram_corrected", "count", _MOST),
        ("gpu_ecc", "sram_corrected", "count", _MOST),
    ),
}
"""Check to the figures it expects, in the order of its arguments."""
