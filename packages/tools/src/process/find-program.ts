import { access, constants } from "node:fs/promises";

/** The absolute path of a program, or undefined. Relative folders of the path are skipped. */
export async function findProgram(name: string, path: string, outside?: string): Promise<string | undefined> {
  for (const folder of path.split(":")) {
    if (!folder.startsWith("/") || (outside && `${folder}/`.startsWith(`${outside}/`))) continue;
    const file = `${folder.replace(/\/$/, "")}/${name}`;
    try {
      await access(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
