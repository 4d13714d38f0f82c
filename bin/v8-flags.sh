# shellcheck shell=sh disable=SC2034
# The options of Node and V8 that harness runs under, each in one place: bin/harness sources this file, build/v8-flags.mjs
# reads it. So a line is a name and words in single quotes, nothing else.

# Every start. SIGUSR1 opens no debugger, not even before the program itself can prevent it.
start_flags='--disable-sigusr1'

# A window or a server: with a small young generation, collections are a little more frequent, and an idle window holds 8 MB less.
idle_flags='--max-semi-space-size=1'

# A run from the start-up snapshot, which is made under the same flags: V8 takes compiled code of Node's own modules only then
# (node:http loads in 2 ms instead of 6). Its hash tables stay as they were made, which saves 12 ms. A run is short, so it
# collects less often, and leaves the old generation alone up to 40 MB.
run_flags='--max-semi-space-size=4 --no-rehash-snapshot --initial-old-space-size=40 --expose-gc'

# For such a run, GNU libc reads the snapshot into large pages, which saves 10 ms and makes each start of a process cheaper. The
# program takes the variable out of its environment.
run_tunables='glibc.malloc.hugetlb=1'

# Set by the program itself, under a Node that knows them. V8's optimising compilers start only when code is really hot: optimised
# code and the compilers' memory are a tenth of an idle window and server.
patient_flags='--invocation-count-for-maglev=6000 --invocation-count-for-maglev-osr=6000 --invocation-count-for-turbofan=20000'

# The newest Node that these were tested with.
newest_tried='26'

# A run does without V8's simplest compiler, too, in its first moments: what it repeats is done sooner than compiled (7 of 120 ms of
# CPU).
run_patient_flags='--no-sparkplug'
