import { cutText } from "./cut-text.ts";
import { rulesIn } from "./person-rules.ts";

/** Shares of the room that the first message and the rules of messages without room may take. */
const GOAL_SHARE = 1 / 4;
const RULES_SHARE = 1 / 4;

/** The person's own words that go into a summary. */
export type Quotes = {
  /** The messages that are quoted, in order; the first one of all is among them in any case. */
  messages: string[];
  /** How many between the first and the others are not. */
  left: number;
  /** Rules of those that are not. */
  rules: string[];
};

/**
 * Messages of the person that a compaction would lose: all of them where they fit into so many characters; else the first,
 * which is the goal, the newest that fit, and the rules of the others. The first and the newest are cut where they must be.
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

/** The newest, without a gap between them, in their order. */
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
