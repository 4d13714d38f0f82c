import { delimiter, dirname, isAbsolute, join } from "node:path";
import { filesRun, isWithin } from "@harness/gate";
import {
  type FileStamps,
  namedCommands,
  readLenientJson,
  readRegularFile,
  realPathOrSame,
  TickCache,
} from "@harness/host";
import type { Settings } from "@harness/protocol";
import { environmentLines, nixFiles } from "../environment/environment-files.ts";
import type { FolderSources } from "../sources/folder-sources.ts";

export type RunFilesOptions = {
  home: string;
  /** Folders in the home folder in which the user's shell finds programs; real paths. */
  searchPath(): readonly string[];
  stamps: FileStamps;
  sources: Pick<FolderSources, "current">;
  settings: {
    readonly values: Pick<
      Settings,
      | ("statusline" | "editor" | "mcp_servers" | "additional_directories" | "environment_command")
      | ("check_command" | "sandbox" | "language_server_folders")
    >;
  };
};

type FoundRunFiles = {
  files: readonly string[];
  inventory: unknown;
  key: string;
  looked: readonly string[];
  stamps: readonly string[];
};

const MAX_BYTES = 1024 * 1024;

/**
 * Workspace files that run by themselves because the user, or a trusted project, has set that up: hooks, MCP servers,
 * the status row, the editor, the environment command, the command that checks edits, programs of extensions, and git's hooks in other places; and the
 * folders in which the shell finds programs. Whoever writes them decides what runs.
 */
export class RunFiles {
  readonly #folder: string;
  readonly #options: RunFilesOptions;
  readonly #moment = new TickCache<readonly string[]>();
  #known: FoundRunFiles | undefined;

  constructor(folder: string, options: RunFilesOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** Real paths, including files that do not exist yet. Never throws. */
  get current(): readonly string[] {
    return this.#moment.get("files", () => this.#look(this.#folder));
  }

  /** The same, plus the folders outside the workspace in which the user's shell finds programs. */
  get withProgramFolders(): readonly string[] {
    return this.#moment.get("all", () => {
      const { additional_directories } = this.#options.settings.values;
      const roots = [this.#folder, ...additional_directories].map(realPathOrSame);
      return [...new Set([...this.current, ...this.#programFolders(roots)])];
    });
  }

  #look(cwd: string): readonly string[] {
    const { sources, settings, stamps } = this.#options;
    const inventory = sources.current;
    const { values } = settings;
    const key = JSON.stringify([
      ...[values.statusline, values.editor, values.mcp_servers, values.additional_directories],
      ...[values.environment_command, values.check_command, values.sandbox, values.language_server_folders],
    ]);
    const known = this.#known;
    if (known?.inventory === inventory && known.key === key && stamps.areSame(known.looked, known.stamps)) {
      return known.files;
    }
    const looked = new Set<string>();
    const read = (path: string) => {
      looked.add(path);
      return textOf(path);
    };
    const isAllowed = values.language_server_folders.some((folder) => isWithin(cwd, folder));
    const named = [
      ...inventory.entries
        .flatMap((entry) => (entry.problem === undefined && !entry.needsTrust ? [entry] : []))
        .flatMap(({ kind, path, source, isExecutable }) => {
          if (kind !== "hook-file" && kind !== "mcp" && kind !== "lsp") return isExecutable ? [path] : [];
          const project = source.owner === "project" ? dirname(source.folder) : cwd;
          return this.#ofLines(linesIn(textOf(path)), cwd, project, read);
        }),
      ...this.#ofLines([values.statusline, values.editor, ...values.mcp_servers.flatMap(serverLine)], cwd, cwd, read),
      // In a sandbox it may do what the agent may; `auto` is none where it does not work.
      ...this.#ofLines(values.sandbox === "off" || isAllowed ? [values.check_command] : [], cwd, cwd, read),
      ...this.#environmentFiles(values.environment_command, cwd, read),
      ...this.#hooksPaths(cwd, read),
    ];
    const roots = [cwd, ...values.additional_directories].map(realPathOrSame);
    const real = [...named.map(realPathOrSame), ...this.#programFolders(roots)];
    const files = [...new Set(real)].filter((path) => roots.some((root) => isWithin(path, root) && path !== root));
    const paths = [...looked];
    this.#known = { files, inventory, key, looked: paths, stamps: paths.map((path) => stamps.of(path)) };
    return files;
  }

  /**
   * The programs that print the folder's environment, the files that its `.envrc` reads, and those that nix evaluates
   * for it.
   */
  #environmentFiles(command: string, cwd: string, read: (path: string) => string | undefined): string[] {
    if (command.trim() === "") return [];
    const lines = environmentLines(command, read(join(cwd, ".envrc")));
    return [...this.#ofLines(lines, cwd, cwd, read), ...nixFiles(lines).map((name) => join(cwd, name))];
  }

  #ofLines(
    lines: readonly string[],
    cwd: string,
    project: string,
    read: (path: string) => string | undefined,
  ): string[] {
    const variables = {
      CLAUDE_PROJECT_DIR: project,
      HARNESS_CWD: cwd,
      HARNESS_ROOT: project,
      workspaceFolder: project,
    };
    return lines.flatMap((line) => filesRun(line, { cwd, home: this.#options.home, variables, read }));
  }

  /**
   * Folders in the home folder from which the user's shell runs programs. Folders of a project are excluded: its
   * environment, the programs of its packages.
   */
  #programFolders(roots: readonly string[]): string[] {
    const { home, searchPath } = this.#options;
    const top = realPathOrSame(home);
    const projects = roots.filter((root) => isWithin(root, top) && root !== top);
    const isOfProject = (folder: string) => projects.some((root) => isWithin(folder, root) || isWithin(root, folder));
    return searchPath().filter((folder) => !isOfProject(folder));
  }

  /** `core.hooksPath` of the repository and of the user. */
  #hooksPaths(cwd: string, read: (path: string) => string | undefined): string[] {
    const { home } = this.#options;
    let root = realPathOrSame(cwd);
    while (root !== dirname(root) && read(join(root, ".git/config")) === undefined) root = dirname(root);
    const files = [join(root, ".git/config"), join(home, ".gitconfig"), join(home, ".config/git/config")];
    return files.flatMap((path) => {
      const values = [...(read(path) ?? "").matchAll(/^\s*hookspath\s*=\s*(.+?)\s*$/gim)];
      return values.map(([, value = ""]) => {
        const plain = value.replace(/^"(.*)"$/, "$1");
        return plain.startsWith("~/") ? join(home, plain.slice(2)) : plain.startsWith("/") ? plain : join(root, plain);
      });
    });
  }
}

/** The folders in the home folder in which the user's shell finds programs, according to its search path. */
export function programFolders(home: string, path = ""): readonly string[] {
  const top = realPathOrSame(home);
  return [join(home, "bin"), ...path.split(delimiter)]
    .filter((folder) => isAbsolute(folder))
    .map(realPathOrSame)
    .filter((folder) => isWithin(folder, top) && folder !== top);
}

function textOf(path: string): string | undefined {
  try {
    return readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: true }).toString("utf8");
  } catch {
    return undefined;
  }
}

function linesIn(text: string | undefined): string[] {
  const json = readLenientJson(text ?? "");
  return "value" in json ? namedCommands(json.value) : [];
}

/** `NAME=COMMAND ARGUMENTS`, or JSON. */
function serverLine(server: string): string[] {
  return server.trimStart().startsWith("{") ? linesIn(server) : [server.replace(/^[^=\s]*=/, "")];
}
