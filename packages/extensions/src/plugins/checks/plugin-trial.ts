import type { ProgramResult } from "@harness/host";
import { signalInWords } from "@harness/protocol";

/** The result of one check; `warningCheck`: it works, but could be better. */
export type Check = { name: string; status: "ok" | "warning" | "failed"; detail?: string };

/** How a program ended, and how long it took. */
export type TrialEnd = ProgramResult & { durationMs: number };

/** A program under test. */
export type PluginTrial = {
  readonly name: string;
  readonly stage?: string;
  /** The arguments of a tool, if any were given. */
  readonly input?: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  run(args: readonly string[], input?: string): Promise<TrialEnd>;
  /** True if its source contains this text. */
  mentions(words: string): boolean;
  /** Passes these environment variables of the user from now on. */
  declare(names: readonly string[]): void;
};

const MAX_SHOWN = 300;

export function passedCheck(name: string, detail?: string): Check {
  return { name, status: "ok", ...(detail === undefined ? {} : { detail }) };
}
export function warningCheck(name: string, detail: string): Check {
  return { name, status: "warning", detail };
}
export function failedCheck(name: string, detail: string): Check {
  return { name, status: "failed", detail };
}

/** The text, cut to a recognisable length. */
export function shownText(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > MAX_SHOWN ? `${trimmed.slice(0, MAX_SHOWN).toWellFormed()}…` : trimmed;
}

/** Why it did not end by itself with an exit code; undefined if it did. */
export function brokenEnd({ timedOut, signal, problem, truncated }: TrialEnd, timeoutMs: number): string | undefined {
  if (problem !== undefined) return `it was not run: ${problem}`;
  if (truncated) return "it printed more than 1 MB";
  if (timedOut) return `it did not end within ${timeoutMs / 1000} s, and was stopped with what it had started`;
  return signal === null ? undefined : `it was killed by ${signalInWords(signal)}`;
}

/** Checks the end of a run that should succeed: errors, and possible improvements. */
export function endChecks(
  name: string,
  end: TrialEnd,
  { timeoutMs, slowMs }: { timeoutMs: number; slowMs: number },
): Check[] {
  const broken = brokenEnd(end, timeoutMs);
  if (broken !== undefined) return [failedCheck(name, broken)];
  if (end.code !== 0)
    return [failedCheck(name, `exit code ${end.code}: ${shownText(end.stderr || end.stdout) || "without a message"}`)];
  return [
    passedCheck(name, `${end.durationMs} ms`),
    ...(end.durationMs > slowMs
      ? [warningCheck(name, `it took ${end.durationMs} ms, for which people have to wait`)]
      : []),
    ...(end.leftBehind ? [warningCheck(name, "it left something running, which was stopped")] : []),
  ];
}

/** `--describe`: one line on stdout, and nothing else. */
export async function describeChecks({ run, timeoutMs }: PluginTrial): Promise<Check[]> {
  const name = "--describe";
  const end = await run(["--describe"]);
  const checks = endChecks(name, end, { timeoutMs, slowMs: 1_000 });
  if (checks.some(({ status }) => status === "failed")) return checks;
  const lines = end.stdout.trimEnd().split("\n");
  if (lines[0]?.trim() === "") return [failedCheck(name, "it printed nothing: print one line that says what it is")];
  return [
    ...checks,
    ...(lines.length > 1 ? [warningCheck(name, `it printed ${lines.length} lines; the first is shown`)] : []),
    ...quietChecks(name, end),
  ];
}

/** Nothing should be on stderr if all went well. */
export function quietChecks(name: string, { stderr }: TrialEnd): Check[] {
  return stderr.trim() === ""
    ? []
    : [warningCheck(name, `it wrote to stderr though all went well: ${shownText(stderr)}`)];
}
