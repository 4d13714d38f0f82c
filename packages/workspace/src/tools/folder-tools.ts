import { coreToolNames, type LiveTools, type NamedTools, type Tool, type ToolTable } from "@harness/core";
import type { RuleTool, SessionRules } from "@harness/gate";
import type { SessionConfig } from "@harness/protocol";
import type { IndexGroup } from "@harness/search";
import type { Redactor } from "@harness/storage";
import {
  type BackgroundProcesses,
  builtinTools,
  type CheckRunSettings,
  type FileBuffers,
  type Sandbox,
} from "@harness/tools";
import { languageToolNames } from "../diagnostics/folder-checks.ts";
import { folderEnvironment } from "../environment/folder-environment.ts";
import type { FolderPrograms } from "../executables/folder-programs.ts";
import type { NewFiles } from "../executables/new-files.ts";
import { workspaceFileList } from "../files/workspace-file-list.ts";
import type { FolderSettings } from "../settings/folder-settings.ts";
import { executableTools } from "./executable-tools.ts";
import { type AddedTools, liveTools } from "./live-tools.ts";
import { noteNewFiles } from "./note-new-files.ts";
import { passedVariables } from "./passed-variables.ts";
import { redactResults } from "./redact-results.ts";
import { type WebAccessOptions, webAccess } from "./web-access.ts";

export type FolderToolsOptions = {
  /** The real environment. */
  env: Readonly<Record<string, string | undefined>>;
  settings: FolderSettings;
  programs: FolderPrograms;
  web: Omit<WebAccessOptions, "settings" | "rules">;
  /** Knows the current secrets: keys may be added while a session is open. */
  redactor(): Redactor;
  folder: {
    /** Its search index. */
    code: IndexGroup;
    /** Watches for programs that the agent of a session writes. */
    newFiles(): NewFiles;
  };
  /** Further tools that rules may be about: those of any folder that a session was in. */
  everyTool(): readonly RuleTool[];
};

/** The parts of the session that the tools are for. */
export type SessionToolOptions = {
  rules: SessionRules;
  sandbox: Sandbox;
  processes: BackgroundProcesses;
  /** The files that its clients have open. */
  buffers: FileBuffers | undefined;
  /** Where the session is stored; undefined: it leaves nothing behind. */
  sessionFolder: string | undefined;
  /** The current choices of the session. */
  config(): SessionConfig;
  /** The tools of MCP servers. */
  mcp: AddedTools;
  /** The tools that ask language servers. */
  serverTools(): readonly Tool[];
  /** Warns the user about deviations from their settings. */
  warn(title: string, description: string): void;
};

/** The tools of sessions in a folder: harness's own, and the user's and projects' programs. */
export class FolderTools {
  /** The user's own tools, and the environment of programs. */
  readonly programs: FolderPrograms;
  readonly #options: FolderToolsOptions;

  constructor(options: FolderToolsOptions) {
    this.programs = options.programs;
    this.#options = options;
  }

  /** The current names. */
  get listed(): NamedTools & { readonly tools: readonly RuleTool[] } {
    const { tools, aliases } = this.#table();
    const known = new Set(tools.map(({ name }) => name));
    const added = this.#options.programs.toolNames.filter((name) => !known.has(name));
    return { tools: [...tools, ...added.map(named)], aliases };
  }

  /** The tool that runs commands; undefined: there is none. */
  get shell(): string | undefined {
    return this.builtin.find(({ subject }) => subject === "argv")?.name;
  }

  /** The tools that come with harness. */
  get builtin(): readonly Tool[] {
    return this.#table().tools;
  }

  /** The tools that rules may name. */
  get forRules(): RuleTool[] {
    const { programs, everyTool } = this.#options;
    const all = [
      ...this.builtin,
      ...programs.toolNames.map(named),
      ...everyTool(),
      ...[...coreToolNames, ...languageToolNames].map(named),
    ];
    const byName = new Map<string, RuleTool>();
    for (const tool of all) if (!byName.has(tool.name)) byName.set(tool.name, tool);
    return [...byName.values()];
  }

  /** The tools of a session, which may change while it is open. */
  of(session: SessionToolOptions): LiveTools {
    const { settings, programs, redactor, folder } = this.#options;
    const table = this.#table(session);
    const own = executableTools(session, { programs, builtin: table, settings });
    const files = folder.newFiles();
    const servers = { prepare: () => undefined, tools: session.serverTools };
    const live = liveTools(table, [servers, own, session.mcp], (tool) =>
      noteNewFiles(redactResults(tool, redactor), files),
    );
    return { ...live, forRules: () => this.forRules };
  }

  /** The environment of commands, and the encoding of what they print. */
  commands(person?: Pick<SessionToolOptions, "warn">): CheckRunSettings {
    const { env, settings, programs } = this.#options;
    return {
      get fileEncoding() {
        return settings.values.file_encoding;
      },
      get extraEnv() {
        return passedVariables(settings.current, env).passed;
      },
      folderEnv: folderEnvironment(programs.environmentCommand, person),
    };
  }

  #table(session?: SessionToolOptions): ToolTable {
    const { env, settings, programs, web, folder } = this.#options;
    const { code } = folder;
    // Decided with the session's first request: the list of tools is the start of every prompt.
    const isSearched = !session || isOffered(code, settings.values.index_min_files);
    return builtinTools({
      get toolTimeoutMs() {
        return settings.values.tool_timeout_ms;
      },
      get fileEncoding() {
        return settings.values.file_encoding;
      },
      get extraEnv() {
        return passedVariables(settings.current, env).passed;
      },
      files: workspaceFileList,
      code: isSearched ? code : undefined,
      web: webAccess({ ...web, settings, rules: session?.rules ?? { allow: [], deny: [] } }),
      folderEnv: folderEnvironment(programs.environmentCommand, session),
      ...(session ? { sandbox: session.sandbox, processes: session.processes, buffers: session.buffers } : {}),
    });
  }
}

/** A small folder is searched as well by words alone. */
function isOffered(code: IndexGroup, minFiles: number): boolean {
  return code.exists && code.fileCount >= minFiles;
}

const named = (name: string): RuleTool => ({ name });
