import { statSync } from "node:fs";
import { basename } from "node:path";
import { isSecret, isWithin } from "@harness/gate";
import { realPathOrSame } from "@harness/host";
import { noCollection } from "@harness/search";
import type { FolderSettings } from "../settings/folder-settings.ts";
import { readCollection } from "./search-folders.ts";

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,39}$/u;
/** The kernel makes their files anew with each look. */
const SYSTEM = ["/proc", "/sys", "/dev"];

type OwnFolders = { home: string; configFolder: string };

/** The next value of `index_collections`. `version`: of the settings file that it was made from. */
export type CollectionEdit = { name: string; folder: string; rows: string[]; version: string };

/** Adds a folder, by default under its own name. `problem`: a sentence. */
export function withCollection(
  { name = "", folder }: { name?: string | undefined; folder: string },
  settings: Pick<FolderSettings, "load">,
  places: OwnFolders,
): CollectionEdit | { problem: string } {
  const real = realPathOrSame(folder);
  const refusal = refusalOf(folder, real, places);
  if (refusal !== undefined) return { problem: refusal };
  const own = name || basename(real).replace(/^\.+/, "").replace(/\s+/g, "-");
  if (!NAME.test(own))
    return { problem: `A collection cannot be named "${own}": use letters, digits, dots, dashes and underscores.` };
  const known = collectionRows(settings);
  if ("problem" in known) return known;
  for (const each of known.rows.flatMap((row) => readCollection(row) ?? [])) {
    if (realPathOrSame(each.folder) === real) return { problem: `${real} is a collection already: ${each.name}.` };
    if (each.name === own)
      return { problem: `There is a collection named ${own} already: ${each.folder}. Give this one another name.` };
  }
  return { name: own, folder: real, rows: [...known.rows, `${own}=${real}`], version: known.version };
}

export function withoutCollection(
  name: string,
  settings: Pick<FolderSettings, "load">,
): CollectionEdit | { problem: string } {
  const known = collectionRows(settings);
  if ("problem" in known) return known;
  const collections = known.rows.flatMap((row) => readCollection(row) ?? []);
  const found = collections.find((each) => each.name === name);
  if (!found) {
    const names = collections.map((each) => each.name);
    return { problem: noCollection(name, names) };
  }
  const rows = known.rows.filter((row) => readCollection(row)?.name !== name);
  return { name, folder: realPathOrSame(found.folder), rows, version: known.version };
}

/** Rows that are not written as they should be stay. */
function collectionRows(
  settings: Pick<FolderSettings, "load">,
): { rows: readonly string[]; version: string } | { problem: string } {
  const { values, views, version } = settings.load();
  const by = views.find(({ key }) => key === "index_collections")?.overriddenBy;
  if (by !== undefined) return { problem: `${by} has the collections: change them there.` };
  return { rows: values.index_collections, version };
}

/** Why a folder is not indexed on request, as a sentence. */
function refusalOf(folder: string, real: string, { home, configFolder }: OwnFolders): string | undefined {
  const isFolder = isDirectory(real);
  if (isFolder === undefined) return `There is no folder ${folder} that you can read.`;
  if (!isFolder) return `${folder} is not a folder. Add the folder that it is in.`;
  if (isWithin(realPathOrSame(home), real))
    return `${folder} has everything of yours in it, also what is secret. Add a folder of documents.`;
  if (isSecret(real) || isSecret(`${real}/-`))
    return `${folder} is a place of keys and passwords, which are never read.`;
  if (isWithin(real, realPathOrSame(configFolder)))
    return `${folder} is harness's own. Earlier sessions are found with: harness session search`;
  if (SYSTEM.some((each) => isWithin(real, each))) return `${folder} has no documents, but the state of the system.`;
  return undefined;
}

/** Undefined if the path cannot be looked at. */
function isDirectory(path: string): boolean | undefined {
  try {
    return statSync(path).isDirectory();
  } catch {
    return undefined;
  }
}
