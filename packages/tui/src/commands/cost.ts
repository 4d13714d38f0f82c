import type { CommandRow } from "./command-row.ts";

export const cost: CommandRow = {
  description: "Tokens and money: session and today",
  run: ({ showUsage }) => showUsage(),
};
