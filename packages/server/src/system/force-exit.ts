/** What threads of the pool work at. `process.exit` waits for these threads, even for one that will never return. */
const POOLED = /^(?:FSReq|GetAddrInfoReq|GetNameInfoReq)/;

const PATIENCE_MS = 1_000;
const LOOK_MS = 20;

/**
 * Ends the process, also when a thread is stuck: in a pipe that nobody writes to, on a network disk that is gone, in a
 * name server that does not answer. Then the exit code survives where Node can replace the process (24 and later);
 * before, the process kills itself.
 */
export async function forceExit(code: number): Promise<never> {
  process.exitCode = code;
  const isBusy = () => process.getActiveResourcesInfo().some((each) => POOLED.test(each));
  for (let waitedMs = 0; isBusy() && waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
  if (isBusy()) leaveThreads(code);
  process.exit(code);
}

function leaveThreads(code: number): void {
  try {
    process.execve?.("/bin/sh", ["sh", "-c", `exit ${Math.trunc(code)}`], {});
  } catch {
    // No shell here, or not this system: the last resort follows.
  }
  process.kill(process.pid, "SIGKILL");
}
