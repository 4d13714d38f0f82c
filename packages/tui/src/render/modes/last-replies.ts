import type { ModesInput } from "./terminal-streams.ts";

/** The last query: once its reply arrives, everything sent before it has arrived too. */
export const ATTRIBUTES = "\u001b[c";
const ATTRIBUTES_REPLY = /\[\?[\d;]*c/;
const REPLY_MS = 300;

/** Swallows replies of the terminal until the last query is answered or times out. */
export function untilQuiet(input: ModesInput): Promise<void> {
  return new Promise((resolve) => {
    let reply = "";
    const done = (): void => {
      clearTimeout(timer);
      input.off("data", swallow);
      resolve();
    };
    const swallow = (bytes: Uint8Array): void => {
      reply = (reply + Buffer.from(bytes).toString("latin1")).slice(-64);
      if (ATTRIBUTES_REPLY.test(reply)) done();
    };
    const timer = setTimeout(done, REPLY_MS);
    input.on("data", swallow);
  });
}
