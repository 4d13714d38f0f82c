# shellcheck shell=sh
# Sourced by an installed harness for a run without a start-up snapshot, after bin/v8-flags.sh and bin/snapshot.sh: makes one
# for the next runs, once this one has ended, at low priority. It is in the package's own folder, which npm removes with it:
#
#   dist/run-snapshot.cjs      what it is made of (build/snapshot/make.mjs)
#   dist/run-snapshot.failed   the Node with which it could not be made, which is tried again a day later, and what it said
#   dist/run-snapshot.lock/    of the one process that makes it
#
# Without it, runs are slower and nothing else.

# A run of hours is not waited for.
longest_wait=1800

make_snapshot() {
  made=$root/dist/run-snapshot
  # Like the package's own files: everybody may start from it, and nobody else may write it.
  umask 022
  # One that was killed has left its lock.
  find "$made.lock" -prune -mmin +10 -exec rm -r {} \;
  mkdir "$made.lock" || return
  draft=$made.lock/blob
  patient=
  [ "$("$node" -p 'Number.parseInt(process.versions.node)')" -le "$newest_tried" ] && patient="$patient_flags $run_patient_flags"
  # shellcheck disable=SC2086 # Lists of words.
  if {
    cd "$root" &&
      nice -n 10 "$node" $start_flags $run_flags $patient --no-warnings --snapshot-blob "$draft" --build-snapshot "$made.cjs" &&
      "$node" $start_flags $run_flags --snapshot-blob "$draft" "$root/dist/harness.mjs" run --help
  } >"$made.lock/said" 2>&1; then
    sync
    rm -f "$made.of" "$made.failed"
    mv -f "$draft" "$made.blob" && printf '%s\n' "$node_file" >"$made.of"
  else
    { printf '%s\n' "$node_file" && cat "$made.lock/said"; } >"$made.failed"
  fi
  rm -r "$made.lock"
}

is_of_today() { [ -n "$(find "$root/dist/run-snapshot.$1" -mtime -1 2>/dev/null)" ]; }

make_snapshot_later() {
  # A machine for tests is thrown away, and where others own the folder it stays as it is.
  [ -z "${CI:-}${NODE_OPTIONS:-}" ] && [ -w "$root/dist" ] && [ -f "$root/dist/run-snapshot.cjs" ] || return 0
  # Inode and blocks: a different file at the same path is a different Node.
  node_file=$(ls -isL "$node") && node_file=${node_file%" $node"}
  # A busy machine may have been the reason.
  { read -r failed <"$root/dist/run-snapshot.failed"; } 2>/dev/null && [ "$failed" = "$node_file" ] &&
    is_of_today failed && return 0
  # Two Nodes in turn make one a day.
  is_of_today of && return 0
  # By a process between them: Node must not get a child that it does not know.
  ({
    trap '' HUP
    while kill -0 $$ && [ "$longest_wait" -gt 0 ]; do
      sleep 1
      longest_wait=$((longest_wait - 1))
    done
    kill -0 $$ || make_snapshot
  } </dev/null >/dev/null 2>&1 &)
}
