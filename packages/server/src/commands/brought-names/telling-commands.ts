import type { ServerCommand } from "../server-command.ts";

/** Commands of other programs that do not exist here: what replaces them. */
export const tellingCommands: Readonly<Record<string, ServerCommand>> = {
  "project-settings": {
    description: "Where this project's settings are.",
    needsSession: false,
    run: ({ cwd }) =>
      `The settings of this project are those of .harness/settings.json, from ${cwd} upwards; create the file to have some. It counts once you trust the folder (/trust). /settings shows each value and where it comes from.`,
  },
  "toggle-toolcall-json": {
    description: "What was called, in full.",
    needsSession: false,
    run: () =>
      "Calls are shown with their arguments in words; unfolding one shows its output. /inspect shows the last request as it was sent, with each call as JSON.",
  },
};
