import type { CommandRow } from "./command-row.ts";

export const quit: CommandRow = {
  description: "Leave; the session stays stored",
  run: ({ leave }) => leave(0),
};
