import { type FileDiff, shownName } from "@harness/protocol";

/** The diff of one file as `git diff` writes it. */
export function diffText({ path, change, hunks, note }: FileDiff): string {
  const before = change === "create" ? "/dev/null" : shownName(`a/${path}`);
  const after = change === "delete" ? "/dev/null" : shownName(`b/${path}`);
  const body = [...(note === undefined ? [] : [`(${note})`]), ...(hunks === "" ? [] : [hunks])];
  return `--- ${before}\n+++ ${after}\n${body.join("\n")}`.trimEnd();
}
