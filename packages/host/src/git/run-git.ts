import { type ChildProcess, spawn } from "node:child_process";

export type GitRun = {
  command: string;
  args: readonly string[];
  cwd: string;
  /** The complete environment of git. */
  env: Readonly<Record<string, string>>;
  input?: string | Buffer | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  maxOutputBytes: number;
};

/** `message`: the end of git's own error output. `code` is null if a signal, a time or a size limit ended it. */
export type GitEnd = { code: number | null; output: Buffer; message: string };

/** A longer message is an error that repeats itself. */
const MAX_MESSAGE = 4_000;

/** No question, no pager, nothing fetched: a partial clone names the program that would fetch. */
export const quietGit = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "",
} as const;

/** Runs git to its end. Rejects with Node's error if it cannot be started. */
export function runGit({ command, args, cwd, env, input, signal, timeoutMs, maxOutputBytes }: GitRun): Promise<GitEnd> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(command, args, { cwd, env, stdio: "pipe" });
    // If too many files are open, it has no streams.
    const { stdin, stdout, stderr } = child;
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    const stop = () => child.kill("SIGTERM");
    // A git that waits for a disk does not end, and what it started may keep its output open.
    const giveUp = () => {
      stop();
      for (const stream of [stdin, stdout, stderr]) stream?.destroy();
      child.unref();
      finish(null);
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
    signal?.addEventListener("abort", stop, { once: true });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let message = "";
    let isTooLarge = false;
    stdout?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      isTooLarge = bytes > maxOutputBytes;
      if (isTooLarge) stop();
      else chunks.push(chunk);
    });
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      message = (message + text).slice(-MAX_MESSAGE);
    });
    const finish = (code: number | null) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve({ code: isTooLarge ? null : code, output: Buffer.concat(chunks), message });
    };
    child.on("close", finish);
    // git may end before it has read everything: its exit code says why.
    stdin?.on("error", () => undefined).end(input ?? "");
  });
}

/** The output of git; undefined if it cannot be started, fails, or exceeds a limit. */
export async function gitOutput(run: GitRun): Promise<string | undefined> {
  try {
    const { code, output } = await runGit(run);
    return code === 0 ? output.toString("utf8") : undefined;
  } catch {
    return undefined;
  }
}
