import type { AgentMode } from "@harness/protocol";
import { distance } from "fastest-levenshtein";
import { lenientName } from "../../context/lenient-name.ts";
import { type PromptBudget, promptBudget } from "../../context/system/prompt-budget.ts";
import { modeOffers, modes } from "../../modes/modes.ts";
import type { ModelMessage, ToolSpec } from "../../ports/provider.ts";
import type { Tool, ToolAlias, ToolTable } from "../../ports/tool.ts";
import { namesOffered, othersText, toolSearch } from "../../tools/tool-search.ts";
import { type ToolMatch, toolFinder } from "./tool-finder.ts";
import { specFor, toolSpec, withWords } from "./tool-spec.ts";

export type FoundTool = ToolMatch<Tool>;

const MAX_SUGGESTIONS = 3;

/** The tools of one agent: finds them by whatever name a model writes, and chooses those that requests describe. */
export class Toolbox {
  readonly #search: Tool = toolSearch(this);
  #table: ToolTable;
  #tools: ReadonlyMap<string, Tool> = new Map();
  #aliases: ReadonlyMap<string, ToolAlias> = new Map();
  #find: (name: string) => FoundTool | undefined = () => undefined;
  #aliasNames: Readonly<Record<string, string>> = {};
  #budget: PromptBudget = promptBudget(Number.POSITIVE_INFINITY);
  #mode: AgentMode = "agent";
  #specs: ToolSpec[] = [];
  #chars = 0;
  #baseChars = 0;
  #hidden: ToolSpec[] = [];
  /** Characters of the budget that are left for tools found by searching. */
  #room = 0;

