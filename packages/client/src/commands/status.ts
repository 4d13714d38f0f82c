import { sessionFacts } from "../actions/session-facts.ts";
import type { FrontCommand } from "./front-command.ts";

export const statusCommand: FrontCommand = {
  aliases: ["session"],
  words: "This session: model, context window, permissions, folder, changes",
  whileBusy: true,
  async run(front) {
    front.show("Status", sessionFacts(await front.view()));
  },
};
