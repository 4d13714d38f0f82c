import type { TokenizerThis, Tokens } from "marked";

const START = /^ {0,3}\S[^\n]*\n {0,3}\|?[ \t]*:?-[ \t:|-]*(?:\n|$)/;
/** Lines that end a table without a blank line before them. */
const OTHER_BLOCK = /^ {0,3}(?:#|>|`{3}|~{3}|[-*+] )/;
const CODE_SPAN = /(`+)(?:[^`]|(?!\1)`)+?\1(?!`)/g;

/**
 * A table whose rows have more cells than its header: a pipe within code is text then, and further cells belong to the
 * last one. GFM would drop them. Undefined for any other table.
 */
export function tableWithSurplus(this: TokenizerThis, source: string): Tokens.Generic | undefined {
  if (!START.test(source)) return undefined;
  const lines = linesOfTable(source);
  const columns = pipesOf(lines[1] ?? "").length + 1;
  const fixed = lines.map((line, index) => (index === 1 ? line : withColumns(line, columns)));
  if (fixed.every((line, index) => line === lines[index])) return undefined;
  const [table] = this.lexer.blockTokens(`${fixed.join("\n")}\n`, []);
  if (table?.type !== "table") return undefined;
  const raw = lines.join("\n");
  return { ...table, raw: source.startsWith(`${raw}\n`) ? `${raw}\n` : raw };
}

function linesOfTable(source: string): string[] {
  const lines = source.split("\n");
  const end = lines.findIndex((line, index) => line.trim() === "" || (index > 1 && OTHER_BLOCK.test(line)));
  return end < 0 ? lines : lines.slice(0, end);
}

/** A row with as many cells as there are columns: other pipes are escaped. */
function withColumns(line: string, columns: number): string {
  const pipes = pipesOf(line);
  if (pipes.length < columns) return line;
  const spans = [...line.matchAll(CODE_SPAN)].map(({ index, 0: code }) => [index, index + code.length] as const);
  const isCode = (at: number) => spans.some(([from, to]) => at > from && at < to);
  const surplus = pipes.filter((at) => !isCode(at)).slice(columns - 1);
  const escaped = new Set([...pipes.filter(isCode), ...surplus]);
  return line.replace(/\|/g, (pipe, at: number) => (escaped.has(at) ? `\\${pipe}` : pipe));
}

/** The places of the pipes between cells, without those at the ends. */
function pipesOf(line: string): number[] {
  const end = line.trimEnd().length;
  const start = line.length - line.trimStart().length;
  const pipes: number[] = [];
  for (let at = start; at < end; at++) {
    if (line[at] === "\\") at += 1;
    else if (line[at] === "|" && at > start && at < end - 1) pipes.push(at);
  }
  return pipes;
}
