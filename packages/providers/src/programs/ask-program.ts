import { homedir } from "node:os";
import type { Clock } from "@harness/core";
import { type ProgramEnd, ProgramProcess, programEnvironment } from "@harness/host";
import { signalInWords } from "@harness/protocol";
import { missingSecrets, withoutWithheld } from "../vendors/secret-access.ts";
import { type Env, envValue } from "../wires/endpoint/environment.ts";
import type { Vendor } from "../wires/endpoint/vendor.ts";
import { withTimeout } from "../wires/http/ask-json.ts";

/** Programs answer at once, without using the network. */
const LIMIT_MS = 2_000;
const MAX_ANSWER = 64 * 1024;

/** A program's answer to one of `--describe`, `--defaults`, `--env`, `--ready`. */
export type ProgramAnswer = { ok: true; text: string } | { ok: false; problem: string };

type VendorVariables = Pick<Vendor, "programEnv" | "secrets"> & Partial<Pick<Vendor, "programGiven" | "keyEnv">>;

export type ProgramQuestion = VendorVariables & {
  path: string;
  flag: string;
  env: Env;
  clock: Clock;
};

/** Never throws. */
export async function askProgram({ path, flag, env, clock, ...access }: ProgramQuestion): Promise<ProgramAnswer> {
  const program = new ProgramProcess({
    path,
    args: [flag],
    cwd: homedir(),
    env: environmentOf(access, env),
  });
  try {
    const answer = await withTimeout(clock, LIMIT_MS, (signal) => readAnswer(program, signal));
    if (answer.end.code === 0) return { ok: true, text: answer.text };
    const { complaint } = program;
    return { ok: false, problem: `${path} ${flag} ${describeEnd(answer.end)}${complaint && `: ${complaint}`}` };
  } catch {
    return { ok: false, problem: `${path} ${flag} did not end within ${LIMIT_MS / 1000} s.` };
  } finally {
    program.kill("SIGKILL");
  }
}

/** Whether the program has everything it needs. The reason is its stderr, and the secrets it did not get. */
export async function isReady(vendor: Vendor, env: Env, clock: Clock): Promise<ProgramAnswer> {
  const { program: path, programEnv = [], secrets, programGiven, keyEnv } = vendor;
  if (path === undefined) return { ok: true, text: "" };
  const access = { programEnv, keyEnv, ...(secrets && { secrets }), ...(programGiven && { programGiven }) };
  const answer = await askProgram({ path, flag: "--ready", env, clock, ...access });
  if (answer.ok) return answer;
  return { ok: false, problem: withMissing(answer.problem, vendor, env) };
}

/** A sentence followed by what is missing. */
export function withMissing(problem: string, vendor: Vendor, env: Env): string {
  const missing = missingSecrets(vendor, env);
  if (missing === "") return problem;
  return `${/[.!?]$/.test(problem) ? problem : `${problem}.`} ${missing}`;
}

/**
 * The environment of a provider program for every purpose: harmless variables, and the variables it names that are not
 * withheld.
 */
export function environmentOf(
  { programEnv = [], programGiven, keyEnv, ...access }: VendorVariables,
  env: Env,
  ours: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const known = withoutWithheld(access, env);
  const { values, keyAs } = programGiven ?? {};
  const key = keyEnv === undefined || keyAs === undefined ? undefined : { [keyAs]: envValue(known, keyEnv) ?? "" };
  return programEnvironment(known, programEnv, { ...values, ...key, ...ours });
}

async function readAnswer(program: ProgramProcess, signal: AbortSignal): Promise<{ text: string; end: ProgramEnd }> {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([late, wholeOf(program)]);
}

async function wholeOf(program: ProgramProcess): Promise<{ text: string; end: ProgramEnd }> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of program.output()) {
    bytes += piece.length;
    if (bytes <= MAX_ANSWER) pieces.push(piece);
  }
  return { text: Buffer.concat(pieces).toString("utf8"), end: await program.ended };
}

/** Completes a sentence that begins with the program. */
export function describeEnd({ code, signal, problem }: ProgramEnd): string {
  if (problem !== undefined) return `could not be started (${problem})`;
  return signal === null ? `ended with exit code ${code}` : `was killed by ${signalInWords(signal)}`;
}
