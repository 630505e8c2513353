"""The wide area network: regions joined by circuits, what they carry, and what is left when one thing fails."""
