import { shortList } from "@harness/protocol";
import { shownPath } from "./shown-path.ts";

const MAX_NAMED = 5;

/** Tells the model which of the files it has seen were changed or removed by others. */
export function changedFilesNote(
  files: readonly { path: string; state: "same" | "changed" | "gone" }[],
  cwd: string,
): string {
  const of = (wanted: string) => files.filter(({ state }) => state === wanted).map(({ path }) => shownPath(path, cwd));
  const changed = shortList(of("changed"), MAX_NAMED);
  const gone = shortList(of("gone"), MAX_NAMED);
  const parts = [
    changed === "" ? "" : `Changed since you last read or wrote them: ${changed}.`,
    gone === "" ? "" : `Deleted since: ${gone}.`,
  ];
  return `[A note from harness, not from the person: ${parts.filter((part) => part !== "").join(" ")}]`;
}
