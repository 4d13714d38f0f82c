import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { filesRun, pathOutside } from "@harness/gate";
import {
  atExit,
  errorCode,
  type FileStamps,
  isPlaceVariable,
  isSecretVariable,
  type ProgramResult,
  readRegularFile,
  realPathOrSame,
  runProgram,
} from "@harness/host";
import type { Settings } from "@harness/protocol";
import { signalInWords } from "@harness/protocol";
import type { LoadedSettings } from "@harness/storage";
import { direnvWatches, environmentFiles, environmentNames } from "./environment-files.ts";
import { type EnvironmentChange, readPrintedVariables } from "./printed-variables.ts";
import type { ProgramEnvironment } from "./program-environment.ts";

const TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_COMPLAINT = 400;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FOLDERS = 200;
/** Variables with which such programs find their own settings and stores. */
const ofPrograms = /^(?:XDG|NIX|MISE|ASDF|DEVBOX|DEVENV|CONDA|MAMBA|PIXI)_|^DIRENV_CONFIG$/;

/** A folder's additions to the environment of programs. */
export type FolderVariables = {
  variables: EnvironmentChange;
  /** Variables that look like secrets, which no program gets. */
  withheld: Readonly<Record<string, string>>;
  /** Why there are none, for people. */
  problem?: string;
};

const NONE: FolderVariables = { variables: {}, withheld: {} };

type Answer = {
  key: string;
  looked: readonly string[];
  stamps: readonly string[];
  found: Promise<FolderVariables>;
  hasFailed: boolean;
};

type EnvironmentSettings = {
  values: Pick<Settings, "environment_command" | "pass_env">;
  views: LoadedSettings["views"];
};

type EnvironmentCommandDeps = {
  /** This process's own environment. */
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  stamps: FileStamps;
  settings(): EnvironmentSettings;
  environment: ProgramEnvironment;
  /** Removes secrets from a text, from now on including these. */
  hide(text: string, secrets: Readonly<Record<string, string>>): string;
};

/**
 * The variables that the setting `environment_command` prints for a folder. It runs when they are first needed, and
 * again when the setting or a file that it depends on has changed; after a failure, with the user's next message.
 */
export class EnvironmentCommand {
  readonly #folder: string;
  readonly #deps: EnvironmentCommandDeps;
  /** For the folder and for its worktrees. */
  readonly #answers = new Map<string, Answer>();

  constructor(folder: string, deps: EnvironmentCommandDeps) {
    this.#folder = folder;
    this.#deps = deps;
  }

  /** Never rejects. `cwd`: the folder, or one of its worktrees. */
  async at(cwd: string, signal?: AbortSignal): Promise<FolderVariables> {
    const of = this.#folder;
    const { values } = this.#deps.settings();
    const command = values.environment_command.trim();
    if (command === "" || signal?.aborted) return NONE;
    const changed = cwd === of ? undefined : this.#changedIn(cwd, command);
    if (changed !== undefined) {
      const problem = `\`${command}\` was not run in ${cwd}: ${changed} there is not the one of ${of}.`;
      return { ...NONE, problem };
    }
    const { found } = this.#answer(cwd, command);
    return signal ? await orAborted(found, signal) : await found;
  }

