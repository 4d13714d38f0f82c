import type { RestoredFile, UpdateOf } from "../vocabulary/updates.ts";

const MOST_NAMED = 8;

/** `changed 3 files, +10 −2`, for people; the names follow in `changedNames`. */
export function changesTitle({ files, moreFiles, added, removed }: Counted): string {
  return `Changed ${filesText(files.length + moreFiles)}, +${added} −${removed}.`;
}

type Counted = Pick<UpdateOf<"turn_changes">, "files" | "moreFiles" | "added" | "removed">;

export function changedNames({ files, moreFiles }: Counted): string {
  return named(files, moreFiles);
}

/** What came of an undo, redo or rewind, as a sentence or two for people. */
export function rewindTitle({
  kind,
  turnIds,
  files,
  fromSeq,
  before,
  toCheckpoint,
}: UpdateOf<"rewind_update">): string {
  const count = files.filter(({ outcome }) => outcome !== "kept").length;
  if (kind === "redo") {
    if (before === undefined) return "Messages count again.";
    return count === 0 ? "No file had to be put back." : `Put back: ${filesText(count)}.`;
  }
  const spans = [
    ...(turnIds.length === 1 ? ["the changes of one turn"] : []),
    ...(turnIds.length > 1 ? [`the changes of ${turnIds.length} turns`] : []),
    ...(toCheckpoint === undefined ? [] : ["a part of a turn"]),
  ];
  const sentences = [
    ...(fromSeq === undefined ? [] : ["Went back in the conversation."]),
    ...(before === undefined || spans.length === 0 ? [] : [takenBackText(spans.join(" and "), count, files.length)]),
  ];
  return sentences.join(" ");
}

function takenBackText(what: string, count: number, all: number): string {
  return count === 0 && all > 0 ? `Of ${what} no file could be taken back.` : `Took back ${what}: ${filesText(count)}.`;
}

/** Which files became what, and which were left alone, and why; "" where there is nothing to say. */
export function rewindDetails(files: readonly RestoredFile[]): string {
  const of = (outcome: RestoredFile["outcome"]) => files.filter((each) => each.outcome === outcome);
  const lines = [
    line("Restored", of("restored")),
    line("Removed", of("deleted")),
    line("Merged with what was changed since", of("merged")),
    ...keptLines(of("kept")),
  ];
  return lines.filter((each) => each !== "").join("\n");
}

function line(what: string, files: readonly RestoredFile[]): string {
  return files.length === 0 ? "" : `${what}: ${named(files, 0)}.`;
}

/** One line for each reason. */
function keptLines(files: readonly RestoredFile[]): string[] {
  const reasons = [...new Set(files.map(({ why = "" }) => why))];
  return reasons.map((reason) => {
    const some = files.filter(({ why = "" }) => why === reason);
    return `Left as ${some.length === 1 ? "it is" : "they are"}: ${named(some, 0)}${reason === "" ? "" : ` (${reason})`}.`;
  });
}

function named(files: readonly { path: string }[], moreFiles: number): string {
  const more = Math.max(0, files.length - MOST_NAMED) + moreFiles;
  const names = files.slice(0, MOST_NAMED).map(({ path }) => path);
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}

function filesText(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}
