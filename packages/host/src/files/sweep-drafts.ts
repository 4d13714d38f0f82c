import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { removeIfThere } from "./atomic-write.ts";

/** Names of files that are about to become a lock (`x.lock.<instance>`) or another file (`x.<pid>-<random>.tmp`). */
const DRAFT = /(?:^|\.)lock(?:\.takeover)?\.[0-9a-f]{16}$|\.\d+-[0-9a-f]{8}\.tmp$/;
/** A younger one may still be in the process of being written. */
const STALE_MS = 60_000;

/** Removes leftovers of killed writes from one of our folders. Never throws. */
export function sweepDrafts(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (DRAFT.test(name) && Date.now() - statSync(path).mtimeMs > STALE_MS) removeIfThere(path);
    }
  } catch {
    // There is no such folder yet, or another process was faster.
  }
}
