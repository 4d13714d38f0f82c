import type { CommandRow } from "./command-row.ts";

export const help: CommandRow = {
  description: "Commands and keys",
  run: ({ window }) => window.showHelp(),
};
