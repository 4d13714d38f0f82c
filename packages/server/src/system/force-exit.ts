/** Thread pool work. `process.exit` waits for its threads, even for one that never returns. */
const POOLED = /^(?:FSReq|GetAddrInfoReq|GetNameInfoReq)/;

const PATIENCE_MS = 1_000;
const LOOK_MS = 20;

/**
 * Ends the process even if a thread is stuck: in a pipe without a writer, on a lost network disk, in a name server that
 * does not answer. The exit code survives if Node can replace the process (24 and later); otherwise the process kills
 * itself.
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
    // No shell, or an unsupported system: the last resort follows.
  }
  process.kill(process.pid, "SIGKILL");
}
