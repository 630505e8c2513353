"""``python -m pipelines``: the command ``turnup`` where its script is not on the path."""

from pipelines.cli import main

if __name__ == "__main__":
    main()
