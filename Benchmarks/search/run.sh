#!/bin/sh
# Our search beside Pagefind on the same invented threads: size, bytes of a query, time to index, known answers.
#
#   Benchmarks/search/run.sh [THREADS]        10,000 unless told
#
#   SEED=…              other queries than those that the weights of the ranking were chosen with
#   RUNS=5              how often building is timed
#   THREADSITE=…        a binary to use, instead of a release build of this package
#   PAGEFIND_VERSION=…  another version of PyPI's
#   DETAILS=1           a line for each query on stderr
#   QUERY_SECONDS=60    after which a query of Pagefind's counts as unanswered
#   KEEP=1              leave the site where it is, and say where
#
# Needs python3, node and chromium (CHROMIUM=… for another). Everything is written to memory (/dev/shm) where there is such a place.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
package=$(dirname "$(dirname "$here")")
threads=${1:-10000}
case $threads in '' | *[!0-9]*) echo "usage: Benchmarks/search/run.sh [THREADS]" >&2; exit 2 ;; esac

if [ -z "${THREADSITE:-}" ]; then
  make -s -C "$package" build >&2
  THREADSITE=$(make -s -C "$package" print-binary)
fi
venv=$package/.build/benchmarks/venv
if [ ! -x "$venv/bin/python" ]; then python3 -m venv "$venv"; fi
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check "pagefind[bin]==${PAGEFIND_VERSION:-1.5.2}" >&2
pagefind=$(find "$venv"/lib/python*/site-packages/pagefind_bin -type f -name 'pagefind*' -perm -u+x | grep -v extended | head -n 1)

if [ -d /dev/shm ] && [ -w /dev/shm ]; then base=/dev/shm; else base=${TMPDIR:-/tmp}; fi
work=$(mktemp -d "$base/threadsite-search.XXXXXX")
if [ -n "${KEEP:-}" ]; then echo "threads and site: $work" >&2; else trap 'rm -rf "$work"' EXIT; trap 'exit 1' INT TERM; fi

python3 "$package/Benchmarks/generate.py" "$work/store" --threads "$threads" >&2
sed 's/^title:/search: false\ntitle:/' "$work/store/site.yml" > "$work/store/without.yml"
python3 "$here/queries.py" "$work/store" "${SEED:-queries}" > "$work/queries.json"

uptime
threadsite="'$THREADSITE' build --quiet --config '$work/store"
python3 "$package/Benchmarks/measure.py" "${RUNS:-5}" \
  "without search" "$work/without" "$threadsite/without.yml' --output '$work/without'" \
  "with search" "$work/site" "$threadsite/site.yml' --output '$work/site'" \
  "Pagefind" "$work/pagefind" "'$pagefind' --site '$work/without' --output-path '$work/pagefind' --quiet"

size() { find "$@" -type f -printf '%s\n' | awk '{ sum += $1 } END { printf "%.1f MB in %d files\n", sum / 1e6, NR }'; }
printf 'index of threadsite: '; size "$work/site/search" "$work/site/assets/search"*.js
printf 'index of Pagefind:   '; size "$work/pagefind"
mv "$work/pagefind" "$work/site/pagefind"
node "$here/ours.mjs" "$work/site" "$work/queries.json" "$package/themes/paper/static/search.js"
# Its answers come last, and what goes wrong there takes nothing from the figures above.
node "$here/pagefind.mjs" "$work/site" "$work/queries.json" || echo "Pagefind was not asked to the end" >&2
