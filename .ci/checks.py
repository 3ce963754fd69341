#!/usr/bin/env python3
"""Runs the checks of this repository and prints the time of each step.

  .ci/checks.py ci                 the fast checks, then the deep checks that are due (`.ci/run`)
  .ci/checks.py fast               the fast checks only
  .ci/checks.py verify [NAME…]     deep checks, all by default; records those that pass (`make verify`)
  .ci/checks.py verify due         the deep checks that are due
  .ci/checks.py deep NAME…         the named deep checks, without recording them
  .ci/checks.py due [--json]       which deep checks are due, and why

A fast check always runs. A deep check runs when its inputs differ from those that it last passed on. Its key is a digest of its command
and of the git trees of its paths; `.ci/verified.json` records the key, the day and the duration of the last pass. A check that last passed
more than 30 days ago is due again. A check without a record is due. `ci` starts no deep check that would take the deep checks
of one run past 45 minutes: it reports those checks, and the next run starts with them.

A check that cannot install its tools prints a line that begins with `SKIPPED: `, and succeeds. It does not fail the run and is not recorded. The
summary names it, and repeats the parts that other checks left out (`skipped: `).
"""

from __future__ import annotations

import argparse
import collections
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / ".ci" / "verified.json"
# When each check was last started on this machine, whatever its result. It determines the order of the next run. It is a cache and can be deleted.
STARTED = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "threadsite" / "checks.json"
BUDGET = 45 * 60
MAX_AGE = datetime.timedelta(days=30)


@dataclass(frozen=True)
class Check:
  """One step: a `make` target, and the inputs of its result."""

  name: str
  command: str
  # Targets of Package.swift, or ALL_TESTS. Their sources and the sources of all their dependencies are inputs.
  targets: tuple[str, ...] = ()
  # Additional input files and folders.
  paths: tuple[str, ...] = ()
  # The estimated duration on two cores, until a pass is recorded.
  seconds: int = 60


# Steps that all later steps need. The run ends if one of them fails.
BUILDS = (
  Check("build-tests", "make build-tests"),
  Check("build", "make build"),
)
# All steps run one after the other: two compilers at the same time need a quarter more processor time than one after the other.
FAST = (
  Check("setup", "make setup setup-tests"),
  Check("lint", ".ci/checks.py lint"),
  Check("lint-tests", ".ci/test_checks.py"),
  Check("format", "make check-format"),
  Check("prose", "make check-prose"),
  *BUILDS,
  Check("test", "make test"),
  Check("site", "make check-site"),
  Check("pages", "make check-pages"),
)

# Stands for every test target.
ALL_TESTS = "*"
# Files that are run by hand or by a fast check, and are therefore not inputs of a deep check.
NOT_DEEP = ("Tests/Faults", "Tests/Mutation", "Tests/Prose", "Tests/SiteChecks", "Tests/XStubServer", "Tests/in-memory", "Tests/parallel.json")
# The inputs of the sample site.
SITE = ("site.yml", "templates", "themes", "threads")
# The code that determines the contents of pages and how the preview serves them.
PAGES = tuple(
  f"Sources/{name}"
  for name in ("InterfaceText", "Unroll", "Templates", "ThreadMarkdown", "MarkdownHTML", "SearchIndex", "SiteOutput", "SiteWorkspace", "SiteBuild", "SitePreview"))
