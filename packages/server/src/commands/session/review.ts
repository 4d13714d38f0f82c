import { sendComposed } from "../send-message.ts";
import type { ServerCommand } from "../server-command.ts";

const NAME = "/review";

export const reviewCommand: ServerCommand = {
  description: "Have the model review the uncommitted changes, or what you name; it changes nothing.",
  argumentHint: "[what to review]",
  needsSession: true,
  startsTurn: true,
  run: (context, args) =>
    sendComposed(context, {
      text: args === "" ? NAME : `${NAME} ${args}`,
      delivery: "start",
      more: () => ({ command: { name: NAME, from: NAME, pieces: [{ text: reviewText(args) }], looks: true } }),
    }),
};

function reviewText(wanted: string): string {
  const what = wanted === "" ? "the uncommitted changes of this workspace, new files included" : wanted;
  return `Review ${what}. Read the changes and as much of the code around them as it takes to judge them. You cannot change anything in this turn: you have the tools that look, and commands that only read.

Report only what is wrong or likely to go wrong, the worst first: for each finding the file and line, what happens and when, and how to repair it. Leave out matters of taste and praise. If there is nothing to report, say so in one sentence, and name what you did not look at.`;
}
