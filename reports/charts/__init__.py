"""Chart geometry computed in Python: dataclasses of coordinates that SVG macros draw without arithmetic of their own."""
