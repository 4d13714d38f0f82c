import type { CommandRow } from "./command-row.ts";

export const ps: CommandRow = {
  description: "Processes in the background: their output, stop them, let them go on after the session",
  run: ({ controllers }) => controllers.processes.open(),
};
