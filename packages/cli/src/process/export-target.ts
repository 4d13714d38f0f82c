import { once } from "node:events";
import { accessSync, closeSync, constants, mkdtempSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { HarnessClient } from "@harness/client";
import type { ExportFormatName } from "@harness/protocol";
import { CliError } from "./exit-codes.ts";

/** Stands for stdout. */
export const STDOUT = "-";
const PIECE_BYTES = 64 * 1024;

/**
 * The absolute path of a file that an export may be written to, or `-`. Throws a `CliError` for anything but a regular file in a folder
 * that can be written. Never waits for the other end of a pipe, and leaves nothing behind.
 */
export function exportTarget(flag: string, named: string, cwd: string): string {
  if (named === STDOUT) return STDOUT;
  const path = resolve(cwd, named);
  const refused = (reason: string, next: string) => new CliError("usage", `${flag}: ${named} ${reason}. ${next}`);
  const otherwise = "Name another file, or - for stdout.";
  // A file that stdout was sent to is here under a second name, and must not be replaced.
  if (/^\/(?:dev|proc)\//.test(path)) throw refused("is not a regular file", otherwise);
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw refused("is a folder", "Name a file in it.");
    if (stats && !stats.isFile()) throw refused("is not a regular file", otherwise);
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
    return path;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw refused(`cannot be written (${(error as NodeJS.ErrnoException).code})`, otherwise);
  }
}

type Export = { sessionId: string; format: ExportFormatName; raw?: boolean };

/** Writes a session to stdout, however long it is: through a private file, for an answer of the server has a limit. */
export async function exportToStdout(
  client: HarnessClient,
  wanted: Export,
  shown: (text: string) => string,
): Promise<{ left?: string | undefined }> {
  const folder = mkdtempSync(join(tmpdir(), "harness-export-"));
  try {
    const path = join(folder, "export");
    const { left } = await client.call("session/export", { ...wanted, path });
    await copyToStdout(path, wanted.format === "bundle" ? undefined : shown);
    return { left };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function copyToStdout(path: string, shown: ((text: string) => string) | undefined): Promise<void> {
  const fd = openSync(path, "r");
  const decoder = new StringDecoder("utf8");
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const read = readSync(fd, piece, 0, PIECE_BYTES, null);
      if (read === 0) return;
      const bytes = piece.subarray(0, read);
      if (!process.stdout.write(shown ? shown(decoder.write(bytes)) : bytes)) await once(process.stdout, "drain");
    }
  } finally {
    closeSync(fd);
  }
}
