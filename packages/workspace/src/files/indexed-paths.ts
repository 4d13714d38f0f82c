import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { readRegularFile } from "@harness/host";
import { IgnoreFile } from "@harness/tools";
import { findRepository } from "./git-state.ts";
import { workspaceFileList } from "./workspace-file-list.ts";

/** In the syntax of `.gitignore`: files of a folder that its index leaves out. */
const IGNORE_FILE = ".harnessignore";
const MAX_IGNORE_BYTES = 1_000_000;
/** Outside a repository nobody says which files are the person's own. */
const MAX_OWN_BYTES = 1_000_000;
const VENDORED = /(?:^|\/)(?:\.[^/]+|vendor|third_party|bower_components|venv|site-packages|target|dist|build)(?:\/|$)/;

/** The files of a folder whose text an index may have, relative to the folder. */
export async function indexedPaths(folder: string): Promise<string[]> {
  const [{ files }, repository] = await Promise.all([workspaceFileList.all(folder), findRepository(folder)]);
  const rules = ignoreFile(folder);
  const ignoredFolders = new Map<string, boolean>();
  return files.filter(
    (path) =>
      (repository !== undefined || isLikelyOwn(folder, path)) &&
      !workspaceFileList.isSecret(join(folder, path)) &&
      !(rules && isIgnored(rules, path, ignoredFolders)),
  );
}

function isLikelyOwn(folder: string, path: string): boolean {
  if (VENDORED.test(path)) return false;
  try {
    return lstatSync(join(folder, path)).size <= MAX_OWN_BYTES;
  } catch {
    return false;
  }
}

function ignoreFile(folder: string): IgnoreFile | undefined {
  try {
    const text = readRegularFile(join(folder, IGNORE_FILE), { maxBytes: MAX_IGNORE_BYTES, followLinks: false });
    const rules = new IgnoreFile(text.toString("utf8"), { inAnyCase: ["darwin", "win32"].includes(process.platform) });
    return rules.isEmpty ? undefined : rules;
  } catch {
    return undefined;
  }
}

/** As with git, no rule brings back a file of an ignored folder. */
function isIgnored(rules: IgnoreFile, path: string, folders: Map<string, boolean>): boolean {
  return isFolderIgnored(rules, dirname(path), folders) || rules.ignores(path, { isFolder: false }) === true;
}

function isFolderIgnored(rules: IgnoreFile, folder: string, folders: Map<string, boolean>): boolean {
  if (folder === ".") return false;
  const known = folders.get(folder);
  if (known !== undefined) return known;
  const isIgnoredHere =
    isFolderIgnored(rules, dirname(folder), folders) || rules.ignores(folder, { isFolder: true }) === true;
  folders.set(folder, isIgnoredHere);
  return isIgnoredHere;
}
