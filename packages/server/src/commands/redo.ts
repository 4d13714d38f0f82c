import type { ServerCommand } from "./server-command.ts";

export const redoCommand: ServerCommand = {
  description: "Take the last /undo or /rewind back, as long as you have sent no message since.",
  needsSession: true,
  async run({ session }) {
    return (await session.redo()).text;
  },
};
