#!/bin/sh
# Compares our search with Pagefind on the same generated threads: size, bytes per query, indexing time, right answers.
#
#   Benchmarks/search/run.sh [THREADS]        10,000 by default
#
#   SEED=…              queries other than the ones by which the weights of the ranking were chosen
#   RUNS=5              the number of timed builds
#   THREADSITE=…        the binary to use, instead of a release build of this package
#   PAGEFIND_VERSION=…  a different version from PyPI
#   DETAILS=1           print one line per query on stderr
#   QUERY_SECONDS=60    the time after which a query of Pagefind counts as unanswered
#   KEEP=1              keep the site, and print its path
#
# Requires python3, node and chromium (CHROMIUM=… for a different one). All files are written to memory (/dev/shm) if that folder exists.
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
# Pagefind's queries come last, so that a failure there does not affect the figures above.
node "$here/pagefind.mjs" "$work/site" "$work/queries.json" || echo "Pagefind was not asked to the end" >&2
