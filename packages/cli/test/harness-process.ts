import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** The command as users start it, as a real process. */
export const harnessEntry = join(root, "dist/harness.mjs");

/** bin/harness starts runs from the start-up snapshot; HARNESS_TEST_START=bundle takes the bundle instead. */
const harnessCommand: readonly [string, ...string[]] =
  process.env.HARNESS_TEST_START === "bundle" ? [process.execPath, harnessEntry] : [join(root, "bin/harness")];

/** An empty project and an empty home, so that no configuration of this machine's user has an effect. */
export class TestHome {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "harness run ")));
  readonly cwd = join(this.root, "project");
  readonly home = join(this.root, "home");
  readonly env: NodeJS.ProcessEnv;

  constructor(environment: Readonly<Record<string, string>> = {}) {
    mkdirSync(this.cwd);
    const { PATH, LANG = "C.UTF-8" } = process.env;
    const nowhere = "http://127.0.0.1:1";
    this.env = {
      PATH,
      LANG,
      HOME: this.root,
      HARNESS_HOME: this.home,
      // A named model, so that a slow list of models cannot cause a failure.
      HARNESS_MODEL: "scripted-model",
      // Model servers of this machine are not queried.
      OLLAMA_HOST: nowhere,
      LLAMACPP_URL: nowhere,
      LMSTUDIO_URL: nowhere,
      VLLM_URL: nowhere,
      ...environment,
    };
  }

  remove(): void {
    // A window that was killed leaves its server to end by itself, which may still write here.
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  /** Starts `harness`; stdin is empty by default. */
  start(args: readonly string[], options: StartOptions = {}): HarnessProcess {
    const { stdin = "ignore", stdout = "pipe", env = {}, cwd = this.cwd } = options;
    const isText = typeof stdin === "string" && stdin !== "ignore" && stdin !== "pipe";
    const [command, ...first] = harnessCommand;
    const child = spawn(command, [...first, ...args], {
      cwd,
      env: { ...this.env, ...env },
      stdio: [isText ? "pipe" : (stdin as "pipe" | number), stdout, "pipe"],
    });
    if (isText) child.stdin?.end(stdin);
    return new HarnessProcess(child);
  }

  run(args: readonly string[], options: StartOptions = {}): Promise<ProcessEnd> {
    return this.start(args, options).ended;
  }
}

export type StartOptions = {
  /** `ignore`, `pipe`, a file descriptor, or its text. */
  stdin?: "ignore" | "pipe" | (string & {}) | number;
  stdout?: number;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
};

export type ProcessEnd = { code: number | null; signal: string | null; stdout: string; stderr: string };

/** On a busy machine the scripted model may answer, or the files be stored for undo, so late that a note says so. */
const LATE = /^harness: (Waiting for .* has not answered yet\.|.*Storing this folder's files takes longer than .*)\n/gm;

/** A process whose output is kept; tests wait for its text, never for time. */
export class HarnessProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<ProcessEnd>;
  stdout = "";
  stderr = "";
  #waiting: { met: () => boolean; text: string; found: () => void; failed: (error: Error) => void }[] = [];

  constructor(child: ChildProcess) {
    this.child = child;
    for (const stream of ["stdout", "stderr"] as const)
      child[stream]?.setEncoding("utf8").on("data", (text: string) => {
        this[stream] += text;
        this.#settle();
      });
    this.ended = new Promise((resolve) => {
      child.once("close", (code, signal) => {
        for (const { text, failed } of this.#waiting)
          failed(new Error(`Ended with ${code ?? signal} without saying ${text}:\n${this.stdout}\n${this.stderr}`));
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr.replace(LATE, "") });
      });
    });
  }

  /** Resolves once the stream contains the text, or the predicate holds, which is checked after each output. */
  says(stream: "stdout" | "stderr", wanted: string | (() => boolean)): Promise<void> {
    const met = typeof wanted === "string" ? () => this[stream].includes(wanted) : wanted;
    return new Promise((found, failed) => {
      this.#waiting.push({ met, text: String(wanted), found, failed });
      this.#settle();
    });
  }

  #settle(): void {
    this.#waiting = this.#waiting.filter(({ met, found }) => {
      const isThere = met();
      if (isThere) found();
      return !isThere;
    });
  }
}

export type Line = { type: string; [key: string]: unknown };

/** The lines of a stream-json run; throws for a line that is not JSON. */
export function linesOf(stdout: string): Line[] {
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

/** The result of a `json` run, which is its whole output. */
export function resultOf({ stdout }: ProcessEnd): Line {
  const lines = linesOf(stdout);
  const [result] = lines;
  if (lines.length === 1 && result?.type === "result") return result;
  throw new Error(`There is not exactly one result:\n${stdout}`);
}
