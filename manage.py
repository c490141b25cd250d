#!/usr/bin/env python3
"""Command line of the project."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "selen_site.settings")
    try:
        from django.core.management import execute_from_command_line
    except ModuleNotFoundError as missing:
        sys.exit(f"{missing}. Run `make .venv/runtime`, wait for its end, and start this with .venv/bin/python.")
    execute_from_command_line(sys.argv)
