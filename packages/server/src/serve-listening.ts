import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type LockOwner, SocketFolderError, type SocketLocations, takeLock, thisProcess } from "@harness/host";
import type { HarnessServer } from "./harness-server.ts";
import { isAnswering } from "./listening/other-servers.ts";
import { serveUntilEnd } from "./serve-until-end.ts";

export type ListeningOptions = {
  version: string;
  /** How long it stays without a client and without work. */
  restMs: number;
  /** Called once clients can connect at `path`; `isOther`: to a server that was there already. */
  onReady(at: { path: string; isOther: boolean }): void;
};

/** How long a server that was started at the same time may take until it listens. */
const START_MS = 10_000;
const LOOK_MS = 50;

/**
 * Serves clients on a socket until there is neither a client nor work; returns the exit code, or why it cannot. There is
 * one such server for a configuration folder: another start names the first one.
 */
export async function serveListening(options: ListeningOptions): Promise<number | { problem: string }> {
  const { version, restMs, onReady } = options;
  let problem: string | undefined;
  const code = await serveUntilEnd({ version }, async (server, end) => {
    try {
      if (!(await open(server, restMs, onReady))) end(0);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      end(1);
    }
  });
  return problem === undefined ? code : { problem };
}

/** False: another server listens already. */
async function open(server: HarnessServer, restMs: number, onReady: ListeningOptions["onReady"]): Promise<boolean> {
  const { lifetime, listening, sockets } = server.presence;
  const place = sockets();
  place.open();
  const me = thisProcess(randomBytes(4).toString("hex"), new Date().toISOString());
  const lock = takeLock(place.lock, me);
  if (!("release" in lock)) {
    onReady({ path: await socketOf(place, lock.owner), isOther: true });
    return false;
  }
  process.once("exit", () => lock.release());
  const listener = await listening.open();
  listener.hold();
  lifetime.keep({ restMs });
  lifetime.release();
  onReady({ path: listener.path, isOther: false });
  return true;
}

async function socketOf(place: SocketLocations, owner: LockOwner | undefined): Promise<string> {
  for (let waited = 0; owner && waited < START_MS; waited += LOOK_MS) {
    const path = place.of(owner.pid);
    if (path !== undefined && (await isAnswering(path))) return path;
    await delay(LOOK_MS);
  }
  const who = owner ? `The process ${owner.pid}` : "Another process";
  throw new SocketFolderError(`${who} holds ${place.lock}, but no server answers. End it, or delete that file.`);
}
