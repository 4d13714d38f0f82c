import type { ForeignFile } from "./foreign-file.ts";
import { IdTable, IntList, IntLists } from "./id-table.ts";
import type { JsonRow } from "./json-values.ts";

/** An entry of a branching conversation. */
export type ChainLink = {
  id: string;
  parentId: string;
  isMessage: boolean;
  /** Shared by all entries of one reply of the model. */
  replyId?: string;
  /** The ids of its calls, and of the calls whose results it has. */
  calls?: readonly string[];
  results?: readonly string[];
};

const NONE = -1;

/** The links between the rows of a file, by position, with numbers for ids. */
class ChainLinks {
  length = 0;
  readonly ids = new IntList();
  readonly parents = new IntList();
  readonly replies = new IntList();
  readonly calls = new IntLists();
  readonly results = new IntLists();
  /** The positions of the messages. */
  readonly messages = new IntList();
  readonly #entries = new IdTable();
  readonly #replies = new IdTable();
  readonly #calls = new IdTable();

  add(link: ChainLink | undefined): void {
    if (link?.isMessage) this.messages.push(this.length);
    this.length += 1;
    this.ids.push(link ? this.#entries.of(link.id) : NONE);
    this.parents.push(link ? this.#entries.of(link.parentId) : NONE);
    this.replies.push(link?.replyId === undefined ? NONE : this.#replies.of(link.replyId));
    this.calls.push((link?.calls ?? []).map((id) => this.#calls.of(id)));
    this.results.push((link?.results ?? []).map((id) => this.#calls.of(id)));
  }

  /** The position of each id, the last one if there are two; `among`: only of these rows. */
  placesById(among: (place: number) => boolean = () => true): Int32Array {
    const places = new Int32Array(this.#entries.size).fill(NONE);
    for (let place = 0; place < this.length; place += 1)
      if (this.ids.at(place) !== NONE && among(place)) places[this.ids.at(place)] = place;
    return places;
  }

  /** One flag per reply, and one per call. */
  flags(): { replies: Uint8Array; calls: Uint8Array } {
    return { replies: new Uint8Array(this.#replies.size), calls: new Uint8Array(this.#calls.size) };
  }
}

/**
 * The positions of the entries from the first one to the last message, found by following parents: the file may have
 * another order, and other branches. A missing parent, or a circle, ends the chain.
 */
function chainTo(links: ChainLinks): number[] {
  const places = links.placesById();
  const chain: number[] = [];
  const seen = new Uint8Array(links.length);
  for (let place = links.messages.at(links.messages.length - 1); place !== NONE && seen[place] === 0; ) {
    seen[place] = 1;
    chain.push(place);
    place = places[links.parents.at(place)] ?? NONE;
  }
  return chain.reverse();
}

/**
 * The chain with the entries that belong beside it: parallel calls of one reply, and their results, all have the entry
 * before as their parent, so only the last one is on the chain.
 */
function withSiblings(chain: readonly number[], links: ChainLinks): readonly number[] {
  const { replies, calls } = links.flags();
  const taken = new Uint8Array(links.length);
  let count = 0;
  const take = (place: number) => {
    taken[place] = 1;
    count += 1;
    if (links.replies.at(place) !== NONE) replies[links.replies.at(place)] = 1;
    for (const call of links.calls.at(place)) calls[call] = 1;
  };
  for (const place of chain) take(place);
  // The other calls first; their results come after them.
  for (const belongs of [
    (place: number) => replies[links.replies.at(place)] === 1,
    (place: number) => [...links.results.at(place)].some((call) => calls[call] === 1),
  ])
    for (let at = 0; at < links.messages.length; at += 1) {
      const place = links.messages.at(at);
      if (taken[place] === 0 && belongs(place)) take(place);
    }
  return count === chain.length ? chain : inOrder(chain, taken, links);
}

/** Places each of the others after its parent, or after its predecessor in the file. */
function inOrder(chain: readonly number[], taken: Uint8Array, links: ChainLinks): number[] {
  const places = links.placesById((place) => taken[place] === 1);
  const onChain = new Uint8Array(links.length);
  for (const place of chain) onChain[place] = 1;
  const after = new Map<number, number[]>();
  let before = chain[0] ?? 0;
  for (let place = 0; place < links.length; place += 1) {
    if (taken[place] === 0) continue;
    if (onChain[place] === 0) {
      const parent = places[links.parents.at(place)] ?? NONE;
      const anchor = parent === NONE ? before : parent;
      const others = after.get(anchor) ?? [];
      others.push(place);
      after.set(anchor, others);
    }
    before = place;
  }
  const ordered: number[] = [];
  const waiting = [...chain].reverse();
  const seen = new Uint8Array(links.length);
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (seen[place] === 1) continue;
    seen[place] = 1;
    ordered.push(place);
    for (const other of (after.get(place) ?? []).toReversed()) waiting.push(other);
  }
  return ordered;
}

/** The rows of the last branch in order; `others`: how many messages other branches have. */
export function chainedRows(
  file: ForeignFile,
  linkOf: (row: JsonRow) => ChainLink | undefined,
): { rows: Iterable<JsonRow>; others: number } {
  const links = new ChainLinks();
  for (const row of file.rows()) links.add(linkOf(row));
  const turns = new Int32Array(links.length).fill(NONE);
  for (const [turn, place] of withSiblings(chainTo(links), links).entries()) turns[place] = turn;
  let others = 0;
  for (let at = 0; at < links.messages.length; at += 1) if (turns[links.messages.at(at)] === NONE) others += 1;
  return { rows: rowsInOrder(file, turns), others };
}

/** Reads the file again: it may be larger than memory, so only rows that appear too early are kept. */
function* rowsInOrder(file: ForeignFile, turns: Int32Array): Generator<JsonRow, void> {
  const waiting = new Map<number, JsonRow>();
  let next = 0;
  let place = 0;
  for (const row of file.rows()) {
    const turn = turns[place] ?? NONE;
    if (turn === next) {
      next += 1;
      yield row;
    } else if (turn !== NONE) waiting.set(turn, row);
    for (let ready = waiting.get(next); ready; ready = waiting.get(next)) {
      waiting.delete(next);
      next += 1;
      yield ready;
    }
    place += 1;
  }
}
