import type { CommandRow } from "./command-row.ts";

export const usage: CommandRow = {
  description: "The same as /cost",
  run: ({ showUsage }) => showUsage(),
};
