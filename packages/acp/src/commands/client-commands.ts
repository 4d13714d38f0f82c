import type { ClientCommand } from "./client-command.ts";
import { processesCommand } from "./processes.ts";
import { subagentsCommand } from "./subagents.ts";

/** By name. Those of the server come before them. */
export const clientCommands: Readonly<Record<string, ClientCommand>> = {
  processes: processesCommand,
  steer: {
    description: "Say something to the agent while it works: it reads it before its next request.",
    hint: "WORDS",
    async run(args, { session }) {
      if (args === "") return "Usage: /steer WORDS";
      const { disposition } = await session.steer(args);
      return disposition === "steered" ? "The agent reads it before its next request." : "Sent.";
    },
  },
  subagents: subagentsCommand,
  title: {
    description: "Show the title of this session, or give it another one.",
    hint: "[TITLE]",
    async run(args, { session }) {
      if (args === "") return session.state?.title ?? "The session has no title yet.";
      await session.rename(args);
      return `The session is called ${args}.`;
    },
  },
};
