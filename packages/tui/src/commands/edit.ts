import type { CommandRow } from "./command-row.ts";

export const edit: CommandRow = {
  description: "Write the next message in your editor (setting editor, $VISUAL or $EDITOR)",
  argumentHint: "[TEXT]",
  run: ({ window }, args) => window.edit(args),
};
