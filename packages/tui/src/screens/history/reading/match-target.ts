import { itemText } from "@harness/client/actions";
import type { SessionHit, TranscriptItem } from "@harness/protocol";
import { foundWords, queryWords } from "../stored/found-words.ts";

/** Where a passage stands in a transcript, and words that are written there as they stand. */
export type MatchTarget = { readonly index: number; readonly words: string };

const kinds: Readonly<Record<SessionHit["kind"], readonly TranscriptItem["kind"][]>> = {
  message: ["user"],
  answer: ["agent"],
  command: ["tool", "subagent", "agent"],
  file: ["turn", "user", "tool"],
};

/** Of the items of its kind, the nearest ones in time: the text of all would take long to read. */
const NEAREST = 12;

/** The item of a passage: of its kind, with its words, and nearest in time. A rewind may have hidden it. */
export function positionOfHit(
  items: readonly TranscriptItem[],
  hit: SessionHit,
  query: string,
): MatchTarget | undefined {
  const words = queryWords(query);
  const at = Date.parse(hit.at);
  const near = [...items.entries()]
    .filter(([, { kind }]) => kinds[hit.kind].includes(kind))
    .map(([index, item]) => ({ index, item, apart: Math.abs(Date.parse(item.at) - at) }))
    .sort((a, b) => a.apart - b.apart)
    .slice(0, NEAREST)
    .map((each) => ({ ...each, text: itemText(each.item) }))
    .map((each) => ({ ...each, found: words.filter((word) => foundWords(each.text, [word]).length > 0).length }))
    .sort((a, b) => b.found - a.found || a.apart - b.apart);
  const [best] = near;
  return best && best.found > 0 ? { index: best.index, words: writtenWords(best.text, query, words) } : undefined;
}

/** The query as it was typed if it stands there so, else the longest of its words as it is written there. */
function writtenWords(text: string, query: string, words: readonly string[]): string {
  const typed = query.replaceAll('"', "").trim();
  if (text.toLowerCase().includes(typed.toLowerCase())) return typed;
  const places = foundWords(text, words).map(({ from, to }) => text.slice(from, to));
  return places.sort((a, b) => b.length - a.length)[0] ?? "";
}
