import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { lstat, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atExit } from "@harness/host";
import { startOf } from "../process/process-mark.ts";

export type PrivateFolder = {
  path: string;
  /** The temporary folder of contained commands; shared from one to the next. */
  temporary: string;
  /** An unreadable file. */
  nothing: string;
  /** Records our placeholder folders, so that another process can remove them if we are killed. */
  note(places: readonly string[]): void;
  remove(): void;
};

const NAME = /^harness-sandbox-(\d+)-(\d*)-/;
const NOTED = "places";

/** A folder for one sandbox, removed when this process ends at the latest. */
export function privateFolder(): PrivateFolder {
  const path = mkdtempSync(join(tmpdir(), `harness-sandbox-${process.pid}-${startOf(process.pid) ?? ""}-`));
  const remove = () => rmSync(path, { recursive: true, force: true });
  const cancelRemoval = atExit(remove);
  const temporary = join(path, "tmp");
  const nothing = join(path, "nothing");
  mkdirSync(temporary, { mode: 0o700 });
  writeFileSync(nothing, "", { mode: 0o000 });
  chmodSync(nothing, 0o000);
  const noted = new Set<string>();
  return {
    path,
    temporary,
    nothing,
    note(places) {
      const more = places.filter((place) => !noted.has(place));
      if (more.length === 0) return;
      for (const place of more) noted.add(place);
      appendFileSync(join(path, NOTED), more.map((place) => `${place}\0`).join(""), { mode: 0o600 });
    },
    remove() {
      cancelRemoval();
      remove();
    },
  };
}

/** Removes the folders of killed processes, and their placeholders. Never throws. */
export async function removeStaleFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const [, pid, start] = NAME.exec(name) ?? [];
    // Without a start time it is unknown whether the id belongs to a different process by now.
    if (!pid || !start || startOf(Number(pid)) === start) continue;
    const path = join(tmpdir(), name);
    const info = await lstat(path).catch(() => undefined);
    if (!info?.isDirectory() || info.uid !== process.getuid?.()) continue;
    const text = await readFile(join(path, NOTED), "utf8").catch(() => "");
    for (const place of text.split("\0").filter(Boolean).reverse()) removeIfEmpty(place);
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

function removeIfEmpty(place: string): void {
  try {
    rmdirSync(place);
  } catch {
    // It was removed, or is in use by now.
  }
}
