import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The folders of a skill whose files its instructions mention. */
const FOLDERS = ["scripts", "references", "assets"];
const MAX_FILES = 60;
const MAX_DEPTH = 4;

/**
 * Paths relative to the folder of the skill, in order; `more`: how many were left out. Asks no `FileList`: the folder may
 * be ignored where it is. Never throws.
 */
export function skillFiles(folder: string): { files: string[]; more: number } {
  const found = FOLDERS.flatMap((name) => below(folder, name, MAX_DEPTH));
  return { files: found.slice(0, MAX_FILES), more: Math.max(0, found.length - MAX_FILES) };
}

function below(folder: string, path: string, depth: number): string[] {
  const entries = listFolder(join(folder, path));
  return entries.flatMap((entry) => {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory()) return depth > 1 ? below(folder, inner, depth - 1) : [];
    return entry.isFile() ? [inner] : [];
  });
}

function listFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith(".") && name !== "__pycache__" && name !== "node_modules")
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
