import { fstatSync } from "node:fs";
import { isatty } from "node:tty";
import { CliError } from "../process/exit-codes.ts";

/** A pipe that stays silent for this long counts as one without a writer. */
const PATIENCE_MS = 2_000;
const MAX_BYTES = 10 * 1024 * 1024;

type StdinKind = "terminal" | "file" | "pipe" | "none";

/** The kind of stdin. A device such as /dev/null contains no prompt. */
function stdinKind(): StdinKind {
  if (isatty(0)) return "terminal";
  try {
    const info = fstatSync(0);
    if (info.isFile()) return "file";
    return info.isFIFO() || info.isSocket() ? "pipe" : "none";
  } catch {
    return "none";
  }
}

export type StdinOptions = {
  /** There is a prompt already. */
  isExtra: boolean;
  warn(text: string): void;
};

/**
 * Reads stdin as text. If there is a prompt already (`isExtra`), a pipe gets two seconds for its first byte: many
 * programs start us with an open pipe that they neither write to nor close.
 */
export async function readStdin({ isExtra, warn }: StdinOptions): Promise<string> {
  const kind = stdinKind();
  if (kind === "terminal" || kind === "none") return "";
  const { stdin } = process;
  const silent = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => {
    if (isExtra) silent.resolve(undefined);
    else warn("reading the prompt from stdin; nothing has arrived yet.");
  }, PATIENCE_MS);
  const content = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  stdin.on("data", (chunk: Buffer) => {
    clearTimeout(timer);
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= MAX_BYTES) return;
    stdin.destroy();
    const limit = `${MAX_BYTES / 1024 / 1024} MB`;
    content.reject(
      new CliError("usage", `stdin is larger than ${limit}; save it as a file in the project and name the file.`),
    );
  });
  stdin.once("end", () => content.resolve(Buffer.concat(chunks).toString("utf8")));
  stdin.once("error", (error) => content.reject(new CliError("usage", `stdin cannot be read: ${error.message}.`)));
  try {
    const text = await Promise.race([content.promise, silent.promise]);
    if (text !== undefined) return text;
    stdin.destroy();
    warn("stdin is an open pipe without data; continuing without it. Use < /dev/null to avoid the wait.");
    return "";
  } finally {
    clearTimeout(timer);
  }
}
