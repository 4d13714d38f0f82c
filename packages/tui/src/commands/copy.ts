import { type TranscriptItem, textOf } from "@harness/protocol";
import { shownAgent } from "../state/agents.ts";
import type { CommandRow } from "./command-row.ts";

const USAGE = "Usage: /copy for the last answer, /copy 2 for the one before it, /copy code, or /copy all.";

export const copy: CommandRow = {
  description: "Copy the last answer, an earlier one, its code, or the whole conversation",
  argumentHint: "[N | code | all]",
  complete: async () => ["code", "all"].map((name) => ({ label: name, detail: "", insert: name })),
  run({ store, window }, args) {
    const items = shownAgent(store.get())?.items ?? [];
    const found = wanted(items, args.trim().toLowerCase());
    if ("problem" in found) store.note("warning", found.problem);
    else store.note("info", window.copy(found.text));
  },
};

function wanted(items: readonly TranscriptItem[], what: string): { text: string } | { problem: string } {
  const answers = items.flatMap((item) => (item.kind === "agent" ? [textOf(item.parts).trim()] : [])).filter(Boolean);
  if (what === "all")
    return items.length > 0 ? { text: wholeText(items) } : { problem: "There is nothing to copy yet." };
  if (answers.length === 0) return { problem: "There is no answer to copy yet." };
  if (what === "code") {
    const code = answers.map(codeOf).findLast((text) => text !== "");
    return code === undefined ? { problem: "No answer has a block of code." } : { text: code };
  }
  const back = what === "" ? 1 : Number(what);
  if (!Number.isInteger(back) || back < 1) return { problem: USAGE };
  const text = answers.at(-back);
  const have = answers.length === 1 ? "is only one answer" : `are only ${answers.length} answers`;
  return text === undefined ? { problem: `There ${have} here.` } : { text };
}

/** The blocks of code in an answer, without their fences. */
function codeOf(answer: string): string {
  const blocks = answer.matchAll(/^([ \t]*)(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^\1\2[ \t]*$/gm);
  return [...blocks].map(([, , , code = ""]) => code.replace(/\n$/, "")).join("\n\n");
}

/** What was said, as Markdown. */
function wholeText(items: readonly TranscriptItem[]): string {
  const said = items.flatMap((item) => {
    if (item.kind === "agent") return [textOf(item.parts).trim()];
    if (item.kind === "tool") return [`- ${item.title}`];
    if (item.kind !== "user") return [];
    return [textOf(item.content).trim().replace(/^/gm, "> ")];
  });
  return said
    .filter((text) => text !== "")
    .join("\n\n")
    .replace(/(^- .*)\n\n(?=- )/gm, "$1\n");
}
