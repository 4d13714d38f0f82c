import { isatty } from "node:tty";
import { CliError } from "../process/exit-codes.ts";
import { SecretLine } from "./secret-line.ts";

const MAX_BYTES = 64 * 1024;

type Asking = { question: string; signal: AbortSignal; interrupt(): void };

/**
 * Reads a secret of one line, from the terminal without echo, otherwise from stdin; undefined when the person
 * cancelled.
 */
export async function readSecret(asking: Asking): Promise<string | undefined> {
  const secret = isatty(0) ? await fromTerminal(asking) : await fromPipe(asking.signal);
  const key = secret?.trim();
  if (key === "") throw new CliError("usage", "No key was given. Nothing was changed.");
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

/** Reads keys in raw mode without echo; the terminal is restored in every case. */
function fromTerminal({ question, signal, interrupt }: Asking): Promise<string | undefined> {
  const { stdin, stderr } = process;
  const line = new SecretLine();
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const end = (secret: string | undefined) => {
    stdin.off("data", take);
    stdin.off("end", gone);
    signal.removeEventListener("abort", gone);
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
    resolve(secret);
  };
  const take = (bytes: Buffer) => {
    const ending = line.take(bytes);
    if (ending === "interrupted") interrupt();
    if (ending) end(ending === "done" ? line.text : undefined);
  };
  const gone = () => end(undefined);
  // Raw mode comes first: a person types as soon as the question is visible.
  stdin.setRawMode(true);
  stderr.write(question);
  stdin.on("data", take);
  stdin.once("end", gone);
  signal.addEventListener("abort", gone, { once: true });
  stdin.resume();
  return promise;
}
