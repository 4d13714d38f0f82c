import { cutText } from "./cut-text.ts";
import { rulesIn } from "./person-rules.ts";

/** Shares of the room for the first message, and for the rules of messages that do not fit. */
const GOAL_SHARE = 1 / 4;
const RULES_SHARE = 1 / 4;

/** The user's own words to include in a summary. */
export type Quotes = {
  /** The quoted messages, in order, always including the first. */
  messages: string[];
  /** The number of messages left out after the first. */
  left: number;
  /** Rules from the messages left out. */
  rules: string[];
};

/**
 * The user's messages that a compaction would lose. All of them if they fit into `maxChars`; otherwise the first, which
 * is the goal, the newest that fit, and the rules of the rest. The first and the newest are cut if necessary.
 */
export function quotesOf(prompts: readonly string[], maxChars: number): Quotes {
  const [goal, ...later] = prompts;
  const newest = later.pop();
  if (goal === undefined) return { messages: [], left: 0, rules: [] };
  if (prompts.reduce((sum, prompt) => sum + prompt.length, 0) <= maxChars) {
    return { messages: [...prompts], left: 0, rules: [] };
  }
  if (newest === undefined) return { messages: [cutText(goal, maxChars)], left: 0, rules: [] };
  const first = cutText(goal, Math.floor(maxChars * GOAL_SHARE));
  let room = maxChars - first.length;
  const last = cutText(newest, Math.floor(Math.max(room / 2, room - maxChars * RULES_SHARE)));
  room -= last.length;
  const forRules = Math.min(room, maxChars * RULES_SHARE);
  const rules = newestThatFit(later.flatMap(rulesIn), forRules);
  const between = newestThatFit(later, room - lengthOf(rules));
  const quoted = new Set(between.flatMap(rulesIn));
  return {
    messages: [first, ...between, last],
    left: later.length - between.length,
    rules: rules.filter((rule) => !quoted.has(rule)),
  };
}

/** The newest texts without a gap, in their original order. */
function newestThatFit(texts: readonly string[], maxChars: number): string[] {
  let room = maxChars;
  let from = texts.length;
  while (from > 0 && (texts[from - 1]?.length ?? 0) <= room) {
    from -= 1;
    room -= texts[from]?.length ?? 0;
  }
  return texts.slice(from);
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}
