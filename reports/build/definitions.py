"""Definitions printed in the annex: those of the report's own figures, and the metric registry of the warehouse.

The warehouse's registry (`mart.metric_definitions`, where present) wins over an entry of the same name here.
"""

from reports.build.warehouse import Warehouse
from reports.models.common import Definition
from reports.text import anchor

_OWN = (
    ("contracted", "Contracted", "unit of the kind", "Sum of signed contract lines in their latest amendment; options only once exercised.", "Q = Σ quantity"),
    ("due", "Due now", "unit of the kind", "Contracted quantity whose contract date is on or before the data date.", "D(t) = Σ quantity, contract date ≤ t"),
    ("schedulable", "Schedulable", "unit of the kind", "Units past the last gate with valid evidence that the scheduler's own snapshot, at most 24 h before the data date, offers as allocatable.", "S(t)"),
    ("shortfall", "Shortfall", "unit of the kind", "What is due and not schedulable, per contract line and kind; a surplus elsewhere does not offset it.", "max(0, D − S)"),
    ("held", "Held at a stage", "unit of the kind", "Units whose first unmet stage is this one; all held units plus schedulable ones are the contracted quantity.", "Σ held + S = Q"),
    ("p50", "P50 date", "date", "Smallest date by which at least half of the simulated runs reach the quantity; no interpolation.", "inverse ECDF at 0.5"),
    ("p80", "P80 date", "date", "Smallest date by which at least 80 % of the simulated runs reach the quantity.", "inverse ECDF at 0.8"),
    ("confidence", "Chance of meeting the contract date", "%", "Runs that finish on or before the contract date, of all runs.", "runs ≤ contract date / N"),
    ("margin", "Margin", "calendar days", "Contract date less P50.", "contract date − P50"),
    ("slip", "Slip", "calendar days", "P50 now less P50 as issued last week; since baseline: less the first baseline, whatever was re-baselined later.", "P50 now − P50 then"),
    ("delta", "Δ week", "unit of the kind", "Value now less the value as issued last week, split into flow, withdrawals, restatements, scope and definition.", "closing − opening"),
    ("source-age", "Age of a source", "days", "Data date less the export time inside the file; where a file has none, its received time, labelled so.", "data date − export time"),
    ("coverage", "Coverage", "%", "Systems with complete fresh evidence for their current gate, of systems in scope.", "complete / in scope"),
    ("p80-record", "P80 hit rate", "%", "Past P80 dates that held, of all that have come due.", "held / closed"),
    ("waived", "Waived quantity", "unit of the kind", "Schedulable units that rest on at least one open waiver.", "Σ units on waiver"),
    ("idle", "Paid for but not schedulable", "unit of the kind, days, cost", "Contracted quantity past its billing start and not schedulable, its days since billing start, and its cost at the contract's unit price.", "Σ quantity × days × unit cost"),
    ("status", "Status", "red, amber, green, not rated", "Not due: red when P50 is after the contract date, amber when P80 is. Overdue: amber when P50 is within 14 days after the contract date, else red. Amber also for a waiver expiring within 30 days or an open revalidation. Not rated when evidence is missing or too old. Green only with every required row present and fresh.", "computed, never typed"),
)  # fmt: skip


def definitions(warehouse: Warehouse) -> tuple[Definition, ...]:
    """Return all definitions, own figures first, then metrics by name."""
    found = {name: Definition(anchor("DEF", name), label, unit, meaning, formula) for name, label, unit, meaning, formula in _OWN}
    for row in warehouse.rows("mart.metric_definitions"):
        name = row.text("metric")
        meaning = row.text("definition") or row.text("description")
        title = row.text("title") or name
        found[name] = Definition(anchor("DEF", name), title, row.text("unit"), meaning, row.text("formula"))
    return tuple(found.values())
