import * as z from "zod";
import type { ToolSpec } from "../ports/provider.ts";
import { defineTool, type Tool, type ToolResult } from "../ports/tool.ts";

export const TOOL_SEARCH = "tool_search";
const MOST_FOUND = 5;
const MOST_NAMED = 40;

/** The tools that a model is not told of, and how it is told of them from its next request on. */
export type ToolShelf = { readonly hidden: readonly ToolSpec[]; offer(names: readonly string[]): void };

/** The tool with which a model finds those that would fill its window if it were told of all. */
export function toolSearch(shelf: ToolShelf): Tool {
  return defineTool({
    name: TOOL_SEARCH,
    description: "Finds more tools by words, such as `list folder`: for what none of yours does.",
    args: z.strictObject({ query: z.string().describe("Words of what it should do") }),
    category: "readOnly",
    effects: () => [],
    title: ({ query }) => `tool_search ${query}`,
    async run({ query }): Promise<ToolResult> {
      const { hidden } = shelf;
      const found = bestMatches(query, hidden);
      if (found.length === 0) return answer(nothingText(query, hidden), "Found no tool");
      shelf.offer(found.map(({ name }) => name));
      const names = found.map(({ name }) => name).join(", ");
      return answer(`${found.map(specText).join("\n\n")}\n\nCall them by name from now on.`, `Found ${names}`);
    },
  });
}

function answer(text: string, shown: string): ToolResult {
  return { status: "ok", text, blocks: [{ type: "text", text: shown }] };
}

function specText({ name, description, inputSchema }: ToolSpec): string {
  return `${name}: ${description}\nArguments: ${JSON.stringify(inputSchema)}`;
}

function nothingText(query: string, hidden: readonly ToolSpec[]): string {
  if (hidden.length === 0) return "There are no more tools than you have.";
  const names = hidden.slice(0, MOST_NAMED).map(({ name }) => name);
  const more = hidden.length > names.length ? ` and ${hidden.length - names.length} more` : "";
  return `No tool matches \`${query.slice(0, 100)}\`. There are: ${names.join(", ")}${more}.`;
}

/** Those that most words of the query are found in, the name counting most. */
function bestMatches(query: string, tools: readonly ToolSpec[]): ToolSpec[] {
  const words = wordsOf(query);
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_FOUND)
    .map(({ tool }) => tool);
}

function scoreOf({ name, description, inputSchema }: ToolSpec, words: readonly string[]): number {
  const inName = wordsOf(name);
  const inText = wordsOf(`${description} ${Object.keys(inputSchema.properties ?? {}).join(" ")}`);
  return words.reduce((sum, word) => sum + (matches(inName, word) ? 4 : 0) + (matches(inText, word) ? 1 : 0), 0);
}

/** `folders` finds `folder` and the other way round. */
function matches(known: readonly string[], word: string): boolean {
  return known.some((each) => each.startsWith(word) || (each.length > 2 && word.startsWith(each)));
}

function wordsOf(text: string): string[] {
  return text
    .slice(0, 1_000)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);
}
