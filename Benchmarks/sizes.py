#!/usr/bin/env python3
"""Times builds of sites of different sizes, and draws a chart.

    sizes.py [--posts N] [--hugo HUGO] [--hugo-most N] [--folder FOLDER] [--disk FOLDER] [--chart FILE] THREADSITE [SIZE…]

For each number of threads, a store is generated (generate.py) and built once with threadsite; then, once each, a build without changes and builds after changes
of one post's text and of one thread's title. With --hugo, Hugo builds the same threads, up to the size of --hugo-most. All files are in /dev/shm if that folder
exists, or in FOLDER. A site that needs more than half of the free space there is built in the folder of --disk.
The chart is an SVG file with logarithmic axes: a tenfold number of threads and a tenfold time are the same distance.
"""

import argparse
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import edits

HERE = pathlib.Path(__file__).resolve().parent
# The bytes of the files of one thread of 3 posts, in the store and on the site, in blocks of 4 KB.
BYTES_OF_THREAD = 42_000
SIZES = [1_000, 10_000, 50_000, 200_000, 1_000_000]
FULL, NONE, TEXT, TITLE, HUGO = "full build", "no change", "one post's text", "one title", "Hugo, full build"


def measure(size, options, base):
  """Returns the results of the builds of one site: by their names, seconds, processor seconds and the peak memory in bytes."""
  if size * BYTES_OF_THREAD > shutil.disk_usage(base or tempfile.gettempdir()).free / 2:
    base = options.disk
  with tempfile.TemporaryDirectory(prefix="threadsite-sizes.", dir=base) as work:
    site, hugo = pathlib.Path(work, "site"), pathlib.Path(work, "hugo")
    with_hugo = options.hugo and size <= options.hugo_most
    generate = [sys.executable, HERE / "generate.py", site, "--threads", str(size), "--posts", str(options.posts)]
    subprocess.run(generate + (["--hugo", hugo] if with_hugo else []), check=True, stdout=subprocess.DEVNULL)
    results = {}
    if with_hugo:
      results[HUGO] = edits.run([options.hugo, "build", "--source", str(hugo), "--destination", f"{work}/theirs", "--quiet", "--noBuildLock"])
      shutil.rmtree(f"{work}/theirs")
      shutil.rmtree(hugo)
    configuration = site / "site.yml"
    file = next((site / "threads").glob("*/*/*.json"))
    conversation = json.loads(file.read_text())
    # A list with one entry, so that the later change is one of a title only.
    entry = f"threads:\n  - url: https://x.com/i/status/{conversation['id'].split('/')[-1]}\n    title: "
    plain = configuration.read_text()
    configuration.write_text(f"{plain}{entry}First\n")
    build = [options.threadsite, "build", "--config", str(configuration), "--quiet"]
    results[FULL] = edits.run(build)
    results[NONE] = edits.run(build)
    conversation["posts"][1]["text"] += " Edited."
    file.write_text(json.dumps(conversation, indent=2, ensure_ascii=False) + "\n")
    results[TEXT] = edits.run(build)
    configuration.write_text(f"{plain}{entry}Second\n")
    results[TITLE] = edits.run(build)
    return results


def panel(title, results, part, scale, left):
  """Returns the SVG of one chart. `part` is the index of the value in a result, `scale` its divisor."""
  width, height, top, bottom = 300, 240, 40, 280
  sizes = sorted(results)
  values = [result[part] / scale for row in results.values() for result in row.values()]
  low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
  first, last = math.log10(sizes[0]), math.log10(sizes[-1])
  x = lambda size: left + width * (math.log10(size) - first) / max(last - first, 1)
  y = lambda value: bottom - height * (math.log10(value) - low) / max(high - low, 1)
  lines = [f'<text x="{left}" y="20" font-weight="bold">{title}</text>']
  for power in range(low, high + 1):
    lines.append(f'<path d="M{left} {y(10**power):.0f}H{left + width}" stroke="#ccc"/>')
    lines.append(f'<text x="{left - 6}" y="{y(10**power) + 4:.0f}" text-anchor="end">{10**power:,g}</text>')
  for size in sizes:
    lines.append(f'<text x="{x(size):.0f}" y="{bottom + 18}" text-anchor="middle">{size // 1000:,}k</text>')
  colors = {FULL: "#9a3412", NONE: "#666", TEXT: "#1d4d7e", TITLE: "#24603c", HUGO: "#5b3a8c"}
  labels = []
  for name, color in colors.items():
    points = [(x(size), y(results[size][name][part] / scale)) for size in sizes if name in results[size]]
    if not points:
      continue
    lines.append(f'<polyline points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}" fill="none" stroke="{color}" stroke-width="2"/>')
    lines += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{color}"/>' for a, b in points]
    labels.append((points[-1][1], points[-1][0], name, color))
  # A label is beside the last point, below the label above it. A line that ends earlier has its label above its end.
  lowest = 0
  for height, end, name, color in sorted(labels):
    if end < left + width - 1:
      lines.append(f'<text x="{end - 7:.1f}" y="{height - 4:.1f}" text-anchor="end" fill="{color}">{name}</text>')
    else:
      lowest = max(height + 4, lowest + 14)
      lines.append(f'<text x="{end + 7:.1f}" y="{lowest:.1f}" fill="{color}">{name}</text>')
  return "\n".join(lines)


def chart(results):
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 310" font-family="sans-serif" font-size="12" role="img" aria-label="Seconds and peak memory of builds, by the number of threads">\n'
    '<rect width="960" height="310" fill="white"/>\n'
    + panel("Seconds, by the number of threads", results, 0, 1, 50) + "\n" + panel("Peak memory in MB", results, 2, 1e6, 530) + "\n</svg>\n")


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("threadsite")
  parser.add_argument("sizes", type=int, nargs="*", default=SIZES)
  parser.add_argument("--posts", type=int, default=3)
  parser.add_argument("--hugo")
  parser.add_argument("--hugo-most", type=int, default=50_000)
  parser.add_argument("--folder", default="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
  parser.add_argument("--disk", default="/var/tmp")
  parser.add_argument("--chart", metavar="FILE")
  options = parser.parse_args()
  results = {}
  print("| threads | build | seconds | processor seconds | peak memory |\n|---:|---|---:|---:|---:|")
  for size in options.sizes:
    results[size] = measure(size, options, options.folder)
    for name, (seconds, processors, memory) in results[size].items():
      print(f"| {size:,} | {name} | {seconds:.2f} | {processors:.1f} | {memory / 1e6:.0f} MB |", flush=True)
    if options.chart:
      pathlib.Path(options.chart).write_text(chart(results))


if __name__ == "__main__":
  main()
