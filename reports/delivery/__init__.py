"""Delivery: each report to each of its recipients at most once, with a record of what went to whom.

Belongs here: who is due what, the journal, the ways out (mail, channels), and telling the operator of failures. Does
not: what a report says; the message of a week is among its files.
"""
