import type { ForeignFile } from "./foreign-file.ts";
import type { ImportDraft } from "./import-draft.ts";
import type { JsonRow } from "./json-values.ts";

/** Sessions of another program. They are only read. */
export type ImportFormat = {
  /** For people: "Claude Code". */
  readonly title: string;
  /** Where the program keeps them, below the home: `*` stands for one name, `**` for any folders. */
  readonly places: readonly string[];
  /** True if a file that begins with these objects has this format. */
  knows(first: readonly JsonRow[]): boolean;
  /** Takes the conversation over. Never throws: unknown and broken entries are left out and counted. */
  take(file: ForeignFile, talk: ImportDraft): void;
};
