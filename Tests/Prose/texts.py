"""Finds the prose of the repository and splits it into sentences."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator


@dataclass(frozen=True)
class Sentence:
  """One sentence, with the line on which its paragraph begins."""

  file: str
  line: int
  kind: str
  text: str

  @property
  def words(self) -> int:
    return len(re.findall(r"[^\W_][\w’'./-]*", self.text))


ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|etc|cf|approx|No|St|Dr|Mr|Ms|[A-Z])\.)$")


def sentences(text: str) -> Iterator[str]:
  """Splits a paragraph at a full stop, question mark or exclamation mark that is followed by a space and a capital letter. Semicolons do
  not count."""
  start = 0
  for match in re.finditer(r"[.!?][)”\"'*_`]*\s+(?=[“\"'(*_`\[]*[A-Z0-9])", text):
    if ABBREVIATION.search(text[start:match.start() + 1]):
      continue
    yield text[start:match.end()].strip()
    start = match.end()
  if rest := text[start:].strip():
    yield rest


# --- Markdown

def plain(text: str) -> str:
  """Markdown without link targets, code and emphasis. Code becomes the word `Code`, so that sentences keep their shape."""
  text = re.sub(r"`[^`]*`", "`Code`", text)
  text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
  text = re.sub(r"<[^>]+>", "", text)
  return re.sub(r"(?<!\w)[*_]{1,2}|[*_]{1,2}(?!\w)", "", text)


def markdown(file: str, source: str) -> Iterator[Sentence]:
  """The sentences of paragraphs, list items, headings and table cells."""
  paragraph: list[str] = []
  begin = 0
  fence = ""

  def flush() -> Iterator[Sentence]:
    if paragraph:
      for sentence in sentences(plain(" ".join(paragraph))):
        yield Sentence(file, begin, "docs", sentence)
      paragraph.clear()

  for number, line in enumerate(source.split("\n"), 1):
    stripped = line.strip()
    if fence:
      if stripped.startswith(fence):
        fence = ""
      continue
    if match := re.match(r"(`{3,}|~{3,})", stripped):
      yield from flush()
      fence = match[1]
      continue
    if not stripped or stripped.startswith("<!--") or (line.startswith("    ") and not paragraph):
      yield from flush()
      continue
    if stripped.startswith("|"):
      yield from flush()
      if not re.fullmatch(r"[|\s:-]+", stripped):
        for cell in re.split(r"(?<!\\)\|", stripped.strip("|")):
          for sentence in sentences(plain(cell.strip())):
            yield Sentence(file, number, "docs", sentence)
      continue
    if stripped.startswith("#"):
      yield from flush()
      yield Sentence(file, number, "docs", plain(stripped.lstrip("#").strip()))
      continue
    item = re.match(r"(?:[-*+]|\d+[.)])\s+(.*)", stripped)
    if item or stripped.startswith(">"):
      yield from flush()
      stripped = item[1] if item else stripped.lstrip("> ")
    if not paragraph:
      begin = number
    paragraph.append(stripped)
  yield from flush()


# --- Swift

STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def swift(file: str, source: str) -> Iterator[Sentence]:
  """The sentences of comments; in Sources also strings that are messages, and in Tests the names of tests."""
  comment: list[str] = []
  begin = 0
  isTest = False
  in_code = False

  def flush() -> Iterator[Sentence]:
    if comment:
      for sentence in sentences(plain(" ".join(comment))):
        yield Sentence(file, begin, "comment", sentence)
      comment.clear()

  for number, line in enumerate(source.split("\n"), 1):
    stripped = line.strip()
    if match := re.match(r"//+\s?(.*)", stripped):
      text = match[1]
      if text.startswith("```"):
        in_code = not in_code
        continue
      if in_code or text.startswith("    ") or text.startswith("MARK:") or text.startswith("swift-format"):
        continue
      if not text or re.match(r"[-*] |- Parameter", text):
        yield from flush()
        text = re.sub(r"^[-*] (Parameters?|Returns|Throws|Note)?:?\s*", "", text)
      if not comment:
        begin = number
      if text:
        comment.append(text)
      continue
    yield from flush()
    in_code = False
    if file.startswith("Tests/"):
      if "@Test" in stripped or "@Suite" in stripped:
        isTest = True
        if match := re.search(r'@(?:Test|Suite)\(\s*"([^"]+)"', stripped):
          yield Sentence(file, number, "test", match[1])
      if isTest and (match := re.search(r"\bfunc ([A-Za-z]\w*)", stripped)):
        yield Sentence(file, number, "test", match[1])
        isTest = False
      continue
    for match in STRING.finditer(line):
      text = re.sub(r"\\\((?:[^()]|\([^()]*\))*\)", "x", match[1])
      # Messages are sentences; keys, paths, formats and markup are not.
      if len(text.split()) >= 4 and re.search(r"[a-z]{3,} [a-z]{2,}", text) and not re.search(r"[<>{}=;]|SELECT|CREATE", text):
        for sentence in sentences(text.replace("\\n", " ").replace('\\"', '"')):
          yield Sentence(file, number, "message", plain(sentence))
  yield from flush()


# --- YAML

def strings(file: str, source: str) -> Iterator[Sentence]:
  """The English strings of the interface, and the comments for translators."""
  for number, line in enumerate(source.split("\n"), 1):
    if match := re.match(r"\s*#\s?(.*)", line):
      yield Sentence(file, number, "comment", plain(match[1]))
    elif match := re.match(r"\s+[a-z_]+: (.+)", line):
      for text in re.findall(r'"([^"]*)"', match[1]) or [match[1]]:
        yield Sentence(file, number, "interface", re.sub(r"\{\w+\}", "x", text))


def all_sentences(root: Path) -> list[Sentence]:
  listed = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True)
  found: list[Sentence] = []
  for file in sorted(listed.stdout.splitlines()):
    path = root / file
    if not path.is_file() or "/Fixtures/" in file or file.startswith(("threads/", "site/")):
      continue
    if file.endswith(".md"):
      found += markdown(file, path.read_text("utf-8"))
    elif file.endswith(".swift") and file.startswith(("Sources/", "Tests/", "Examples/")):
      found += swift(file, path.read_text("utf-8"))
    elif file == "templates/strings/en.yml":
      found += strings(file, path.read_text("utf-8"))
  return found
