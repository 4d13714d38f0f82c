import { type HunkAnswer, type ReviewHunk, ROOT_AGENT, type StagedFile, type UpdateOf } from "@harness/protocol";
import { shownPath } from "../context/conversation/shown-path.ts";

/** The length of a hunk for the model, which has the rest in its own call. */
const MAX_LINES = 12;
const MAX_CHARS = 1000;

/**
 * The review's result for the model; undefined: everything was accepted unchanged. `cwd`: paths are shown relative to
 * it.
 */
export function reviewText(
  hunks: readonly ReviewHunk[],
  answers: readonly HunkAnswer[],
  cwd: string,
): string | undefined {
  const of = ({ hunkId }: ReviewHunk) => answers.find((each) => each.hunkId === hunkId);
  const rejected = hunks.filter((hunk) => of(hunk)?.take !== true);
  const edited = hunks.filter((hunk) => isEdited(hunk, of(hunk)));
  if (rejected.length + edited.length === 0) return undefined;
  const taken = hunks.length - rejected.length;
  const rows = [
    `The person has reviewed your edits: ${taken} of ${hunks.length} changes are in the files now.`,
    ...rejected.map((hunk) => {
      const words = of(hunk)?.feedback?.trim();
      const why = words ? `, because: ${words}` : "";
      return `Rejected, ${placeOf(hunk, cwd)}${why}\n${signedLines("+", hunk.after || hunk.before)}`;
    }),
    ...edited.map(
      (hunk) => `Changed by the person, ${placeOf(hunk, cwd)}, to:\n${signedLines("+", of(hunk)?.text ?? "")}`,
    ),
    "Read these files before you change them again.",
  ];
  return rows.join("\n");
}

/** The rejected edits, for the conversation: the calls above look as if they had written their files. */
export function rejectedNotice(
  hunks: readonly ReviewHunk[],
  answers: readonly HunkAnswer[],
  cwd: string,
): UpdateOf<"notice"> | undefined {
  const taken = new Set(answers.filter(({ take }) => take).map(({ hunkId }) => hunkId));
  const rejected = hunks.filter(({ hunkId }) => !taken.has(hunkId));
  if (rejected.length === 0) return undefined;
  const rows = [...Map.groupBy(rejected, ({ path }) => path)].map(([path, own]) =>
    rejectedText(own, hunks.filter((hunk) => hunk.path === path).length, shownPath(path, cwd)),
  );
  const notice = { sessionUpdate: "notice", severity: "info" } as const;
  if (rows.length === 1) return { ...notice, title: rows.join("") };
  const title = `You rejected ${rejected.length} of ${hunks.length} changes.`;
  return { ...notice, title, description: rows.join("\n") };
}

/** `own`: the rejected changes of a file; `of`: the number of all its changes. */
function rejectedText(own: readonly ReviewHunk[], of: number, name: string): string {
  const [first] = own;
  if (first?.change === "create") return `${name} was rejected; it was not written.`;
  if (first?.change === "delete") return `The deletion of ${name} was rejected.`;
  if (of === 1) return `The change in ${name} was rejected.`;
  if (own.length === of) return `${of === 2 ? "Both" : `All ${of}`} changes in ${name} were rejected.`;
  return `${own.length} of ${of} changes in ${name} ${own.length === 1 ? "was" : "were"} rejected.`;
}

function isEdited(hunk: ReviewHunk, answer: HunkAnswer | undefined): boolean {
  return answer?.take === true && answer.text !== undefined && answer.text !== hunk.after;
}

/** The place of a change, with the agents that made it, unless only the main agent did. */
function placeOf({ path, change, line, agents = [] }: ReviewHunk, cwd: string): string {
  const name = shownPath(path, cwd);
  const by = agents.some((each) => each !== ROOT_AGENT) ? ` (by ${agents.join(", ")})` : "";
  if (change === "create") return `the new file ${name}${by}`;
  return change === "delete" ? `the deletion of ${name}${by}` : `${name} at line ${line}${by}`;
}

function signedLines(sign: string, text: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const rows = lines.slice(0, MAX_LINES).map((line) => sign + line);
  if (lines.length > MAX_LINES) rows.push(`[${lines.length - MAX_LINES} more lines]`);
  return rows.join("\n").slice(0, MAX_CHARS).toWellFormed();
}

/** For the model. */
export function outdatedText(files: readonly StagedFile[], cwd: string): string | undefined {
  if (files.length === 0) return undefined;
  return `Not written, as the file has changed on disk since you edited it: ${namesOf(files, cwd)}. Read it, and make the change again.`;
}

/** The same for the conversation. */
export function outdatedNotice(files: readonly StagedFile[], cwd: string): UpdateOf<"notice"> | undefined {
  if (files.length === 0) return undefined;
  const [have, each] = files.length === 1 ? ["has", "it was"] : ["have", "they were"];
  const title = `${namesOf(files, cwd)} ${have} changed on disk since the edit; ${each} not written.`;
  return { sessionUpdate: "notice", severity: "warning", title };
}

function namesOf(files: readonly StagedFile[], cwd: string): string {
  return files.map(({ path }) => shownPath(path, cwd)).join(", ");
}
