import { wordList } from "@harness/protocol";
import { chatLinesImport } from "./chat-lines-import.ts";
import { claudeImport } from "./claude-import.ts";
import { codexImport } from "./codex-import.ts";
import { type ForeignFile, readEnds, readForeignFile } from "./foreign-file.ts";
import { geminiImport } from "./gemini-import.ts";
import { ImportDraft, type ImportedMessage, type ImportLosses } from "./import-draft.ts";
import type { ImportFormat } from "./import-format.ts";
import { opencodeImport } from "./opencode-import.ts";
import { piImport } from "./pi-import.ts";
import { qwenImport } from "./qwen-import.ts";

/**
 * The programs whose sessions can be imported, in the order in which a file is tried: the least specific format comes
 * last.
 */
export const importFormats = {
  codex: codexImport,
  pi: piImport,
  qwen: qwenImport,
  claude: claudeImport,
  gemini: geminiImport,
  opencode: opencodeImport,
  chat: chatLinesImport,
} as const satisfies Record<string, ImportFormat>;

/** Lines about the program itself may precede the first message. */
const LOOKED_AT = 50;
const GLANCE_BYTES = 256 * 1024;

/** A conversation to import: texts and pictures, and calls as text. */
export type TakenSession = ImportLosses & {
  readonly from: string;
  readonly messageCount: number;
  readonly startedAt: string | undefined;
  readonly title: string | undefined;
  readonly cwd: string | undefined;
  /** Reads the file again and passes each message to `visit`. Throws file system errors. */
  forEachMessage(visit: (message: ImportedMessage) => void): void;
};

/** Reads a session of another program; a sentence if that fails. */
export function importFrom(path: string): TakenSession | { problem: string } {
  const file = readForeignFile(path);
  if ("problem" in file) return file;
  try {
    return takenFrom(file) ?? { problem: `${path} has no messages of a conversation: nothing was imported.` };
  } catch (error) {
    return { problem: `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.` };
  }
}

/** The folder, the title and the first message of a session. The file may be long, so only its ends are read. */
export function glanceAt(path: string): Pick<TakenSession, "cwd" | "title" | "forEachMessage"> | "empty" | undefined {
  try {
    const { start, end, isWhole } = readEnds(path, GLANCE_BYTES);
    const begin = takenFrom(start);
    const last = takenFrom(end);
    if (!begin && isWhole) return "empty";
    if (!begin || "problem" in begin) return undefined;
    return { ...begin, title: (last && "title" in last ? last.title : undefined) ?? begin.title };
  } catch {
    return undefined;
  }
}

/** Undefined if it has no messages. Throws file system errors. */
function takenFrom(file: ForeignFile): TakenSession | { problem: string } | undefined {
  const format = formatOf(file);
  if (!format)
    return {
      problem: `${file.path} is not a session of ${wordList(titles, "or")}, nor chat messages in lines. harness session import --list shows what there is.`,
    };
  const talk = new ImportDraft();
  format.take(file, talk);
  talk.leave("line that cannot be read", file.brokenLines);
  const { title, cwd, from, left, shortened, startedAt, messageCount, takenBack } = talk;
  if (messageCount === 0) return undefined;
  return {
    ...{ from: from ?? format.title, title: title?.trim() || undefined, cwd: cwd || undefined },
    ...{ left, shortened, startedAt, messageCount },
    forEachMessage(visit) {
      const again = new ImportDraft({ visit, takenBack });
      format.take(file, again);
      again.end();
    },
  };
}

const titles = Object.values(importFormats).map(({ title }) => title);

/** The format of a file; undefined if it is unknown. */
function formatOf(file: ForeignFile): ImportFormat | undefined {
  const first = file.first(LOOKED_AT);
  return Object.values(importFormats).find((format) => format.knows(first));
}
