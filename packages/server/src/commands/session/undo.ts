import type { ServerCommand } from "../server-command.ts";

export const undoCommand: ServerCommand = {
  description: "Undo the file changes of the last turn; your own changes since then stay.",
  needsSession: true,
  announcesFirst: true,
  async run({ session }) {
    return (await session.undo()).text;
  },
};
