import { readdir } from "node:fs/promises";
import { realPathOf } from "@harness/host";
import { workspaceFileList } from "./workspace-file-list.ts";

/** Build folders that say nothing about a project, whatever its ignore file says. */
const noise = new Set(["target", "dist", "build", "venv"]);

/**
 * The names in a folder for a model's first look, folders first and ending in `/`, without hidden ones and those that a
 * `FileList` does not list. `cwd`: where ignore rules start outside a repository. Never fails.
 */
export async function folderEntries(folder: string, cwd = folder): Promise<string[]> {
  const real = await realPathOf(folder).catch(() => folder);
  const found = await readdir(real, { withFileTypes: true }).catch(() => []);
  const shown = found.filter(({ name }) => !name.startsWith(".") && !noise.has(name));
  const visible = await workspaceFileList.rules(cwd).visible(real, shown);
  const ordered = visible.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const folders = ordered.filter((entry) => entry.isDirectory()).map(({ name }) => `${name}/`);
  return [...folders, ...ordered.filter((entry) => !entry.isDirectory()).map(({ name }) => name)];
}
