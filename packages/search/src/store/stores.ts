import type { Clock } from "@harness/core";
import type { VectorStore } from "../embed/vector-collection.ts";
import type { DefinitionReader } from "./definition-reader.ts";
import { removeDatabase } from "./embedded/database-file.ts";
import { EmbeddedStore } from "./embedded/embedded-store.ts";
import type { IndexStore } from "./index-store.ts";
import { processEgress } from "./process-egress.ts";
import { type RemoteStore, remoteStoreRow } from "./remote-stores.ts";

/**
 * Where an index is. `database`: its file, unless it is in a store elsewhere; locks and the history are beside this path
 * anyway.
 */
export type IndexStoreLocation = { database: string; remote?: RemoteStore | undefined };

/** An index, and the folder whose files it has. */
export type IndexLocation = IndexStoreLocation & { folder: string };

/** An index with its vectors. `definitions`: for the map of a folder, only of an index on this machine. */
export type SearchStore = IndexStore & VectorStore & { definitions?(): DefinitionReader };

/** Opens the index for writing, and makes it if it is not there. Rejects with the store's errors. */
export async function openIndexStore({ database, remote }: IndexStoreLocation, clock: Clock): Promise<SearchStore> {
  return remote ? openRemote(remote, clock) : EmbeddedStore.make(database);
}

/** Opens the index for reading; undefined if there is none. Rejects with the store's errors. */
export async function findIndexStore(
  { database, remote }: IndexStoreLocation,
  clock: Clock,
): Promise<SearchStore | undefined> {
  return remote ? openRemote(remote, clock) : EmbeddedStore.find(database);
}

/** Deletes the index. */
export async function removeIndexStore({ database, remote }: IndexStoreLocation, clock: Clock): Promise<void> {
  if (!remote) return removeDatabase(database);
  const store = await openRemote(remote, clock);
  try {
    await store.remove();
  } finally {
    await store.close();
  }
}

function openRemote(remote: RemoteStore, clock: Clock) {
  const egress = processEgress(remote.localOnly);
  return remoteStoreRow(remote.address).open({ ...remote, clock, egress });
}
