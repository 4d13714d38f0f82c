import type { ServerCommand } from "./server-command.ts";

export const compactCommand: ServerCommand = {
  description: "Summarise older messages to make room in the context window.",
  argumentHint: "[what to keep]",
  needsSession: true,
  leavesLane: true,
  async run({ session }, args) {
    const answer = await session.compact(args === "" ? undefined : args);
    if ("problem" in answer) return answer.problem;
    const { tokensBefore, tokensAfter } = answer;
    return `Compacted: about ${tokensBefore.toLocaleString("en")} tokens are now about ${tokensAfter.toLocaleString("en")}. Nothing was deleted from the log.`;
  },
};
