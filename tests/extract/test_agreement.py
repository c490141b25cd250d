"""Our command spans against Isabelle's own, on the theories of l4v's session Monads and of what it needs."""

import os
import shutil
import subprocess
import sys
from bisect import bisect_left
from pathlib import Path

import pytest
from isar_tools.source.theory import parse_header, significant

from verifier.core import isar
from verifier.core.isar_lexer import SYMBOL
from verifier.extract.needs import sessions_needed
from verifier.extract.sessions import read_project
from verifier.extract.theories import Theories

SPANS = """
val files = filter_out (fn s => s = "") (split_lines (File.read (Path.explode "FOLDER/files")));
fun declared file = #keywords (Thy_Header.read Position.start (File.read (Path.explode file)));
val keywords = fold (Keyword.add_keywords o declared) files (Thy_Header.get_keywords (Thy_Info.get_theory "Main"));
val offset = string_of_int o the_default 0 o Position.offset_of;
fun row (Command_Span.Span (Command_Span.Command_Span (name, _), tokens)) =
      let val proper = filter Token.is_proper tokens in
        SOME (space_implode "\\t" [name, offset (Token.pos_of (hd proper)),
          offset (#2 (Token.range_of [List.last proper]))])
      end
  | row _ = NONE;
fun spans file = Outer_Syntax.parse_spans (Token.explode keywords Position.start (File.read (Path.explode file)));
fun write (number, file) =
  File.write (Path.explode ("FOLDER/" ^ string_of_int number)) (cat_lines (map_filter row (spans file)));
val _ = List.app write (tag_list 0 files);
"""


def _shipped(home: Path, texts: list[str]) -> list[Path]:
    """Theories of the distribution beyond Main that these texts import, at any distance."""
    found: dict[Path, None] = {}
    waiting: list[tuple[Path | None, str]] = [(None, text) for text in texts]
    while waiting:
        folder, text = waiting.pop()
        header = parse_header(isar.iter_tokens(text))
        for entry in header.imports if header else ():
            session, _, name = entry.text.rpartition(".")
            place = home / "src" / "HOL" / session.removeprefix("HOL-") if session.startswith("HOL-") else folder
            path = None if place is None else place / f"{name}.thy"
            if path is not None and path.is_file() and path not in found:
                found[path] = None
                waiting.append((place, path.read_text()))
    return list(found)


def _ours(text: str, keywords) -> list[tuple[str, int, int]]:
    """Commands with the symbols where they start and end, counted from 1."""
    starts = [match.start() for match in SYMBOL.finditer(text)]
    theory = isar.parsed(text, keywords)
    rows = []
    for command in theory.commands:
        proper = list(significant(command.tokens(theory.tokens)))
        first, end = (bisect_left(starts, at) + 1 for at in (proper[0].start, proper[-1].end))
        rows.append((command.name, first, end))
    return rows


@pytest.mark.isabelle
@pytest.mark.integration
def test_every_command_of_lib_monads_is_where_isabelle_sees_it(tmp_path):
    sources, program = os.environ.get("SELEN_L4V_SOURCES_2024"), shutil.which("isabelle")
    if not sources or not program:
        pytest.skip("needs isabelle on PATH and l4v for Isabelle2024 in SELEN_L4V_SOURCES_2024")
    project = read_project(Path(sources), {"L4V_ARCH": "ARM"})
    theories = Theories(project)
    needed = sessions_needed(project, [project.sessions["Monads"]])
    reached = [theory for session in needed for theory in theories.reached(session)]
    home = Path(program).resolve().parents[1]
    shipped = _shipped(home, [theory.text for theory in reached])
    files = [*(theory.path for theory in reached), *shipped]
    (tmp_path / "files").write_text("\n".join(map(str, files)))
    (tmp_path / "spans.ML").write_text(SPANS.replace("FOLDER", str(tmp_path)))
    command = [program, "process", "-l", "HOL", "-f", str(tmp_path / "spans.ML")]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "HOME": str(tmp_path)})
    same = total = 0
    for number, theory in enumerate(reached):
        rows = [line.split("\t") for line in (tmp_path / str(number)).read_text().splitlines()]
        theirs = {(name, int(first), int(end)) for name, first, end in rows}
        same += len(theirs & set(_ours(theory.text, theory.keywords)))
        total += len(theirs | set(_ours(theory.text, theory.keywords)))
    sys.stdout.write(f"{same} of {total} commands in {len(reached)} theories agree\n")
    assert len(reached) > 50
    assert same == total
