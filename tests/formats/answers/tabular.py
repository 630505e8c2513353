"""Tables with titles, notes and totals around them."""

EXPECTED = {
    "messy/readxl_deaths_title_footer_merged.xlsx": {
        "format": "xlsx",
        "dataset": None,
        "ledger": {"lines": 38, "header": 2, "data": 20, "title": 8, "footer": 8, "rejected": 0},
        "facts": {"rows": 20, "columns": 6, "distinct_rows": 20, "duplicate_rows": 0},
        "findings": {"title_row": 8, "footer_row": 8},
    },
    "messy/frictionless_title_and_total_rows.xlsx": {
        "format": "xlsx",
        "dataset": None,
        "ledger": {"lines": 4, "title": 1, "header": 1, "data": 1, "total": 1, "rejected": 0},
        "facts": {"rows": 1, "columns": 2},
        "findings": {"title_row": 1, "total_row": 1, "total_mismatch": 0},
    },
}
