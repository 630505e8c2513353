"""What the table of answers says about the real code lists."""

EXPECTED = {
    "reference/unlocode_subdivision_codes.csv": {
        "format": "unlocode_subdivisions",
        "dataset": None,
        "ledger": {"data": 4_678, "header": 1},
        "facts": {
            "rows": 4_678,
            "distinct_rows": 4_673,
            "codes_of_form_0n": 407,
            "rows_of_country_na": 14,
            "surplus_duplicate_rows": 5,
            "surplus_by_key": ("IN-JK: 1", "MA-CHT: 1", "MA-KES: 2", "MK-205: 1"),
            "keys_with_several_names": ("MA-KES",),
        },
        "findings": {"duplicate_row": 5, "key_conflict": 1},
    },
}
