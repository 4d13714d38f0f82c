import type { CommandRow } from "./command-row.ts";

export const rewind: CommandRow = {
  description: "Rewind to before one of your messages: conversation, files, or both",
  argumentHint: "[NUMBER] [both|conversation|files]",
  run: ({ controllers: { overlays, runOnServer } }, args) =>
    args.trim() === "" ? overlays.rewind.open() : runOnServer("rewind", args),
};
