import type { ForeignFile } from "./foreign-file.ts";
import type { JsonRow } from "./json-values.ts";

/** An entry of a conversation that branches. */
export type ChainLink = {
  id: string;
  parentId: string;
  isMessage: boolean;
  /** Entries of one reply of the model share this. */
  replyId?: string;
  /** The ids of the calls in it, and of those whose results it has. */
  calls?: readonly string[];
  results?: readonly string[];
};

type Links = readonly (ChainLink | undefined)[];

/**
 * The places of the entries from the first one to the last message, by their parents: the order in the file is not that of
 * the conversation, and other branches are not part of it. A parent that is missing, or that would lead in a circle, ends it.
 */
function chainTo(links: Links): number[] {
  const places = new Map<string, number>();
  let last = -1;
  for (const [place, link] of links.entries()) {
    if (!link) continue;
    places.set(link.id, place);
    if (link.isMessage) last = place;
  }
  const chain: number[] = [];
  const seen = new Set<number>();
  for (let place: number | undefined = last < 0 ? undefined : last; place !== undefined && !seen.has(place); ) {
    seen.add(place);
    chain.push(place);
    place = places.get(links[place]?.parentId ?? "");
  }
  return chain.reverse();
}

/**
 * The chain with what belongs to it beside it: calls of one reply that ran at the same time, and their results, each have the
 * entry before as their parent, so that only the last of them is on the chain.
 */
function withSiblings(chain: readonly number[], links: Links): number[] {
  const [replies, calls] = [new Set<string>(), new Set<string>()];
  const take = ({ replyId, calls: ids = [] }: ChainLink) => {
    if (replyId) replies.add(replyId);
    for (const id of ids) calls.add(id);
  };
  const taken = new Set(chain);
  for (const place of chain) take(links[place] ?? { id: "", parentId: "", isMessage: false });
  // First the other calls, whose results come after them.
  for (const belongs of [
    ({ replyId }: ChainLink) => replyId !== undefined && replies.has(replyId),
    ({ results = [] }: ChainLink) => results.some((id) => calls.has(id)),
  ])
    for (const [place, link] of links.entries()) {
      if (!link?.isMessage || taken.has(place) || !belongs(link)) continue;
      taken.add(place);
      take(link);
    }
  return taken.size === chain.length ? [...chain] : inOrder(chain, taken, links);
}

/** Each of the others after its parent, or after what is before it in the file. */
function inOrder(chain: readonly number[], taken: ReadonlySet<number>, links: Links): number[] {
  const ids = new Map<string, number>();
  for (const place of taken) ids.set(links[place]?.id ?? "", place);
  const onChain = new Set(chain);
  const after = new Map<number, number[]>();
  let before = chain[0] ?? 0;
  for (const place of [...taken].sort((one, other) => one - other)) {
    if (!onChain.has(place)) {
      const anchor = ids.get(links[place]?.parentId ?? "") ?? before;
      after.set(anchor, [...(after.get(anchor) ?? []), place]);
    }
    before = place;
  }
  const ordered: number[] = [];
  const waiting = [...chain].reverse();
  const seen = new Set<number>();
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (seen.has(place)) continue;
    seen.add(place);
    ordered.push(place);
    waiting.push(...(after.get(place) ?? []).toReversed());
  }
  return ordered;
}

/** The rows of the last branch in their order; `others`: how many messages other branches have. */
export function chainedRows(
  file: ForeignFile,
  linkOf: (row: JsonRow) => ChainLink | undefined,
): { rows: Iterable<JsonRow>; others: number } {
  const links: (ChainLink | undefined)[] = [];
  for (const row of file.rows()) links.push(linkOf(row));
  const order = withSiblings(chainTo(links), links);
  const taken = new Set(order);
  return {
    rows: rowsInOrder(file, order),
    others: links.filter((link, place) => link?.isMessage && !taken.has(place)).length,
  };
}

/** Read again: only rows that come before their turn are kept meanwhile, of a file that may be larger than memory. */
function* rowsInOrder(file: ForeignFile, order: readonly number[]): Generator<JsonRow, void> {
  const turns = new Map(order.map((place, turn) => [place, turn]));
  const waiting = new Map<number, JsonRow>();
  let next = 0;
  let place = 0;
  for (const row of file.rows()) {
    const turn = turns.get(place);
    if (turn !== undefined) waiting.set(turn, row);
    for (let ready = waiting.get(next); ready; ready = waiting.get(next)) {
      waiting.delete(next);
      next += 1;
      yield ready;
    }
    place += 1;
  }
}
