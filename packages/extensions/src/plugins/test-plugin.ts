import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type ProgramResult, readRegularFile, runProblem, runProgram } from "@harness/host";
import { toolName } from "../sources/tool-name.ts";
import { commandChecks } from "./checks/command-checks.ts";
import { hookChecks } from "./checks/hook-checks.ts";
import type { Check, PluginTrial } from "./checks/plugin-trial.ts";
import { providerChecks } from "./checks/provider-checks.ts";
import { toolChecks } from "./checks/tool-checks.ts";
import type { PluginKind } from "./new-plugin.ts";

const TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 1_000_000;
const MAX_PROGRAM_BYTES = 16 * 1024 * 1024;

export type PluginTest = {
  path: string;
  /** By default, what its folder implies. */
  kind?: PluginKind;
  /** The arguments of a tool; by default, examples of its schema. */
  input?: Readonly<Record<string, unknown>>;
  /** The environment of a program; `declared`: the user's variables that it declares itself. */
  env(declared: readonly string[]): Record<string, string>;
  signal: AbortSignal;
};

export type PluginVerdict = { kind: PluginKind; name: string; stage?: string; checks: Check[] };

const checksOf: Record<PluginKind, (trial: PluginTrial) => Promise<Check[]>> = {
  tool: toolChecks,
  hook: hookChecks,
  command: commandChecks,
  provider: providerChecks,
};

/**
 * Feeds recorded inputs to a program of a source, in an empty folder of its own, and reports the quality of its
 * answers. `problem`: its kind is unknown, as a sentence.
 */
export async function testPlugin({
  path,
  kind,
  input,
  env,
  signal,
}: PluginTest): Promise<PluginVerdict | { problem: string }> {
  const place = placeOf(path);
  const tested = kind ?? place.kind;
  if (!tested) {
    const folders = "tools, commands, providers or hooks.d/STAGE";
    return { problem: `${path} is in none of the folders ${folders}: use --kind to say what it is.` };
  }
  const stage = tested === "hook" ? { stage: place.stage ?? "tool_exec" } : {};
  const verdict = { kind: tested, name: toolName(basename(path)), ...stage };
  const problem = await runProblem(path);
  if (problem !== undefined)
    return { ...verdict, checks: [{ name: "it can be run", status: "failed", detail: problem }] };
  const cwd = mkdtempSync(join(tmpdir(), "harness-plugin-"));
  let declared: readonly string[] = [];
  const run = (args: readonly string[], stdin?: string): Promise<ProgramResult & { durationMs: number }> => {
    const startedAt = performance.now();
    const end = runProgram({
      path,
      args,
      cwd,
      env: { ...env(declared), HARNESS_CWD: cwd, HARNESS_SESSION: cwd },
      input: stdin ?? "",
      timeoutMs: TIMEOUT_MS,
      signal,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    return end.then((result) => ({ ...result, durationMs: Math.round(performance.now() - startedAt) }));
  };
  try {
    const trial: PluginTrial = {
      ...verdict,
      ...(input ? { input } : {}),
      timeoutMs: TIMEOUT_MS,
      run,
      mentions: (words) => readsAs(path).includes(words),
      declare(names) {
        declared = names;
      },
    };
    return { ...verdict, checks: [{ name: "it can be run", status: "ok" }, ...(await checksOf[tested](trial))] };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function readsAs(path: string): string {
  try {
    return readRegularFile(path, { maxBytes: MAX_PROGRAM_BYTES, followLinks: true }).toString("latin1");
  } catch {
    return "";
  }
}

function placeOf(path: string): { kind?: PluginKind; stage?: string } {
  const folder = basename(dirname(path));
  const kinds: Readonly<Record<string, PluginKind>> = { tools: "tool", commands: "command", providers: "provider" };
  const kind = Object.hasOwn(kinds, folder) ? kinds[folder] : undefined;
  if (kind) return { kind };
  return basename(dirname(dirname(path))) === "hooks.d" ? { kind: "hook", stage: folder } : {};
}
