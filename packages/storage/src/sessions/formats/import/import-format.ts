import type { ForeignFile } from "./foreign-file.ts";
import type { ImportDraft } from "./import-draft.ts";
import type { JsonRow } from "./json-values.ts";

/** The session format of another program. Its files are never changed. */
export type ImportFormat = {
  /** For people: "Claude Code". */
  readonly title: string;
  /** Its session files, below the home directory: `*` stands for one name, `**` for any folders. */
  readonly places: readonly string[];
  /** True if a file with these first objects has this format. */
  knows(first: readonly JsonRow[]): boolean;
  /** Imports the conversation. Never throws: unknown and broken entries are left out and counted. */
  take(file: ForeignFile, talk: ImportDraft): void;
};
