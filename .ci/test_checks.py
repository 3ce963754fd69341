#!/usr/bin/env python3
"""Tests of checks.py: the results of steps, the record of passed checks, and the inputs of deep checks."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import checks


class FixedKeys:
  """Keys that need no compiler."""

  def key(self, check: checks.Check) -> str:
    return "key"


class StepTests(unittest.TestCase):
  def step(self, script: str) -> tuple[str, checks.Run, str]:
    """Runs a shell script as a step; returns its result, the run, and the summary."""
    with tempfile.TemporaryDirectory() as folder:
      file = Path(folder, "script")
      file.write_text(script)
      run, output = checks.Run(), io.StringIO()
      with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        result, _ = run.step(checks.Check("sample", f"sh {file}"))
        run.report()
    return result, run, output.getvalue()

  def test_passes_without_notes(self) -> None:
    result, run, summary = self.step("echo fine")
    self.assertEqual(result, checks.PASSED)
    self.assertFalse(run.has_failed)
    self.assertNotIn("Not checked", summary)

  def test_skipped_step_neither_passes_nor_fails(self) -> None:
    result, run, summary = self.step("echo 'SKIPPED: no network' >&2")
    self.assertEqual(result, checks.SKIPPED)
    self.assertFalse(run.has_failed)
    self.assertIn("sample  SKIPPED\n", summary)
    self.assertIn("Not checked:\nsample: SKIPPED: no network\n", summary)

  def test_left_out_part_is_reported_and_passes(self) -> None:
    result, _, summary = self.step("echo 'skipped: completions for fish, which is missing' >&2")
    self.assertEqual(result, checks.PASSED)
    self.assertIn("Not checked:\nsample: skipped: completions for fish, which is missing\n", summary)

  def test_failure_counts_more_than_a_note(self) -> None:
    result, run, _ = self.step("echo 'SKIPPED: no network'; exit 1")
    self.assertEqual(result, checks.FAILED)
    self.assertTrue(run.has_failed)


class RecordTests(unittest.TestCase):
  def recorded(self, result: str) -> dict[str, dict]:
    """The record after a deep check with this result."""
    with tempfile.TemporaryDirectory() as folder:
      record, run = Path(folder, "verified.json"), mock.Mock()
      run.step.return_value = (result, 1.0)
      with mock.patch.multiple(checks, RECORD=record, STARTED=Path(folder, "started.json"), Keys=FixedKeys), contextlib.redirect_stdout(io.StringIO()):
        checks.verify(run, [checks.DEEP[0].name], recording=True)
      return json.loads(record.read_text()) if record.exists() else {}

  def test_passed_check_is_recorded(self) -> None:
    self.assertEqual(self.recorded(checks.PASSED)[checks.DEEP[0].name]["key"], "key")

  def test_skipped_and_failed_checks_are_not_recorded(self) -> None:
    self.assertEqual(self.recorded(checks.SKIPPED), {})
    self.assertEqual(self.recorded(checks.FAILED), {})


class InputTests(unittest.TestCase):
  def paths(self, name: str) -> list[str]:
    """The inputs of a deep check, without those of its targets."""
    check = next(check for check in checks.DEEP if check.name == name)
    with mock.patch.multiple(checks, working_tree=lambda: "", package_targets=lambda: {}, closure=lambda names, targets: set()):
      return checks.Keys().paths(check)

  def test_makefile_is_an_input_of_every_check(self) -> None:
    for check in checks.DEEP:
      self.assertIn("Makefile", self.paths(check.name), check.name)

  def test_files_of_packages_and_of_generated_sites_are_inputs(self) -> None:
    self.assertLessEqual({"README.md", "CHANGELOG.md", "LICENSE"}, set(self.paths("packages")))
    self.assertIn("Benchmarks/generate.py", self.paths("browsers"))


class MarkerTests(unittest.TestCase):
  """Scripts that succeed without their tools must print the line that `Run.step` recognizes."""

  def test_scripts_that_may_be_skipped_print_the_marker(self) -> None:
    for name in ("Tests/Workflows/run", "Tests/Peers/run", "Tests/Peers/servers", "Tests/Prose/run", "Benchmarks/instructions.py"):
      text = (checks.ROOT / name).read_text("utf-8")
      self.assertIn(f'"{checks.SKIPPED_STEP}', text, name)
      self.assertEqual(text.count("SKIPPED"), text.count(f'"{checks.SKIPPED_STEP}') + text.count(f"`{checks.SKIPPED_STEP}"), name)


if __name__ == "__main__":
  unittest.main()
