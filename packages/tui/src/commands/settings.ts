import type { CommandRow } from "./command-row.ts";

export const settings: CommandRow = {
  description: "See and change settings",
  run: ({ window }) => window.show("settings"),
};
