import { isAbsolute, resolve } from "node:path";
import { isWithin } from "@harness/gate";
import { realPathOrSame } from "@harness/host";
import type { Settings } from "@harness/protocol";

/** A collection of documents: `NAME=FOLDER` in the settings. */
type IndexCollection = { name: string; folder: string };

/** A collection in the settings; undefined if the row is not written as it should be. */
export function readCollection(row: string): IndexCollection | undefined {
  const [, name, folder] = /^([^=/]+)=(.+)$/s.exec(row) ?? [];
  return name !== undefined && folder !== undefined && isAbsolute(folder)
    ? { name, folder: resolve(folder) }
    : undefined;
}

/** The folders that are searched along with a workspace, as real paths, each once; collections with their names. */
export function searchFolders(
  folder: string,
  settings: Pick<Settings, "index_collections" | "additional_directories">,
): { folder: string; name?: string }[] {
  const found = new Map<string, { folder: string; name?: string }>();
  for (const each of settings.additional_directories.map(realPathOrSame))
    if (!isWithin(each, folder)) found.set(each, { folder: each });
  const names = new Set<string>();
  for (const row of settings.index_collections) {
    const collection = readCollection(row);
    if (!collection || names.has(collection.name)) continue;
    const real = realPathOrSame(collection.folder);
    names.add(collection.name);
    if (real !== folder && found.get(real)?.name === undefined)
      found.set(real, { folder: real, name: collection.name });
  }
  return [...found.values()];
}
