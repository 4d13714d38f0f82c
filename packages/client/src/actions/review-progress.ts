import type { HunkAnswer, Permission, PermissionOutcome, ReviewHunk } from "@harness/protocol";

/** The user's progress in a review: the change in view, and the decisions so far. */
export type ReviewProgress = {
  readonly at: number;
  readonly answers: ReadonlyMap<string, HunkAnswer>;
};

export const NO_PROGRESS: ReviewProgress = { at: 0, answers: new Map() };

/** Decides the change in view and moves to the next open one. */
export function decideHunk(
  progress: ReviewProgress,
  hunks: readonly ReviewHunk[],
  answer: Omit<HunkAnswer, "hunkId">,
): ReviewProgress {
  const hunk = hunks[progress.at];
  if (!hunk) return progress;
  const { hunkId } = hunk;
  const answers = new Map(progress.answers).set(hunkId, { hunkId, ...answer });
  const isOpen = (each: ReviewHunk): boolean => !answers.has(each.hunkId);
  const after = hunks.findIndex((each, at) => at > progress.at && isOpen(each));
  const next = after >= 0 ? after : hunks.findIndex(isOpen);
  return { at: next >= 0 ? next : progress.at, answers };
}

/** `rest`: the decision for changes that are still open. */
export function reviewOutcome(
  { options, review = [] }: Permission,
  { answers }: ReviewProgress,
  rest: "allow_once" | "reject_once",
): PermissionOutcome {
  const option = options.find(({ kind }) => kind === rest);
  if (!option) return { outcome: "cancelled" };
  const hunks = review.flatMap(({ hunkId }) => answers.get(hunkId) ?? []);
  return { outcome: "selected", optionId: option.optionId, ...(hunks.length > 0 ? { hunks } : {}) };
}

export function isDecided({ review = [] }: Permission, { answers }: ReviewProgress): boolean {
  return review.every(({ hunkId }) => answers.has(hunkId));
}

/** The decisions of a review that was left for later, for those of its changes that are asked about again unchanged. */
export function progressAgain(
  { review: left = [] }: Permission,
  { answers: decided }: ReviewProgress,
  hunks: readonly ReviewHunk[],
): ReviewProgress {
  const before = new Map(left.map((hunk) => [contentOf(hunk), decided.get(hunk.hunkId)]));
  const answers = new Map<string, HunkAnswer>();
  for (const hunk of hunks) {
    const answer = before.get(contentOf(hunk));
    if (answer) answers.set(hunk.hunkId, { ...answer, hunkId: hunk.hunkId });
  }
  return {
    at: Math.max(
      0,
      hunks.findIndex(({ hunkId }) => !answers.has(hunkId)),
    ),
    answers,
  };
}

function contentOf({ path, change, line, before, after }: ReviewHunk): string {
  return JSON.stringify([path, change, line, before, after]);
}
