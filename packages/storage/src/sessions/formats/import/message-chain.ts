import type { ForeignFile } from "./foreign-file.ts";
import type { JsonRow } from "./json-values.ts";

/** An entry of a conversation that branches, by its place in the file. */
export type ChainLink = { id: string; parentId: string; isMessage: boolean };

/**
 * The places of the entries from the first one to the last message, by their parents: the order in the file is not that of
 * the conversation, and other branches are not part of it. A parent that is missing, or that would lead in a circle, ends it.
 */
function chainTo(links: readonly (ChainLink | undefined)[]): number[] {
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

/** The rows of the last branch in their order; `others`: how many messages other branches have. */
export function chainedRows(
  file: ForeignFile,
  linkOf: (row: JsonRow) => ChainLink | undefined,
): { rows: JsonRow[]; others: number } {
  const links: (ChainLink | undefined)[] = [];
  for (const row of file.rows()) links.push(linkOf(row));
  const chain = chainTo(links);
  const order = new Map(chain.map((place, index) => [place, index]));
  const rows: (JsonRow | undefined)[] = chain.map(() => undefined);
  let place = 0;
  // Read again: a file may be much larger than its last branch.
  for (const row of file.rows()) {
    const index = order.get(place);
    if (index !== undefined) rows[index] = row;
    place += 1;
  }
  return {
    rows: rows.filter((row) => row !== undefined),
    others: links.filter((link, at) => link?.isMessage && !order.has(at)).length,
  };
}
