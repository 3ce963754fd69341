#!/usr/bin/env python3
"""Times commands that write sites: in turn, several times, and prints a table of medians.

    measure.py RUNS NAME OUTPUT COMMAND [NAME OUTPUT COMMAND]…

Before each run, OUTPUT is removed, which is not timed. The first run of each command is not counted. The command is split like in a shell,
but no shell is started, so that only the program's own time and memory are measured. Ratios are relative to the first name.
"""

import os
import shlex
import shutil
import statistics
import sys
import time


def run(command, output):
  """Runs the command. Returns seconds, processor seconds, and the peak memory in bytes."""
  shutil.rmtree(output, ignore_errors=True)
  arguments = shlex.split(command)
  start = time.monotonic()
  process = os.posix_spawnp(
    arguments[0], arguments, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
  _, status, usage = os.wait4(process, 0)
  seconds = time.monotonic() - start
  if status != 0:
    sys.exit(f"{command}\nended with status {os.waitstatus_to_exitcode(status)}")
  # Kilobytes on Linux, bytes on macOS (getrusage).
  memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
  return seconds, usage.ru_utime + usage.ru_stime, memory


def count(output):
  """Returns the numbers of pages, files and bytes of a site."""
  pages = files = size = 0
  for folder, _, names in os.walk(output):
    for name in names:
      files += 1
      pages += name.endswith(".html")
      size += os.path.getsize(os.path.join(folder, name))
  return pages, files, size


def main():
  if len(sys.argv) < 5 or (len(sys.argv) - 2) % 3:
    sys.exit(__doc__)
  runs = int(sys.argv[1])
  sites = [tuple(sys.argv[at:at + 3]) for at in range(2, len(sys.argv), 3)]
  load = os.getloadavg()[0]
  cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
  results = {name: [] for name, _, _ in sites}
  for index in range(runs + 1):
    for name, output, command in sites:
      result = run(command, output)
      if index:
        results[name].append(result)
      print(f"{'warm-up' if index == 0 else f'run {index}'}: {name} {result[0]:.2f} s", file=sys.stderr)
  print(f"{cores} cores, load {load:.1f} before the first run, {runs} runs each, in turn; medians.\n")
  print("| | seconds | fastest–slowest | ratio | processor seconds | peak memory | pages | files | size |")
  print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
  base = statistics.median(result[0] for result in results[sites[0][0]])
  for name, output, _ in sites:
    seconds = [result[0] for result in results[name]]
    median = statistics.median(seconds)
    pages, files, size = count(output)
    print(
      f"| {name} | {median:.2f} | {min(seconds):.2f}–{max(seconds):.2f} | {median / base:.2f} "
      f"| {statistics.median(result[1] for result in results[name]):.2f} "
      f"| {max(result[2] for result in results[name]) / 1e6:.0f} MB | {pages:,} | {files:,} | {size / 1e6:.0f} MB |")


if __name__ == "__main__":
  main()
