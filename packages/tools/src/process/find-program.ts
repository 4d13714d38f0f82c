import { statSync } from "node:fs";

/** The absolute path of a program, or undefined. Relative folders of the path are skipped. */
export async function findProgram(name: string, path: string, outside?: string): Promise<string | undefined> {
  for (const folder of path.split(":")) {
    if (!folder.startsWith("/") || (outside && `${folder}/`.startsWith(`${outside}/`))) continue;
    const file = `${folder.replace(/\/$/, "")}/${name}`;
    if (isProgram(file)) return file;
  }
  return undefined;
}

/** Synchronous, because every command calls it and a thread for each folder would take ten times as long. */
export function isProgram(file: string): boolean {
  try {
    const info = statSync(file, { throwIfNoEntry: false });
    return info?.isFile() === true && (info.mode & 0o111) !== 0;
  } catch {
    return false;
  }
}
