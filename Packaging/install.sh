#!/bin/sh
# Installs threadsite @VERSION@ on Linux, from the tarball of its release:
#
#   sh install.sh                        below ~/.local
#   sh install.sh --prefix /usr/local    below another folder
#   sh install.sh --from FOLDER          from a folder with the tarball, without the network
#   sh install.sh --uninstall            removes what was installed, and nothing else
#
# The tarball must have the SHA-256 that this script contains. Nothing is installed before it was compared.
set -eu
umask 022

version=@VERSION@
releases=https://github.com/threadsite/threadsite/releases/download/v$version
# A digest per kind of machine.
digests="@DIGESTS@"

fail() {
  echo "install.sh: error: $1" >&2
  exit "${2:-1}"
}

# Everything is in a function, so that a script that was downloaded in part does nothing.
main() {
  prefix=${HOME:-}/.local from='' action=install
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix) [ $# -gt 1 ] || fail "--prefix needs a folder." 64; prefix=$2; shift 2 ;;
      --from) [ $# -gt 1 ] || fail "--from needs a folder." 64; from=$2; shift 2 ;;
      --uninstall) action=uninstall; shift ;;
      *) fail "unknown option $1; use --prefix, --from or --uninstall." 64 ;;
    esac
  done
  case $prefix in /*) ;; *) fail "the prefix must be an absolute path, and is \"$prefix\"." 64 ;; esac
  prefix=${prefix%/}
  list=$prefix/share/threadsite/installed
  if [ "$action" = uninstall ]; then
    [ -f "$list" ] || fail "there is no threadsite below $prefix that this script or \`make install\` installed."
    uninstall
    echo "Removed threadsite from $prefix."
    exit 0
  fi

  [ "$(uname -s)" = Linux ] || fail "this script installs on Linux; build from source on $(uname -s)."
  machine=$(uname -m)
  name=threadsite-$version-linux-$machine
  digest=$(echo "$digests" | sed -n "s/^\([0-9a-f]\{64\}\)  $name\.tar\.gz\$/\1/p")
  [ -n "$digest" ] || fail "there is no release for $machine; build from source."
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  if [ -n "$from" ]; then
    cp "$from/$name.tar.gz" "$work/" || fail "$from has no $name.tar.gz."
  elif command -v curl >/dev/null; then
    curl -fsSL --proto =https --retry 3 -o "$work/$name.tar.gz" "$releases/$name.tar.gz" || fail "$releases/$name.tar.gz could not be downloaded."
  elif command -v wget >/dev/null; then
    wget -q -O "$work/$name.tar.gz" "$releases/$name.tar.gz" || fail "$releases/$name.tar.gz could not be downloaded."
  else
    fail "curl or wget is needed for downloading."
  fi
  actual=$(sha256sum "$work/$name.tar.gz" | cut -d ' ' -f 1)
  [ "$actual" = "$digest" ] || fail "$name.tar.gz has the SHA-256 $actual instead of $digest. Nothing was installed."
  tar -xzf "$work/$name.tar.gz" -C "$work"
  # The program may need a newer C library than this system has.
  "$work/$name/bin/threadsite" --version >/dev/null 2>"$work/said" ||
    fail "threadsite does not run on this system: $(head -n 1 "$work/said"). It needs glibc 2.36 or later and libstdc++. Nothing was installed."

  # Files that only the older version had are removed; its folders stay in the list.
  new=$work/installed
  : >"$new"
  if [ -f "$list" ]; then
    grep '^folder ' "$list" >"$work/before" || true
    uninstall
    while IFS= read -r line; do
      [ ! -d "${line#folder }" ] || echo "$line" >>"$new"
    done <"$work/before"
  fi
  (cd "$work/$name" && find bin share -type f | LC_ALL=C sort) >"$work/files"
  while IFS= read -r path; do
    folder "$(dirname "$prefix/$path")"
    # A running program keeps its file; the new file gets the same name.
    rm -f "$prefix/$path"
    cp -p "$work/$name/$path" "$prefix/$path"
    echo "file $prefix/$path" >>"$new"
  done <"$work/files"
  echo "file $list" >>"$new"
  cp "$new" "$list"
  echo "Installed threadsite $version below $prefix."
  case ":${PATH:-}:" in
    *":$prefix/bin:"*) ;;
    *) echo "Add $prefix/bin to PATH, or start $prefix/bin/threadsite." ;;
  esac
}

# Creates a folder and its missing parent folders, and records them, outermost first.
folder() {
  [ ! -d "$1" ] || return 0
  folder "$(dirname "$1")"
  mkdir "$1"
  echo "folder $1" >>"$new"
}

# Removes the files of the list, which is one of them, and the created folders that are then empty. `make install` (Packaging/files) writes the
# same list.
uninstall() {
  files=$(sed -n 's/^file //p' "$list")
  folders=$(sed -n 's/^folder //p' "$list" | LC_ALL=C sort -ru)
  case $files in
    "$prefix"/*) ;;
    *) fail "$list lists no files below $prefix. Nothing was removed." ;;
  esac
  echo "$files" | while IFS= read -r path; do
    case $path in
      */../*) ;;
      "$prefix"/*) rm -f "$path" ;;
    esac
  done
  echo "$folders" | while IFS= read -r path; do
    [ -z "$path" ] || rmdir "$path" 2>/dev/null || true
  done
}

main "$@"
