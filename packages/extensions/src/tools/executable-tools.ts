import { inTime } from "@harness/host";
import type { Inventory } from "../sources/inventory.ts";
import { resolveByName } from "../sources/resolve-by-name.ts";
import type { SourceEntry } from "../sources/source.ts";
import type { SourceInventory } from "../sources/source-inventory.ts";
import { toolName } from "../sources/tool-name.ts";
import { type ToolDescription, toolNameProblem } from "./tool-schema.ts";
import { hashOf, type ToolSchemas } from "./tool-schemas.ts";

/** An executable tool in effect in a folder. */
export type ExecutableTool = ToolDescription & {
  name: string;
  path: string;
  /** The hash of its content: the same path with a different hash is a different tool. */
  hash: string;
  entry: SourceEntry;
  /** The files of the same name that it replaces, from the most general to the most local. */
  shadows: readonly string[];
};

export type UnusedTool = { name: string; path: string; entry: SourceEntry; problem: string };

/** The tools of a folder, and files that are not tools, each with a sentence that says why. */
export type ToolListing = { tools: readonly ExecutableTool[]; unused: readonly UnusedTool[] };

type ExecutableToolsDeps = {
  sources: Pick<SourceInventory, "at">;
  schemas: ToolSchemas;
  /** The names of tools that belong to the session itself. */
  reserved: readonly string[];
  /** How long a request waits for tools that have to describe themselves. */
  patienceMs: number;
};

type EffectiveTool = { name: string; entry: SourceEntry; shadows: readonly string[] };
type ToolScan = { of: Inventory; counting: readonly EffectiveTool[]; refused: readonly UnusedTool[] };

const SLOW = "it takes long to describe itself, and joins a later request.";
const NONE: ToolListing = { tools: [], unused: [] };

/**
 * The executables of a folder's sources that are tools. For each name the most local one counts. Sources may be limited
 * to one provider.
 */
export class ExecutableTools {
  readonly #deps: ExecutableToolsDeps;
  readonly #found = new Map<string, ToolScan>();
  readonly #listings = new Map<string, { of: ToolScan; listing: ToolListing; isWhole: boolean }>();

  constructor(deps: ExecutableToolsDeps) {
    this.#deps = deps;
  }

  /**
   * Checks for changes, and asks new or changed tools for their descriptions. Undefined if none had to be asked, or if
   * slow ones were waited for once already: they join a later request. Never rejects.
   */
  prepare(cwd: string, provider?: string): Promise<void> | undefined {
    const { schemas, patienceMs } = this.#deps;
    const key = keyOf(cwd, provider);
    const found = this.#look(cwd, provider);
    const listed = this.#listings.get(key);
    const isListed = listed?.of === found;
    if (isListed && listed.isWhole) return undefined;
    const waiting = found.counting.filter(({ entry }) => schemas.known(entry) === undefined);
    if (waiting.length === 0) this.#list(key, found);
    if (waiting.length === 0 || isListed) return undefined;
    const entries = waiting.map(({ entry }) => entry);
    return inTime(schemas.ask(entries, cwd), undefined, patienceMs).then(() => this.#list(key, found));
  }

  /** The result of the last check. The same object as long as nothing has changed. */
  at(cwd: string, provider?: string): ToolListing {
    return this.#listings.get(keyOf(cwd, provider))?.listing ?? NONE;
  }

  /** True if it is unchanged, and may be used. A program that ran since the last check may have changed it. */
  async isCurrent(cwd: string, { path, hash }: Pick<ExecutableTool, "path" | "hash">): Promise<boolean> {
    const now = await hashOf(path);
    const usable = this.#deps.sources.at(cwd).of("tool");
    return now === hash && usable.some((entry) => entry.path === path);
  }

  /** The names that rules may use for them, including tools that were not asked yet. */
  names(cwd: string): string[] {
    return this.#look(cwd).counting.map(({ name }) => name);
  }

  /** The names from all folders that were checked. */
  everyName(): string[] {
    return [...this.#found.values()].flatMap(({ counting }) => counting.map(({ name }) => name));
  }

  #list(key: string, of: ToolScan): void {
    const tools: ExecutableTool[] = [];
    const unused: UnusedTool[] = [...of.refused];
    for (const { name, entry, shadows } of of.counting) {
      const { path } = entry;
      const schema = this.#deps.schemas.known(entry);
      if (schema && "description" in schema)
        tools.push({ ...schema.description, name, path, hash: schema.hash, entry, shadows });
      else if (schema) unused.push({ name, path, entry, problem: `${path} is not used as a tool: ${schema.problem}.` });
      else unused.push({ name, path, entry, problem: `${path} is not a tool yet: ${SLOW}` });
    }
    const isWhole = of.counting.every(({ entry }) => this.#deps.schemas.known(entry) !== undefined);
    this.#listings.set(key, { of, listing: { tools, unused }, isWhole });
  }

  #look(cwd: string, provider?: string): ToolScan {
    const of = this.#deps.sources.at(cwd, provider);
    const key = keyOf(cwd, provider);
    const known = this.#found.get(key);
    if (known?.of === of) return known;
    const named = of.of("tool").map((entry) => ({ kind: entry.kind, name: toolName(entry.name), entry }));
    const counting: EffectiveTool[] = [];
    const refused: UnusedTool[] = of.entries.flatMap(({ problem, ...entry }) =>
      entry.kind === "tool" && problem !== undefined
        ? [{ name: toolName(entry.name), path: entry.path, entry, problem }]
        : [],
    );
    for (const { entry: one, shadows } of resolveByName(named)) {
      const { name, entry } = one;
      const isReserved = this.#deps.reserved.includes(name);
      const issue = isReserved ? "the session itself has a tool with this name" : toolNameProblem(name);
      if (issue !== undefined)
        refused.push({ name, path: entry.path, entry, problem: `${entry.path} is not used as a tool: ${issue}.` });
      else counting.push({ name, entry, shadows: shadows.map((each) => each.entry.path) });
    }
    const found = { of, counting, refused };
    this.#found.set(key, found);
    return found;
  }
}

function keyOf(cwd: string, provider = ""): string {
  return `${provider}\n${cwd}`;
}
