import { splitBudget } from "../cut-result.ts";
import { IMAGE_CHARS } from "../tokens/estimate-tokens.ts";
import type { PastResult } from "./past-result.ts";
import { canBeAskedAgain, type Uselessness, uselessResults } from "./useless-results.ts";

/** A result that requests need not contain in full, with the part to keep and the characters saved. */
export type PlannedCut = {
  result: PastResult;
  reason: Uselessness | "picture" | "long";
  head: number;
  tail: number;
  savedChars: number;
};

export type ShrinkOptions = {
  /** The number of characters to save. Long results are only cut until it is reached, useless ones always. */
  neededChars: number;
  /** Characters of file reads that stay complete, most recently touched files first. */
  inPlayChars: number;
};

/** Results of this many latest replies stay as they are. */
const RECENT_REPLIES = 2;
/** A shorter result is not worth a note. */
const MIN_CHARS = 400;
const LONG_CHARS = 1_500;
const KEPT_OF_LONG = 1_000;
const NOTE_CHARS = 160;
const KEPT_WHEN_FORCED = 500;

/**
 * Cuts for old results, oldest first: results that later ones made useless, pictures of old turns, then long results
 * unrelated to the files in use. Calls that only signal the loop keep their answers.
 */
export function planShrink(results: readonly PastResult[], { neededChars, inPlayChars }: ShrinkOptions): PlannedCut[] {
  const useless = uselessResults(results);
  const inPlay = lastTouched(results, useless, inPlayChars);
  const old = results.filter(({ age, category }) => age >= RECENT_REPLIES && category !== "signal");
  const cuts = old.flatMap((result): PlannedCut[] => {
    const reason = useless.get(result.toolCallId);
    const stays = inPlay.has(result.toolCallId);
    if (reason && !(reason === "changed" && stays)) return planCut(result, reason, 0);
    return result.pictures > 0 && result.isOfOldTurn ? planCut(result, "picture", result.text.length) : [];
  });
  const planned = new Set(cuts.map(({ result }) => result.toolCallId));
  let missing = neededChars - savedBy(cuts);
  for (const result of old) {
    if (missing <= 0) break;
    const { toolCallId, text } = result;
    if (planned.has(toolCallId) || inPlay.has(toolCallId) || text.length <= LONG_CHARS) continue;
    const [long] = planCut(result, "long", KEPT_OF_LONG);
    if (!long) continue;
    cuts.push(long);
    missing -= long.savedChars;
  }
  return cuts;
}

/**
 * The last resort: cuts everything that the model has answered, except the latest results, to its beginning and end.
 */
export function planForcedShrink(results: readonly PastResult[], keepLast: number): PlannedCut[] {
  const old = results.slice(0, Math.max(0, results.length - keepLast)).filter(({ age }) => age > 0);
  return old.flatMap((result) => planCut(result, "long", KEPT_WHEN_FORCED));
}

export function savedBy(cuts: readonly PlannedCut[]): number {
  return cuts.reduce((sum, { savedChars }) => sum + savedChars, 0);
}

/** Empty if nothing would be saved. */
function planCut(result: PastResult, reason: PlannedCut["reason"], keep: number): PlannedCut[] {
  const { text, pictures } = result;
  const left = Math.max(0, text.length - keep);
  const savedChars = pictures * IMAGE_CHARS + left - NOTE_CHARS;
  if (savedChars < MIN_CHARS - NOTE_CHARS) return [];
  return [{ result, reason, ...(left === 0 ? { head: keep, tail: 0 } : splitBudget(keep)), savedChars }];
}

/**
 * The latest results about the most recently touched places, within the room, so that their current content stays in
 * the conversation.
 */
function lastTouched(
  results: readonly PastResult[],
  useless: ReadonlyMap<string, Uselessness>,
  room: number,
): Set<string> {
  const touched = new Map<string, number>();
  results.forEach(({ effects, isError }, index) => {
    for (const effect of isError ? [] : effects)
      if (effect.kind === "read" || effect.kind === "write") touched.set(effect.path, index);
  });
  const looks = results
    .filter((result) => canBeAskedAgain(result) && !result.isError)
    .filter(({ toolCallId }) => (useless.get(toolCallId) ?? "changed") === "changed")
    .map((result) => ({ result, at: Math.max(-1, ...result.effects.map((each) => touchedAt(each, touched))) }))
    .sort((a, b) => b.at - a.at);
  // The latest always stays.
  const kept = new Set(looks.slice(0, 1).map(({ result }) => result.toolCallId));
  let left = room - (looks[0]?.result.text.length ?? 0);
  for (const { result } of looks.slice(1)) {
    if (result.text.length > left) continue;
    left -= result.text.length;
    kept.add(result.toolCallId);
  }
  return kept;
}

function touchedAt(effect: PastResult["effects"][number], touched: ReadonlyMap<string, number>): number {
  return effect.kind === "read" ? (touched.get(effect.path) ?? -1) : -1;
}
