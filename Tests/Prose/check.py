#!/usr/bin/env python3
"""Checks the prose of the repository: docs, comments, messages, the interface's English and the names of tests.

  Tests/Prose/check.py                compares with baseline.json
  Tests/Prose/check.py --record       lowers the baseline to the findings of today
  Tests/Prose/check.py --list [TEXT]  prints every finding, or those whose file or pattern contains TEXT
  Tests/Prose/check.py --report       prints the number of findings by kind and pattern, and the length of sentences per page

The baseline has the number of findings per folder and pattern. It only shrinks: a new finding is an error, and so is a number that has
become smaller and was not recorded. Tests/Prose/run also runs codespell and proselint. README.md has the rules.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import patterns
import texts
import tools

ROOT = Path(__file__).resolve().parents[2]
BASELINE = Path(__file__).resolve().parent / "baseline.json"

Finding = tuple[texts.Sentence, str, str]


def findings(sentences: list[texts.Sentence]) -> list[Finding]:
  """Every sentence that matches a pattern, with the pattern's name and its advice."""
  found: list[Finding] = []
  for sentence in sentences:
    if sentence.kind == "test" and " " not in sentence.text:
      if patterns.TEST_NAME.search(sentence.text):
        found.append((sentence, "test-name", "state the behavior: `rejectsEmptyFile`"))
      continue
    for pattern in patterns.PATTERNS:
      if sentence.kind in pattern.kinds and pattern.expression.search(sentence.text):
        found.append((sentence, pattern.name, pattern.advice))
    if sentence.kind == "docs" and sentence.words > patterns.LONGEST_SENTENCE:
      found.append((sentence, "long", f"{sentence.words} words; at most {patterns.LONGEST_SENTENCE}"))
  return found


def group(file: str) -> str:
  """The target or page that a file's findings are counted for."""
  parts = file.split("/")
  return "/".join(parts[:2]) if parts[0] in ("Sources", "Tests") else file


def counts(found: list[Finding]) -> dict[str, dict[str, int]]:
  result: dict[str, dict[str, int]] = {}
  for sentence, name, _ in found:
    row = result.setdefault(group(sentence.file), {})
    row[name] = row.get(name, 0) + 1
  return {key: dict(sorted(result[key].items())) for key in sorted(result)}


def totals(rows: dict[str, dict[str, int]]) -> collections.Counter[str]:
  """The number of findings of each pattern in the whole repository."""
  total: collections.Counter[str] = collections.Counter()
  for row in rows.values():
    total.update(row)
  return total


def line(finding: Finding) -> str:
  sentence, name, advice = finding
  text = sentence.text if len(sentence.text) <= 160 else sentence.text[:157] + "…"
  return f"{sentence.file}:{sentence.line}: {name}: {advice}: {text}"


def compare(found: list[Finding]) -> int:
  now = counts(found)
  before: dict[str, dict[str, int]] = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
  wrong = 0
  for key in sorted({*now, *before}):
    for name in sorted({*now.get(key, {}), *before.get(key, {})}):
      new, old = now.get(key, {}).get(name, 0), before.get(key, {}).get(name, 0)
      if new > old:
        wrong += 1
        print(f"error: {key} has {new} findings of \"{name}\", and may have {old}:", file=sys.stderr)
        for finding in found:
          if group(finding[0].file) == key and finding[1] == name:
            print(f"  {line(finding)}", file=sys.stderr)
      elif new < old:
        wrong += 1
        print(f"error: {key} has {new} findings of \"{name}\" instead of {old}; record it: make check-prose RECORD=1", file=sys.stderr)
  total = sum(sum(row.values()) for row in now.values())
  print(f"{total} findings, all of them in the baseline" if not wrong else f"{total} findings, {wrong} differences from the baseline")
  return 1 if wrong else 0


def record(found: list[Finding]) -> int:
  """Writes the present findings. Fails if a pattern has more findings in total than before; findings may move to another folder with
  their file."""
  now = counts(found)
  if BASELINE.exists():
    before = totals(json.loads(BASELINE.read_text()))
    if any(number > before[name] for name, number in totals(now).items()):
      compare(found)
      return 1
  BASELINE.write_text(json.dumps(now, indent=1, sort_keys=True) + "\n")
  return 0


def report(sentences: list[texts.Sentence], found: list[Finding]) -> None:
  table: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
  for sentence, name, _ in found:
    table[sentence.kind][name] += 1
  for kind in sorted(table):
    row = ", ".join(f"{name} {number}" for name, number in table[kind].most_common())
    print(f"{kind}: {sum(table[kind].values())} ({row})")
  pages: dict[str, list[int]] = collections.defaultdict(list)
  for sentence in sentences:
    # Headings and short cells are not sentences.
    if sentence.kind == "docs" and sentence.text[-1:] in ".!?:" and sentence.words > 2:
      pages[sentence.file].append(sentence.words)
  print("\n| Page | Sentences | Words per sentence | Longest |\n|---|---:|---:|---:|")
  for page in sorted(pages):
    words = pages[page]
    print(f"| {page} | {len(words)} | {sum(words) / len(words):.1f} | {max(words)} |")


def main() -> int:
  parser = argparse.ArgumentParser(prog="Tests/Prose/check.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("--record", action="store_true")
  parser.add_argument("--list", nargs="?", const="", metavar="TEXT")
  parser.add_argument("--report", action="store_true")
  options = parser.parse_args()
  sentences = texts.all_sentences(ROOT)
  found = findings(sentences)
  if tools.installed():
    try:
      found += tools.findings(sentences)
    except tools.ToolError as error:
      sys.exit(f"error: {error}")
  if options.list is not None:
    for finding in found:
      if options.list in finding[0].file or options.list in (finding[1], finding[0].kind):
        print(line(finding))
    return 0
  if options.report:
    report(sentences, found)
    return 0
  return record(found) if options.record else compare(found)


if __name__ == "__main__":
  sys.exit(main())
