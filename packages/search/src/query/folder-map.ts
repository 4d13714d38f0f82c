import type { MapFile } from "@harness/core";
import type { IndexLocation } from "../store/stores.ts";
import { after } from "../workers/after.ts";
import type { QueryProcess } from "./query-process.ts";

/** More than fit in a prompt, as rules may hide some. */
const FILES = 200;
/** The first request of a session waits for it. */
const MAX_WAIT_MS = 3_000;

/** The most important files of an index; none if that takes long or fails. */
export async function folderMap(location: Promise<IndexLocation>, queries: QueryProcess): Promise<MapFile[]> {
  const asked = location.then((its) => queries.ask("map", { ...its, limit: FILES })).catch(() => undefined);
  return (await Promise.race([asked, after(MAX_WAIT_MS)])) ?? [];
}
