"""The domain of turnup: files to rows to readiness, in plain Python, polars and SQL.

What belongs here: reading, storing, judging and forecasting. What does not: orchestration (``assets``,
``pipelines``), HTML (``reports``) and the contracts themselves (``expectations``). Nothing here reads a clock or an
environment variable.
"""

__version__ = "0.1.0"
