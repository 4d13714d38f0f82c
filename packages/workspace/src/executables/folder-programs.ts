import type { ExecutableCommands, ExecutableTool, ExecutableTools, ToolListing } from "@harness/extensions";
import type { EnvironmentCommand } from "../environment/environment-command.ts";
import type { ProgramEnvironment } from "../environment/program-environment.ts";

/** Shared by the programs of all folders. */
export type Executables = {
  environment: ProgramEnvironment;
  tools: ExecutableTools;
  commands: ExecutableCommands;
};

/** The user's and projects' programs for a folder, and the environment in which they run. */
export class FolderPrograms {
  /** Provides the variables of the setting `environment_command`. */
  readonly environmentCommand: EnvironmentCommand;
  /** `cwd` may be a worktree of the folder. */
  readonly environment: ProgramEnvironment;
  readonly #folder: string;
  readonly #all: Executables;

  constructor(folder: string, all: Executables, environmentCommand: EnvironmentCommand) {
    this.environment = all.environment;
    this.environmentCommand = environmentCommand;
    this.#folder = folder;
    this.#all = all;
  }

  /**
   * Looks for changed tools, and asks new ones to describe themselves. Undefined: none had to be asked. Never rejects.
   */
  prepare(provider?: string): Promise<void> | undefined {
    return this.#all.tools.prepare(this.#folder, provider);
  }

  /** The result of the last look. The same object as long as nothing has changed. */
  tools(provider?: string): ToolListing {
    return this.#all.tools.at(this.#folder, provider);
  }

  /** True if a tool is unchanged and may be used. */
  isCurrent(tool: Pick<ExecutableTool, "path" | "hash">): Promise<boolean> {
    return this.#all.tools.isCurrent(this.#folder, tool);
  }

  /** The names that rules may use for the tools, including tools that were not asked yet. */
  get toolNames(): readonly string[] {
    return this.#all.tools.names(this.#folder);
  }
}
