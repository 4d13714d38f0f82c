import type { HunkAnswer, ReviewHunk, StagedFile } from "@harness/protocol";

/** Of a hunk, for the model, which has the rest in its own call. */
const MAX_LINES = 12;
const MAX_CHARS = 1000;

/** What the model has to know of a review; undefined: everything was taken as it was. */
export function reviewText(hunks: readonly ReviewHunk[], answers: readonly HunkAnswer[]): string | undefined {
  const of = ({ hunkId }: ReviewHunk) => answers.find((each) => each.hunkId === hunkId);
  const rejected = hunks.filter((hunk) => of(hunk)?.take !== true);
  const edited = hunks.filter((hunk) => isEdited(hunk, of(hunk)));
  if (rejected.length + edited.length === 0) return undefined;
  const taken = hunks.length - rejected.length;
  const rows = [
    `The person has reviewed your edits: ${taken} of ${hunks.length} changes are in the files now.`,
    ...rejected.map((hunk) => {
      const words = of(hunk)?.feedback?.trim();
      return `Rejected, ${placeOf(hunk)}${words ? `, because: ${words}` : ""}\n${shown("+", hunk.after || hunk.before)}`;
    }),
    ...edited.map((hunk) => `Changed by the person, ${placeOf(hunk)}, to:\n${shown("+", of(hunk)?.text ?? "")}`),
    "Read these files before you change them again.",
  ];
  return rows.join("\n");
}

function isEdited(hunk: ReviewHunk, answer: HunkAnswer | undefined): boolean {
  return answer?.take === true && answer.text !== undefined && answer.text !== hunk.after;
}

function placeOf({ path, change, line }: ReviewHunk): string {
  if (change === "create") return `the new file ${path}`;
  return change === "delete" ? `the deletion of ${path}` : `${path} at line ${line}`;
}

function shown(sign: string, text: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const rows = lines.slice(0, MAX_LINES).map((line) => sign + line);
  if (lines.length > MAX_LINES) rows.push(`[${lines.length - MAX_LINES} more lines]`);
  return rows.join("\n").slice(0, MAX_CHARS).toWellFormed();
}

export function outdatedText(files: readonly StagedFile[]): string | undefined {
  if (files.length === 0) return undefined;
  const names = files.map(({ path }) => path).join(", ");
  return `Not written, as the file has changed on disk since you edited it: ${names}. Read it, and make the change again.`;
}
