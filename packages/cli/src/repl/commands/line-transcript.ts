import { copiedText, itemText, occurrences } from "@harness/client/actions";
import { ROOT_AGENT, type TranscriptItem } from "@harness/protocol";
import { visibleText } from "../../text/visible-text.ts";
import { type LinePlace, needArgument } from "./line-place.ts";

const MAX_FOUND = 40;
const MAX_CHARACTERS = 200;
const BEFORE = 60;

/** Copies an answer, its code or the conversation; where the terminal has no clipboard it is printed. */
export async function copy({ mode, lines }: LinePlace, args: string): Promise<void> {
  const found = copiedText(await itemsOf(mode), args.toLowerCase());
  if ("problem" in found) lines.print(found.problem);
  else if (lines.copy) lines.print(lines.copy(found.text));
  else lines.print(`Plain output has no clipboard. The text:\n\n${found.text}\n`);
}

/** Prints the lines of the conversation that hold some words, also of long output. */
export async function find({ mode, lines }: LinePlace, args: string): Promise<void> {
  const wanted = needArgument(args, "/find WORDS").toLowerCase();
  const found = (await itemsOf(mode)).flatMap((item) => {
    const matching = itemText(item)
      .split("\n")
      .flatMap((line) => cutLine(line, wanted) ?? []);
    return matching.map((line) => `${nameOf(item)}: ${visibleText(line)}`);
  });
  if (found.length === 0) return lines.print(`Nothing here contains "${args}".`);
  const count = found.length === 1 ? "1 line contains" : `${found.length} lines contain`;
  const more = found.length > MAX_FOUND ? ` The last ${MAX_FOUND}:` : "";
  lines.print([`${count} "${args}".${more}`, ...found.slice(-MAX_FOUND).map((line) => `  ${line}`)].join("\n"));
}

async function itemsOf(mode: LinePlace["mode"]): Promise<readonly TranscriptItem[]> {
  return (await mode.stored())?.agents.get(ROOT_AGENT)?.items ?? [];
}

/** The part of a long line around the match; undefined: it has none. */
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
