"""Commands by what they are about; ``pipelines.cli`` puts them together."""
