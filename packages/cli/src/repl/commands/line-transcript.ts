import { itemText, occurrences } from "@harness/client/actions";
import type { Front } from "@harness/client/commands";
import type { TranscriptItem } from "@harness/protocol";
import { visibleText } from "@harness/protocol";

const MAX_FOUND = 40;
const MAX_CHARACTERS = 200;
const BEFORE = 60;

/** Prints the lines of the conversation that contain some words, including long output. */
export async function find(front: Pick<Front, "transcript" | "say">, words: string): Promise<void> {
  const { say } = front;
  if (words === "") return say("Usage: /find WORDS");
  const wanted = words.toLowerCase();
  const found = (await front.transcript()).flatMap((item) => {
    const matching = itemText(item)
      .split("\n")
      .flatMap((line) => cutLine(line, wanted) ?? []);
    return matching.map((line) => `${nameOf(item)}: ${visibleText(line)}`);
  });
  if (found.length === 0) return say(`Nothing here contains "${words}".`);
  const count = found.length === 1 ? "1 line contains" : `${found.length} lines contain`;
  const more = found.length > MAX_FOUND ? ` The last ${MAX_FOUND}:` : "";
  say([`${count} "${words}".${more}`, ...found.slice(-MAX_FOUND).map((line) => `  ${line}`)].join("\n"));
}

/** The part of a long line around the match; undefined if there is none. */
function cutLine(line: string, wanted: string): string | undefined {
  const [at] = occurrences(line, wanted);
  if (at === undefined) return undefined;
  const from = line.length <= MAX_CHARACTERS ? 0 : Math.max(0, at - BEFORE);
  const end = from + MAX_CHARACTERS;
  return `${from > 0 ? "…" : ""}${line.slice(from, end).trim()}${end < line.length ? "…" : ""}`;
}

function nameOf(item: TranscriptItem): string {
  if (item.kind === "user") return item.origin === "user" ? "you" : "message";
  if (item.kind === "agent") return "agent";
  return item.kind === "tool" ? item.name : item.kind;
}
