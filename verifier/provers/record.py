"""How a built environment is written down beside what it holds, and read again."""

import json
from dataclasses import asdict
from pathlib import Path

from verifier.provers.base import BuildStep, BuiltEnvironment, KnownFault


def record_written(environment: BuiltEnvironment) -> str:
    """All of it but the folder, which may be moved."""
    values = asdict(environment)
    del values["folder"]
    return json.dumps(values, indent=1, sort_keys=True)


def record_read(text: str, folder: Path) -> BuiltEnvironment:
    """The environment that stands in `folder`; ValueError when the text is none of `record_written`."""
    values = json.loads(text)
    faults = tuple(KnownFault(**fault) for fault in values.pop("faults"))
    remarks = tuple(values.pop("remarks", ()))
    steps = tuple(BuildStep(**step) for step in values.pop("steps", ()))
    return BuiltEnvironment(**values, folder=folder, faults=faults, remarks=remarks, steps=steps)
