import { copiedText } from "../actions/copied-text.ts";
import type { Front } from "./front.ts";
import { type FrontCommand, named } from "./front-command.ts";

export const copyCommand: FrontCommand = {
  words: "Copy the last answer, an earlier one, its code, or the whole conversation",
  lines: {
    words:
      "Copy the last answer, an earlier one, its code, or the whole conversation; print it where there is no clipboard",
  },
  hint: "[N | code | all]",
  whileBusy: true,
  complete: async () => named(["code", "all"]),
  run: (front, args) => copyAnswer(front, args.toLowerCase()),
};

/** Copies an answer, its code or the conversation, and says so. */
export async function copyAnswer(front: Pick<Front, "transcript" | "say" | "copy">, what: string): Promise<void> {
  const found = copiedText(await front.transcript(), what);
  if ("problem" in found) front.say(found.problem, "warning");
  else front.copy(found.text);
}
