# shellcheck shell=bash
# What the bash of a command reads before it (BASH_ENV, see shell.ts): otherwise another shell would have to do the same
# and then become this bash, which takes a millisecond longer.
unset BASH_ENV
# The leader of the session is this bash: the processes in it are identified by this.
export HARNESS_CALL_SESSION=$$
{
  echo 500 >/proc/self/oom_score_adj
  [ -z "$HARNESS_MAX_PROCESSES" ] || ulimit -u "$HARNESS_MAX_PROCESSES"
  [ -z "$HARNESS_MAX_FILE_KIB" ] || ulimit -f "$HARNESS_MAX_FILE_KIB"
} 2>/dev/null
unset HARNESS_MAX_PROCESSES HARNESS_MAX_FILE_KIB
# One stream for both outputs, so that their order is the order of writing.
exec 2>&1
