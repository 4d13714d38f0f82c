import type { Handlers, replayMethods } from "@harness/protocol";
import type { HandlerHost } from "../../handler-host.ts";

export function replayHandlers({ sessions }: HandlerHost): Handlers<typeof replayMethods> {
  return {
    "session/replay": async ({ sessionId }, { signal }) => {
      const { replayStored } = await import("../../replay/replay-stored.ts");
      return await replayStored(sessions.replay, sessionId, signal);
    },
  };
}
