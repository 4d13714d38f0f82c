import { join } from "node:path";
import { type NamedTools, toolMeaning } from "@harness/core";
import {
  type AgentFolder,
  agentNameProblem,
  type Definitions,
  type ReadAgent,
  removeAgent,
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
import type { FolderSources } from "../sources/folder-sources.ts";
import type { FolderTrust } from "../trust/folder-trust.ts";

type SaveOrder = Omit<CallParams<ServerMethods, "agents/save">, "cwd">;
type Owner = NamedAgentView["owner"];

export type FolderAgentsOptions = {
  configFolder: string;
  definitions: Pick<Definitions<ReadAgent>, "at">;
  sources: Pick<FolderSources, "forgetMoment">;
  trust: FolderTrust;
  /** The tools of a session in the folder, except core's own. */
  tools(): NamedTools;
};

/** The named agents of a folder, from files of the user and of projects. */
export class FolderAgents {
  readonly #folder: string;
  readonly #options: FolderAgentsOptions;

  constructor(folder: string, options: FolderAgentsOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** The definitions in effect; costs one stat per file. */
  get current(): readonly AgentDefinition[] {
    return this.#options.definitions.at(this.#folder).used.map(({ definition }) => definition);
  }

  list(): Result<ServerMethods, "agents/definitions"> {
    const { used, unused } = this.#options.definitions.at(this.#folder);
    return {
      agents: used.map(({ definition, path, source, shadows, notes }) => ({
        ...definition,
        path,
        owner: source.owner,
        shadows: [...shadows],
        notes: [...notes, ...this.#notesOn(definition)],
      })),
      unused: unused.map(({ name: _, ...rest }) => rest),
    };
  }

  find(name: string): NamedAgentView | undefined {
    return this.list().agents.find((each) => each.name.toLowerCase() === name.trim().toLowerCase());
  }

  /** Throws `not_found` with the existing names. */
  need(name: string): NamedAgentView {
    const found = this.find(name);
    if (found) return found;
    const names = this.current.map((each) => each.name);
    const have = names.length === 0 ? "None are defined for this folder." : `Available: ${names.join(", ")}.`;
    const message = `There is no agent ${JSON.stringify(name.slice(0, 80))}. ${have}`;
    throw protocolError("not_found", message, { what: "agent", id: name });
  }

  /** Writes the file; a replaced file keeps its location and its other content. Throws errors for the client. */
  async save({ agent, owner = "person", replace = false }: SaveOrder): Promise<{ path: string; notes: string[] }> {
    const folder = this.#folderOf(owner);
    const inProject = async (path: string) => (await realPathOf(path)).startsWith(`${await realPathOf(this.#folder)}/`);
    if (owner === "project" && !(await inProject(folder.folder)))
      throw invalid(`${folder.folder} points outside ${this.#folder}: nothing was written.`);
    const { trust, tools } = this.#options;
    const before = owner === "project" ? await trust.view() : undefined;
    const counting = this.find(agent.name);
    const own = replace && counting?.owner === owner ? counting.path : undefined;
    const isInPlace = own !== undefined && (owner === "person" || (await inProject(own)));
    const meaning = toolMeaning(tools());
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
    this.#options.sources.forgetMoment();
    if (before) await trust.extend(before, saved.path);
    this.#options.sources.forgetMoment();
    return { path: saved.path, notes: this.#notesOn(agent) };
  }

  remove(name: string, owner: Owner): boolean {
    const isRemoved = removeAgent(this.#folderOf(owner), name);
    this.#options.sources.forgetMoment();
    if (typeof isRemoved === "object") throw protocolError("storage_failed", isRemoved.problem);
    return isRemoved;
  }

  #folderOf(owner: Owner): AgentFolder {
    return owner === "person"
      ? { folder: join(this.#options.configFolder, "agents"), isPrivate: true }
      : { folder: join(this.#folder, ".harness", "agents"), isPrivate: false };
  }

  /** The names that match no tool there. The tools of MCP servers are only known while they run. */
  unknownTools(names: readonly string[]): string[] {
    const meaning = toolMeaning(this.#options.tools());
    return names.filter((name) => meaning(name) === undefined && !mcpToolsNamed(name));
  }

  /** Why an agent cannot have this name, as a sentence; undefined: it can. */
  nameProblem(name: string): string | undefined {
    return agentNameProblem(name);
  }

  #notesOn({ tools = [], disallowedTools = [] }: AgentDefinition): string[] {
    const unknown = this.unknownTools([...tools, ...disallowedTools]);
    return unknown.length === 0 ? [] : [`there is no tool ${unknown.join(", ")}`];
  }
}

function invalid(message: string) {
  return protocolError("invalid_params", message, { issues: [{ path: "agent", message }] });
}
