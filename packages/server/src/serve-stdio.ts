export { forceExit } from "./system/force-exit.ts";

/** Longer than the server's own grace for running work. */
const SHUTDOWN_PATIENCE_MS = 6_000;
/** After a signal: its sender waits no longer than two seconds. */
const SIGNAL_PATIENCE_MS = 1_500;

export type StdioOptions = {
  version: string;
  /** The hash of the working folder's content that the user trusts while this server runs. */
  trustedHash?: string | undefined;
};

/**
 * Serves one client over stdin and stdout until it leaves; returns the exit code. stdout is the wire: before anything
 * else is loaded, `console` and `process.stdout` are redirected to stderr, so that a library which prints cannot break
 * the protocol.
 */
export async function serveStdio({ version, trustedHash }: StdioOptions): Promise<number> {
  const wire = reserveStdout();
  const [{ composeServer }, { byteStream, lineChannel }] = await Promise.all([
    import("./compose.ts"),
    import("@harness/protocol/wire"),
  ]);
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
    const stdio = byteStream({ readable: process.stdin, writable: wire });
    // The end of stdin ends the work; the client, which may still read, gets the last updates before the process exits.
    server.accept(lineChannel(stdio), "stdio", { onEnd: () => server.shutdown(), onGone: () => end(0) });
  });
}

/** Returns the real stdout and makes it unreachable for everything else. */
export function reserveStdout(): NodeJS.WriteStream {
  const real = process.stdout;
  Object.defineProperty(process, "stdout", { value: process.stderr, configurable: true });
  return real;
}
