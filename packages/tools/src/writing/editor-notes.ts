import { lineDiff } from "@harness/host";
import type { WrittenFiles } from "./file-writer.ts";
import type { FileEdit } from "./prepared-change.ts";

const MAX_SHOWN_LINES = 60;

/** For the model: what an editor has made of files as it took them. */
export async function editorNotes(
  changes: readonly (Pick<FileEdit, "realPath" | "bytes"> & { shown: string })[],
  { otherwise }: WrittenFiles,
): Promise<string[]> {
  const notes: string[] = [];
  for (const [at, { realPath, bytes, shown }] of changes.entries()) {
    const now = otherwise[at];
    if (!now || !bytes) continue;
    const options = { maxLines: MAX_SHOWN_LINES, context: 0 };
    const { added, removed, hunks } = await lineDiff(realPath, bytes.toString(), now.toString(), options);
    notes.push(`[${shown} was then changed in the person's editor (+${added} -${removed}), and is now:]\n${hunks}`);
  }
  return notes;
}
