import { startTurn } from "../send-message.ts";
import type { ServerCommand } from "../server-command.ts";

/** Opens the queue of pending edits, for the user to accept or reject. */
export const pendingCommand: ServerCommand = {
  description: "Review the edits that wait: take or reject each change.",
  needsSession: true,
  leavesLane: true,
  async run(context) {
    const { text, said } = await context.session.edits.review();
    // Rejected edits are reported as at the end of a turn.
    if (said === undefined) return text;
    const started = await startTurn(context, "/pending", [said]);
    return typeof started === "string" ? text : { ...started, text };
  },
};
