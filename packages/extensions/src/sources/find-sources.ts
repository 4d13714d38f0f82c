import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { realPathOrSame } from "@harness/host";
import type { Source, SourceLocations } from "./source.ts";

export type FoundSources = {
  /** From the most general to the most local. */
  sources: Source[];
  /** All paths that were checked, whether they exist or not: as long as these stay the same, so do the sources. */
  looked: string[];
};

const MAX_PLUGINS = 200;
/** In a folder of a project; the last one counts most. */
const PROJECT_FOLDERS = [
  [".tinyharness", "tinyharness"],
  [".agents", "agents"],
  [".claude", "claude"],
] as const;
/** Other agents' files with MCP servers; the last one counts most. */
const PROJECT_FILES = [
  [".vscode", "mcp.json", "vscode"],
  [".cursor", "mcp.json", "cursor"],
  [".gemini", "settings.json", "gemini"],
] as const;

/**
 * The sources for a folder, each preceded by its plugins: first the user's, then those from the outermost folder down
 * to this one. Never throws.
 */
export function findSources(cwd: string, { configFolder, home }: SourceLocations): FoundSources {
  const walk = new SourceWalk();
  const own = { owner: "person" } as const;
  walk.visit({ folder: join(home, ".codex"), layout: "codex", ...own });
  walk.visitFile({ folder: join(home, ".cursor"), layout: "cursor", ...own }, "mcp.json");
  walk.visitFile({ folder: join(home, ".gemini"), layout: "gemini", ...own }, "settings.json");
  walk.visit({ folder: join(home, ".config", "tinyharness"), layout: "tinyharness", ...own });
  walk.visit({ folder: join(home, ".tinyharness"), layout: "tinyharness", ...own });
  walk.visit({ folder: join(home, ".agents"), layout: "agents", ...own });
  walk.visit({ folder: join(home, ".claude"), layout: "claude", ...own });
  walk.visit({ folder: configFolder, layout: "harness", ...own });
  walk.visit({ folder: join(home, ".harness"), layout: "harness", ...own });
  for (const folder of foldersAbove(cwd)) {
    const owner = "project";
    for (const [name, file, layout] of PROJECT_FILES) {
      walk.visitFile({ folder: join(folder, name), layout, owner }, file);
    }
    for (const [name, layout] of PROJECT_FOLDERS) {
      walk.visit({ folder: join(folder, name), layout, owner });
    }
    walk.visitFile({ folder, layout: "folder", owner }, ".mcp.json");
    walk.visit({ folder: join(folder, ".harness"), layout: "harness", owner });
  }
  const { sources, looked } = walk;
  return { sources, looked };
}

class SourceWalk {
  readonly sources: Source[] = [];
  readonly looked: string[] = [];
  /** Real paths of folders, and of files in them: the user's folders may also lie above a project. */
  readonly #seen = new Set<string>();

  visit(source: Source): void {
    const { folder, layout } = source;
    this.looked.push(folder);
    if (!isFolder(folder)) return;
    const real = realPathOrSame(folder);
    if (this.#seen.has(real)) return;
    this.#seen.add(real);
    if (layout === "harness") {
      const plugins = join(folder, "plugins");
      this.looked.push(plugins);
      for (const name of namesIn(plugins).slice(0, MAX_PLUGINS)) this.#plugin(source, join(plugins, name));
    }
    this.sources.push(source);
  }

  /** The folder counts as a source if it has the file. */
  visitFile(source: Source, name: string): void {
    const path = join(source.folder, name);
    this.looked.push(path);
    if (!isThere(path)) return;
    const key = `${realPathOrSame(source.folder)}/${name}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.sources.push(source);
  }

  #plugin(source: Source, folder: string): void {
    this.looked.push(folder);
    if (isFolder(folder)) this.sources.push({ ...source, folder });
  }
}

/** The outermost first, the folder itself last. */
function foldersAbove(cwd: string): string[] {
  const folders = [cwd];
  for (let folder = cwd; dirname(folder) !== folder; folder = dirname(folder)) folders.unshift(dirname(folder));
  return folders;
}

/** The names in a folder in order, without hidden ones; empty if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith("."))
      .sort();
  } catch {
    return [];
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // A loop of links, or a folder that may not be entered: it contributes nothing.
    return false;
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
