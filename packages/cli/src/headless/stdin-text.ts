import { fstatSync } from "node:fs";
import { CliError } from "../exit-codes.ts";

/** A pipe that says nothing for this long is taken for one that nobody writes to. */
const PATIENCE_MS = 2_000;
const MOST_BYTES = 10 * 1024 * 1024;

export type StdinKind = "terminal" | "file" | "pipe" | "none";

/** What stdin is. A device such as /dev/null holds no prompt. */
export function stdinKind(fd = 0): StdinKind {
  if (process.stdin.isTTY) return "terminal";
  try {
    const info = fstatSync(fd);
    if (info.isFile()) return "file";
    return info.isFIFO() || info.isSocket() ? "pipe" : "none";
  } catch {
    return "none";
  }
}

/**
 * All of stdin as text. When the prompt is known already (`isExtra`), a pipe gets two seconds for its first byte: many
 * programs start us with an open pipe that they never write to nor close.
 */
export async function readStdin(isExtra: boolean, warn: (text: string) => void): Promise<string> {
  const kind = stdinKind();
  if (kind === "terminal" || kind === "none") return "";
  const { stdin } = process;
  const chunks: Buffer[] = [];
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<"silent">((resolve) => {
    if (isExtra && kind === "pipe") timer = setTimeout(() => resolve("silent"), PATIENCE_MS);
  });
  const ended = new Promise<"ended">((resolve, reject) => {
    stdin.on("data", (chunk: Buffer) => {
      clearTimeout(timer);
      bytes += chunk.length;
      if (bytes > MOST_BYTES)
        reject(
          new CliError(
            "usage",
            `stdin holds more than ${MOST_BYTES / 1024 / 1024} MB; put it into a file of the project and name it.`,
          ),
        );
      else chunks.push(chunk);
    });
    stdin.once("end", () => resolve("ended"));
    stdin.once("error", (error) => reject(new CliError("usage", `stdin cannot be read: ${error.message}`)));
  });
  const outcome = await Promise.race([ended, silent]);
  clearTimeout(timer);
  if (outcome === "silent") {
    stdin.destroy();
    warn("stdin is an open pipe that says nothing; going on without it. Use < /dev/null to avoid the wait.");
  }
  return Buffer.concat(chunks).toString("utf8");
}
