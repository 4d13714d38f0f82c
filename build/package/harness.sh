#!/bin/sh
# Starts an installed harness: bin/harness of the package that build/package/make.mjs makes. That a Node is new enough is
# looked up once: dist/node names it, and is younger than it.
set -u

self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=${self%/*}/$target ;;
  esac
done
root=${self%/*}/..
case $self in
  # Behind a linked folder the system and Node understand `..` differently.
  */../*) root=$(CDPATH='' cd -P -- "$root" && pwd -P) || exit 1 ;;
esac

node=$(command -v node) || {
  echo 'harness: there is no node in your PATH. harness needs Node 24 or newer: https://nodejs.org' >&2
  exit 1
}
known=$root/dist/node
fits() { [ "$known" -nt "$node" ] && read -r path <"$known" && [ "$path" = "$node" ]; }
if ! fits 2>/dev/null; then
  version=$("$node" --version 2>/dev/null </dev/null)
  version=${version#v}
  if ! [ "${version%%.*}" -ge 24 ] 2>/dev/null; then
    printf 'harness: %s is Node %s, but harness needs 24 or newer: https://nodejs.org\n' "$node" "${version:-unknown}" >&2
    exit 1
  fi
  # Where others own the folder, it is looked up at each start.
  (umask 022 && printf '%s\n' "$node" >"$known") 2>/dev/null || true
fi

. "$root/bin/v8-flags.sh"
flags=$idle_flags
set -- "$root/dist/harness.mjs" "$@"
# A run in the background starts a server from the bundle, as the window does.
case " $* " in *" --background "*) background=1 ;; *) background= ;; esac
if [ "${2:-}" = run ] && [ -z "$background" ]; then
  . "$root/bin/snapshot.sh"
  if snapshot_fits; then
    flags=$run_flags
    set -- --snapshot-blob "$snapshot" "$@"
    [ -n "${GLIBC_TUNABLES:-}" ] || export GLIBC_TUNABLES="$run_tunables"
  else
    . "$root/bin/later.sh"
    make_snapshot_later
  fi
fi
# shellcheck disable=SC2086 # Lists of words.
exec "$node" $start_flags $flags "$@"
