#!/usr/bin/env python3
"""Times edits in a running preview: from the saved file to the changed response of the preview's server.

    watch.py THREADSITE HUGO [--threads N] [--runs N]

`threadsite serve` and `hugo server` run one after the other, each with the same generated threads (generate.py). In each run, one post's text of another thread is
changed, then the title of the newest thread, then the style sheet. After a changed text, the thread's page is requested until the response contains the change; after
a changed title, the home page; after a changed style sheet, the style sheet that the home page names. Hugo serves from memory and renders only the pages that it
considers changed (its default). HUGO may be "none".
"""

import argparse
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
# The pause between two requests, and after each change, in seconds. Programs may wait for further changes before they rebuild.
PAUSE, REST, PATIENCE = 0.002, 3, 120


def free_port():
  with socket.socket() as one:
    one.bind(("127.0.0.1", 0))
    return one.getsockname()[1]


class Preview:
  """A running server, and the requests to it."""

  def __init__(self, port):
    self._port = port

  def get(self, path):
    """Returns the body of a response; an empty one if there is no response or the file is missing."""
    connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
    try:
      connection.request("GET", path)
      response = connection.getresponse()
      body = response.read()
      return body.decode(errors="replace") if response.status == 200 else ""
    except OSError:
      return ""
    finally:
      connection.close()

  def until(self, path, text):
    """Waits until the response contains a text. Returns the seconds."""
    start = time.monotonic()
    while time.monotonic() - start < PATIENCE:
      if text in self.get(path):
        return time.monotonic() - start
      time.sleep(PAUSE)
    sys.exit(f"{path}: no {text!r} after {PATIENCE} seconds")


@contextlib.contextmanager
def serving(arguments, port, first):
  """Starts a server. Yields its preview and the seconds until the home page contains a text."""
  process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
  preview = Preview(port)
  try:
    yield preview, preview.until("/", first)
  finally:
    process.terminate()
    process.wait()


def sheet(preview):
  """Returns the path of the style sheet that the home page refers to."""
  return re.search(r'href="?([^">]*\.css)', preview.get("/"))[1].removeprefix(".").replace("https://bench.example", "")


def save(file, text):
  """Replaces a file, as editors do."""
  other = file.with_name("." + file.name + ".new")
  other.write_text(text, "utf-8")
  other.rename(file)


def threadsite(program, site, runs):
  """Returns the seconds of each kind of change in a preview of threadsite, by its name."""
  port, results = free_port(), {}
  (site / "themes" / "own" / "static").mkdir(parents=True)
  (site / "themes" / "own" / "theme.yml").write_text("name: own\nextends: paper\n")
  style = site / "themes" / "own" / "static" / "style.css"
  shutil.copy(HERE.parent / "themes" / "paper" / "static" / "style.css", style)
  configuration = site / "site.yml"
  plain = configuration.read_text().replace("theme: paper", "theme: own")
  configuration.write_text(plain)
  # The newest thread is on the home page.
  files = sorted((site / "threads").glob("*/*/*.json"), key=lambda file: int(file.stem))
  with serving([program, "serve", "--config", str(configuration), "--port", str(port), "--quiet"], port, "A benchmark") as (preview, first):
    results["start"] = [first]
    newest = files[-1]
    for number in range(runs):
      file = files[len(files) // 2 + number * 37]
      conversation = json.loads(file.read_text())
      page = page_of(site, file)
      time.sleep(REST)
      conversation["posts"][3]["text"] += f" Edited {number}."
      save(file, json.dumps(conversation, indent=2, ensure_ascii=False) + "\n")
      results.setdefault("one post's text: the page", []).append(preview.until(page, f"Edited {number}."))
      time.sleep(REST)
      save(configuration, f"{plain}threads:\n  - url: https://x.com/i/status/{newest.stem}\n    title: Renamed {number}\n")
      results.setdefault("one title: the home page", []).append(preview.until("/", f"Renamed {number}"))
      time.sleep(REST)
      save(style, style.read_text() + f"\n.edited-{number} {{ color: red }}\n")
      start = time.monotonic()
      while f"edited-{number}" not in preview.get(sheet(preview)):
        time.sleep(PAUSE)
      results.setdefault("the style sheet", []).append(time.monotonic() - start)
  return results


def page_of(site, file):
  """Returns the path of a thread's page. The preview builds the site in `.threadsite/preview/site`."""
  output = site / ".threadsite" / "preview" / "site"
  page = next(output.glob(f"x/{file.parent.name}/*{file.stem}"))
  return f"/{page.relative_to(output)}/"


def hugo(program, site, runs):
  """Returns the same for Hugo's server."""
  port, results = free_port(), {}
  files = sorted((site / "content" / "threads").glob("*/*.md"), key=lambda file: int(file.stem))
  style = next((site / "static").rglob("*.css"))
  with serving(
    [program, "server", "--source", str(site), "--port", str(port), "--baseURL", f"http://127.0.0.1:{port}/", "--renderToMemory", "--noBuildLock", "--quiet"],
    port, "<html") as (preview, first):
    results["start"] = [first]
    newest = files[-1]
    for number in range(runs):
      file = files[len(files) // 2 + number * 37]
      time.sleep(REST)
      save(file, file.read_text() + f"\nEdited {number}.\n")
      page = f"/threads/{file.parent.name}/{file.stem}/"
      results.setdefault("one post's text: the page", []).append(preview.until(page, f"Edited {number}."))
      time.sleep(REST)
      save(newest, re.sub(r'(?m)^title.*$', f'title: "Renamed {number}"', newest.read_text(), count=1))
      results.setdefault("one title: the home page", []).append(preview.until("/", f"Renamed {number}"))
      time.sleep(REST)
      save(style, style.read_text() + f"\n.edited-{number} {{ color: red }}\n")
      results.setdefault("the style sheet", []).append(preview.until("/" + str(style.relative_to(site / "static")), f"edited-{number}"))
  return results


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("threadsite")
  parser.add_argument("hugo")
  parser.add_argument("--threads", type=int, default=10_000)
  parser.add_argument("--runs", type=int, default=5)
  options = parser.parse_args()
  base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
  load = os.getloadavg()[0]
  with tempfile.TemporaryDirectory(prefix="threadsite-watch.", dir=base) as work:
    ours, theirs = pathlib.Path(work, "ours"), pathlib.Path(work, "hugo")
    generate = [sys.executable, HERE / "generate.py", ours, "--threads", str(options.threads), "--hugo", theirs]
    subprocess.run(generate, check=True, stdout=subprocess.DEVNULL)
    results = {"threadsite": threadsite(options.threadsite, ours, options.runs)}
    if options.hugo != "none":
      results["Hugo"] = hugo(options.hugo, theirs, options.runs)
  print(f"{options.threads:,} threads, load {load:.1f} before the first run, {options.runs} runs each; medians.\n")
  print("| seconds | " + " | ".join(results) + " |\n|---|" + "---:|" * len(results))
  for name in results["threadsite"]:
    cells = [f"{statistics.median(row[name]):.3f} ({min(row[name]):.3f}–{max(row[name]):.3f})" for row in results.values()]
    print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
  main()
