import type { SessionUpdate } from "@harness/protocol";
import type { Client } from "../clients/client.ts";

/** A fact always arrives; a chunk may be dropped if the client reads too slowly. */
export function sendUpdate(client: Client, params: SessionUpdate): void {
  if (client.profile?.optOut.has(params.update.sessionUpdate)) return;
  client.peer.notify("session/update", params, { droppable: isChunk(params) });
}

/** True for a piece of the current stream, which a session's snapshot also contains. */
export function isChunk({ seq, update }: SessionUpdate): boolean {
  return seq === undefined && "offset" in update;
}
