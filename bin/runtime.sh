# shellcheck shell=sh
# Shared by bin/harness and bin/with-node, which source it with $root set to the checkout: finds a Node that is new enough,
# and tells whether the packages and the bundle are there and fresh. bin/prepare.sh makes what is not. Everything they say
# goes to stderr; stdout belongs to the program.
#
# What it keeps in the git-ignored $root/.runtime:
#   bin/node       link to the Node in use; its folder holds nothing else, so that it can stand first on PATH
#   node_modules/  the Node installed from npm, only where the system has none
#   looked         its time is when the sources were last compared with the bundle
#   developed      there once an npm script has run here: the sources are compared at every start
#   lock           link to "PID@HOST" of the start that is preparing the checkout; child: the PID of its npm or bundler
#   *.log          output of the last npm runs

least_major=24
runtime=$root/.runtime

say() { printf 'harness: %s\n' "$*" >&2; }

dependencies_fresh() {
  # npm writes this file last, so its presence means that the install was finished, not cut off.
  [ -f "$root/node_modules/.package-lock.json" ] &&
    ! [ "$root/package-lock.json" -nt "$root/node_modules/.package-lock.json" ]
}

# dist/built carries the time at which the last bundling began. Only where someone works on the sources are they looked at
# each time, which takes 8 ms; elsewhere they change by git alone, and git then writes its index.
bundle_fresh() {
  [ -f "$root/dist/built" ] && [ -f "$root/dist/harness.mjs" ] || return 1
  if ! [ -e "$runtime/developed" ] && [ -f "$root/.git/index" ] && [ "$runtime/looked" -nt "$root/.git/index" ] &&
    [ "$runtime/looked" -nt "$root/dist/built" ]; then
    return 0
  fi
  # Folders count too: a deleted file only changes those. The time is that before the look: what git writes meanwhile is newer.
  { printf '' >"$runtime/looked.$$"; } 2>/dev/null
  if [ -n "$(find "$root"/packages/*/src "$root"/packages/*/package.json "$root/package.json" \
    "$root/package-lock.json" "$root"/bin/*.mjs "$root/bin/snapshot" ! -name '*.test.*' -newer "$root/dist/built" 2>/dev/null)" ]; then
    rm -f "$runtime/looked.$$"
    return 1
  fi
  # A folder that cannot be written is looked at again each time.
  mv -f "$runtime/looked.$$" "$runtime/looked" 2>/dev/null
  return 0
}

# Of package.json; fails when it has none on a line of its own.
print_version() {
  while read -r key value; do
    case $key in
      '"version":')
        value=${value#\"}
        printf 'harness %s\n' "${value%%\"*}"
        return
        ;;
    esac
  done <"$root/package.json" 2>/dev/null
  return 1
}

# The start-up snapshot of `harness run` (bin/snapshot/make.mjs): it was not touched since, and is of this very Node. Options
# of the environment may be such that it does not take.
snapshot_fits() {
  snapshot=$root/dist/run-snapshot.blob
  [ -z "${NODE_OPTIONS:-}" ] && [ -s "$snapshot" ] && [ -s "$root/dist/run-snapshot.of" ] &&
    ! [ "$snapshot" -nt "$root/dist/run-snapshot.of" ] &&
    read -r snapshot_of <"$root/dist/run-snapshot.of" && [ "$(ls -isL "$node")" = "$snapshot_of $node" ]
}

new_enough() {
  version=$("$1" --version 2>/dev/null </dev/null) || return 1
  version=${version#v}
  [ "${version%%.*}" -ge "$least_major" ] 2>/dev/null
}

# Sets $node; fails when there is none of at least $least_major.
find_node() {
  for node in "$(command -v node)" "$runtime/bin/node" "$runtime/node_modules/node/bin/node"; do
    if [ -n "$node" ] && new_enough "$node"; then return 0; fi
  done
  return 1
}

# A node of the system is on PATH already, and its folder may hold other programs: only ours goes first.
put_node_first() {
  case $node in
    "$runtime"/*) export PATH="${node%/*}:$PATH" ;;
  esac
}
