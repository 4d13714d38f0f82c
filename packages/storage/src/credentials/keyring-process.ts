import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

const SERVICE = "harness";

/** The variables needed to find the keyring and its user; none holds a key. */
const PASSED_ON =
  "PATH HOME USER LOGNAME LANG TMPDIR DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY XAUTHORITY " +
  "SystemRoot USERPROFILE APPDATA LOCALAPPDATA TEMP";

/**
 * Plain JavaScript for `node -e`, so that the bundle needs no further file. Reads requests and writes responses, one
 * line of JSON each; ends with its input.
 */
const SCRIPT = `
const { AsyncEntry } = require(process.argv[1]);
const answer = async ({ verb, account, secret }) => {
  const entry = new AsyncEntry(${JSON.stringify(SERVICE)}, account, { linux: { store: "secret-service" } });
  if (verb === "get") return entry.getPassword();
  if (verb === "set") await entry.setPassword(secret);
  else await entry.deletePassword();
};
require("node:readline").createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, ...question } = JSON.parse(line);
  let told;
  try { told = { id, value: await answer(question) }; } catch (error) { told = { id, problem: String(error && error.message || error) }; }
  process.stdout.write(JSON.stringify(told) + "\\n");
});`;

export type KeyringQuestion = { verb: "get" | "set" | "delete"; account: string; secret?: string };

type PendingReply = { resolve(value: string | null | undefined): void; reject(error: Error): void };

/**
 * Uses the keyring in a separate process, because its library blocks the thread while it connects to the system, and
 * one that does not answer would block everything. The process lives while a request is pending, and is killed if that
 * is aborted. Secrets go through its stdin.
 */
export class KeyringProcess {
  readonly #library: string;
  readonly #env: Readonly<NodeJS.ProcessEnv>;
  readonly #pending = new Map<number, PendingReply>();
  #child: ChildProcess | undefined;
  #lastId = 0;

  constructor(library: string, env: Readonly<NodeJS.ProcessEnv>) {
    this.#library = library;
    this.#env = env;
  }

  /** Null and undefined mean that there is no entry. Rejects with the system's message, or with the signal's reason. */
  async ask(question: KeyringQuestion, signal: AbortSignal): Promise<string | null | undefined> {
    signal.throwIfAborted();
    this.#child ??= this.#start();
    const child = this.#child;
    this.#lastId += 1;
    const id = this.#lastId;
    const giveUp = () => this.#end(child, signal.reason);
    signal.addEventListener("abort", giveUp, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        this.#pending.set(id, { resolve, reject });
        child.stdin?.write(`${JSON.stringify({ id, ...question })}\n`);
      });
    } finally {
      signal.removeEventListener("abort", giveUp);
      this.#pending.delete(id);
      if (this.#pending.size === 0 && this.#child === child) this.#end(child, new Error("it was no longer needed"));
    }
  }

  #start(): ChildProcess {
    const child: ChildProcess = spawn(process.execPath, ["--input-type=commonjs", "-e", SCRIPT, this.#library], {
      env: Object.fromEntries(PASSED_ON.split(" ").map((name) => [name, this.#env[name]])),
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    // With too many open files, it has no streams.
    const { stdin, stdout, stderr } = child;
    child.once("error", (error) => this.#end(child, error));
    let output = "";
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-2_000);
    });
    // The end of the process reports a broken pipe.
    stdin?.on("error", () => undefined);
    if (stdout) createInterface({ input: stdout }).on("line", (line) => this.#take(line));
    child.once("close", () => this.#end(child, new Error(lastError(output))));
    return child;
  }

  #take(line: string): void {
    const { id, value, problem } = JSON.parse(line) as { id: number; value?: string | null; problem?: string };
    const pending = this.#pending.get(id);
    if (problem === undefined) pending?.resolve(value);
    else pending?.reject(new Error(problem));
  }

  /** Rejects all pending requests with the reason. */
  #end(child: ChildProcess, reason: Error): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    child.kill("SIGKILL");
    for (const { reject } of this.#pending.values()) reject(reason);
  }
}

/** The line of a stack trace that names the error. */
function lastError(output: string): string {
  const line = output.split("\n").find((each) => /^\w*Error\b/.test(each));
  return line?.replace(/^\w*Error(?: \[\w+\])?: /, "") ?? "the process that asks it ended";
}
