import { chatLinesImport } from "./chat-lines-import.ts";
import { claudeImport } from "./claude-import.ts";
import { codexImport } from "./codex-import.ts";
import { type ForeignFile, readForeignFile } from "./foreign-file.ts";
import { geminiImport } from "./gemini-import.ts";
import { ImportDraft, type ImportedSession } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { opencodeImport } from "./opencode-import.ts";
import { piImport } from "./pi-import.ts";
import { qwenImport } from "./qwen-import.ts";

/** The programs whose sessions can be taken over, in the order in which a file is tried: the one that knows least is last. */
export const importFormats = {
  codex: codexImport,
  pi: piImport,
  qwen: qwenImport,
  claude: claudeImport,
  gemini: geminiImport,
  opencode: opencodeImport,
  chat: chatLinesImport,
} as const satisfies Record<string, ImportFormat>;

/** Lines about the program itself may come before the first message. */
const LOOKED_AT = 50;

export type TakenSession = ImportedSession & { readonly from: string };

/** Reads a session of another program; the result says in a sentence why that cannot be. */
export function importFrom(path: string): TakenSession | { problem: string } {
  const file = readForeignFile(path);
  if ("problem" in file) return file;
  const format = formatOf(file);
  if (!format) return { problem: `${path} is no session of a program that harness knows.` };
  const talk = new ImportDraft();
  format.take(file, talk);
  talk.leave("lines that cannot be read", file.brokenLines);
  const taken = talk.end();
  if (taken.messages.length === 0) return { problem: `${path} has no messages of a conversation.` };
  return { ...taken, from: format.title };
}

/** The format of a file; undefined: none knows it. */
function formatOf(file: ForeignFile): ImportFormat | undefined {
  const first = file.first(LOOKED_AT);
  return Object.values(importFormats).find((format) => format.knows(first));
}
