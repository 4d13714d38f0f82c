import type { CommandRow } from "./command-row.ts";

export const clear: CommandRow = {
  description: "The same as /new: an empty screen, nothing is deleted",
  run: ({ begin }) => begin(),
};
