import { isRecord } from "@harness/host";

export type JsonObject = Readonly<Record<string, unknown>>;

const SHOWN_CHARS = 200;

/** A hook's stdout: an object; empty output counts as an empty one. `problem`: a clause about the hook. */
export function parseHookOutput(stdout: string): { answer: JsonObject } | { problem: string } {
  const text = stdout.replace(/^\uFEFF/, "").trim();
  if (text === "") return { answer: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return { answer: value };
  } catch {
    // Reported below.
  }
  const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  return { problem: `wrote something other than a JSON object: ${shown.toWellFormed()}` };
}

/** The message of a hook that refuses or fails, from its stdout; "" if it has none. */
export function hookMessage(stdout: string, maxChars: number): string {
  const read = parseHookOutput(stdout);
  const words = "answer" in read ? wordsIn(read.answer) : stdout.trim();
  return words.slice(0, maxChars).toWellFormed();
}

function wordsIn(answer: JsonObject): string {
  for (const name of ["error", "reason", "message", "output"]) {
    const value = answer[name];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (isRecord(value) && typeof value.message === "string") return value.message.trim();
  }
  return "";
}
