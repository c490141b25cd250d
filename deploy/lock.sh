#!/usr/bin/env bash
# Hashed lock files from pyproject.toml: what the product needs, and that plus what its tests need.
set -euo pipefail
tool=$(mktemp -d)
trap 'rm -rf "$tool"' EXIT
python3 -m venv "$tool" && "$tool/bin/pip" install --quiet uv==0.13.9
pin=(--quiet --generate-hashes --python-version 3.11 --no-header --no-annotate)
"$tool/bin/uv" pip compile "${pin[@]}" pyproject.toml -o requirements.lock
"$tool/bin/uv" pip compile "${pin[@]}" pyproject.toml --extra dev -c requirements.lock -o requirements-dev.lock
