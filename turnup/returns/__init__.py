"""Rows that go back to who sent them, and what becomes of them when they return corrected.

Belongs here: which rows are open, how a returned workbook is recognised and read, and which rows it closes. Does not:
laying out workbooks and messages (``reports``).
"""
