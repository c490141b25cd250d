"""A board as a LaTeX table in the style of booktabs: the rows, order and numbers of the page, ready to be input.

It compiles with pdflatex, xelatex and lualatex as it stands; beyond booktabs it asks for no package.
"""

import unicodedata
from collections.abc import Iterable, Sequence

from leaderboard.addresses import State, written
from leaderboard.marks import percent
from leaderboard.reported import Figure, ReportedRow, label_of
from leaderboard.selectors import Benchmark
from leaderboard.standings import Board, Row
from verifier.core.ranking import Standing

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''", "–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''", "…": r"\dots{}",
    "†": r"\dag{}", "×": r"$\times$", "·": r"\textperiodcentered{}", "\u00a0": "~", "≤": r"$\leq$", "≥": r"$\geq$",
}  # fmt: skip
GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma",
    "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "µ": "mu",
}  # fmt: skip
MARKS = {Standing.REFERENCE: "ref", Standing.REPORTED: r"\dag{}"}
# Characters that the three engines do not all know: written as they are where the engine reads Unicode.
GUARD = r"\providecommand{\selenchar}[2]{\ifdefined\Umathchar#1\else#2\fi}"


def board_latex(
    benchmark: Benchmark, board: Board, reported: Sequence[ReportedRow], ks: Sequence[int], state: State
) -> str:
    """The table with everything that names its origin: address, moment, digests of pack, set and environments."""
    columns = [(each.name, k) for each in benchmark.categories for k in ks]
    lines = [*_comments(benchmark, board, state), GUARD, r"\begin{table}", r"  \centering"]
    lines.append(rf"  \caption{{{_caption(benchmark, board)}}}")
    lines.append(rf"  \label{{tab:selen-{benchmark.pack.slug}}}")
    lines.append(rf"  \begin{{tabular}}{{rlrl{'r' * len(columns)}}}")
    lines += [r"    \toprule", *_heads(benchmark, board, ks)]
    for group in board.groups:
        lines.append(r"    \midrule")
        lines += [_row(row, columns) for row in group.rows]
    if reported:
        lines.append(r"    \midrule")
        lines += [_reported(row, board, columns) for row in reported]
    lines += [r"    \bottomrule", r"  \end{tabular}", *_notes(benchmark, board, bool(reported), state), r"\end{table}"]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Text as LaTeX prints it, on one line; control and format characters are left out."""
    return "".join(_char(char) for char in _printable(text))


def commands_escaped(text: str) -> str:
    """Text with only what TeX would take for commands rewritten, braces balanced: what BibTeX wants."""
    return "".join(SPECIAL[char] if char in SPECIAL and char.isascii() else char for char in _printable(text))


def _printable(text: str) -> str:
    """One line in composed form, without characters that print nothing."""
    line = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(char for char in line if unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn"})


def _char(char: str) -> str:
    if char in SPECIAL:
        return SPECIAL[char]
    if char in GREEK:
        return rf"$\{GREEK[char]}$"
    code = ord(char)
    if code < 0x7F or 0xC0 <= code <= 0x17F:  # ASCII, and letters with accents that every engine knows
        return char
    return rf"\selenchar{{{char}}}{{U+{code:04X}}}"


def _comments(benchmark: Benchmark, board: Board, state: State) -> Iterable[str]:
    environments = dict.fromkeys(row.entry.environment for row in board.rows)
    yield "% Needs \\usepackage{booktabs}."
    yield f"% {state.address}"
    yield f"% As it stood at {written(state.moment)}." if state.moment else "% No run is published yet."
    yield f"% Pack digest {benchmark.pack.digest}"
    yield f"% Set {benchmark.problem_set.name}, digest {benchmark.problem_set.digest}"
    for digest in environments:
        yield f"% Environment digest {digest}"


def _caption(benchmark: Benchmark, board: Board) -> str:
    what = f"{board.filters.label} on {benchmark.pack.title}"
    part = f", category {board.filters.category}" if board.filters.category else ""
    return escaped(f"{what}{part}, set {benchmark.problem_set.name}: problems proved, per cent.")


def _heads(benchmark: Benchmark, board: Board, ks: Sequence[int]) -> list[str]:
    label, category = escaped(board.filters.label), escaped(board.filters.category or "all")
    spans = [rf"\multicolumn{{{len(ks)}}}{{c}}{{{escaped(each.name)}}}" for each in benchmark.categories]
    rules = [rf"\cmidrule(lr){{{5 + len(ks) * n}-{4 + len(ks) * (n + 1)}}}" for n in range(len(spans))]
    second = [rf"\#{k}" for _ in benchmark.categories for k in ks]
    top = " & ".join([r"\#", "System", f"{label}, {category}", r"95\,\%", *spans])
    return [rf"    {top} \\", f"    {' '.join(rules)}", rf"    {' & '.join(['', '', '', '', *second])} \\"]


def _row(row: Row, columns: Sequence[tuple[str, int]]) -> str:
    entry = row.entry
    place = str(row.rank) if row.rank else MARKS.get(row.standing, "--")
    value = "--" if row.value is None else percent(row.value)
    interval = f"{percent(row.score.interval.low)}--{percent(row.score.interval.high)}" if row.score else "--"
    team = escaped(entry.team) + ("" if entry.public else ", withdrawn since")
    name = f"{escaped(label_of(entry.system, entry.augmentations))} ({team})"
    scores = [row.scores[column] for column in columns]
    return _line([place, name, value, interval, *("--" if score is None else percent(score.rate) for score in scores)])


def _reported(row: ReportedRow, board: Board, columns: Sequence[tuple[str, int]]) -> str:
    filters = board.filters
    main = row.scores.get((filters.category, filters.k)) if filters.label.startswith("ACC") else None
    interval = main.interval if main else None
    cells = [
        r"\dag{}",
        escaped(label_of(row.system, row.augmentations)),
        _figure(main),
        f"{percent(interval.low)}--{percent(interval.high)}" if interval else "--",
        *(_figure(row.scores.get(column)) for column in columns),
    ]
    return _line(cells)


def _figure(figure: Figure | None) -> str:
    return figure.printed if figure else "--"


def _line(cells: Sequence[str]) -> str:
    return rf"    {' & '.join(cells)} \\"


def _notes(benchmark: Benchmark, board: Board, reported: bool, state: State) -> list[str]:
    """What a reader of the printed table needs to find it again."""
    environments = dict.fromkeys(row.entry.environment[:16] for row in board.rows)
    parts = [f"Set digest \\texttt{{{benchmark.problem_set.digest[:16]}}}"]
    if environments:
        digests = ", ".join(f"\\texttt{{{digest}}}" for digest in environments)
        parts.append(f"environment {digests}")
    if state.moment:
        parts.append(f"as of {escaped(written(state.moment))}")
    text = "; ".join(parts) + "."
    text += r" \dag{} reported by its authors, not checked." if reported else ""
    text += " 95\\,\\%: Wilson interval." if any(row.score for row in board.rows) or reported else ""
    return ["", r"  \smallskip", rf"  {{\footnotesize {text}\par}}"]
