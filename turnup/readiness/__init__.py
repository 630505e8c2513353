"""Readiness: what is schedulable, what holds the rest, when it will be ready. The models themselves are SQL files."""
