"""Workbooks that people fill in or correct: the empty template of a dataset, and the rows that go back to an owner.

Belongs here: laying out and writing XLSX. Does not: which rows go back, or reading a workbook (``turnup``).
"""