DEEP = (
  Check(
    "memory", "make test-memory", ("SiteConfigTests", "MarkdownHTMLTests", "HTTPTransportTests", "XNetworkTests", "MastodonNetworkTests"),
    ("Tests/leaks.txt",), 150),
  Check("threads", "make test-threads", ("ProgramTests", "SearchIndexTests", "MediaMirrorTests"), ("Tests/SanitizedLocks", "Tests/races.txt", *SITE), 500),
  Check("fuzz", "make fuzz TIME=60 SEED=20261121", ("fuzz",), ("Tests/Fuzz", "themes/paper/static/search.js"), 280),
  Check("growth", "make test-growth", ("growth",), ("Tests/Growth", "themes/paper/static/search.js", *SITE), 300),
  # Docs are read only by fast tests.
  Check("random", "make test-deep", (ALL_TESTS, "ThreadsiteCLI"), SITE, 1500),
  Check("crash", "make test-crash", ("ProgramTests", "ThreadsiteCLI"), SITE, 120),
  Check("instructions", "make test-instructions", ("ThreadsiteCLI",), ("Benchmarks", *SITE), 120),
  Check(
    "packages", "make test-deb", ("ThreadsiteCLI",), ("Packaging", "Tests/Packages", "docs", "README.md", "CHANGELOG.md", "LICENSE", *SITE), 60),
  Check(
    "wheel", "make test-wheel", ("ThreadsiteCLI",), ("Packaging", "Tests/Wheel", "docs", "README.md", "LICENSE", *SITE), 900),
  Check(
    "workflows", "make check-ci", (),
    ("Tests/Workflows", ".github", "action.yml", "docs/how-to/ci.md", "templates/ci", "Sources/SiteWorkspace/Setup/CIFiles.swift", "Sources/ThreadsiteCLI/Init.swift"), 30),
  Check("browsers", "make test-browser TRY=no", (), ("Tests/Browser", "Benchmarks/generate.py", *PAGES, *SITE), 1100),
  Check("peers", "make test-peers", ("ThreadsiteCLI", "PublishingTests"), ("Tests/Peers",), 120),
)


class ChecksError(Exception):
  """A message for the person who runs the checks: the problem and its solution."""


# --- Inputs

def git(*arguments: str, index: str | None = None) -> str:
  environment = dict(os.environ, **({"GIT_INDEX_FILE": index} if index else {}))
  result = subprocess.run(["git", "-C", str(ROOT), *arguments], env=environment, capture_output=True, text=True)
  if result.returncode:
    raise ChecksError(f"git {' '.join(arguments)}: {result.stderr.strip()}")
  return result.stdout


def working_tree() -> str:
  """Returns the git tree of the current files, committed or not, without ignored files."""
  with tempfile.TemporaryDirectory() as folder:
    index = f"{folder}/index"
    git("read-tree", "HEAD", index=index)
    git("add", "--all", index=index)
    return git("write-tree", index=index).strip()


def package_targets() -> dict[str, dict]:
  """The targets of Package.swift by name, including those that only the deep checks build."""
  environment = dict(os.environ, THREADSITE_DEEP="1")
  # A separate scratch folder, because a running build would hold the lock of .build.
  with tempfile.TemporaryDirectory() as scratch:
    command = ["swift", "package", "--scratch-path", scratch, "dump-package"]
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
  if result.returncode:
    raise ChecksError(f"swift package dump-package: {result.stderr.strip()}")
  return {target["name"]: target for target in json.loads(result.stdout)["targets"]}


def closure(names: tuple[str, ...], targets: dict[str, dict]) -> set[str]:
  """Returns the folders of targets and of all their dependencies."""
  tests = [name for name, target in targets.items() if target["type"] == "test"] if ALL_TESTS in names else []
  queue, seen, folders = [*tests, *(name for name in names if name != ALL_TESTS)], set(), set()
  while queue:
    name = queue.pop()
    if name in seen:
      continue
    seen.add(name)
    if name not in targets:
      raise ChecksError(f"Package.swift has no target {name}, which .ci/checks.py names")
    target = targets[name]
    folders.add(target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}")
    for dependency in target["dependencies"]:
      for kind in ("target", "byName"):
        if kind in dependency and dependency[kind][0] in targets:
          queue.append(dependency[kind][0])
  return folders


class Keys:
  """The keys of deep checks for the current files."""

  def __init__(self) -> None:
    self._tree = working_tree()
    self.targets = package_targets()
    # A change of a manifest or of the flags of a build can affect any check.
    self._always = ("Package.swift", "Makefile")

  def paths(self, check: Check) -> list[str]:
    """Every input of a check, sorted."""
    paths = {*check.paths, *closure(check.targets, self.targets), *self._always}
    return sorted(path for path in paths if not any(path.startswith(other + "/") for other in paths))

  def key(self, check: Check) -> str:
    paths = self.paths(check)
    rows = git("ls-tree", self._tree, "--", *paths).splitlines()
    found = {row.split("\t", 1)[1]: row.split("\t", 1)[0] for row in rows}
    if missing := [path for path in paths if path not in found]:
      raise ChecksError(f".ci/checks.py: the check {check.name} lists {missing[0]}, which does not exist")
    text = check.command + "\n" + "\n".join(f"{found[path]} {path}" for path in paths)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


