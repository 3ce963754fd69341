#!/usr/bin/env python3
"""Times what no build of a site can avoid: looking at its files, reading the store, and writing the site's files.

    floor.py STORE SITE

Each line is the fastest of three runs, with one process and with one process per core. The processes do nothing else: the bytes to write are in memory, and the bytes
that were read are discarded. Python's share is small, because every line consists of system calls.
"""

import multiprocessing
import os
import pathlib
import shutil
import sys
import tempfile
import time


def paths(folder):
  return [os.path.join(place, name) for place, _, names in os.walk(folder) for name in names]


def look(files):
  for file in files:
    os.lstat(file)


def read(files):
  for file in files:
    descriptor = os.open(file, os.O_RDONLY)
    while os.read(descriptor, 1 << 20):
      pass
    os.close(descriptor)


def write(work):
  folder, contents = work
  for path, content in contents:
    target = os.path.join(folder, path)
    try:
      descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    except FileNotFoundError:
      os.makedirs(os.path.dirname(target), exist_ok=True)
      descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    os.write(descriptor, content)
    os.close(descriptor)


def seconds(function, parts, before=lambda: None):
  """Returns the seconds of the fastest run. The processes exist, and have their parts of the work, before the time begins."""
  best = float("inf")
  for _ in range(3):
    before()
    barrier = multiprocessing.Barrier(len(parts) + 1)

    def work(part):
      barrier.wait()
      function(part)

    processes = [multiprocessing.Process(target=work, args=(part,)) for part in parts]
    for process in processes:
      process.start()
    barrier.wait()
    start = time.monotonic()
    for process in processes:
      process.join()
      if process.exitcode != 0:
        sys.exit("a process failed")
    best = min(best, time.monotonic() - start)
  return best


def main():
  if len(sys.argv) != 3:
    sys.exit(__doc__)
  multiprocessing.set_start_method("fork")
  store, site = paths(sys.argv[1]), paths(sys.argv[2])
  contents = [(os.path.relpath(file, sys.argv[2]), pathlib.Path(file).read_bytes()) for file in site]
  base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
  work = tempfile.mkdtemp(prefix="threadsite-floor.", dir=base)
  target = os.path.join(work, "site")
  cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()

  def empty():
    shutil.rmtree(target, ignore_errors=True)
    os.mkdir(target)

  def parts(items, count):
    size = -(-len(items) // count)
    return [items[start:start + size] for start in range(0, len(items), size)]

  try:
    print(f"| | files | size | 1 process | {cores} processes |\n|---|---:|---:|---:|---:|")
    for name, files, function, before in [
      ("look at every file of the store and the site", store + site, look, lambda: None),
      ("read the store", store, read, lambda: None),
      ("write the site", contents, write, empty),
    ]:
      if function is write:
        times = [seconds(write, [(target, part) for part in parts(files, count)], before) for count in (1, cores)]
        size = sum(len(content) for _, content in files)
      else:
        times = [seconds(function, parts(files, count), before) for count in (1, cores)]
        size = sum(os.lstat(file).st_size for file in files)
      print(f"| {name} | {len(files):,} | {size / 1e6:.0f} MB | {times[0]:.2f} s | {times[1]:.2f} s |")
  finally:
    shutil.rmtree(work)


if __name__ == "__main__":
  main()
