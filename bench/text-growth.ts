import { readFrontmatter } from "../packages/extensions/src/text/frontmatter.ts";
import { readConstrained } from "../packages/providers/src/text-calls/constrained/constrained-reply.ts";
import { MarkupFilter } from "../packages/providers/src/text-calls/scan/markup-filter.ts";
import { readTextCalls } from "../packages/providers/src/text-calls/scan/read-text-calls.ts";
import { leakedThinking } from "../packages/providers/src/text-calls/thinking/leaked-thinking.ts";
import { ThinkSplitter } from "../packages/providers/src/text-calls/thinking/think-splitter.ts";
import { tools } from "../packages/providers/test/offered.ts";
import { repeatedMarkup } from "../packages/providers/test/repeated-markup.ts";
import { AnsiText } from "../packages/tui/src/text/ansi-text.ts";
import { joinIntoLine } from "../packages/tui/src/text/join-lines.ts";
import { sanitise } from "../packages/tui/src/text/sanitise.ts";
import { visible } from "../packages/tui/src/text/visible.ts";
import { wrapSpans } from "../packages/tui/src/text/wrap.ts";
import { repeatedText } from "../packages/tui/test/repeated-text.ts";
import type { GrowthRow } from "./growth.ts";

const toolNames = tools.map((tool) => tool.name);
const pieces = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, place) => text.slice(place * size, (place + 1) * size));

/** Readers of text that a model writes. */
const markupReaders: Record<string, (text: string) => void> = {
  "calls in text": (text) => {
    readTextCalls(text, tools);
    readTextCalls(`${text} x`, tools, { isTextAsked: true });
    readConstrained(text, tools);
    leakedThinking(text);
  },
  "calls in streamed text": (text) => {
    const held = new MarkupFilter(toolNames);
    const splitter = new ThinkSplitter();
    for (const piece of pieces(text, 7)) {
      held.push(piece);
      splitter.push(piece);
    }
    held.end();
  },
};

/** Readers of text that a tool prints. */
const terminalReaders: Record<string, (text: string) => void> = {
  "sanitised text": (text) => sanitise(text),
  "one line": (text) => joinIntoLine(text),
  "output of a tool": (text) => {
    const stream = new AnsiText();
    for (const piece of pieces(text, 4096)) stream.push(piece);
    stream.end();
    stream.lines(1);
  },
  "a line of a question": (text) => wrapSpans(visible(text.replaceAll("\n", "")), 80, "hard"),
};

const repeated = (piece: string) => (size: number) => piece.repeat(Math.ceil(size / piece.length));

export const textGrowth: readonly GrowthRow[] = [
  ...Object.entries(markupReaders).flatMap(([reader, read]) =>
    repeatedMarkup.map((piece) => ({
      name: `${reader}: ${JSON.stringify(piece)}`,
      size: 128 * 1024,
      textOf: repeated(piece),
      read,
    })),
  ),
  ...Object.entries(terminalReaders).flatMap(([reader, read]) =>
    Object.entries(repeatedText).map(([name, piece]) => ({
      name: `${reader}: ${name}`,
      size: 25_000 * piece.length,
      textOf: repeated(piece),
      read,
    })),
  ),
  ...["[", '"', "a: [", "- ", '"\\', "'", "a:\n"].map((piece) => ({
    name: `frontmatter: ${JSON.stringify(piece)}`,
    size: 128 * 1024,
    textOf: (size: number) => `---\na: [${repeated(piece)(size)}]\n---\n`,
    read: (text: string) => void readFrontmatter(text),
  })),
];
