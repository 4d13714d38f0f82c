import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The system's reader of manual pages. */
const READER = "man";

/** Shows a manual page with the system's own `man`; undefined if there is none, or it cannot show a file. */
export async function showManual(page: string): Promise<number | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "harness-man-"));
  const file = join(folder, "harness.1");
  try {
    const draft = await open(file, "wx", 0o600);
    await draft.writeFile(page).finally(() => draft.close());
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const man = spawn(READER, [file], { stdio: ["inherit", "inherit", "ignore"] });
    man.once("error", () => resolve(undefined));
    man.once("close", (code) => resolve(code === 0 ? 0 : undefined));
    return await promise;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
