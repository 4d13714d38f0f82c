import type { HarnessClient } from "../client.ts";
import { isLost } from "../errors.ts";

/** Where a session's calls go: a client, or what stands for one while servers come and go. */
export type SessionServer = Pick<HarnessClient, "call"> & {
  /** Ids by which the server knows a call that is made again; absent: random ones. */
  newId?(): string;
  /** Calls wait for the next server when one is lost, so a call that was lost with its server is made again. */
  readonly restarts?: true;
};

/** The answer to a call that does no harm twice: made again as long as servers are lost and others follow. */
export async function repeated<T>({ restarts }: SessionServer, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!restarts || !isLost(error)) throw error;
    }
  }
}
