#!/usr/bin/env python3
"""Checks the documentation without a network: python3 docs/check.py [FLAGPLOT]

Build the book first (mdbook build docs). Every local link and anchor of the book, and every local link of the README
files, must lead somewhere, and every source file that ARCHITECTURE.md names must be there. With the path of the program, every `flagplot` command in a shell block must name a command,
flags, a system, a scenario or a procedure that the program has.
"""

import html.parser
import itertools
import json
import re
import shlex
import subprocess
import sys
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "docs" / "book"
SOURCES = ROOT / "docs" / "src"
NAMES = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "web/README.md", "fuzz/README.md")
OUTSIDE = [ROOT / name for name in NAMES]
PLAYED = ("play", "simulate", "tournament", "bot")
COUNTED = ("odds", "schema")
# In the order of the table in ARCHITECTURE.md.
SYSTEMS = ("carrier-strike", "dogfite", "schiffskrieg", "fleet-action", "world-at-war")


class Page(html.parser.HTMLParser):
    """The anchors and links of one page of the book."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = {"", "top"}, []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def local(link):
    """The path and the anchor of a local link; nothing for a link to another site."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    return urllib.parse.unquote(parts.path), urllib.parse.unquote(parts.fragment)


def broken_in_book():
    pages = {path.resolve(): Page(path) for path in BOOK.rglob("*.html")}
    if not pages:
        yield f"{BOOK.relative_to(ROOT)} has no pages: run mdbook build docs"
    for path, page in pages.items():
        # The page for missing addresses is served for any path, so its links begin at the root.
        start = BOOK if path.name == "404.html" else path.parent
        for link in page.links:
            if (found := local(link)) is None:
                continue
            where, anchor = found
            target = (start / where.lstrip("/")).resolve() if where else path
            if target.is_dir():
                target = target / "index.html"
            if not target.is_file():
                yield f"{path.relative_to(ROOT)}: {link} leads nowhere"
            elif target in pages and anchor not in pages[target].anchors:
                yield f"{path.relative_to(ROOT)}: {link} has no such anchor"


def slug(heading):
    """The anchor that a heading gets."""
    words = re.sub(r"<[^>]*>|`", "", heading).strip().lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", words))


def broken_outside():
    for path in OUTSIDE:
        text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.S)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if (found := local(link)) is None:
                continue
            where, anchor = found
            target = path.parent / where if where else path
            if not target.exists():
                yield f"{path.relative_to(ROOT)}: {link} leads nowhere"
            elif anchor and target.suffix == ".md":
                there = target.read_text(encoding="utf-8")
                anchors = {slug(heading) for heading in re.findall(r"^#+\s+(.*)$", there, re.M)}
                if anchor not in anchors and f'<a id="{anchor}"></a>' not in there:
                    yield f"{path.relative_to(ROOT)}: {link} has no such anchor"


def missing_sources():
    """Source files that ARCHITECTURE.md names and that are not there."""
    page = "ARCHITECTURE.md"
    text = (ROOT / page).read_text(encoding="utf-8")
    systems = [ROOT / "crates" / "systems" / name / "src" for name in SYSTEMS]
    rows = re.findall(r"^\|.*\|$", text.split("## What is where in a system")[1].split("\n## ")[0], re.M)
    for row in rows[2:]:
        what, *cells = [cell.strip() for cell in row.strip("|").split("|")]
        for system, cell in zip(systems, cells, strict=True):
            for name in re.findall(r"`([^`]+)`", cell):
                if not any(system.glob(name)):
                    yield f"{page}: {what}: {system.parent.name} has no {name}"
    files = [f"/{path.relative_to(ROOT)}" for top in ("crates", "web/src") for path in (ROOT / top).rglob("*.*s")]
    for name in re.findall(r"`([a-z_/-]+/[a-z_/-]+\.(?:rs|ts))`", text.replace("\n".join(rows), "")):
        # The pages name a file by the end of its path; within a system, by its place in `src/`.
        if not any(file.endswith(f"/{name}") for file in files):
            yield f"{page}: there is no {name}"


def commands():
    """Every flagplot command of the shell blocks, with the file it stands in."""
    for path in [*OUTSIDE, *sorted(SOURCES.rglob("*.md"))]:
        for block in re.findall(r"```sh\n(.*?)```", path.read_text(encoding="utf-8"), re.S):
            for line in block.replace("\\\n", " ").splitlines():
                words = shlex.split(line, comments=True)
                if "flagplot" in words:
                    words = words[words.index("flagplot") + 1 :]
                    end = next((at for at, word in enumerate(words) if word in ("|", "<", ">")), len(words))
                    yield path, words[:end]


def wrong_commands(program):
    def run(*words):
        return subprocess.run([program, *words], capture_output=True, text=True, check=False)

    systems = {system["id"]: system for system in json.loads(run("systems", "--json").stdout)}
    for path, words in commands():
        said = f"{path.relative_to(ROOT)}: flagplot {shlex.join(words)}"
        own_data = words[:1] == ["--data"]
        words = words[2:] if own_data else words
        if not words:
            continue
        help_text = run(words[0], "--help")
        if help_text.returncode != 0:
            yield f"{said}: there is no such command"
            continue
        # A command of a command has flags of its own.
        if len(words) > 1 and re.search(rf"^  {re.escape(words[1])}  ", help_text.stdout, flags=re.M):
            help_text = run(words[0], words[1], "--help")
        flags = re.findall(r"--[a-z-]+", help_text.stdout)
        missing = [word for word in words if word.startswith("--") and word not in flags]
        if missing:
            yield f"{said}: no flag {', '.join(missing)}"
        names = list(itertools.takewhile(lambda word: not word.startswith("-"), words[1:3]))
        if words[0] in (*PLAYED, *COUNTED, "referee", "rules", "print") and names:
            system = systems.get(names[0])
            if system is None:
                yield f"{said}: there is no system '{names[0]}'"
            elif len(names) == 2 and not own_data and words[0] in PLAYED:
                if names[1] not in [scenario["id"] for scenario in system["scenarios"]]:
                    yield f"{said}: there is no scenario '{names[1]}'"
            elif len(names) == 2 and words[0] in COUNTED:
                if names[1] not in [procedure["name"] for procedure in system["procedures"]]:
                    yield f"{said}: there is no procedure '{names[1]}'"


def main():
    faults = [*broken_in_book(), *broken_outside(), *missing_sources()]
    if len(sys.argv) > 1:
        faults += wrong_commands(sys.argv[1])
    for fault in faults:
        print(fault, file=sys.stderr)
    shown = sum(1 for _ in commands())
    print(f"{sum(1 for _ in BOOK.rglob('*.html'))} pages, {shown} commands shown, {len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
