import { isAbsolute, resolve } from "node:path";
import { isWithin } from "@harness/gate";
import { realPathOrSame } from "@harness/host";
import type { Settings } from "@harness/protocol";

/** A collection of documents: `NAME=FOLDER` in the settings. */
type IndexCollection = { name: string; folder: string };

/** The collections of the settings; those that are not written as they should be are left out. */
function indexCollections({ index_collections }: Pick<Settings, "index_collections">): IndexCollection[] {
  return index_collections.flatMap((row) => {
    const [, name, folder] = /^([^=/]+)=(.+)$/s.exec(row) ?? [];
    return name !== undefined && folder !== undefined && isAbsolute(folder) ? [{ name, folder: resolve(folder) }] : [];
  });
}

/** The folders that are searched along with a workspace, as real paths, each once. */
export function searchFolders(
  folder: string,
  settings: Pick<Settings, "index_collections" | "additional_directories">,
): string[] {
  const named = [...settings.additional_directories, ...indexCollections(settings).map((each) => each.folder)];
  const real = new Set(named.map(realPathOrSame));
  return [...real].filter((each) => !isWithin(each, folder));
}
