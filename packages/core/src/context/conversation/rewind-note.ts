import { type RestoredFile, shortList, shownName, type UpdateOf } from "@harness/protocol";

const MAX_NAMED = 30;

/** A note for the model about an undo or a rewind, sent with the user's next message; undefined: no note is needed. */
export function rewindNote({ kind, files, fromSeq, before, fromFiles }: UpdateOf<"rewind_update">): string | undefined {
  if (kind === "redo" || fromFiles) return undefined;
  const took = before !== undefined;
  const isBack = fromSeq !== undefined;
  if (isBack && !took) {
    return note(
      "The person went back to here in the conversation. The files were left as they are: they may hold changes that you do not know of.",
    );
  }
  const of = (...outcomes: RestoredFile["outcome"][]) => files.filter(({ outcome }) => outcomes.includes(outcome));
  // If messages were rewound along with files, only the files that were not restored are news to the model.
  const back = isBack ? "" : fileSentence("As they were before that change again", of("restored"));
  const gone = isBack ? "" : fileSentence("Removed again", of("deleted"));
  const merged = fileSentence("Your change was taken out, and what the person changed since is still in", of("merged"));
  const kept = fileSentence("Left as they are, with your changes", of("kept", "failed"));
  const parts = [back, gone, merged, kept].filter((each) => each !== "");
  if (parts.length === 0) return undefined;
  return note(`The person took back changes of files that you made. ${parts.join(" ")}`);
}

function note(text: string): string {
  return `[A note from harness, not from the person: ${text} Read a file again before you change it.]`;
}

function fileSentence(what: string, files: readonly RestoredFile[]): string {
  if (files.length === 0) return "";
  const names = files.map(({ path }) => shownName(path));
  return `${what}: ${shortList(names, MAX_NAMED)}.`;
}
