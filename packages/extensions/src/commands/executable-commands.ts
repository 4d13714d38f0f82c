import { constants } from "node:os";
import { type ProgramResult, runProgram } from "@harness/host";
import { signalInWords } from "@harness/protocol";
import { ReadEntries } from "../sources/read-entries.ts";
import { resolveByName } from "../sources/resolve-by-name.ts";
import type { SourceEntry } from "../sources/source.ts";
import type { SourceInventory } from "../sources/source-inventory.ts";

const DESCRIBE_TIMEOUT_MS = 5_000;
const MAX_DESCRIPTION_BYTES = 2_000;
const MAX_DESCRIPTION_CHARS = 200;
const MAX_OUTPUT_BYTES = 1_000_000;
/** The user who has started a command ends it. */
const RUN_TIMEOUT_MS = 86_400_000;

/** An executable command in effect in a folder. */
export type ExecutableCommand = {
  name: string;
  path: string;
  owner: "person" | "project";
  /** The files of its name without effect. */
  shadows: readonly string[];
};

type CommandInvocation = {
  args: readonly string[];
  input: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
};

/**
 * The output of a command: text and messages, each up to a limit. `text`: both for people, with the end if that was not
 * normal; `note`: only the end, if the exit code does not show it.
 */
type CommandOutput = { text: string; exitCode: number; stdout: string; stderr: string; note?: string };

type ExecutableCommandsDeps = {
  sources: Pick<SourceInventory, "at">;
  environment(cwd: string): Record<string, string>;
};

/** The executables in `commands/` of a folder's sources. The most local of a name counts. */
export class ExecutableCommands {
  readonly #deps: ExecutableCommandsDeps;
  readonly #described: ReadEntries<Promise<string>>;

  constructor(deps: ExecutableCommandsDeps) {
    this.#deps = deps;
    this.#described = new ReadEntries((entry) => this.#describe(entry));
  }

  /** The commands of a folder, with their own one-line descriptions. Never rejects. */
  async list(cwd: string): Promise<(ExecutableCommand & { description: string })[]> {
    return await Promise.all(
      this.#at(cwd).map(async ({ entry, ...command }) => ({
        ...command,
        description: await this.#described.of(entry),
      })),
    );
  }

  find(name: string, cwd: string): ExecutableCommand | undefined {
    return this.#at(cwd).find((each) => each.name.toLowerCase() === name.toLowerCase());
  }

  /** Runs one to its end. Never rejects. */
  async run(
    { path }: Pick<ExecutableCommand, "path">,
    { args, input, cwd, env, signal }: CommandInvocation,
  ): Promise<CommandOutput> {
    let messages = "";
    const end = await runProgram({
      path,
      args,
      cwd,
      env,
      input,
      timeoutMs: RUN_TIMEOUT_MS,
      signal,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      onOutput(text, from) {
        if (from === "stderr" && messages.length < MAX_OUTPUT_BYTES) messages += text;
      },
    });
    const note = endNote(path, end);
    const parts = [end.stdout.trimEnd(), messages.trimEnd(), note].filter((each) => each !== "");
    const isOfCode = end.problem === undefined && end.signal === null && end.code !== 0;
    return {
      text: parts.join("\n"),
      exitCode: end.code ?? signalCode(end.signal),
      stdout: end.stdout,
      stderr: messages,
      ...(note !== "" && !isOfCode && { note }),
    };
  }

  async #describe({ path }: SourceEntry): Promise<string> {
    const { stdout, code } = await runProgram({
      path,
      args: ["--describe"],
      cwd: path.slice(0, path.lastIndexOf("/")) || "/",
      env: this.#deps.environment(path),
      input: "",
      timeoutMs: DESCRIBE_TIMEOUT_MS,
      signal: new AbortController().signal,
      maxOutputBytes: MAX_DESCRIPTION_BYTES,
    });
    const [line = ""] = code === 0 ? stdout.trim().split("\n", 1) : [];
    return line.slice(0, MAX_DESCRIPTION_CHARS).toWellFormed() || `Runs ${path}.`;
  }

  #at(cwd: string): (ExecutableCommand & { entry: SourceEntry })[] {
    const programs = this.#deps.sources
      .at(cwd)
      .of("command")
      .filter(({ isExecutable, path, source }) => isExecutable && source.layout === "harness" && !/\.md$/i.test(path))
      .map((entry) => ({ kind: entry.kind, name: commandName(entry.name), entry }));
    return resolveByName(programs).map(({ entry: { name, entry }, shadows }) => ({
      name,
      path: entry.path,
      owner: entry.source.owner,
      shadows: shadows.map((each) => each.entry.path),
      entry,
    }));
  }
}

/** The exit code that shells give; 1 if it did not even run. */
function signalCode(signal: NodeJS.Signals | null): number {
  return signal === null ? 1 : 128 + constants.signals[signal];
}

/** A command has the name of its file, without the extension. */
function commandName(fileName: string): string {
  return fileName.replace(/(?<=.)\.[A-Za-z0-9]+$/, "");
}

function endNote(path: string, { problem, signal, code, truncated, leftBehind }: ProgramResult): string {
  if (problem !== undefined) return `${path} was not run: ${problem}.`;
  if (signal !== null) return `[ended by ${signalInWords(signal)}]`;
  if (code !== 0) return `[exit code ${code}]`;
  if (truncated) return `[it printed more than ${MAX_OUTPUT_BYTES / 1_000_000} MB; the rest was left out]`;
  return leftBehind ? "[processes that it left running were killed]" : "";
}
