import type { ServerCommand } from "../server-command.ts";

export const redoCommand: ServerCommand = {
  description: "Redo what the last /undo or /rewind reverted, as long as you have sent no message since.",
  needsSession: true,
  announcesFirst: true,
  async run({ session }) {
    return (await session.redo()).text;
  },
};
