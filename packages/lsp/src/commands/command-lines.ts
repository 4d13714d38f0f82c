import { findingLine } from "../findings/finding.ts";
import { quotedCommand } from "./command-report.ts";
import type { CommandRuns, CommandVerdict } from "./command-runs.ts";

const MAX_FINDINGS = 100;

/** The last verdicts of the command, for people. */
export function commandLines({ all, running }: CommandRuns, folder: string): string[] {
  const verdicts = [...all].flatMap(([cwd, verdict]) => verdictLines(verdict, folder, cwd));
  return [...verdicts, ...running.map((cwd) => `The command runs in ${cwd}.`)];
}

function verdictLines({ line, findings, failure }: CommandVerdict, folder: string, cwd: string): string[] {
  const shown = findings.filter(({ severity }) => severity !== "hint").slice(0, MAX_FINDINGS);
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const found = failure === undefined ? `${errors} ${errors === 1 ? "error" : "errors"}` : "failed";
  return [...shown.map((each) => findingLine(each, folder)), `${quotedCommand(line)} (command): ${found}, ${cwd}`];
}
