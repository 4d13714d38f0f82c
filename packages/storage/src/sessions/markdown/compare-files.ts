import { join } from "node:path";
import type { MessageFile, MessageFolder } from "./message-folder.ts";
import { meaningOf } from "./message-text.ts";
import { callsOf, isVoid, type SavedMessage, type SavedRole } from "./saved-message.ts";
import type { TalkEntry } from "./talk-history.ts";

/** A message with the file that it is in. */
export type FiledMessage = { message: SavedMessage; from: MessageFile; at: string };

/** How the files differ from the conversation. */
export type FileDifference = {
  /** The entries from this one on are replaced by `tail`; as many as there are: messages were added at the end. */
  from: number;
  tail: FiledMessage[];
  edited: number;
  added: number;
  removed: number;
  /** Files that were not read, in sentences. */
  problems: string[];
};

/**
 * Holds the files against the conversation, and gives entries the names and stamps of their files. A file that has not
 * changed since is not read. A file that cannot be read counts as it was. Throws what the file system throws.
 */
export function compareFiles(folder: MessageFolder, entries: readonly TalkEntry[]): FileDifference {
  const files = folder.list();
  const problems: string[] = [];
  const told = ({ name }: MessageFile, problem: string) => problems.push(`${join(folder.dir, name)} is ${problem}.`);
  const open = new OpenCalls();
  /** The place in `files` of each entry that has its file. */
  const places: number[] = [];
  let next = 0;
  for (; next < files.length; next += 1) {
    const file = files[next];
    const entry = entries[places.length];
    if (!file) break;
    if (entry?.name !== file.name || entry.stamp !== file.stamp) {
      const read = folder.read(file);
      if ("problem" in read) {
        told(file, `not read: ${read.problem}`);
        if (!entry || !isFileOf(file, entry)) continue;
      } else if (isVoid(read.message)) continue;
      else if (entry?.meaning !== meaningOf(read.message)) {
        if (open.canTake(read.message.role, callsOf(read.message))) break;
        told(file, NO_CALL);
        continue;
      } else Object.assign(entry, { name: file.name, stamp: file.stamp });
    }
    if (entry) open.take(entry.role, entry.calls);
    places.push(next);
  }
  const isSame = next === files.length && places.length === entries.length;
  const from = isSame ? entries.length : placeToRewind(entries, places.length);
  const rest = new OpenCalls();
  const tail = files.slice(places[from] ?? next).flatMap((file): FiledMessage[] => {
    const read = folder.read(file);
    if ("problem" in read) {
      told(file, `not read: ${read.problem}`);
      return [];
    }
    if (isVoid(read.message)) return [];
    const calls = callsOf(read.message);
    if (!rest.canTake(read.message.role, calls)) {
      told(file, NO_CALL);
      return [];
    }
    rest.take(read.message.role, calls);
    return [{ ...read, from: file }];
  });
  return { from, tail, ...counts(entries.slice(from), tail), problems: [...new Set(problems)] };
}

const NO_CALL = "left out: no reply before it has the call with its call_id";

/** The calls that wait for results. */
class OpenCalls {
  #ids = new Set<string>();

  canTake(role: SavedRole, calls: readonly string[]): boolean {
    return role !== "tool_result" || calls.every((id) => this.#ids.has(id));
  }

  take(role: SavedRole, calls: readonly string[]): void {
    if (role === "assistant") this.#ids = new Set(calls);
    else for (const id of calls) this.#ids.delete(id);
  }
}

/** Stands the file where the message was? */
function isFileOf(file: MessageFile, { name, role }: TalkEntry): boolean {
  return name === undefined ? role === file.role : name === file.name;
}

/** Conversations are rewound to a message of the person; what is added behind a whole conversation takes no rewind. */
function placeToRewind(entries: readonly TalkEntry[], at: number): number {
  if (at === entries.length && entries.at(-1)?.isWhole !== false) return at;
  return Math.max(
    0,
    entries.findLastIndex(({ isPrompt }, index) => index <= at && isPrompt),
  );
}

/** Messages that are the same at both ends do not count. */
function counts(entries: readonly TalkEntry[], tail: readonly FiledMessage[]) {
  const old = entries.map(({ meaning }) => meaning);
  const now = tail.map(({ message }) => meaningOf(message));
  while (old.length > 0 && now.length > 0 && old[0] === now[0]) [old.shift(), now.shift()];
  while (old.length > 0 && now.length > 0 && old.at(-1) === now.at(-1)) [old.pop(), now.pop()];
  const edited = Math.min(old.length, now.length);
  return { edited, added: now.length - edited, removed: old.length - edited };
}
