"""The demo programme: twelve weeks of a real-looking capacity programme, with every defect listed."""

from examples.demo.generate import generate
from examples.demo.truth import Truth

__all__ = ["Truth", "generate"]
