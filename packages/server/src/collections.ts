import { homedir } from "node:os";
import { type IndexState, protocolError } from "@harness/protocol";
import {
  type CollectionEdit,
  type IndexProblem,
  type Workspace,
  withCollection,
  withoutCollection,
} from "@harness/workspace";
import { applySettings, notSaved } from "./follow-changes.ts";
import type { HandlerHost } from "./handler-host.ts";

type NewCollection = { folder: string; name?: string | undefined; signal: AbortSignal };
type AddedCollection = {
  name: string;
  folder: string;
  index: IndexState;
  indexed: number;
  removed: number;
  fallbacks: number;
};

/** Writes it to the settings, then indexes it. Throws protocol errors. */
export async function addCollection(
  host: HandlerHost,
  { settings, index }: Workspace,
  { signal, ...collection }: NewCollection,
): Promise<AddedCollection> {
  const places = { home: host.identity.env.HOME ?? homedir(), configFolder: host.person.folder };
  const { name, folder } = save(host, withCollection(collection, settings, places));
  const refreshed = await index.refresh({ rebuild: false, signal }, name);
  if (signal.aborted)
    throw protocolError("cancelled", `${name} is added, but not indexed as a whole: harness index does the rest.`);
  return { name, folder, ...orIndexError(refreshed) };
}

/** Takes it out of the settings, then deletes its index unless the folder is still searched. Throws protocol errors. */
export async function removeCollection(
  host: HandlerHost,
  { settings, index }: Workspace,
  name: string,
): Promise<{ removed: boolean }> {
  const its = index.collection(name);
  const { folder } = save(host, withoutCollection(name, settings));
  const end = its && !index.covers(folder) ? await its.remove() : true;
  if (typeof end === "object") orIndexError(end);
  return { removed: true };
}

function save(host: HandlerHost, edit: CollectionEdit | { problem: string }): CollectionEdit {
  if ("problem" in edit)
    throw protocolError("invalid_params", edit.problem, { issues: [{ path: "name", message: edit.problem }] });
  const saved = applySettings(host, [{ key: "index_collections", value: edit.rows }], edit.version);
  if ("problem" in saved) throw notSaved(saved);
  host.clients.broadcast("settings/changed", { version: saved.version });
  return edit;
}

/** An answer of an index, or its problem as an error. */
export function orIndexError<T extends object>(answer: T | IndexProblem): T {
  if (!("problem" in answer)) return answer;
  const { problem } = answer;
  if (answer.isMissing) throw protocolError("not_found", problem, { what: "index" });
  if (answer.isMisuse)
    throw protocolError("invalid_params", problem, { issues: [{ path: "collection", message: problem }] });
  throw protocolError("storage_failed", problem);
}
