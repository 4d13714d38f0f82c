import type { HarnessClient } from "../client.ts";
import { isLost } from "../errors.ts";

/** The target of a session's calls: a client, or a stand-in while servers come and go. */
export type SessionServer = Pick<HarnessClient, "call"> & {
  /** Creates ids by which the server recognises a repeated call; absent: random ones. */
  newId?(): string;
  /** If a server is lost, calls wait for the next one, so a call lost with its server is repeated. */
  readonly restarts?: true;
};

/** The answer to a call that can safely be repeated: it is, as long as lost servers are replaced. */
export async function repeated<T>({ restarts }: SessionServer, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!restarts || !isLost(error)) throw error;
    }
  }
}
