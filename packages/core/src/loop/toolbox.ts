import type { ToolSpec } from "../ports/provider.ts";
import type { Tool, ToolAlias, ToolTable } from "../ports/tool.ts";
import { toolSpec } from "./tool-spec.ts";

export type FoundTool = { tool: Tool; alias?: ToolAlias };

const PREFIX = /^(?:functions?|tools?)[./:_]/i;
const MAX_SUGGESTIONS = 3;

/** One agent's tools, found by whatever name a model writes. */
export class Toolbox {
  readonly specs: ToolSpec[];
  /** Characters that the specs cost in each request. */
  readonly chars: number;
  readonly #tools = new Map<string, Tool>();
  readonly #aliases = new Map<string, ToolAlias>();
  /** Names without case and separators; an exact name always goes first. */
  readonly #loose = new Map<string, FoundTool>();

  constructor(table: ToolTable) {
    for (const tool of table.tools) this.#tools.set(tool.name, tool);
    for (const alias of table.aliases) if (this.#tools.has(alias.tool)) this.#aliases.set(alias.name, alias);
    for (const [name, alias] of this.#aliases) this.#addLoose(name, this.#viaAlias(alias));
    for (const [name, tool] of this.#tools) this.#addLoose(name, this.#exact(name) ?? { tool });
    this.specs = table.tools.map(toolSpec);
    this.chars = JSON.stringify(this.specs).length;
  }

  /** Exact name, alias, then the same without a `functions.` prefix, then without case and separators. */
  find(name: string): FoundTool | undefined {
    const wanted = name.trim();
    return this.#exact(wanted) ?? this.#exact(wanted.replace(PREFIX, "")) ?? this.#loose.get(loosened(wanted));
  }

  /** For the model that named a tool which is not there. */
  unknownText(name: string): string {
    const names = [...this.#tools.keys()];
    const wanted = loosened(name.slice(0, 100));
    const close = names
      .map((each) => ({ each, distance: editDistance(wanted, loosened(each)) }))
      .filter(({ each, distance }) => distance <= 2 || (wanted.length > 2 && loosened(each).includes(wanted)))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, MAX_SUGGESTIONS)
      .map(({ each }) => `\`${each}\``);
    const hint = close.length > 0 ? ` Did you mean ${close.join(" or ")}?` : "";
    return `There is no tool \`${name.slice(0, 100)}\`.${hint} The tools are: ${names.join(", ")}.`;
  }

  #exact(name: string): FoundTool | undefined {
    const tool = this.#tools.get(name);
    const alias = this.#aliases.get(name);
    // An alias may have a tool's own name: it reads other argument forms and leaves ours as they are.
    if (tool && alias?.tool === name) return this.#viaAlias(alias);
    if (tool) return { tool };
    return alias ? this.#viaAlias(alias) : undefined;
  }

  #viaAlias(alias: ToolAlias): FoundTool {
    return { tool: this.#tools.get(alias.tool) as Tool, alias };
  }

  #addLoose(name: string, found: FoundTool): void {
    this.#loose.set(loosened(name), found);
  }
}

function loosened(name: string): string {
  return name
    .replace(PREFIX, "")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/** Levenshtein's distance; names are short. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
