"""``turnup pull``: ask a system for its data and lay it into the inbox."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pipelines.commands.output import fail_with
from turnup.programme import Home
from turnup.yaml_source import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.commands.output import Output
    from turnup.connectors.settings import NetBoxConnector


def pull_from_netbox(folder: Path, output: Output) -> None:
    """Pull every kind from NetBox; exit 3 when it does not give all of it, and then nothing is written."""
    from turnup.connectors.netbox import PullFailed, pull_netbox

    home = Home(folder)
    settings = home.load().connectors.netbox
    if settings is None:
        raise ConfigurationError(
            f"{home.configuration}: no NetBox to pull from; write\n\n"
            "connectors:\n  netbox: {url: https://netbox.example.net, token_env: NETBOX_TOKEN}"
        )
    try:
        files = pull_netbox(settings, _token(home, settings), home.inbox)
    except PullFailed as failure:
        fail_with("netbox", f"{failure} (nothing was written)", 3, as_json=output.as_json)
    rows = [
        {"kind": file.kind, "file": file.path.relative_to(home.inbox).as_posix(), "records": file.records,
         "sha256": file.sha256, "changed": file.changed}
        for file in files
    ]  # fmt: skip
    output.document({"connector": "netbox", "url": settings.url, "files": rows})
    output.table(
        "Pulled into the inbox", ("file", "records", "changed"),
        [(row["file"], ", ".join(f"{n} {group}" for group, n in file.records.items()), row["changed"])
         for row, file in zip(rows, files, strict=True)],
    )  # fmt: skip


def _token(home: Home, settings: NetBoxConnector) -> str:
    if settings.token_env is not None:
        token = os.environ.get(settings.token_env, "").strip()
        if not token:
            raise ConfigurationError(f"the environment variable {settings.token_env} holds no token for NetBox")
        return token
    file = home.root / str(settings.token_file)
    try:
        token = file.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ConfigurationError(f"{file}: the token for NetBox cannot be read ({error.strerror})") from error
    if not token:
        raise ConfigurationError(f"{file}: holds no token for NetBox")
    return token
