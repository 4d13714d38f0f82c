import { homedir } from "node:os";
import type { Clock } from "@harness/core";
import { type ProgramEnd, ProgramProcess, programEnvironment } from "@harness/host";
import type { Env } from "../wires/endpoint/environment.ts";
import type { Vendor } from "../wires/endpoint/vendor.ts";
import { withTimeout } from "../wires/http/ask-json.ts";

/** Questions are answered at once, without a look at the network. */
const LIMIT_MS = 2_000;
const MAX_ANSWER = 64 * 1024;

/** A program's answer to one of `--describe`, `--defaults`, `--env`, `--ready`. */
export type ProgramAnswer = { ok: true; text: string } | { ok: false; problem: string };

export type ProgramQuestion = { path: string; flag: string; env: Env; declared?: readonly string[]; clock: Clock };

/** Never throws. */
export async function askProgram({ path, flag, env, declared = [], clock }: ProgramQuestion): Promise<ProgramAnswer> {
  const program = new ProgramProcess({
    path,
    args: [flag],
    cwd: homedir(),
    env: programEnvironment(env, declared, {}),
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

/** Whether the program has what it needs. The reason is what it wrote to stderr. */
export async function isReady(vendor: Vendor, env: Env, clock: Clock): Promise<ProgramAnswer> {
  if (vendor.program === undefined) return { ok: true, text: "" };
  return askProgram({ path: vendor.program, flag: "--ready", env, declared: vendor.programEnv ?? [], clock });
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
  return signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`;
}
