#!/bin/sh
# Times `threadsite import` of a generated archive, importing it again, and `threadsite build` of the imported threads.
#
#   Benchmarks/archive/run.sh [POSTS] [THREADS]        by default, 100,000 posts with 20,000 threads
#
#   THREADSITE=…    a binary to time, instead of a release build of this package
#   KEEP=1          keep all files, and print their path
#
# All files are written to TMPDIR, which should be on a real disk, because saving waits for the disk. Requires Python 3 and GNU time.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
package=$(dirname "$(dirname "$here")")
posts=${1:-100000}
threads=${2:-20000}

if [ -z "${THREADSITE:-}" ]; then
  make -s -C "$package" build >&2
  THREADSITE=$(make -s -C "$package" print-binary)
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/threadsite-archive.XXXXXX")
if [ -n "${KEEP:-}" ]; then echo "archive and site: $work" >&2; else trap 'rm -rf "$work"' EXIT; trap 'exit 1' INT TERM; fi

python3 "$here/generate.py" "$work/archive.zip" --posts "$posts" --threads "$threads"
echo "$posts posts, $threads threads, $(wc -c <"$work/archive.zip") bytes of zip; load $(cut -d ' ' -f 1 /proc/loadavg)"
cd "$work"
for step in import:first import:again build; do
  case $step in
    import:*) set -- import archive.zip ;;
    build) set -- build --offline ;;
  esac
  /usr/bin/time -f "$step: %e s, %U s of processor in the program, %S s in the system, %M KB at most" \
    "$THREADSITE" "$@" --quiet
done
