import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { DiskLooks } from "@harness/lsp";
import type { DiskChange, DiskChanges, DiskState } from "./disk-changes.ts";

/** A folder as it was last seen. */
type SeenFolder = { state: DiskState | undefined; packages: string };

/** Git ignores installed packages; this file of npm's, and the folder itself, change with them. */
const PACKAGES = "node_modules";
const MARKS = [PACKAGES, join(PACKAGES, ".package-lock.json"), join(PACKAGES, ".yarn-state.yml")];
/** Folders that are remembered: those of worktrees come and go. */
const MAX_FOLDERS = 50;

/** Knows what has changed in a folder since it was last asked, by git and the marks of package managers. */
export class DiskWatch implements DiskLooks {
  readonly #changes: DiskChanges;
  readonly #seen = new Map<string, SeenFolder>();

  constructor(changes: DiskChanges) {
    this.#changes = changes;
  }

  async since(cwd: string): Promise<readonly DiskChange[]> {
    const before = this.#seen.get(cwd);
    const now: SeenFolder = { state: await this.#changes.now(cwd), packages: await marksIn(cwd) };
    this.#seen.delete(cwd);
    this.#seen.set(cwd, now);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_FOLDERS && oldest !== undefined) this.#seen.delete(oldest);
    if (!before) return [];
    // Servers look into a folder that was created, but not into one that has changed.
    const installed: DiskChange[] =
      before.packages === now.packages ? [] : [{ path: join(cwd, PACKAGES), how: "created" }];
    if (!before.state || !now.state) return installed;
    return [...installed, ...(await this.#changes.between(cwd, before.state, now.state))];
  }
}

async function marksIn(cwd: string): Promise<string> {
  const stamps = MARKS.map(async (name) => {
    const info = await stat(join(cwd, name), { bigint: true }).catch(() => undefined);
    return info ? `${info.ino} ${info.mtimeNs}` : "";
  });
  return (await Promise.all(stamps)).join("\n");
}
