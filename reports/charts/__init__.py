"""Chart geometry computed in Python: coordinates that SVG macros draw without arithmetic of their own."""
