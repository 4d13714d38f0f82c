import { isatty } from "node:tty";
import { CliError } from "../process/exit-codes.ts";
import { rawKeys, type TerminalQuestion } from "../process/raw-keys.ts";
import { SecretLine } from "./secret-line.ts";

const MAX_BYTES = 64 * 1024;
export const NO_KEY = "No key was given. Nothing was changed.";

/**
 * Reads a secret of one line, from the terminal without echo, otherwise from stdin; undefined if the user cancelled.
 */
export async function readSecret(asking: TerminalQuestion & { mayBeEmpty?: true }): Promise<string | undefined> {
  const secret = isatty(0) ? await fromTerminal(asking) : await fromPipe(asking.signal);
  const key = secret?.trim();
  if (key === "" && !asking.mayBeEmpty) throw new CliError("usage", NO_KEY);
  if (key !== undefined && /\s/.test(key))
    throw new CliError("usage", "A key contains no spaces. Nothing was changed.");
  return key;
}

async function fromPipe(signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  signal.addEventListener("abort", () => process.stdin.destroy(), { once: true });
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new CliError("usage", "stdin is too large for a key. Nothing was changed.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function fromTerminal({ question, signal, interrupt }: TerminalQuestion): Promise<string | undefined> {
  const line = new SecretLine();
  const reading = rawKeys(signal, undefined, (bytes) => {
    const ending = line.take(bytes);
    if (ending === "interrupted") interrupt();
    return ending && { answer: ending === "done" ? line.text : undefined };
  });
  // Raw mode came first: a user types as soon as the question is visible.
  process.stderr.write(question);
  const secret = await reading;
  process.stderr.write("\n");
  return secret;
}
