"""One module per command of ``turnup``: what it prints, for people and for machines."""
