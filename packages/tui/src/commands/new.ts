import type { CommandRow } from "./command-row.ts";

export const newSession: CommandRow = {
  aliases: ["clear"],
  description: "Start a new session; the old one stays in History",
  run: ({ controllers }) => controllers.session.begin(),
};
