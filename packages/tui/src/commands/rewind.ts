import type { CommandRow } from "./command-row.ts";

export const rewind: CommandRow = {
  description: "Go back to before one of your messages: conversation, files, or both",
  argumentHint: "[NUMBER] [both|conversation|files]",
  run: ({ chooseRewind, runOnServer }, args) => (args.trim() === "" ? chooseRewind() : runOnServer("rewind", args)),
};
