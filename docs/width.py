#!/usr/bin/env python3
"""Checks that no line of source or text is wider than 120 columns: python3 docs/width.py [--wrap]

Tables, links, the numbers of drawings and generated files may be wider. With --wrap, paragraphs of Markdown that are too
wide are filled again; wide lines of code are for people to break.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 120
KINDS = (".rs", ".ts", ".svelte", ".md")
GENERATED = re.compile(r"web/src/wire/api\.ts|docs/src/rules/examples/.*")
# Files that consist of the points of drawings.
DRAWN = re.compile(r"web/src/lib/(biplanes|hulls|silhouettes)\.ts")
# What a drawing consists of elsewhere: the commands of an SVG path.
DRAWING = re.compile(r"""["'`]M(?:[-\d.,\s]|\$\{)|<path|\bd=""")
# What begins a paragraph of its own.
OPENS = re.compile(r"\s*(?:[-*+]\s|\d+[.)]\s|<a id=|#|\||>|\{\{|<|!\[)")
# What must not come to stand at the beginning of a line, where it would mean something.
STARTS = re.compile(r"(?:[-+*>|#=]+|\d+[.)])$|[|#>]")


def files():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        if name.endswith(KINDS) and not (GENERATED.fullmatch(name) or DRAWN.fullmatch(name)) and (ROOT / name).is_file():
            yield ROOT / name


def may_be_wide(path, line):
    if path.suffix == ".md" and line.lstrip().startswith("|"):
        return True
    return "http://" in line or "https://" in line or (path.suffix != ".rs" and bool(DRAWING.search(line)))


def too_wide(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if len(line) > WIDTH and not may_be_wide(path, line):
            yield f"{path.relative_to(ROOT)}:{number}: {len(line)} columns"


def fill(lines):
    """A paragraph, filled to the width."""
    text = " ".join(line.strip() for line in lines)
    first = re.match(r"\s*", lines[0])[0]
    mark = re.match(r"[-*+]\s+|\d+[.)]\s+", text)
    rest = first + " " * (len(mark[0]) if mark else 0)
    # Code and anchors are not broken.
    words = re.findall(r"(?:<a [^>]*>|`[^`]*`|\S)+", text)
    out, now = [], first + words[0]
    for at, word in enumerate(words[1:], 1):
        follows = words[at + 1] if at + 1 < len(words) else ""
        need = len(word) + (1 + len(follows) if STARTS.match(follows) else 0)
        if len(now) + 1 + need > WIDTH and not STARTS.match(word):
            out.append(now)
            now = rest + word
        else:
            now += " " + word
    return [*out, now]


def wrapped(text):
    out, paragraph, code = [], [], False

    def close():
        if any(len(line) > WIDTH for line in paragraph):
            out.extend(fill(paragraph))
        else:
            out.extend(paragraph)
        paragraph.clear()

    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        plain = not line.strip() or fence or code or re.match(r"\s*(#|\||\{\{|!\[|---)", line)
        if plain or OPENS.match(line):
            close()
        code ^= fence
        if plain:
            out.append(line)
        else:
            paragraph.append(line)
    close()
    return "\n".join(out) + "\n"


def main():
    if "--wrap" in sys.argv[1:]:
        for path in files():
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".md" and any(True for _ in too_wide(path)):
                path.write_text(wrapped(text), encoding="utf-8")
    faults = [fault for path in files() for fault in too_wide(path)]
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(faults)} lines wider than {WIDTH} columns")
    sys.exit(1 if faults else 0)


main()
