"""Measurements against a floor and a peer, in one run, so that only ratios are compared."""
