"""A strict reader of the LaTeX that boards are exported in: what would stop a compiler raises here."""

import re

ENVIRONMENT = re.compile(r"\\(begin|end)\{(\w+)\}")
KNOWN = {
    "begin", "end", "centering", "caption", "label", "toprule", "midrule", "bottomrule", "cmidrule", "multicolumn",
    "smallskip", "footnotesize", "texttt", "par", "providecommand", "selenchar", "ifdefined", "else", "fi",
    "Umathchar", "dag", "dots", "textbackslash", "textbraceleft", "textbraceright", "textasciicircum",
    "textasciitilde", "textless", "textgreater", "textbar", "textperiodcentered", "times", "leq", "geq",
    "alpha", "beta", "lambda", "mu",
}  # fmt: skip


def read(text: str) -> list[list[str]]:
    """Rows of the one tabular, each as its cells; AssertionError for whatever LaTeX would not take."""
    body = "\n".join(re.sub(r"(?<!\\)%.*", "", line) for line in text.splitlines())
    _environments(body)
    _braces(body)
    unknown = set(re.findall(r"\\([A-Za-z]+)", body)) - KNOWN
    assert not unknown, f"commands that are not declared: {unknown}"
    preamble, inside = re.search(r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end\{tabular\}", body, re.DOTALL).groups()
    outside = body.replace(inside, "").split(r"\begin{table}")[1]
    assert not re.search(r"(?<!\\)[&#_^~$]", outside.replace(r"$\times$", "")), "a special character outside of cells"
    rows = []
    for line in map(str.strip, inside.strip().splitlines()):
        if re.fullmatch(r"\\(top|mid|bottom)rule|(\\cmidrule\(lr\)\{\d+-\d+\} ?)+", line):
            continue
        assert line.endswith(r"\\"), f"a row without its end: {line}"
        cells = [cell.strip() for cell in re.split(r"(?<!\\)&", line.removesuffix(r"\\"))]
        spans = sum(int(re.match(r"\\multicolumn\{(\d+)\}", cell)[1]) if "multicolumn" in cell else 1 for cell in cells)
        assert spans == len(preamble), f"{spans} columns instead of {len(preamble)}: {line}"
        for cell in cells:
            bare = re.sub(r"\$\\[a-z]+\$", "", cell)
            assert not re.search(r"(?<!\\)[#_^$]", bare.replace(r"\#", "")), f"a special character in {cell}"
            assert all(ord(char) < 0x180 for char in re.sub(r"\\selenchar\{.\}", "", cell)), f"not guarded: {cell}"
        rows.append(cells)
    return rows


def _environments(body: str) -> None:
    open_ones = []
    for kind, name in ENVIRONMENT.findall(body):
        if kind == "begin":
            open_ones.append(name)
        else:
            assert open_ones, f"{name} ends before it begins"
            assert open_ones.pop() == name, f"{name} ends inside another one"
    assert not open_ones


def _braces(body: str) -> None:
    depth = 0
    for char in re.sub(r"\\[{}]", "", body):
        depth += (char == "{") - (char == "}")
        assert depth >= 0, "a brace closes that never opened"
    assert depth == 0, "a brace stays open"
