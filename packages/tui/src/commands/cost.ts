import type { CommandRow } from "./command-row.ts";

export const cost: CommandRow = {
  aliases: ["usage"],
  description: "Tokens and money: session and today",
  run: ({ window }) => window.showUsage(),
};
