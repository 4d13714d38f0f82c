import { realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isWithin } from "@harness/gate";
import { looksClosed, quotedAttribute, taggedText } from "@harness/protocol";
import { type Mention, pathMentions } from "../mentions/path-mentions.ts";

const MAX_DEPTH = 5;
/** The most files that an instruction file may include, at all depths. */
const MAX_FILES = 50;
/** The most path lookups for one instruction file, because a stranger may have written it to take long. */
const MAX_LOOKUPS = 500;
/** No line that names a file is longer. */
const MAX_LINE = 1_000;
/** Readings of a mention: a path, and the same without the punctuation after it. */
const MAX_READINGS = 4;

export type IncludeOptions = {
  /** The folders that includes must not leave. */
  trees: readonly string[];
  home: string;
  /** Undefined: it must not be read, or is not text. */
  read(real: string): Promise<string | undefined>;
};

/** `chain`: the real paths of the files that include each other, outermost first. */
type IncludeChain = IncludeOptions & { chain: readonly string[]; count: { files: number; lookups: number } };

/**
 * Inserts the text of each file that a line mentions as `@path` after that line; a line with nothing else is replaced.
 * A name that matches no file of the tree stays as it is, and so does everything in code. `path`: the real path of the
 * text.
 */
export async function withIncludes(text: string, path: string, options: IncludeOptions): Promise<string> {
  const trees = await Promise.all(options.trees.map((tree) => realpath(tree).catch(() => tree)));
  return expand(text, { ...options, trees, chain: [path], count: { files: 0, lookups: 0 } });
}

async function expand(text: string, including: IncludeChain): Promise<string> {
  if (!text.includes("@")) return text;
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    lines.push(...(fence === undefined && mark === undefined ? await expandLine(line, including) : [line]));
  }
  return lines.join("\n");
}

async function expandLine(line: string, including: IncludeChain): Promise<string[]> {
  const isOver = including.count.files >= MAX_FILES || including.count.lookups >= MAX_LOOKUPS;
  if (isOver || line.length > MAX_LINE || !line.includes("@")) return [line];
  const mentions = pathMentions(withoutCode(line));
  const texts: string[] = [];
  for (const mention of mentions) {
    const text = await include(mention, including);
    if (text !== undefined) texts.push(text);
  }
  const isOnlyThat = texts.length === 1 && mentions.length === 1 && /^\s*(?:[-*+]\s+)?@\S+\s*$/.test(line);
  return isOnlyThat ? texts : [line, ...texts];
}

/** Text between backticks is code; with an odd number, the last backtick opens nothing. */
function withoutCode(line: string): string {
  const parts = line.split(/`+/);
  return parts.filter((_, index) => index % 2 === 0 || index === parts.length - 1).join(" ");
}

async function include({ ways }: Mention, including: IncludeChain): Promise<string | undefined> {
  const { trees, home, chain, count, read } = including;
  const folder = dirname(chain.at(-1) ?? "");
  const paths = ways.flatMap(({ path, lines }) => (lines ? [] : [path]));
  for (const path of paths.slice(0, MAX_READINGS)) {
    count.lookups += 1;
    const real = await realpath(resolve(folder, path.replace(/^~(?=\/)/, home))).catch(() => undefined);
    if (real === undefined || !trees.some((tree) => isWithin(real, tree))) continue;
    if (chain.includes(real)) return undefined;
    if (chain.length > MAX_DEPTH || count.files >= MAX_FILES || count.lookups > MAX_LOOKUPS) return undefined;
    const text = await read(real);
    if (text === undefined) continue;
    count.files += 1;
    const whole = await expand(text, { ...including, chain: [...chain, real] });
    const attributes = `path=${quotedAttribute(path)}`;
    // Closing tags of files included by this one are ours.
    const isPlain = !looksClosed(text, "file");
    return isPlain ? `<file ${attributes}>\n${whole}\n</file>` : taggedText("file", attributes, whole);
  }
  return undefined;
}
