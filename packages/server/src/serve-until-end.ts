import type { HarnessServer } from "./harness-server.ts";

/** Longer than the server's own grace for running work. */
const SHUTDOWN_PATIENCE_MS = 6_000;
/** After a signal: its sender waits no longer than two seconds. */
const SIGNAL_PATIENCE_MS = 1_500;

type ServedProcess = { version: string; trustedHash?: string | undefined };

/** Runs a server in this process until something ends it; returns the exit code. `end`: ends it in order. */
export async function serveUntilEnd(
  { version, trustedHash }: ServedProcess,
  start: (server: HarnessServer, end: (code: number) => void) => Promise<void>,
): Promise<number> {
  const { composeServer } = await import("./compose.ts");
  return new Promise((done) => {
    let isEnding = false;
    const end = (code: number, patienceMs = SHUTDOWN_PATIENCE_MS) => {
      if (isEnding) return;
      isEnding = true;
      // Work that does not stop must not keep the process alive.
      setTimeout(() => done(code), patienceMs);
      void server.shutdown().finally(() => done(code));
    };
    const server = composeServer({ version, cwd: process.cwd(), env: process.env, trustedHash, exit: () => end(0) });
    // Ctrl+C in a client's terminal does not arrive here: the client starts this process in its own group.
    for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }))
      process.on(signal, () => end(code, SIGNAL_PATIENCE_MS));
    void start(server, end);
  });
}
