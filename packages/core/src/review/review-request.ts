import type { HunkAnswer, Permission, PermissionOutcome, ReviewHunk } from "@harness/protocol";
import type { AnsweredReview } from "../journal/open-work-ledger.ts";
import type { ReviewDraft } from "../ports/review-files.ts";

const TAKE = "take";
const REJECT = "reject";

/** The review as a permission request. A client that does not know hunks accepts or rejects all of it. */
export function reviewRequest({ hunks, preview }: ReviewDraft, permissionId: string, agentId: string): Permission {
  const paths = [...new Set(hunks.map(({ path }) => path))];
  return {
    permissionId,
    agentId,
    toolCallId: permissionId,
    tool: "review",
    title: `review ${changesIn(hunks.length, paths.length)}`,
    reason: "writes the changes that you take",
    risk: "medium",
    effects: paths.map((path) => ({ kind: "write", path })),
    preview,
    options: [
      { optionId: TAKE, name: "Take all", kind: "allow_once" },
      { optionId: REJECT, name: "Reject all", kind: "reject_once" },
    ],
    review: hunks,
  };
}

/** For example `3 changes in 2 files`. */
export function changesIn(changes: number, files: number): string {
  return `${changes} ${changes === 1 ? "change" : "changes"} in ${files} ${files === 1 ? "file" : "files"}`;
}

/** The outcome for each hunk: its own answer if it has one, otherwise the chosen option. */
export function answersOf(
  { hunks }: Pick<ReviewDraft, "hunks">,
  outcome: Extract<PermissionOutcome, { outcome: "selected" }>,
): HunkAnswer[] {
  const { optionId, feedback, hunks: own = [] } = outcome;
  const words = feedback === undefined ? {} : { feedback };
  return hunks.map(
    ({ hunkId }) =>
      own.find((each) => each.hunkId === hunkId) ??
      (optionId === TAKE ? { hunkId, take: true } : { hunkId, take: false, ...words }),
  );
}

/**
 * The answers of an earlier review applied to the hunks of a new one, which has other ids: only for files whose hunks
 * were all shown then as they are now.
 */
export function answersAgain(
  { hunks }: Pick<ReviewDraft, "hunks">,
  { hunks: shown, outcome }: AnsweredReview,
): { answers: HunkAnswer[]; hunks: ReviewHunk[] } {
  const then = new Map(shown.map((hunk) => [textOf(hunk), hunk]));
  const changed = new Set(hunks.filter((hunk) => !then.has(textOf(hunk))).map(({ path }) => path));
  const same = hunks.filter(({ path }) => !changed.has(path));
  const ids = new Map(answersOf({ hunks: [...shown] }, outcome).map((answer) => [answer.hunkId, answer]));
  const answers = same.flatMap((hunk) => {
    const answer = ids.get(then.get(textOf(hunk))?.hunkId ?? "");
    return answer ? [{ ...answer, hunkId: hunk.hunkId }] : [];
  });
  return { answers, hunks: same };
}

function textOf({ path, change, line, before, after }: ReviewHunk): string {
  return JSON.stringify([path, change, line, before, after]);
}