  constructor(table: ToolTable) {
    this.#table = table;
    this.#know(table);
    this.fit(this.#budget);
  }

  /** The tools that requests describe. The same array as long as the list is the same. */
  get specs(): ToolSpec[] {
    return this.#specs;
  }

  /** Tools described by others: MCP servers, plugins, the user. */
  get foreign(): string[] {
    return this.#specs.flatMap(({ name }) => (this.#tools.get(name)?.inputSchema ? [name] : []));
  }

  /** The tools of other programs: MCP servers, language servers, the user's. */
  get served(): Tool[] {
    return [...this.#tools.values()].filter(({ mcp, served }) => mcp !== undefined || served);
  }

  /** Names that other programs have for the tools, by the tool. */
  get aliases(): Readonly<Record<string, string>> {
    return this.#aliasNames;
  }

  /** Characters that the specs cost in each request. */
  get chars(): number {
    return this.#chars;
  }

  /** The same without tools found by searching: equal for all agents of a session with the same budget. */
  get baseChars(): number {
    return this.#baseChars;
  }

  /** Tools that requests do not describe, which the model finds by searching. */
  get hidden(): readonly ToolSpec[] {
    return this.#hidden;
  }

  /**
   * Chooses the tools that requests describe: the mode's tools, as far as the budget has room. Tools that were found by
   * searching are hidden again.
   */
  fit(budget: PromptBudget, mode: AgentMode = "agent"): void {
    this.#budget = budget;
    this.#mode = mode;
    const { size, maxToolChars } = budget;
    const tools = [...this.#tools.values()].filter((tool) => tool !== this.#search && modeOffers(mode, tool));
    // Without the search tool hidden tools could not be found.
    const canSearch = this.#canSearch;
    const { alwaysOffered, offersWithRoom, names } = modes[mode];
    const isBrief = size === "small";
    const specs = new Map<Tool, ToolSpec>();
    for (const tool of [...tools, this.#search]) specs.set(tool, specFor(tool, size));
    const specOf = (tool: Tool) => specs.get(tool) ?? toolSpec(tool);
    const costOf = (tool: Tool) => specCost(specOf(tool));
    const allCost = tools.reduce((sum, tool) => sum + costOf(tool), 0);
    const isWhole = this.#table.isChosen === true && allCost <= maxToolChars;
    const isFixed = ({ name, offer = "always" }: Tool) =>
      isWhole || offer === "always" || !canSearch || alwaysOffered.includes(name);
    let room = maxToolChars - tools.filter(isFixed).reduce((sum, tool) => sum + costOf(tool), 0);
    const offered = new Set<Tool>();
    for (const tool of tools) {
      const joins = joinsWithRoom(tool, size) || (offersWithRoom(tool) && !isBrief);
      const hasRoom = joins && costOf(tool) <= room;
      if (hasRoom) room -= costOf(tool);
      if (hasRoom || isFixed(tool)) offered.add(tool);
    }
    this.#hidden = [
      ...tools.filter((tool) => !offered.has(tool)).map(specOf),
      ...(canSearch && !isWhole ? this.#forms(tools) : []),
    ];
    const search = this.#hidden.length > 0 ? [this.#search] : [];
    const others = tools
      .filter((tool) => !offered.has(tool) && !isByEvent(tool) && (!isBrief || names(tool)))
      .map(({ name }) => name);
    specs.set(this.#search, withWords(specOf(this.#search), othersText(others)));
    this.#setSpecs([...offered, ...search].map(specOf));
    this.#baseChars = this.#chars;
    this.#room = room - (search.length > 0 ? costOf(this.#search) : 0);
  }

  /**
   * Adopts a changed table. The described tools keep their order and their text, so that the beginning of requests
   * changes only if a described tool was removed or differs. New tools come after them, or are found by searching.
   */
  follow(table: ToolTable): void {
    if (table === this.#table) return;
    const before = { tools: this.#tools, specs: this.#specs };
    this.#table = table;
    this.#know(table);
    const { size } = this.#budget;
    const tools = [...this.#tools.values()].filter((tool) => tool !== this.#search && modeOffers(this.#mode, tool));
    const specOf = (tool: Tool) => {
      const known = before.tools.get(tool.name) === tool && before.specs.find(({ name }) => name === tool.name);
      return known || specFor(tool, size);
    };
    const all = [...tools, ...(this.#canSearch ? [this.#search] : [])].map(specOf);
    const byName = new Map([...(this.#canSearch ? this.#forms(tools) : []), ...all].map((spec) => [spec.name, spec]));
    const kept = before.specs.flatMap((spec) => sameOrOther(spec, byName.get(spec.name)));
    let room = this.#budget.maxToolChars - kept.reduce((sum, spec) => sum + specCost(spec), 0);
    for (const tool of tools.filter(({ name }) => !before.tools.has(name))) {
      const spec = specOf(tool);
      const isOffered = (tool.offer ?? "always") === "always" || !this.#canSearch;
      const mayJoin = table.isChosen === true || joinsWithRoom(tool, size);
      if (!isOffered && !(mayJoin && specCost(spec) <= room)) continue;
      room -= specCost(spec);
      kept.push(spec);
    }
    const described = new Set(kept.map(({ name }) => name));
    this.#hidden = [...byName.values()].filter((spec) => !described.has(spec.name) && spec.name !== this.#search.name);
    if (this.#hidden.length > 0 && this.#canSearch && !described.has(this.#search.name)) {
      kept.push(specOf(this.#search));
      room -= specCost(specOf(this.#search));
    }
    this.#room = room;
    if (kept.length !== before.specs.length || kept.some((spec, at) => spec !== before.specs[at])) this.#setSpecs(kept);
  }

  /**
   * Adds these tools to the following requests, as far as the budget has room, after the others, whose bytes stay the
   * same. Returns those that were added.
   */
  offer(names: readonly string[]): readonly string[] {
    const offered: ToolSpec[] = [];
    for (const name of names) {
      const spec = this.#hidden.find((each) => each.name === name);
      const cost = spec ? specCost(spec) : 0;
      if (!spec || cost > this.#room) continue;
      this.#room -= cost;
      this.#hidden = this.#hidden.filter((each) => each !== spec);
      offered.push(spec);
    }
    if (offered.length > 0) this.#setSpecs([...this.#specs, ...offered]);
    return offered.map(({ name }) => name);
  }

  /** Adds the tools that become useful after a certain event; the same call again changes nothing. */
  offerWhen(event: "with-processes" | "after-compaction"): void {
    this.offer([...this.#tools.values()].flatMap(({ name, offer }) => (offer === event ? [name] : [])));
  }

  /**
   * Offers the tools that the model has found according to these messages, in results of searches. `withCalls`: also
   * those that it has called, if a summary may have swallowed the search. A resumed session offers what its earlier
   * life did, which offers nothing for a call.
   */
  offerAgain(messages: readonly ModelMessage[], { withCalls }: { withCalls: boolean }): void {
    for (const message of messages) {
      if (message.role === "tool" && this.find(message.name)?.tool === this.#search)
        this.offer(namesOffered(message.text));
      if (message.role !== "assistant" || !withCalls) continue;
      for (const part of message.parts) {
        const found = part.type === "tool_call" ? this.find(part.name, () => part.input ?? {}) : undefined;
        if (found) this.offer([found.alias?.form ? found.alias.name : found.tool.name]);
      }
    }
  }

  /**
   * Finds a tool by whatever name a model writes. If a name covers several tools, the arguments decide which one it is.
   */
  find(name: string, input?: () => Record<string, unknown>): FoundTool | undefined {
    const found = this.#find(name);
    const meant = input && found?.alias?.toolFor && this.#tools.get(found.alias.toolFor(input()));
    return found && meant ? { ...found, tool: meant } : found;
  }

  /** Answers a model that named an unknown tool. */
  unknownText(name: string): string {
    const wanted = lenientName(name.slice(0, 100));
    const close = [...this.#tools.values()]
      .filter((tool) => (tool === this.#search ? this.#hidden.length > 0 : modeOffers(this.#mode, tool)))
      .map((tool) => tool.name)
      .map((each) => ({ each, far: distance(wanted, lenientName(each)) }))
      .filter(({ each, far }) => far <= 2 || (wanted.length > 2 && lenientName(each).includes(wanted)))
      .sort((a, b) => a.far - b.far)
      .slice(0, MAX_SUGGESTIONS)
      .map(({ each }) => `\`${each}\``);
    const hint = close.length > 0 ? ` Did you mean ${close.join(" or ")}?` : "";
    const names = this.#specs.map((spec) => spec.name).join(", ");
    const more = this.#hidden.length > 0 ? `; ${this.#search.name} finds more` : "";
    const all = names === "" ? "You have no tools" : `The tools are: ${names}${more}`;
    return `There is no tool \`${name.slice(0, 100)}\`.${hint} ${all}.`;
  }

  /** Names of other programs for these tools, as far as a search finds them. */
  #forms(tools: readonly Tool[]): ToolSpec[] {
    const names = new Set(tools.map(({ name }) => name));
    return [...this.#aliases.values()].flatMap(({ tool, form }) => (form && names.has(tool) ? [toolSpec(form)] : []));
  }

  get #canSearch(): boolean {
    return modeOffers(this.#mode, this.#search);
  }

  #know(table: ToolTable): void {
    const tools = new Map([...table.tools, this.#search].map((tool) => [tool.name, tool]));
    const aliases = table.aliases.filter(({ tool }) => tools.has(tool));
    this.#tools = tools;
    this.#aliases = new Map(aliases.map((alias) => [alias.name, alias]));
    this.#aliasNames = Object.fromEntries([...this.#aliases.values()].map(({ name, tool }) => [name, tool]));
    this.#find = toolFinder(tools.values(), this.#aliases.values());
  }

  #setSpecs(specs: ToolSpec[]): void {
    this.#specs = specs;
    this.#chars = JSON.stringify(specs).length;
  }
}

function specCost(spec: ToolSpec): number {
  return JSON.stringify(spec).length + 1;
}

/** It is offered by itself once it is useful. */
function isByEvent({ offer }: Tool): boolean {
  return offer === "with-processes" || offer === "after-compaction";
}

function joinsWithRoom({ offer }: Tool, size: PromptBudget["size"]): boolean {
  return (
    offer === "any-room" || (offer === "if-room" && size !== "small") || (offer === "ample-room" && size === "ample")
  );
}

/** The description that requests have had, if the tool still exists; the same object if it is unchanged. */
function sameOrOther(spec: ToolSpec, now: ToolSpec | undefined): ToolSpec[] {
  if (!now) return [];
  return [JSON.stringify(now) === JSON.stringify(spec) ? spec : now];
}
