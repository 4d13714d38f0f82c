import * as z from "zod";
import type { ToolSpec } from "../ports/provider.ts";
import { defineTool, type Tool, type ToolResult } from "../ports/tool.ts";

export const TOOL_SEARCH = "tool_search";
const MAX_FOUND = 5;
const MAX_NAMED = 40;
/** In characters. */
const MAX_OTHERS = 240;

/** Tools that requests do not describe, and a way to add them to the following requests. */
export type HiddenTools = {
  readonly hidden: readonly ToolSpec[];
  /** Returns those that are offered from the next request on: as many as there is room for. */
  offer(names: readonly string[]): readonly string[];
};

/** A result that offers tools begins with this, because long results are cut at the end. */
const OFFERED = "Among your tools from now on: ";

/** The tools that a result of this tool has offered. */
export function namesOffered(result: string): string[] {
  const [first = ""] = result.split("\n", 1);
  return first.startsWith(OFFERED) ? first.slice(OFFERED.length).split(", ") : [];
}

/** Appended to the description if there is room: a model searches for what it knows to exist. */
export function othersText(names: readonly string[]): string {
  let text = "";
  for (const name of names) {
    if (text.length + name.length > MAX_OTHERS) return ` Among others: ${text}.`;
    text += `${text === "" ? "" : ", "}${name}`;
  }
  return text === "" ? "" : ` There are: ${text}.`;
}

const args = z.strictObject({ query: z.string().describe("Words of what it should do") });

/** Lets a model find tools whose descriptions would fill its context window. */
export function toolSearch(tools: HiddenTools): Tool {
  return defineTool({
    name: TOOL_SEARCH,
    description: "Finds more tools by words.",
    args,
    category: "readOnly",
    effects: () => [],
    title: ({ query }) => `tool_search ${query}`,
    async run({ query }): Promise<ToolResult> {
      const { hidden } = tools;
      const found = bestMatches(query, hidden);
      if (found.length === 0) return answer(nothingText(query, hidden), "Found no tool");
      const names = found.map(({ name }) => name);
      return answer(foundText(found, tools.offer(names)), `Found ${names.join(", ")}`);
    },
  });
}

/** The schema of a tool is sent once: with the tools of the next request, or here if the budget has no room. */
function foundText(found: readonly ToolSpec[], offered: readonly string[]): string {
  const isOffered = ({ name }: ToolSpec) => offered.includes(name);
  const yours = found.filter(isOffered).map(({ name, description }) => `${name}: ${description}`);
  const others = found.filter((spec) => !isOffered(spec)).map(specText);
  return [
    ...(offered.length > 0 ? [`${OFFERED}${offered.join(", ")}`, ...yours] : []),
    ...(others.length > 0 ? ["Call by name, though not in your list of tools:", ...others] : []),
  ].join("\n\n");
}

function answer(text: string, shown: string): ToolResult {
  return { status: "ok", text, blocks: [{ type: "text", text: shown }] };
}

function specText({ name, description, inputSchema }: ToolSpec): string {
  return `${name}: ${description}\nArguments: ${JSON.stringify(inputSchema)}`;
}

function nothingText(query: string, hidden: readonly ToolSpec[]): string {
  if (hidden.length === 0) return "There are no more tools than you have.";
  const names = hidden.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = hidden.length > names.length ? ` and ${hidden.length - names.length} more` : "";
  return `No tool matches \`${query.slice(0, 100)}\`. There are: ${names.join(", ")}${more}.`;
}

/** The tools that match the most words of the query; matches of the name count most. */
function bestMatches(query: string, tools: readonly ToolSpec[]): ToolSpec[] {
  const terms = termsOf(query);
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, terms) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ tool }) => tool);
}

function scoreOf({ name, description, inputSchema }: ToolSpec, terms: readonly string[]): number {
  const inName = termsOf(name);
  const inText = termsOf(`${description} ${Object.keys(inputSchema.properties ?? {}).join(" ")}`);
  return terms.reduce((sum, term) => sum + (matches(inName, term) ? 4 : 0) + (matches(inText, term) ? 1 : 0), 0);
}

/** `folders` finds `folder` and vice versa. */
function matches(known: readonly string[], word: string): boolean {
  return known.some((each) => each.startsWith(word) || (each.length > 2 && word.startsWith(each)));
}

function termsOf(text: string): string[] {
  return text
    .slice(0, 1_000)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);
}
