import { bashStart } from "./bash-start.ts";
import { decodedOutput } from "./encodings/decoded-output.ts";
import type { EncodingSettings } from "./encodings/file-encoding.ts";
import type { FolderEnvironment } from "./environment/folder-environment.ts";
import { OwnProcess } from "./process/own-process.ts";
import { callMark, newCallId } from "./process/process-mark.ts";
import { runCommand } from "./process/run-command.ts";
import { openWorkingFolder } from "./process/working-folder.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { plainText } from "./text/plain-text.ts";

/** A command of the person that checks a folder. */
export type CheckRun = {
  readonly line: string;
  readonly cwd: string;
  /** Folders that it may change in a sandbox. */
  readonly roots: readonly string[];
  readonly sandbox: Sandbox;
  /** True if it may run where there is no sandbox. */
  readonly mayRunOutside: boolean;
  readonly maxMs: number;
  /** Ends it with everything that it has started. */
  readonly signal: AbortSignal;
};

export type CheckRunSettings = EncodingSettings & {
  readonly extraEnv: Readonly<Record<string, string>>;
  readonly folderEnv: FolderEnvironment;
};

const HEAD_BYTES = 400_000;
const TAIL_BYTES = 100_000;
/** A command that prints more than this has gone wrong. */
const MAX_BYTES = 50_000_000;

/**
 * Runs a check as commands of agents are run: in the sandbox if there is one, with the same environment and limits.
 * `why`: the end of a sentence about it. Never rejects.
 */
export async function runCheck(
  { line, cwd, roots, sandbox, mayRunOutside, maxMs, signal }: CheckRun,
  settings: CheckRunSettings,
): Promise<{ text: string; exitCode: number | null } | { why: string }> {
  await sandbox.ready();
  const isContained = sandbox.wanted !== "off" && sandbox.active;
  if (!isContained && !mayRunOutside) return { why: NOT_TRUSTED };
  const folder = await openWorkingFolder({ cwd, realPaths: new Map() });
  if ("problem" in folder || folder.isStandIn) return { why: "is not run: the folder cannot be entered" };
  const own = new OwnProcess();
  const added = await settings.folderEnv(cwd, signal);
  const extraEnv = { ...settings.extraEnv, ...added?.variables };
  const approval = { realPaths: new Map<string, string>(), roots, sandboxed: isContained };
  const start = await bashStart({ command: line }, approval, folder, {
    extraEnv,
    sandbox,
    mark: callMark(newCallId(), own),
  });
  if ("problem" in start) return { why: "is not run: the sandbox cannot contain it" };
  const output = new CheckOutput();
  const end = await runCommand({ ...start.run, own, timeoutMs: maxMs, signal, take: (bytes) => output.take(bytes) });
  await start.end();
  if ("problem" in end) return { why: `could not be started: ${end.problem}` };
  if (end.reason === "timeout") return { why: `did not end within ${maxMs / 1000} s and was stopped` };
  if (end.reason === "output") return { why: "printed more than 50 MB and was stopped" };
  return { text: plainText(decodedOutput(output.bytes, settings)), exitCode: end.exitCode };
}

const NOT_TRUSTED = "is not run: it may run code of this folder, which is not trusted (/diagnostics allow lets it run)";

/** The beginning and the end of an output. */
class CheckOutput {
  readonly #head: Buffer[] = [];
  #tail = Buffer.alloc(0);
  #headBytes = 0;
  #allBytes = 0;

  /** False if there is too much. */
  take(bytes: Buffer): boolean {
    this.#allBytes += bytes.length;
    const room = Math.max(0, HEAD_BYTES - this.#headBytes);
    this.#head.push(bytes.subarray(0, room));
    this.#headBytes += Math.min(room, bytes.length);
    const rest = bytes.subarray(room).subarray(-TAIL_BYTES);
    if (rest.length > 0) this.#tail = Buffer.concat([this.#tail, rest]).subarray(-TAIL_BYTES);
    return this.#allBytes <= MAX_BYTES;
  }

  get bytes(): Buffer {
    return Buffer.concat([...this.#head, this.#tail]);
  }
}
