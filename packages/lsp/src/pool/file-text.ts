import type { StagedTexts } from "@harness/core";
import { readRegularFile } from "@harness/host";

const MAX_FILE_BYTES = 1_000_000;

/** The text of a file; undefined if there is no such file, or it is too large for a server. */
export type TextOfFile = (path: string) => string | undefined;

/** As it is on disk. */
export const fileText: TextOfFile = (path) => {
  try {
    return readRegularFile(path, { maxBytes: MAX_FILE_BYTES, followLinks: true }).toString("utf8");
  } catch {
    return undefined;
  }
};

/** As it is with changes that wait for a review. */
export function stagedText(staged: StagedTexts | undefined): TextOfFile {
  if (!staged || staged.size === 0) return fileText;
  return (path) => {
    const content = staged.get(path);
    if (content === null) return undefined;
    return fileText(content ?? path);
  };
}
