"""The same files by today's usual means: dbt-duckdb, Great Expectations on pandas, openpyxl and Jinja2."""
