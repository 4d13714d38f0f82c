import type { CommandRow } from "./command-row.ts";

export const trust: CommandRow = {
  description: "What this folder would run, and whether it may",
  run: ({ controllers }) => controllers.trust.open(),
};
