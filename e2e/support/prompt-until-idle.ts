import type { HarnessClient } from "@harness/client";
import { type LiveServer, say } from "./live-server.ts";

/** Sends a message, in a new session unless one is named, and waits for the end of its turn. Returns the session's id. */
export async function promptUntilIdle(
  { live, client }: { live: LiveServer; client: HarnessClient },
  text: string,
  sessionId?: string,
): Promise<string> {
  const id = sessionId ?? (await client.call("session/new", { cwd: live.cwd })).session.sessionId;
  const count = live.updates.length;
  await client.call("session/prompt", { sessionId: id, promptId: `p-${text}`, prompt: say(text) });
  await live.until(
    (each) =>
      live.updates.indexOf(each) >= count &&
      each.sessionId === id &&
      each.update.sessionUpdate === "state_update" &&
      each.update.state === "idle",
  );
  return id;
}
