#!/usr/bin/env python3
"""Command line of the project."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "selen_site.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
