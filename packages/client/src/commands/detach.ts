import type { FrontCommand } from "./front-command.ts";

/** Leaves the window; the session goes on without it. */
export const detachCommand: FrontCommand = {
  words: "Leave the window; the session goes on, and harness attach looks at it",
  lines: { words: "In the window: leave it, while the session goes on" },
  whileBusy: true,
  async run(front) {
    if (front.kind === "lines")
      return front.say("Plain lines end with their session. One that goes on by itself: harness run --background");
    const { id: sessionId } = front.session;
    if (sessionId === undefined) return front.say("There is nothing that could go on yet: send a message first.");
    await front.server.call("session/keep", { sessionId });
    front.leave({ goesOn: true });
  },
};
