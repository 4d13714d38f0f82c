import type { SessionExtensions } from "@harness/core";

type GateHooks = ReturnType<SessionExtensions["gateHooks"]>;

const NONE: GateHooks = [];

/**
 * A hook that may refuse calls is never disabled silently: while it is missing, or changed since it was trusted, the
 * user is asked about each call that it would have judged. `lapsed`: the current files of such hooks.
 */
export function waitingForJudges(lapsed: () => readonly string[]): () => GateHooks {
  let known: { words: string; hooks: GateHooks } | undefined;
  return () => {
    const files = lapsed();
    if (files.length === 0) return NONE;
    const words = wordsOf(files);
    if (known?.words !== words) known = { words, hooks: [async () => ({ ask: words })] };
    return known.hooks;
  };
}

function wordsOf([first = "", ...others]: readonly string[]): string {
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return `${first}${more} judged calls, and has changed or is gone since you trusted it: decide about it with /trust or harness trust`;
}
