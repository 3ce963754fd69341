#!/usr/bin/env python3
"""Counts the instructions of everyday commands with callgrind, and compares them with the counts of instructions.json.

    instructions.py THREADSITE [--record]

Unlike time, the number of instructions is the same on a busy machine and on an idle one, so a change that makes the program slower is detected at once. A count
more than 5 % above the recorded one is an error; one more than 5 % below should be recorded. --record writes the new counts.
Counts are valid for one compiler and one C library on one kind of processor. Elsewhere, counts are not compared, and the script prints `SKIPPED: `
with the reason, as .ci/checks.py expects it.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = HERE / "instructions.json"
THREADS = 150
MARGIN = 0.05


def count(command, folder):
  """Returns the instructions of a command, which must succeed."""
  # Hashes have a fixed seed, so that every run does the same.
  environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1", TMPDIR=str(folder))
  result = subprocess.run(
    ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], env=environment, capture_output=True, text=True)
  found = re.search(r"Collected : (\d+)", result.stderr)
  if result.returncode != 0 or not found:
    sys.exit(f"{' '.join(command)}\nended with status {result.returncode}:\n{result.stderr}")
  return int(found.group(1))


def measure(binary, work):
  sys.path.insert(0, str(HERE))
  import edits

  site = work / "site"
  subprocess.run([sys.executable, HERE / "generate.py", site, "--threads", str(THREADS)], check=True, stdout=subprocess.DEVNULL)
  edits.answers(work / "answers", THREADS)
  (work / "empty").mkdir()
  (work / "empty" / "site.yml").write_text("title: Imported\n")
  build = [binary, "build", "--config", str(site / "site.yml"), "--jobs", "1", "--quiet"]
  counts = {"version": count([binary, "--version"], work), "build": count(build, work)}
  # Wait until new files are older than a grain of the clock, as if a person had written them.
  time.sleep(0.1)
  counts["build again"] = count(build, work)
  edited = sorted((site / "threads").glob("*/*/*.json"))[THREADS // 2]
  conversation = json.loads(edited.read_text())
  conversation["posts"][3]["text"] += " Edited."
  edited.write_text(json.dumps(conversation, indent=2, ensure_ascii=False) + "\n")
  time.sleep(0.1)
  counts["build after one edit"] = count(build, work)
  edits.add_thread(site, THREADS, work / "more")
  time.sleep(0.1)
  counts["build after a new thread"] = count(build, work)
  # Every page contains the name of the style sheet, which changes with its content.
  sheet = site / "themes" / "paper" / "static" / "style.css"
  sheet.parent.mkdir(parents=True)
  sheet.write_bytes((HERE.parent / "themes" / "paper" / "static" / "style.css").read_bytes())
  time.sleep(0.1)
  subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
  sheet.write_bytes(sheet.read_bytes() + b"\n.edited { color: red }\n")
  time.sleep(0.1)
  counts["build after a style sheet"] = count(build, work)
  counts["import"] = count(
    [binary, "import", "--config", str(work / "empty" / "site.yml"), str(work / "answers"), "--quiet"], work)
  return counts


def machine():
  """Returns the inputs of the counts besides the program: its compiler, the C library, and the properties by which the C library chooses its code."""
  version = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
  found = re.search(r"Swift version (\S+)", version)
  flags = pathlib.Path("/proc/cpuinfo").read_text() if os.path.exists("/proc/cpuinfo") else ""
  extensions = " ".join(name for name in ["avx", "avx2", "erms"] if re.search(rf"\b{name}\b", flags))
  return f"Swift {found.group(1) if found else '?'}, {' '.join(platform.libc_ver())}, {platform.machine()} {extensions}"


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("threadsite")
  parser.add_argument("--record", action="store_true")
  options = parser.parse_args()
  if not shutil.which("valgrind"):
    print("SKIPPED: instructions are not counted, because valgrind is missing (apt-get install valgrind).")
    return
  base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
  with tempfile.TemporaryDirectory(prefix="threadsite-instructions.", dir=base) as work:
    counts = measure(options.threadsite, pathlib.Path(work))
  known = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
  place = machine()
  if options.record:
    FIGURES.write_text(json.dumps({"of": place, "threads": THREADS, "instructions": counts}, indent=2) + "\n")
  elif known.get("of") != place:
    print(f"SKIPPED: instructions are not compared, because the recorded ones are of {known.get('of')}, and this is {place}.")
    known = {}
  failed = False
  for name, number in counts.items():
    before = known.get("instructions", {}).get(name)
    change = f"{100 * (number / before - 1):+.1f} %" if before else "not recorded"
    print(f"{name}: {number / 1e6:,.1f} million instructions ({change})")
    if before and not options.record and number > before * (1 + MARGIN):
      print(f"error: {name} takes more than a twentieth more instructions than recorded in Benchmarks/instructions.json; make it cheaper, or record it with the reason.")
      failed = True
  sys.exit(1 if failed else 0)


if __name__ == "__main__":
  main()
