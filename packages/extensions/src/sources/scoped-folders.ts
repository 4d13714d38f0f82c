import { accessSync, constants } from "node:fs";
import { basename, join } from "node:path";
import { confProtocol } from "./provider-scope.ts";

/**
 * The folders without those of other providers: a folder with a provider of its own name is only for that provider, or
 * one with its protocol, or one whose file it has. Folders without providers stay.
 */
export function scopedFolders(folders: readonly string[], provider: string): string[] {
  const conf = folders.map((folder) => join(folder, "providers", `${provider}.conf`)).findLast((path) => isThere(path));
  const protocol = conf === undefined ? undefined : confProtocol(conf);
  return folders.filter((folder) => {
    const own = basename(folder);
    return !brings(folder, own) || own === provider || own === protocol || brings(folder, provider);
  });
}

function brings(folder: string, provider: string): boolean {
  const path = join(folder, "providers", provider);
  return isThere(path, constants.X_OK) || isThere(`${path}.conf`);
}

function isThere(path: string, mode?: number): boolean {
  try {
    accessSync(path, typeof mode === "number" ? mode : constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
