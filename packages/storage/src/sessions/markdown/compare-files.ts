import { join } from "node:path";
import { CallIdTable } from "./call-id-table.ts";
import type { MessageFile, MessageFolder } from "./message-folder.ts";
import { meaningOf } from "./message-text.ts";
import { callsOf, isVoid, type SavedMessage } from "./saved-message.ts";
import type { TalkEntry, TalkHistory } from "./talk-history.ts";

/** A message with the file that it is in, and the one that it stands for. */
type FiledMessage = {
  message: SavedMessage;
  from: MessageFile;
  at: string;
  of?: TalkEntry;
  /** It differs from `of`. */
  isChanged?: boolean;
};

/** How the files differ from the conversation. */
export type FileDifference = {
  /** `tail` replaces the entries from this index on; the number of entries: it only adds messages. */
  from: number;
  tail: FiledMessage[];
  /** Those that no file stands for. */
  gone: TalkEntry[];
  problems: FileProblem[];
};

/** A file that is not a message; `text`: a sentence that says why. */
export type FileProblem = { name: string; stamp: string; text: string };

/**
 * Compares the files with the conversation, and gives entries the names and stamps of their files. A file that has not
 * changed since is not read, unless pictures have changed. A file that cannot be read counts as it was. Throws what the file system
 * throws.
 */
export function compareFiles(
  folder: MessageFolder,
  { entries, awaited }: ComparedTalk,
  { hasNewPictures = false } = {},
): FileDifference {
  const isAsSeen = (file: MessageFile, entry: TalkEntry | undefined) =>
    entry?.name === file.name && entry.stamp === file.stamp && !(hasNewPictures && entry.role !== "assistant");
  const files = folder.list();
  const problems = new Map<string, FileProblem>();
  const told = ({ name, stamp }: MessageFile, problem: string) =>
    problems.set(name, { name, stamp, text: `${join(folder.dir, name)} is ${problem}.` });
  const ids = new CallIdTable();
  /** The place in `files` of each entry that has its file. */
  const places: number[] = [];
  let next = 0;
  for (; next < files.length; next += 1) {
    const file = files[next];
    const entry = entries[places.length];
    if (!file) break;
    if (!isAsSeen(file, entry)) {
      const read = folder.read(file);
      if ("problem" in read) {
        told(file, `not read: ${read.problem}`);
        if (!entry || !isFileOf(file, entry)) continue;
      } else if (isVoid(read.message)) continue;
      else if (entry?.meaning !== meaningOf(read.message)) {
        const own = ids.own(read.message, entry?.calls);
        if (!own) {
          told(file, NO_CALL);
          continue;
        }
        if (entry?.meaning !== meaningOf(own)) break;
        Object.assign(entry, { name: file.name, stamp: file.stamp });
      } else Object.assign(entry, { name: file.name, stamp: file.stamp });
    }
    if (entry) ids.take(entry.role, entry.calls);
    places.push(next);
  }
  const isUpToDate = next === files.length && places.length === entries.length;
  const from = isUpToDate ? entries.length : wholeBefore(entries, places.length);
  const later = entries.slice(from);
  const rest = new CallIdTable(entries.flatMap(({ calls }) => calls));
  const tail = files.slice(places[from] ?? next).flatMap((file): FiledMessage[] => {
    const read = folder.read(file);
    if ("problem" in read) {
      told(file, `not read: ${read.problem}`);
      return [];
    }
    if (isVoid(read.message)) return [];
    const message = rest.own(read.message, knownCalls(later, file, read.message));
    if (!message) {
      told(file, NO_CALL);
      return [];
    }
    rest.take(message.role, callsOf(message));
    return [{ ...read, message, from: file }];
  });
  return { from, ...standingFor([...entries.slice(from), ...awaited], tail), problems: [...problems.values()] };
}

/** True if there is nothing to take in. */
export function isUpToDate({ from, tail, gone }: FileDifference, { entries }: ComparedTalk): boolean {
  return from === entries.length && tail.length === 0 && gone.length === 0;
}

type ComparedTalk = Pick<TalkHistory, "entries" | "awaited">;

const NO_CALL = "left out: no reply before it has the call with its call_id";

/** The ids that the calls of a file had before. */
function knownCalls(entries: readonly TalkEntry[], { name }: MessageFile, message: SavedMessage): readonly string[] {
  if (message.role !== "assistant" || callsOf(message).length === 0) return [];
  const said = meaningOf(message);
  const ofRole = (entry: TalkEntry) => entry.role === message.role;
  const of =
    entries.find((entry) => ofRole(entry) && entry.name === name) ??
    entries.find((entry) => ofRole(entry) && entry.meaning === said);
  return of?.calls ?? [];
}

/** Stands the file where the message was? */
function isFileOf(file: MessageFile, { name, role }: TalkEntry): boolean {
  return name === undefined ? role === file.role : name === file.name;
}

/** The last place up to `at` where no call waits for its result: what follows can be replaced. */
function wholeBefore(entries: readonly TalkEntry[], at: number): number {
  return entries.findLastIndex((entry, index) => index < at && entry.isWhole) + 1;
}

/** Finds for each message the one that it stands for: in the same file, with the same words, or in the same place. */
function standingFor(entries: readonly TalkEntry[], tail: readonly FiledMessage[]) {
  const left = new Set(entries);
  const pairs = new Map<FiledMessage, TalkEntry>();
  const pair = (filed: FiledMessage, entry: TalkEntry | undefined) => {
    if (!entry || !left.delete(entry)) return;
    pairs.set(filed, entry);
  };
  const ways: ((filed: FiledMessage, entry: TalkEntry) => boolean)[] = [
    ({ message }, { id }) => message.role === "tool_result" && message.callId === id,
    ({ from }, { name }) => from.name === name,
    ({ message }, { meaning }) => meaningOf(message) === meaning,
  ];
  for (const isSameOne of ways) {
    for (const filed of tail) {
      if (pairs.has(filed)) continue;
      pair(
        filed,
        [...left].find((entry) => entry.role === filed.message.role && isSameOne(filed, entry)),
      );
    }
  }
  // Between the same two messages, as many as there were.
  const hasNames = entries.some(({ name }) => name !== undefined);
  for (const [index, filed] of hasNames ? [] : tail.entries()) {
    if (pairs.has(filed)) continue;
    const previous = tail[index - 1];
    const before = previous && pairs.get(previous);
    const next = entries[before ? entries.indexOf(before) + 1 : 0];
    if (index === 0 || before)
      pair(filed, next && left.has(next) && next.role === filed.message.role ? next : undefined);
  }
  return {
    tail: tail.map((filed): FiledMessage => {
      const of = pairs.get(filed);
      return of ? { ...filed, of, isChanged: meaningOf(filed.message) !== of.meaning } : filed;
    }),
    gone: [...left],
  };
}
