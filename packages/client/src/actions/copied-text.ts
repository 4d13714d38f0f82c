import { conversationText, type TranscriptItem, textOf } from "@harness/protocol";

const USAGE = "Usage: /copy for the last answer, /copy 2 for the one before it, /copy code, or /copy all.";

/** The text for `/copy`: the last answer (""), an earlier one by number, its `code`, or `all`; or why there is none. */
export function copiedText(items: readonly TranscriptItem[], what: string): { text: string } | { problem: string } {
  const answers = items.flatMap((item) => (item.kind === "agent" ? [textOf(item.parts).trim()] : [])).filter(Boolean);
  if (what === "all")
    return items.length > 0 ? { text: conversationText(items) } : { problem: "There is nothing to copy yet." };
  if (answers.length === 0) return { problem: "There is no answer to copy yet." };
  if (what === "code") {
    const code = answers.map(codeOf).findLast((text) => text !== "");
    return code === undefined ? { problem: "No answer contains code." } : { text: code };
  }
  const back = what === "" ? 1 : Number(what);
  if (!Number.isInteger(back) || back < 1) return { problem: USAGE };
  const text = answers.at(-back);
  const have = answers.length === 1 ? "is only one answer" : `are only ${answers.length} answers`;
  return text === undefined ? { problem: `There ${have} here.` } : { text };
}

/** The code blocks in an answer, without their fences. */
function codeOf(answer: string): string {
  const blocks = answer.matchAll(/^([ \t]*)(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n([\s\S]*?)^\1\2[ \t]*$/gm);
  return [...blocks].map(([, , , code = ""]) => code.replace(/\n$/, "")).join("\n\n");
}
