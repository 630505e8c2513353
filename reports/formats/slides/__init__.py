"""The executive report as slides: one finding a slide, native tables and charts that a reader can take further."""
