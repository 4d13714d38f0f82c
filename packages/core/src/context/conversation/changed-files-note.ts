import { shownPath } from "./shown-path.ts";

const MAX_NAMED = 5;

/** Tells the model which of the files it has seen were changed or removed by others. */
export function changedFilesNote(
  files: readonly { path: string; state: "same" | "changed" | "gone" }[],
  cwd: string,
): string {
  const of = (wanted: string) => files.filter(({ state }) => state === wanted).map(({ path }) => shownPath(path, cwd));
  const changed = named(of("changed"));
  const gone = named(of("gone"));
  const parts = [
    changed === "" ? "" : `Changed on disk since you last read or wrote them: ${changed}.`,
    gone === "" ? "" : `Deleted since: ${gone}.`,
  ];
  return `[A note from harness, not from the person: ${parts.filter((part) => part !== "").join(" ")}]`;
}

function named(paths: readonly string[]): string {
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : "";
  return paths.slice(0, MAX_NAMED).join(", ") + more;
}