# --- Due checks

def record() -> dict[str, dict]:
  return json.loads(RECORD.read_text()) if RECORD.exists() else {}


def today() -> datetime.date:
  return datetime.datetime.now(datetime.timezone.utc).date()


def reason(check: Check, key: str, passed: dict[str, dict]) -> str | None:
  """Returns the reason why a check is due; `None` if it is not."""
  last = passed.get(check.name)
  if not last:
    return "it has never passed"
  if last["key"] != key:
    return f"its inputs changed since {last['date']}"
  if today() - datetime.date.fromisoformat(last["date"]) > MAX_AGE:
    return f"it last passed on {last['date']}"
  return None


def started() -> dict[str, float]:
  try:
    return json.loads(STARTED.read_text())
  except (OSError, ValueError):
    return {}


def note_start(check: Check) -> None:
  """Records that a check was started; a machine without a home folder has no such record."""
  try:
    STARTED.parent.mkdir(parents=True, exist_ok=True)
    STARTED.write_text(json.dumps({**started(), check.name: time.time()}))
  except OSError:
    pass


def due() -> list[tuple[Check, str]]:
  """Returns the due checks with the reasons; the checks whose last start is longest ago come first."""
  keys, passed = Keys(), record()
  rows = [(check, why) for check in DEEP if (why := reason(check, keys.key(check), passed))]
  times = started()
  return sorted(rows, key=lambda row: (times.get(row[0].name, 0), passed.get(row[0].name, {}).get("date", "")))


# --- Running

class Failures:
  """The lines with failures in the output of a step."""

  # Lines with failures in the output of tests, and in the output of other steps. Arguments of tests contain expected errors.
  ISSUE = re.compile(r"^✘ .* at (\S+\.swift:\d+)")
  FAILED_TEST = re.compile(r"^(✘|\*\*\* )")
  FAILED = re.compile(r"error:|FAIL")
  EXPECTED = re.compile(r"→|^[◇✔✘]")
  # The first and the last line of a sanitizer's report, and the number of its lines to repeat. The most important lines come first.
  SANITIZER = re.compile(r"^(==\d+==\s*)?(WARNING|ERROR): \w+Sanitizer")
  SUMMARY = re.compile(r"^SUMMARY: \w+Sanitizer")
  REPORT = 25
  # The seed of random tests, which repeats the run.
  SEED = re.compile(r"^THREADSITE_SEED=")
  # The maximum number of reported issues of one line of a test, and of lines of the step.
  REPEATS = 3
  LINES = 60

  def __init__(self) -> None:
    self._seed: list[str] = []
    self._lines: collections.deque[str] = collections.deque(maxlen=self.LINES)
    self._counts: collections.Counter[str] = collections.Counter()
    self._is_described = False
    # The number of lines of the current report, before its summary; 0 outside of a report.
    self._report = 0

  @property
  def lines(self) -> list[str]:
    return self._seed + list(self._lines) if self._lines else []

  def read(self, line: str) -> None:
    if self._report or self.SANITIZER.match(line):
      self._report += 1
      is_last = self.SUMMARY.match(line)
      if is_last or (line.strip() and self._report <= self.REPORT):
        self._lines.append(line)
      if is_last:
        self._report = 0
      return
    # Explanations of an issue are on the lines after it.
    if line.startswith("↳"):
      if self._is_described:
        self._lines.append(line)
      return
    self._is_described = False
    if self.SEED.match(line):
      self._seed = [line]
    elif issue := self.ISSUE.match(line):
      self._counts[issue[1]] += 1
      if self._counts[issue[1]] <= self.REPEATS:
        self._is_described = True
        self._lines.append(line)
    elif self.FAILED_TEST.match(line) or (self.FAILED.search(line) and not self.EXPECTED.search(line)):
      self._lines.append(line)


