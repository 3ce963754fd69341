"""Checks the sentences with codespell and proselint, which Tests/Prose/run installs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import texts

EXCEPTIONS = Path(__file__).resolve().parent / "exceptions.txt"
# Common misspellings, rare words that are usually misspellings, words with a usual replacement, and British spellings.
DICTIONARIES = "clear,rare,usage,en-GB_to_en-US"
# The groups of checks that do not suit technical texts. Typography, for example, rejects straight quotation marks.
OFF = ("annotations", "psychology", "restricted", "social_awareness", "typography", "uncomparables", "weasel_words")


class ToolError(Exception):
  """A tool that did not run as expected."""


def installed() -> bool:
  """Whether this Python belongs to a virtual environment with the tools."""
  return all((Path(sys.prefix) / "bin" / name).exists() for name in ("codespell", "proselint"))


def exceptions() -> list[tuple[str, str]]:
  """The pairs of a check and a text in exceptions.txt."""
  lines = [line for line in EXCEPTIONS.read_text("utf-8").splitlines() if line and not line.startswith("#")]
  return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines]


def findings(sentences: list[texts.Sentence]) -> list[tuple[texts.Sentence, str, str]]:
  """Returns every finding with its sentence, the name of the check, and advice. Fails for an exception that no finding needs."""
  known = exceptions()
  used: set[tuple[str, str]] = set()
  found: list[tuple[texts.Sentence, str, str]] = []

  def add(line: int, check: str, text: str, advice: str) -> None:
    sentence = sentences[(line - 1) // 2]
    matching = [entry for entry in known if entry[0] == check and entry[1].lower() in text.lower()]
    used.update(matching)
    if not matching:
      found.append((sentence, check, advice))

  with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "sentences.md"
    # One paragraph per sentence, so that line 2n + 1 has sentence n.
    file.write_text("".join(sentence.text + "\n\n" for sentence in sentences), "utf-8")
    for line, word, advice in codespell(file):
      add(line, "codespell", word, advice)
    for line, check, advice in proselint(file, Path(folder)):
      add(line, check, sentences[(line - 1) // 2].text, advice)
  for entry in known:
    if entry not in used:
      raise ToolError(f"{EXCEPTIONS.name}: no finding needs the exception “{' '.join(entry)}”; remove it")
  return found


def output(*command: str) -> str:
  """Returns the output of a tool; findings make the tools exit with a code other than zero."""
  result = subprocess.run([str(Path(sys.prefix) / "bin" / command[0]), *command[1:]], capture_output=True, text=True)
  if result.stderr.strip():
    raise ToolError(f"{command[0]}: {result.stderr.strip()}")
  return result.stdout


def codespell(file: Path) -> list[tuple[int, str, str]]:
  found = []
  for line in output("codespell", "--builtin", DICTIONARIES, "--disable-colors", str(file)).splitlines():
    match = re.match(r"[^:]+:(\d+): (\S+) ==> (.+)", line)
    if not match:
      raise ToolError(f"codespell: {line}")
    found.append((int(match[1]), match[2], f"write “{match[3]}” instead of “{match[2]}”"))
  return found


def proselint(file: Path, folder: Path) -> list[tuple[int, str, str]]:
  """Returns the findings within single sentences: the check of repeated words also compares adjacent paragraphs."""
  config = folder / "proselint.json"
  config.write_text(json.dumps({"checks": {name: False for name in OFF}, "max_errors": 100000}))
  text = output("proselint", "check", "--config", str(config), "--output-format", "json", str(file))
  found = []
  for result in json.loads(text)["result"].values():
    for finding in result["diagnostics"]:
      if "\n" not in finding["message"]:
        found.append((finding["pos"][0], finding["check_path"].split(".")[0], finding["message"]))
  return found
