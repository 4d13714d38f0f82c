import { mkdirSync } from "node:fs";

/** Makes the folder and the missing ones above it, for this user alone. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
