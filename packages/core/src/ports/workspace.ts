import type { SeenFile } from "@harness/protocol";

/** The kind of project in a folder, such as `Rust + Node.js`, and the usual commands to work on it. */
export type ProjectFacts = {
  kind: string;
  name?: string;
  packageManager?: string;
  commands: { build?: string; test?: string; run?: string };
};

/** Facts about the session's folder for the system prompt, read once when the session opens. */
export type WorkspaceFacts = {
  root: string;
  /** Absent outside a repository; `changedFiles` is absent if git did not answer in time. */
  git?: { branch: string; changedFiles?: number };
  /** Top level, folders first and ending in `/`, without hidden and ignored ones, at most 50. */
  entries: string[];
  moreEntries: number;
  /** Absent if nothing identifies it. */
  project?: ProjectFacts;
  platform: string;
  shell: string;
  temporaryFolder: string;
};

/** The text of a pinned file, and the part that counts as seen; or why it cannot be read, as the end of a sentence. */
export type PinnedReading = { text: string; seen: SeenFile } | { problem: string };

/** An instruction file's text, already cut to size. */
export type InstructionFile = {
  path: string;
  text: string;
  /** Its folder is not trusted. */
  untrusted?: true;
};
