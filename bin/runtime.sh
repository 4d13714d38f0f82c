# shellcheck shell=sh
# Shared by bin/harness and bin/with-node, which source it with $root set to the checkout: finds a Node that is new enough,
# and tells whether the packages and the bundle are there and fresh. bin/prepare.sh makes what is not. Everything they say
# goes to stderr; stdout belongs to the program.
#
# The git-ignored $root/.runtime has:
#   bin/node       link to the Node in use; its folder holds nothing else, so that it can stand first on PATH
#   node_modules/  the Node installed from npm, only where the system has none
#   look.PID       what a start has found out about the sources; the program removes it
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

# dist/built carries the time at which the last bundling began. Folders count too: a deleted file only changes those.
newer_sources() {
  find "$root"/packages/*/src "$root"/packages/*/package.json "$root/package.json" \
    "$root/package-lock.json" "$root/build" "$root/bin/runtime.sh" "$root/bin/v8-flags.sh" ! -name '*.test.*' -newer "$root/dist/built" 2>/dev/null
}

# A program that was built before this file does not wait for the look.
bundle_there() {
  [ -f "$root/dist/built" ] && [ -f "$root/dist/harness.mjs" ] && ! [ "$root/bin/runtime.sh" -nt "$root/dist/built" ]
}

bundle_fresh() { bundle_there && [ -z "$(newer_sources)" ]; }

# The look at a thousand sources takes 10 ms, so it runs while Node starts. The program waits for it before it does anything
# (packages/cli/src/process/source-look.ts): $HARNESS_LOOK then lists the sources that are newer, and $HARNESS_LOOK.part is
# there until it does. Fails where nothing can be written.
look_beside() {
  HARNESS_LOOK=$runtime/look.$$
  { printf '' >"$HARNESS_LOOK.part"; } 2>/dev/null || return 1
  # By a process between them: Node must not get a child that it does not know.
  ({ newer_sources >"$HARNESS_LOOK.part"; mv -f "$HARNESS_LOOK.part" "$HARNESS_LOOK"; } </dev/null >/dev/null 2>&1 &)
  export HARNESS_LOOK
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