  /** The same for programs other than an agent's commands: without the folder's programs in PATH. Never rejects. */
  async forPrograms(cwd: string): Promise<EnvironmentChange> {
    const { variables } = await this.at(cwd);
    const { PATH } = variables;
    if (typeof PATH !== "string") return variables;
    return { ...variables, PATH: pathOutside(PATH, [cwd, this.#folder], realPathOrSame) };
  }

  /** Failed lookups are retried: the user may have fixed the cause. */
  forgetFailures(): void {
    for (const [cwd, { hasFailed }] of this.#answers) if (hasFailed) this.#answers.delete(cwd);
  }

  #answer(cwd: string, command: string): Answer {
    const { stamps, settings } = this.#deps;
    const key = JSON.stringify([command, settings().values.pass_env]);
    const known = this.#answers.get(cwd);
    if (known?.key === key && stamps.areSame(known.looked, known.stamps)) return known;
    const looked = [...environmentFiles(cwd), ...this.#filesOf(command, cwd)];
    const answer: Answer = {
      ...{ key, looked, stamps: looked.map((path) => stamps.of(path)), hasFailed: false },
      found: Promise.resolve(NONE),
    };
    answer.found = this.#ask(cwd, command, answer);
    if (this.#answers.size >= MAX_FOLDERS) this.#answers.clear();
    this.#answers.set(cwd, answer);
    return answer;
  }

  async #ask(cwd: string, command: string, answer: Answer): Promise<FolderVariables> {
    const { env, environment, hide, stamps, settings } = this.#deps;
    const declared = Object.keys(env).filter((name) => ofPrograms.test(name) && !isSecretVariable(name, env[name]));
    const base = environment(cwd, {}, declared);
    const stop = new AbortController();
    let chars = 0;
    const forget = atExit(() => stop.abort());
    const result = await runProgram({
      ...{ path: "/bin/sh", args: ["-c", command], cwd, env: base, timeoutMs: TIMEOUT_MS },
      ...{ signal: stop.signal, maxOutputBytes: MAX_OUTPUT_BYTES },
      onOutput(piece, from) {
        chars += from === "stdout" ? piece.length : 0;
        if (chars > MAX_OUTPUT_BYTES) stop.abort();
      },
    });
    forget();
    const watches = direnvWatches(result.stdout);
    answer.looked = [...answer.looked, ...watches];
    answer.stamps = [...answer.stamps, ...watches.map((path) => stamps.of(path))];
    const failed = endProblem(result);
    const read = failed === undefined ? readPrintedVariables(result.stdout, base) : { problem: failed };
    if ("problem" in read) {
      answer.hasFailed = true;
      return { ...NONE, problem: hide(`\`${command}\` in ${cwd}: ${read.problem}.`, {}) };
    }
    const found = parted(read.variables, lettingIn(settings()));
    hide("", found.withheld);
    return found;
  }

  /** The files below the folder that the command runs. */
  #filesOf(command: string, cwd: string): string[] {
    const { home } = this.#deps;
    return filesRun(command, { cwd, home, variables: { HARNESS_CWD: cwd }, read: textOf });
  }

  /** A file that differs from the session folder's version: an agent may have written it, and it would run unasked. */
  #changedIn(cwd: string, command: string): string | undefined {
    const names = [...environmentNames, ...this.#filesOf(command, "/").map((path) => path.slice(1))];
    return names.find((name) => !isSameFile(join(cwd, name), join(this.#folder, name)));
  }
}

/** The names of agent sockets and the like that the user passes to commands. */
function lettingIn({ values, views }: EnvironmentSettings): ReadonlySet<string> {
  const isOwn = views.find(({ key }) => key === "pass_env")?.source !== "project";
  return new Set(isOwn ? values.pass_env.split(/[\s,]+/) : []);
}

function parted(variables: EnvironmentChange, letIn: ReadonlySet<string>): FolderVariables {
  const passed: Record<string, string | null> = {};
  const withheld: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    const isLetIn = value === null || (letIn.has(name) && isPlaceVariable(name, value));
    if (isLetIn || value === "" || !isSecretVariable(name, value)) passed[name] = value;
    else withheld[name] = value;
  }
  return { variables: passed, withheld };
}

function endProblem({ code, signal, problem, timedOut, truncated, stderr }: ProgramResult): string | undefined {
  if (problem !== undefined) return `it could not be run: ${problem}`;
  if (truncated) return "it printed more than 1 MB";
  if (timedOut) {
    const advice = "run it once yourself in this folder, so that it has what it needs";
    return `it took longer than ${TIMEOUT_MS / 1000} seconds and was stopped; ${advice}`;
  }
  if (code === 0) return undefined;
  const lines = stripVTControlCharacters(stderr).split("\n");
  const output = lines
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, 4)
    .join(" ");
  const words = output.replace(/[.\s]+$/, "").slice(0, MAX_COMPLAINT);
  return `it ended with ${signal === null ? `exit code ${code}` : signalInWords(signal)}${words === "" ? "" : `: ${words}`}`;
}

async function orAborted(found: Promise<FolderVariables>, signal: AbortSignal): Promise<FolderVariables> {
  const { promise, resolve } = Promise.withResolvers<FolderVariables>();
  const stop = () => resolve(NONE);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([found, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** An unreadable file equals no other. */
function isSameFile(one: string, other: string): boolean {
  const texts = [one, other].map((path) => {
    try {
      return readRegularFile(path, { maxBytes: MAX_FILE_BYTES, followLinks: true }).toString("latin1");
    } catch (error) {
      return errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR" ? "" : undefined;
    }
  });
  return texts[0] !== undefined && texts[0] === texts[1];
}

function textOf(path: string): string | undefined {
  try {
    return readRegularFile(path, { maxBytes: MAX_FILE_BYTES, followLinks: true }).toString("utf8");
  } catch {
    return undefined;
  }
}
