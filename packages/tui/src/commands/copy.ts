import { copiedText } from "@harness/client/actions";
import { shownAgent } from "../state/agents.ts";
import type { CommandContext, CommandRow } from "./command-row.ts";

export const copy: CommandRow = {
  description: "Copy the last answer, an earlier one, its code, or the whole conversation",
  argumentHint: "[N | code | all]",
  complete: async () => ["code", "all"].map((name) => ({ label: name, detail: "", insert: name })),
  run(context, args) {
    copyFromTranscript(context, args.trim().toLowerCase());
  },
};

/** Copies an answer, its code or the conversation in view, and says so. */
export function copyFromTranscript(
  { store, window }: { store: CommandContext["store"]; window: Pick<CommandContext["window"], "copy"> },
  what: string,
): void {
  const found = copiedText(shownAgent(store.get())?.items ?? [], what);
  if ("problem" in found) store.note("warning", found.problem);
  else store.note("info", window.copy(found.text));
}
