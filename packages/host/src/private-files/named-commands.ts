import { isRecord } from "../text/record.ts";
import { shellWord } from "../text/shell-quoted.ts";

const MAX_DEPTH = 12;

/**
 * The command lines that a file of hooks or MCP servers names, in whatever form: each `command`, with its `args`. Trust
 * in a file and the protection of its programs use the same lines.
 */
export function namedCommands(value: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((each) => namedCommands(each, depth + 1));
  if (!isRecord(value)) return [];
  const { command, args } = value;
  const words = Array.isArray(args) ? args.filter((arg) => typeof arg === "string").map(shellWord) : [];
  const own = typeof command === "string" ? [[command, ...words].join(" ")] : [];
  return [...own, ...Object.values(value).flatMap((each) => namedCommands(each, depth + 1))];
}
