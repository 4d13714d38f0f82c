import type { CommandRow } from "./command-row.ts";

export const rewind: CommandRow = {
  description: "Rewind to before one of your messages: conversation, files, or both",
  argumentHint: "[NUMBER] [both|conversation|files]",
  run: ({ controllers: { rewind, runOnServer } }, args) =>
    args.trim() === "" ? rewind.open() : runOnServer("rewind", args),
};
