import type { CommandRow } from "./command-row.ts";

export const history: CommandRow = {
  description: "Stored sessions: open, rename, delete",
  run: ({ window }) => window.show("history"),
};
