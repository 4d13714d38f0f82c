# shellcheck shell=sh
# Sourced by a start of `harness run`, in a checkout and in the npm package, with $root and $node set.

# The start-up snapshot (build/snapshot/make.mjs): it can be read, was not touched since, and is of this very Node. Options
# of the environment may be such that it does not take.
snapshot_fits() {
  snapshot=$root/dist/run-snapshot.blob
  [ -z "${NODE_OPTIONS:-}" ] && [ -s "$snapshot" ] && [ -r "$snapshot" ] && [ -r "$root/dist/run-snapshot.of" ] &&
    ! [ "$snapshot" -nt "$root/dist/run-snapshot.of" ] &&
    read -r snapshot_of <"$root/dist/run-snapshot.of" && [ "$(ls -isL "$node")" = "$snapshot_of $node" ]
}
