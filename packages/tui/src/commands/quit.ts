import type { CommandRow } from "./command-row.ts";

export const quit: CommandRow = {
  description: "Leave; the session stays stored",
  run: ({ window }) => window.leave(0),
};
