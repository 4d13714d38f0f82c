export { forceExit } from "./system/force-exit.ts";

import { serveUntilEnd } from "./serve-until-end.ts";

export type StdioOptions = {
  version: string;
  /** The hash of the working folder's content that the user trusts while this server runs. */
  trustedHash?: string | undefined;
};

/**
 * Serves a client over stdin and stdout until it leaves, and then those who follow its sessions or what it left running;
 * returns the exit code. stdout is the wire: before anything else is loaded, `console` and `process.stdout` are
 * redirected to stderr, so that a library which prints cannot break the protocol.
 */
export async function serveStdio(options: StdioOptions): Promise<number> {
  const wire = reserveStdout();
  const loading = import("@harness/protocol/wire");
  return serveUntilEnd(options, async (server, end) => {
    const { lifetime, listening } = server.presence;
    const { byteStream, lineChannel } = await loading;
    const stdio = byteStream({ readable: process.stdin, writable: wire });
    server.accept(lineChannel(stdio), "stdio", {
      // The end of stdin ends the work; the client, which may still read, gets the last updates before the process exits.
      onEnd: (client) => (lifetime.staysWithout(client) ? undefined : server.shutdown()),
      onGone() {
        if (!lifetime.staysWithout()) return end(0);
        // Its reader has gone as well.
        process.stderr.on("error", () => undefined);
        void listening.open().then((door) => {
          door.hold();
          lifetime.release();
        });
      },
    });
  });
}

/** Returns the real stdout and makes it unreachable for everything else. */
export function reserveStdout(): NodeJS.WriteStream {
  const real = process.stdout;
  Object.defineProperty(process, "stdout", { value: process.stderr, configurable: true });
  return real;
}
