import { join } from "node:path";
import { type NamedTools, toolMeaning } from "@harness/core";
import {
  type AgentFolder,
  agentForm,
  agentNameProblem,
  Definitions,
  type ReadAgent,
  removeAgent,
  type SourceInventory,
  saveAgent,
} from "@harness/extensions";
import { mcpToolsNamed } from "@harness/gate";
import { realPathOf } from "@harness/host";
import {
  type AgentDefinition,
  type CallParams,
  type NamedAgentView,
  protocolError,
  type Result,
  type ServerMethods,
} from "@harness/protocol";
import type { FolderTrust } from "../trust/folder-trust.ts";

type SaveOptions = Omit<CallParams<ServerMethods, "agents/save">, "cwd">;
type Owner = NamedAgentView["owner"];

type AgentCatalogDeps = {
  configFolder: string;
  sources: SourceInventory;
  trust: FolderTrust;
  /** The tools of a session in a folder, without core's own. */
  tools(cwd: string): NamedTools;
};

/** The named agents of folders, from files of the person and of projects. */
export class AgentCatalog {
  readonly #deps: AgentCatalogDeps;
  readonly #definitions: Definitions<ReadAgent>;

  constructor(deps: AgentCatalogDeps) {
    this.#deps = deps;
    this.#definitions = new Definitions(deps.sources, agentForm);
  }

  /** The definitions that count in a folder, at the cost of a stat for each file. */
  at(cwd: string): readonly AgentDefinition[] {
    return this.#definitions.at(cwd).used.map(({ definition }) => definition);
  }

  list(cwd: string): Result<ServerMethods, "agents/definitions"> {
    const { used, unused } = this.#definitions.at(cwd);
    return {
      agents: used.map(({ definition, path, source, shadows, notes }) => ({
        ...definition,
        path,
        owner: source.owner,
        shadows: [...shadows],
        notes: [...notes, ...this.#notesOn(cwd, definition)],
      })),
      unused: unused.map(({ name: _, ...rest }) => rest),
    };
  }

  find(cwd: string, name: string): NamedAgentView | undefined {
    return this.list(cwd).agents.find((each) => each.name.toLowerCase() === name.trim().toLowerCase());
  }

  /** Throws `not_found` with the names that there are. */
  need(cwd: string, name: string): NamedAgentView {
    const found = this.find(cwd, name);
    if (found) return found;
    const names = this.at(cwd).map((each) => each.name);
    const have = names.length === 0 ? "None are defined for this folder." : `Available: ${names.join(", ")}.`;
    const message = `There is no agent ${JSON.stringify(name.slice(0, 80))}. ${have}`;
    throw protocolError("not_found", message, { what: "agent", id: name });
  }

  /** Writes the file; one that is replaced keeps its place, and what it says besides. Throws what a client is to see. */
  async save(
    cwd: string,
    { agent, owner = "person", replace = false }: SaveOptions,
  ): Promise<{ path: string; notes: string[] }> {
    const folder = this.#folderOf(cwd, owner);
    const inProject = async (path: string) => (await realPathOf(path)).startsWith(`${await realPathOf(cwd)}/`);
    if (owner === "project" && !(await inProject(folder.folder)))
      throw invalid(`${folder.folder} points outside ${cwd}: nothing was written.`);
    const { trust, tools } = this.#deps;
    const before = owner === "project" ? await trust.view(cwd) : undefined;
    const counting = this.find(cwd, agent.name);
    const own = replace && counting?.owner === owner ? counting.path : undefined;
    const isInPlace = own !== undefined && (owner === "person" || (await inProject(own)));
    const meaning = toolMeaning(tools(cwd));
    const saved = saveAgent(folder, agent, {
      replace,
      own: own === undefined ? undefined : { path: own, isInPlace },
      meaningOf: (name) => meaning(name) ?? name,
    });
    if ("problem" in saved && saved.kind === "invalid") throw invalid(saved.problem);
    if ("problem" in saved && saved.kind === "held")
      throw protocolError("conflict", saved.problem, { retryable: true });
    if ("problem" in saved && saved.kind === "exists") throw protocolError("conflict", saved.problem, {});
    if ("problem" in saved) throw protocolError("storage_failed", saved.problem);
    this.#deps.sources.forgetMoment();
    if (before) await trust.extend(cwd, before, saved.path);
    this.#deps.sources.forgetMoment();
    return { path: saved.path, notes: this.#notesOn(cwd, agent) };
  }

  remove(cwd: string, name: string, owner: Owner): boolean {
    const isRemoved = removeAgent(this.#folderOf(cwd, owner), name);
    this.#deps.sources.forgetMoment();
    if (typeof isRemoved === "object") throw protocolError("storage_failed", isRemoved.problem);
    return isRemoved;
  }

  #folderOf(cwd: string, owner: Owner): AgentFolder {
    return owner === "person"
      ? { folder: join(this.#deps.configFolder, "agents"), isPrivate: true }
      : { folder: join(cwd, ".harness", "agents"), isPrivate: false };
  }

  /** The names that stand for no tool there; which tools MCP servers have is known only while they run. */
  unknownTools(cwd: string, names: readonly string[]): string[] {
    const meaning = toolMeaning(this.#deps.tools(cwd));
    return names.filter((name) => meaning(name) === undefined && !mcpToolsNamed(name));
  }

  /** Why an agent cannot be called so, as a sentence; undefined: it can. */
  nameProblem(name: string): string | undefined {
    return agentNameProblem(name);
  }

  #notesOn(cwd: string, { tools = [], disallowedTools = [] }: AgentDefinition): string[] {
    const unknown = this.unknownTools(cwd, [...tools, ...disallowedTools]);
    return unknown.length === 0 ? [] : [`there is no tool ${unknown.join(", ")}`];
  }
}

function invalid(message: string) {
  return protocolError("invalid_params", message, { issues: [{ path: "agent", message }] });
}
