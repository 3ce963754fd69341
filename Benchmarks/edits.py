#!/usr/bin/env python3
"""Times everyday changes to a site that has been built, and prints a table of medians.

    edits.py THREADSITE [--threads N] [--runs N] [--keep]

A store of generated threads (generate.py) is built once. Then, in turn and several times, these are timed: a build without changes, a build after one post's
text was changed, after one thread's title was changed in site.yml, after a thread was added that is newer than all others and after one that is older than some, after the
theme's style sheet was changed, a full build (--no-cache), and the import of one saved response per thread into an empty store. Each run makes a different change. All files are in memory (/dev/shm) if that folder exists.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def answers(folder, count):
  """Writes saved responses of X's API, version 2: one file per thread of twelve posts."""
  folder.mkdir()
  words = "river window lantern harbour stone paper letter morning summer copper valley orchard silver the a of to and in".split()
  for number in range(count):
    numbers = random.Random(number)
    root, author = 10**18 + number * 1000, str(1000 + number % 223)
    posts = []
    for place in range(12):
      post = {
        "id": str(root + place), "text": " ".join(numbers.choices(words, k=numbers.randint(20, 40))), "author_id": author,
        "conversation_id": str(root), "created_at": f"2024-03-{1 + number % 28:02}T{place:02}:{number % 60:02}:00.000Z",
        "lang": "en", "edit_history_tweet_ids": [str(root + place)],
        "public_metrics": {"retweet_count": number % 9, "reply_count": place, "like_count": number % 77, "quote_count": 0},
      }
      if place:
        post["in_reply_to_user_id"] = author
        post["referenced_tweets"] = [{"type": "replied_to", "id": str(root + place - 1)}]
      posts.append(post)
    users = [{"id": author, "name": f"User {author}", "username": f"user{author}"}]
    (folder / f"{number:06}.json").write_text(
      json.dumps({"data": posts, "includes": {"users": users}, "meta": {"result_count": 12}}))


def add_thread(site, number, folder, others=()):
  """Adds the generated thread with a number to a site that has the threads before it, except for some files."""
  subprocess.run([sys.executable, HERE / "generate.py", folder, "--threads", str(number + 1)], check=True, stdout=subprocess.DEVNULL)
  for file in (folder / "threads").glob("*/*/*.json"):
    target = site / file.relative_to(folder)
    if not target.exists() and target not in others:
      target.parent.mkdir(parents=True, exist_ok=True)
      shutil.copy(file, target)
  shutil.rmtree(folder)


def run(arguments):
  """Returns seconds, processor seconds, and the peak memory in bytes."""
  # Wait until new files are older than a grain of the clock, as if a person had written them.
  time.sleep(0.1)
  start = time.monotonic()
  process = os.posix_spawnp(arguments[0], arguments, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
  _, status, usage = os.wait4(process, 0)
  seconds = time.monotonic() - start
  if status != 0:
    sys.exit(f"{' '.join(arguments)}\nended with status {os.waitstatus_to_exitcode(status)}")
  return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("threadsite")
  parser.add_argument("--threads", type=int, default=10_000)
  parser.add_argument("--runs", type=int, default=5)
  parser.add_argument("--keep", action="store_true", help="leave what was written where it is, and say where")
  options = parser.parse_args()
  base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
  work = pathlib.Path(tempfile.mkdtemp(prefix="threadsite-edits.", dir=base))
  try:
    measure(options, work)
  finally:
    if options.keep:
      print(f"in {work}", file=sys.stderr)
    else:
      shutil.rmtree(work)


def measure(options, work):
  site = work / "site"
  subprocess.run([sys.executable, HERE / "generate.py", site, "--threads", str(options.threads)], check=True, stdout=subprocess.DEVNULL)
  configuration = site / "site.yml"
  shutil.copytree(HERE.parent / "themes" / "paper" / "static", site / "themes" / "own" / "static")
  (site / "themes" / "own" / "theme.yml").write_text("name: own\nextends: paper\n")
  plain = re.sub(r"(?m)^theme:.*\n", "", configuration.read_text()) + "theme: own\n"
  configuration.write_text(plain)
  # The newest threads are added later. The names of files are ids of posts, which grow with time.
  threads = sorted((site / "threads").glob("*/*/*.json"), key=lambda file: int(file.stem))
  threads, newest = threads[:-options.runs], threads[-options.runs:]
  for file in newest:
    file.rename(work / file.name)
  build = [options.threadsite, "build", "--config", str(configuration), "--quiet"]

  def text(number):
    file = threads[number * 37 % len(threads)]
    conversation = json.loads(file.read_text())
    conversation["posts"][3]["text"] += f" Edited {number}."
    file.write_text(json.dumps(conversation, indent=2, ensure_ascii=False) + "\n")

  def title(number):
    thread = json.loads(threads[number * 41 % len(threads)].read_text())
    configuration.write_text(
      plain + f"threads:\n  - url: https://x.com/i/status/{thread['id'].split('/')[-1]}\n    title: Edited {number}\n")

  def style(number):
    sheet = site / "themes" / "own" / "static" / "style.css"
    sheet.write_text(sheet.read_text() + f"\n.edited-{number} {{ color: red }}\n")

  def added(number):
    (work / newest[number - 1].name).rename(newest[number - 1])

  def inserted(number):
    add_thread(site, options.threads + number - 1, work / "more", newest)

  steps = [
    ("no change", lambda number: None, build), ("one post's text", text, build), ("one thread's title", title, build), ("one new thread", added, build),
    ("one new thread, older than others", inserted, build), ("the style sheet", style, build), ("a full build", lambda number: None, build + ["--no-cache"]),
  ]
  load = os.getloadavg()[0]
  results = {"the first build": [run(build)]}
  for number in range(1, options.runs + 1):
    # A build with --no-cache deletes the cache.
    if number > 1:
      run(build)
    for name, change, command in steps:
      change(number)
      results.setdefault(name, []).append(run(command))
  answers(work / "answers", options.threads)
  for number in range(options.runs):
    store = work / f"import-{number}"
    store.mkdir()
    (store / "site.yml").write_text("title: Imported\n")
    results.setdefault(f"import of {options.threads:,} files", []).append(
      run([options.threadsite, "import", "--config", str(store / "site.yml"), str(work / "answers"), "--quiet"]))
    shutil.rmtree(store)
  cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
  print(f"{options.threads:,} threads, {cores} cores, load {load:.1f} before the first run, {options.runs} runs each, in turn; medians.\n")
  print("| | seconds | fastest–slowest | processor seconds | peak memory |")
  print("|---|---:|---:|---:|---:|")
  for name, runs in results.items():
    seconds = [result[0] for result in runs]
    print(
      f"| {name} | {statistics.median(seconds):.2f} | {min(seconds):.2f}–{max(seconds):.2f} "
      f"| {statistics.median(result[1] for result in runs):.2f} | {max(result[2] for result in runs) / 1e6:.0f} MB |")


if __name__ == "__main__":
  main()
