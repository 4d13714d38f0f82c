# shellcheck shell=bash
# The bash of a command reads this before the command (BASH_ENV, see shell.ts). An outer shell that did the same and then
# became this bash would take a millisecond longer.
unset BASH_ENV
# The leader of the session is this bash: the processes in it are identified by this.
export HARNESS_CALL_SESSION=$$
{
  echo 500 >/proc/self/oom_score_adj
  if [ "$HARNESS_MORE_PROCESSES" ]; then
    read -r _ _ _ HARNESS_PROCESSES _ </proc/loadavg
    HARNESS_PROCESSES=$((${HARNESS_PROCESSES#*/} + HARNESS_MORE_PROCESSES))
    [ "$HARNESS_PROCESSES" -ge "$HARNESS_MOST_PROCESSES" ] || ulimit -u "$HARNESS_PROCESSES"
  fi
  [ -z "$HARNESS_MAX_FILE_KIB" ] || ulimit -f "$HARNESS_MAX_FILE_KIB"
} 2>/dev/null
unset HARNESS_MORE_PROCESSES HARNESS_MOST_PROCESSES HARNESS_PROCESSES HARNESS_MAX_FILE_KIB
# One stream for both outputs, so that their order is the order of writing.
exec 2>&1
