import { Readable, Writable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { ndJsonStream } from "@agentclientprotocol/sdk/unstable";
import type { AcpDeps } from "./acp-deps.ts";
import { AcpAgent } from "./agent/acp-agent.ts";
import { agentApp } from "./agent/agent-app.ts";

/** After a signal: its sender waits no longer than two seconds. */
const SIGNAL_PATIENCE_MS = 1_500;
/** Longer than the server's own grace for running work. */
const SHUTDOWN_PATIENCE_MS = 6_000;

/** Serves one client over the Agent Client Protocol until it leaves; returns the exit code. */
export async function serveAcp({ version, input, output, openServer, log }: AcpDeps): Promise<number> {
  const acp = new AcpAgent({ version, openServer, log });
  // A reader that has gone ends the connection like the end of its input.
  output.on("error", () => input.destroy());
  const stream = ndJsonStream(Writable.toWeb(output), bytesOf(input));
  const connection = agentApp(acp).connect(stream);
  const signalled = firstSignal();
  const code = await Promise.race([connection.closed.then(() => endCode(connection.signal.reason, log)), signalled]);
  await atMost(code <= 1 ? SHUTDOWN_PATIENCE_MS : SIGNAL_PATIENCE_MS, acp.shutdown());
  connection.close();
  return code;
}

/** A message that is too long cannot be skipped, since its end is not known: the connection is over. */
function endCode(reason: unknown, log: AcpDeps["log"]): number {
  if (!(reason instanceof Error && reason.name === "MessageTooLargeError")) return 0;
  log("harness acp: the editor sent a message of more than 32 MiB, which ends the connection.\n");
  return 1;
}

function bytesOf(input: Readable): ReadableStream<Uint8Array> {
  const stream: NodeReadableStream = Readable.toWeb(input);
  // Node types the bytes of its own class of streams as unknown.
  return stream as ReadableStream<Uint8Array>;
}

function firstSignal(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }))
    process.once(signal, () => resolve(code));
  return promise;
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
