import type { FileList } from "@harness/core";
import { isSecret } from "@harness/gate";
import { realPathOf } from "@harness/host";
import { findFiles } from "./find-files.ts";
import { createIgnoreRules } from "./ignore-rules.ts";
import { undoRules } from "./undo-rules.ts";

const MAX_FILES = 100_000;
const MAX_MS = 5_000;

/** Finds files by walking folders, in a repository or without one. It watches none. */
export const walkedFiles: Omit<FileList, "watch"> = {
  find: findFiles,
  async all(folder) {
    const base = await realPathOf(folder).catch(() => undefined);
    if (base === undefined) return { files: [], incomplete: false };
    const signal = AbortSignal.timeout(MAX_MS);
    const { files, incomplete } = await findFiles({ base, patterns: ["**/*"], cwd: base, signal });
    return { files: files.slice(0, MAX_FILES), incomplete: incomplete || files.length > MAX_FILES };
  },
  rules: createIgnoreRules,
  undoRules,
  isSecret,
};
