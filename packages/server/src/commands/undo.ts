import type { ServerCommand } from "./server-command.ts";

export const undoCommand: ServerCommand = {
  description: "Take back what the last turn changed in the files; what you changed since stays.",
  needsSession: true,
  async run({ session }) {
    return (await session.undo()).text;
  },
};
