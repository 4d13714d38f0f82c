import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isWithin } from "@harness/gate";

export type ProgramSearch = {
  /** Folders whose files may have come with a clone: absolute, without links. */
  readonly folders: readonly string[];
  readonly path: string;
  /** Whether programs inside these folders may be started. */
  readonly isTrusted: boolean;
};

/** Folders in which a project has programs of its own. */
const OWN_BINS = ["node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin"];

/**
 * Finds a program: in a trusted folder the project's own first, then in PATH. Elsewhere nothing that is in the
 * workspace is found, by whatever way it is there.
 */
export function findCommand(
  name: string,
  root: string,
  { folders, path, isTrusted }: ProgramSearch,
): string | undefined {
  if (isAbsolute(name)) return isProgram(name) ? name : undefined;
  if (name.includes("/")) return undefined;
  const own = isTrusted ? [...bins(upwards(root, folders)), ...bins(folders)] : [];
  const files = [...own, ...path.split(":").filter(isAbsolute)].map((each) => join(each, name));
  return files.find((file) => isProgram(file) && (isTrusted || !isInside(file, folders)));
}

/** The nearest folder from `start` up to the workspace with one of these files; undefined: none has. */
export function findRoot(start: string, names: readonly string[], folders: readonly string[]): string | undefined {
  return upwards(start, folders).find((each) => names.some((name) => existsSync(join(each, name))));
}

/** A folder and those above it, as far as they are in one of `folders`. */
function upwards(start: string, folders: readonly string[]): string[] {
  const found: string[] = [];
  for (let each = start; folders.some((folder) => isWithin(each, folder)); each = dirname(each)) {
    found.push(each);
    if (each === dirname(each)) break;
  }
  return found;
}

function bins(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => OWN_BINS.map((bin) => join(folder, bin)));
}

function isInside(file: string, folders: readonly string[]): boolean {
  const real = realpathSync(file);
  return folders.some((folder) => isWithin(real, folder) || isWithin(file, folder));
}

function isProgram(file: string): boolean {
  try {
    const info = statSync(file, { throwIfNoEntry: false });
    return info?.isFile() === true && (info.mode & 0o111) !== 0;
  } catch {
    return false;
  }
}