# The results of a step.
PASSED, SKIPPED, FAILED = "passed", "SKIPPED", "FAILED"
# A line about a step that could not run, and about a part that was left out.
SKIPPED_STEP, SKIPPED_PART = "SKIPPED: ", "skipped: "


class Run:
  """The steps of one run: their times, failures and skipped checks."""

  def __init__(self) -> None:
    self._begin = time.monotonic()
    self._rows: list[tuple[str, float, float, str]] = []
    self._failures: list[str] = []
    self._skipped: list[str] = []

  @property
  def has_failed(self) -> bool:
    return any(result == FAILED for _, _, _, result in self._rows)

  def step(self, check: Check) -> tuple[str, float]:
    """Runs one step and prints its output. Returns its result, and its duration in seconds."""
    print(f"\n=== {check.name}: {check.command}", flush=True)
    begin = time.monotonic()
    failures = Failures()
    skipped: list[str] = []
    process = subprocess.Popen(
      check.command.split(), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
      errors="replace")
    for line in process.stdout or ():
      sys.stdout.write(line)
      sys.stdout.flush()
      failures.read(line.rstrip("\n")[:1000])
      if line.startswith((SKIPPED_STEP, SKIPPED_PART)):
        skipped.append(line.rstrip("\n")[:1000])
    # `wait4` also returns the processor time of the process and of those it waited for.
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    # `make` and scripts with several parts do not pass an exit code on, so a skipped step is recognized by its output.
    result = FAILED if process.returncode else SKIPPED if any(line.startswith(SKIPPED_STEP) for line in skipped) else PASSED
    seconds = time.monotonic() - begin
    self._rows.append((check.name, seconds, usage.ru_utime + usage.ru_stime, result))
    self._skipped += [f"{check.name}: {line}" for line in skipped]
    if result == FAILED:
      self._failures += [f"{check.name}: {line}" for line in [*failures.lines, f"exit code {process.returncode}"]]
    return result, seconds

  def report(self) -> None:
    """Prints the time of each step, and repeats what was skipped and the failures."""
    print("\nTime and processor time of each step, in seconds:")
    for name, seconds, processors, result in self._rows:
      print(f"{seconds:7.0f} {processors:7.0f}  {name}{'' if result == PASSED else '  ' + result}")
    print(f"{time.monotonic() - self._begin:7.0f} {sum(row[2] for row in self._rows):7.0f}  in total", flush=True)
    if self._skipped:
      print("\nNot checked:\n" + "\n".join(self._skipped), flush=True)
    if self.has_failed:
      print("\nFailures:\n" + "\n".join(self._failures), file=sys.stderr, flush=True)


def run_fast(run: Run) -> None:
  for check in FAST:
    result, _ = run.step(check)
    if result == FAILED and check in BUILDS:
      break


def run_due(run: Run) -> None:
  """Runs the due checks that fit into the budget, and reports the others."""
  passed, spent = record(), 0.0
  rows = due()
  for check, why in rows:
    print(f"due: {check.name}, because {why}")
  left = []
  for check, _ in rows:
    expected = passed.get(check.name, {}).get("seconds", check.seconds)
    # The first check always runs, so that a check longer than the budget also runs.
    if spent and spent + expected > BUDGET:
      left.append(check.name)
      continue
    note_start(check)
    spent += run.step(check)[1]
  if left:
    print(f"\nNOT RUN: {', '.join(left)}. These deep checks are due but exceed the {BUDGET // 60} minutes of one run; the next run starts with them.")


def verify(run: Run, names: list[str], recording: bool) -> None:
  known = {check.name: check for check in DEEP}
  if names == ["due"]:
    names = [check.name for check, _ in due()]
    print(f"due: {', '.join(names) or 'nothing'}")
  elif unknown := [name for name in names if name not in known]:
    raise ChecksError(f"no deep check is called {unknown[0]}; there are {', '.join(known)}")
  else:
    names = names or list(known)
  for name in names:
    key = Keys().key(known[name])
    note_start(known[name])
    result, seconds = run.step(known[name])
    if result == SKIPPED and recording:
      print(f"{name} was skipped: it is not recorded, and stays due.")
    if result != PASSED or not recording:
      continue
    if Keys().key(known[name]) != key:
      print(f"{name} passed, but its inputs changed while it ran: it is not recorded.")
      continue
    rows = {**record(), name: {"key": key, "date": today().isoformat(), "seconds": round(seconds)}}
    RECORD.write_text(json.dumps(dict(sorted(rows.items())), indent=2) + "\n")


