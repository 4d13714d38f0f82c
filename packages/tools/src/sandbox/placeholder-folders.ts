import { rmdirSync } from "node:fs";
import { mkdir, rmdir } from "node:fs/promises";
import { atExit } from "@harness/host";

type Standing = { users: number; made: Promise<boolean>; cancelRemoval(): void };

/** Placeholder folders where no file may be created, with the number of commands that need each. */
const standing = new Map<string, Standing>();

/** Is it a folder that was created here as a placeholder? */
export function isPlaceholder(path: string): boolean {
  return standing.has(path);
}

/**
 * Creates an empty folder for each path that must stay empty, as a mount point: in the sandbox it is read-only.
 * Placeholders of other commands stay as long as this one needs them. The result's `release` removes them.
 */
export async function makePlaceholders(
  paths: readonly string[],
): Promise<{ held: string[]; release(): Promise<void> }> {
  const held: string[] = [];
  for (const path of paths) {
    const place = standing.get(path) ?? newPlaceholder(path);
    place.users++;
    standing.set(path, place);
    if (await place.made) held.push(path);
    else drop(path);
  }
  return { held, release: () => release(held) };
}

function newPlaceholder(path: string): Standing {
  return { users: 0, made: mkdir(path).then(yes, no), cancelRemoval: atExit(() => removeIfEmpty(path)) };
}

async function release(held: readonly string[]): Promise<void> {
  // Nested folders are removed first.
  for (const path of [...held].reverse()) {
    if (drop(path)) await rmdir(path).catch(no);
  }
}

/** True when no command needs it any more. */
function drop(path: string): boolean {
  const place = standing.get(path);
  if (!place) return false;
  place.users--;
  if (place.users > 0) return false;
  standing.delete(path);
  place.cancelRemoval();
  return true;
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It is gone, or no longer empty.
  }
}

const yes = () => true;
const no = () => false;
