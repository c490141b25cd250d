"""What the arguments PACK and PATH of a command name, read as the portal reads a benchmark and an upload."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from verifier.core.display import shown
from verifier.core.errors import InputFault
from verifier.core.problem import Pack, SetSpec
from verifier.intake import Report, UploadLimits, examine_path
from verifier.management.broken import UNREADABLE, lines_of
from verifier.packs import load_provable
from verifier.provers.base import Prover


def pack_and_path(parser: CommandParser) -> None:
    """Have a command take both."""
    parser.add_argument("pack", metavar="PACK", help="slug of a benchmark, or the folder of its pack")
    parser.add_argument("path", metavar="PATH", type=Path, help="zip, .jsonl, folder or proof file")


def pack_named(slug_or_path: str) -> Pack:
    """The benchmark, or CommandError with every finding about it."""
    try:
        return load_provable(slug_or_path, settings.PACKS_DIR)
    except InputFault as fault:
        raise CommandError(lines_of(slug_or_path, fault), returncode=UNREADABLE) from None


def report_of(path: Path, pack: Pack, prover: Prover, problem_set: SetSpec | None) -> Report:
    """The preflight report of what lies there under the limits of uploads; CommandError where nothing can be read."""
    limits = UploadLimits(settings.MAX_UPLOAD_BYTES, settings.MAX_INFLATED_BYTES, settings.MAX_MEMBERS)
    try:
        return examine_path(pack, prover, problem_set, path, limits)
    except OSError as error:
        message = f"{shown(str(path))} cannot be read: {error.strerror or error}."
        raise CommandError(message, returncode=UNREADABLE) from None
