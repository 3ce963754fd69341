#!/bin/sh
# Times the fetching of media into a store, compared with `curl --parallel` for the same list, from a server on this machine.
#
#   Benchmarks/media/run.sh [FILES]    2,000 by default
#
#   RUNS=5          the number of timed runs of each program
#   BYTES=50000     the size of a file in bytes
#   AT_ONCE=8       the number of simultaneous transfers
#   PORT=18080      the server's port on 127.0.0.1
#   BASE=…          a working folder, instead of memory (/dev/shm)
#   DRIVER=…        the media-benchmark to time, instead of a release build of this package
#
# Requires nginx (Debian: nginx-light), curl, and Python 3.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
package=$(dirname "$(dirname "$here")")
files=${1:-2000}
runs=${RUNS:-5}
bytes=${BYTES:-50000}
at_once=${AT_ONCE:-8}
port=${PORT:-18080}
case $files in '' | *[!0-9]*) echo "usage: Benchmarks/media/run.sh [FILES]" >&2; exit 2 ;; esac
for program in nginx curl python3; do
  command -v "$program" >/dev/null || { echo "Please install $program." >&2; exit 1; }
done

if [ -z "${DRIVER:-}" ]; then
  static=; [ "$(uname -s)" != Linux ] || static=--static-swift-stdlib
  "${SWIFT:-swift}" build -c release $static --package-path "$package" --product media-benchmark >&2
  DRIVER=$("${SWIFT:-swift}" build -c release $static --package-path "$package" --show-bin-path)/media-benchmark
fi

if [ -z "${BASE:-}" ]; then
  if [ -d /dev/shm ] && [ -w /dev/shm ]; then BASE=/dev/shm; else BASE=${TMPDIR:-/tmp}; fi
fi
work=$(mktemp -d "$BASE/threadsite-media.XXXXXX")
server=
finish() {
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

address=http://127.0.0.1:$port
python3 "$here/files.py" "$work" "$files" "$bytes" "$address" "$work/theirs"
# The worker may run as another user, and must be able to read the files.
chmod 755 "$work"
cat >"$work/nginx.conf" <<END
daemon off;
worker_processes 1;
pid $work/nginx.pid;
error_log stderr error;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  types { image/jpeg jpg; }
  client_body_temp_path $work/nginx-1;
  proxy_temp_path $work/nginx-2;
  fastcgi_temp_path $work/nginx-3;
  uwsgi_temp_path $work/nginx-4;
  scgi_temp_path $work/nginx-5;
  server { listen 127.0.0.1:$port; root $work/files; }
}
END
nginx -p "$work" -c "$work/nginx.conf" &
server=$!
curl --silent --fail --retry 20 --retry-connrefused --retry-delay 1 --output /dev/null "$address/000000.jpg"

quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }
theirs="curl --no-progress-meter --fail --parallel --parallel-immediate --parallel-max $at_once --create-dirs --config $(quoted "$work/curl")"
ours="$(quoted "$DRIVER") $(quoted "$work/list") $(quoted "$work/ours") $at_once"

curl --version | head -n 1
python3 "$package/Benchmarks/measure.py" "$runs" curl "$work/theirs" "$theirs" threadsite "$work/ours" "$ours"
kept=$(find "$work/ours/media" -name '*.jpg' | wc -l)
[ "$kept" -eq "$files" ] || { echo "The store has $kept files of $files." >&2; exit 1; }