# --- The list itself

# An import of a module in Swift, with its access level and attributes.
IMPORT = re.compile(r"^(?:@\w+ |package |public |internal |private |fileprivate )*import (?:struct |class |enum |func |protocol )?(\w+)", re.MULTILINE)


def undeclared_imports(targets: dict[str, dict]) -> list[str]:
  """Returns imports of targets that Package.swift does not list as direct dependencies. The compiler accepts indirect dependencies."""
  errors = []
  for name, target in targets.items():
    declared = {name} | {dependency[kind][0] for dependency in target["dependencies"] for kind in ("target", "byName") if kind in dependency}
    folder = ROOT / (target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{name}")
    for file in sorted(folder.rglob("*.swift")):
      for match in IMPORT.finditer(file.read_text("utf-8")):
        if match[1] in targets and match[1] not in declared:
          errors.append(f"error: {file.relative_to(ROOT)}: {name} imports {match[1]}, which Package.swift does not list among its dependencies")
  return errors


def lint() -> int:
  """Checks that the list is complete: all paths and `make` targets exist, and every source, test and template is an input of a deep check, or of
  NOT_DEEP. Also checks that targets import only their declared dependencies."""
  keys = Keys()
  covered = set()
  for check in DEEP:
    keys.key(check)
    covered.update(keys.paths(check))
  files = git("ls-files", "Sources", "Tests", "templates", "themes", "threads", "Packaging", "Benchmarks", ".github").splitlines()
  covered.update(NOT_DEEP)
  undeclared = undeclared_imports(keys.targets)
  for error in undeclared:
    print(error, file=sys.stderr)
  missing = [file for file in files if not any(file == path or file.startswith(path + "/") for path in covered)]
  for file in missing:
    print(f"error: {file} is an input of no deep check; add it to one in .ci/checks.py", file=sys.stderr)
  makefile = (ROOT / "Makefile").read_text()
  for check in (*FAST, *DEEP):
    words = check.command.split()
    if words[0] == "make" and not re.search(rf"(?m)^{re.escape(words[1])}:", makefile):
      print(f"error: the Makefile has no target {words[1]}, which the check {check.name} runs", file=sys.stderr)
      missing.append(words[1])
  print(f"{len(DEEP)} deep checks, {len(FAST)} fast checks, {len(files)} files")
  return 1 if missing or undeclared else 0


def main(arguments: list[str]) -> int:
  parser = argparse.ArgumentParser(prog=".ci/checks.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("mode", choices=["ci", "fast", "verify", "deep", "due", "lint"])
  parser.add_argument("names", nargs="*", metavar="NAME")
  parser.add_argument("--json", action="store_true", help="print the names of the due checks as a JSON array")
  options = parser.parse_args(arguments)
  if options.names and options.mode not in ("verify", "deep"):
    parser.error(f"{options.mode} takes no names")
  if options.mode == "lint":
    return lint()
  if options.mode == "due":
    rows = due()
    if options.json:
      print(json.dumps([check.name for check, _ in rows]))
    else:
      for check, why in rows:
        print(f"{check.name}: {why}")
    return 0
  run = Run()
  try:
    if options.mode in ("ci", "fast"):
      run_fast(run)
    if options.mode == "ci" and not run.has_failed:
      run_due(run)
    if options.mode in ("verify", "deep"):
      verify(run, options.names, recording=options.mode == "verify")
  finally:
    run.report()
  return 1 if run.has_failed else 0


if __name__ == "__main__":
  try:
    sys.exit(main(sys.argv[1:]))
  except ChecksError as error:
    sys.exit(f"error: {error}")
