// The outcome of an undo, redo or rewind in sentences. They are part of the fact, so that every front shows the same.
import type { RestoredFile, UpdateOf } from "@harness/protocol";
import { shortList } from "@harness/protocol";

type RewindDetails = Pick<
  UpdateOf<"rewind_update">,
  "kind" | "turnIds" | "files" | "fromSeq" | "before" | "toCheckpoint"
>;

const MAX_NAMED = 8;

export function rewindText(done: RewindDetails): { title: string; description?: string } {
  const description = filesText(done.files);
  return { title: titleOf(done), ...(description && { description }) };
}

function titleOf({ kind, turnIds, files, fromSeq, before, toCheckpoint }: RewindDetails): string {
  const count = files.filter(({ outcome }) => outcome !== "kept" && outcome !== "failed").length;
  if (kind === "redo") {
    if (before === undefined) return "The messages are back in the conversation.";
    return count === 0 ? "No file had to be changed." : `Redone: ${countText(count)}.`;
  }
  const spans = [
    ...(turnIds.length === 1 ? ["the changes of one turn"] : []),
    ...(turnIds.length > 1 ? [`the changes of ${turnIds.length} turns`] : []),
    ...(toCheckpoint === undefined ? [] : ["part of a turn"]),
  ];
  const sentences = [
    ...(fromSeq === undefined ? [] : ["Rewound the conversation."]),
    ...(before === undefined || spans.length === 0 ? [] : [revertedText(spans.join(" and "), count, files.length)]),
  ];
  return sentences.join(" ");
}

function revertedText(what: string, count: number, all: number): string {
  if (all === 0) return `No file had to be changed to revert ${what}.`;
  return count === 0 && all > 0 ? `No file could be reverted for ${what}.` : `Reverted ${what}: ${countText(count)}.`;
}

/** The outcome for each file, and why some were left alone; "" without files. */
function filesText(files: readonly RestoredFile[]): string {
  const of = (outcome: RestoredFile["outcome"]) => files.filter((each) => each.outcome === outcome);
  const lines = [
    line("Restored", of("restored")),
    line("Removed", of("deleted")),
    line("Merged with later changes", of("merged")),
    ...reasonLines(of("kept"), (some) => `Left as ${some.length === 1 ? "it is" : "they are"}`),
    ...reasonLines(of("failed"), () => "Could not be written"),
  ];
  return lines.filter((each) => each !== "").join("\n");
}

function line(what: string, files: readonly RestoredFile[]): string {
  return files.length === 0 ? "" : `${what}: ${fileNames(files)}.`;
}

/** One line for each reason. */
function reasonLines(files: readonly RestoredFile[], what: (some: readonly RestoredFile[]) => string): string[] {
  const reasons = [...new Set(files.map(({ why = "" }) => why))];
  return reasons.map((reason) => {
    const some = files.filter(({ why = "" }) => why === reason);
    return `${what(some)}: ${fileNames(some)}${reason === "" ? "" : ` (${reason})`}.`;
  });
}

function fileNames(files: readonly RestoredFile[]): string {
  return shortList(
    files.map(({ path }) => path),
    MAX_NAMED,
  );
}

function countText(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}
