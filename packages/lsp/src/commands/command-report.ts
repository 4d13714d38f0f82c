import type { EditReport, FileEdits } from "@harness/core";
import { fencedText, plainLine } from "@harness/host";
import type { FileReport } from "../checks/checks-report.ts";
import type { Finding } from "../findings/finding.ts";
import { newFindings } from "../findings/new-findings.ts";
import type { CommandVerdict } from "./command-runs.ts";

const MAX_LINE = 200;

/** A verdict as reports about files: those with new findings, or one of the edited files without any. Pure. */
export function commandReports(
  { line, findings }: CommandVerdict,
  before: CommandVerdict | undefined,
  { paths, cwd }: FileEdits,
): FileReport[] {
  const found = before ? newFindings(before.findings, findings) : findings;
  const byPath = new Map<string, Finding[]>([[paths[0] ?? cwd, []]]);
  for (const finding of found) byPath.set(finding.path, [...(byPath.get(finding.path) ?? []), finding]);
  const isAll = before === undefined;
  return [...byPath].map(([path, own]) => ({ server: quotedCommand(line), path, result: { findings: own, isAll } }));
}

/** The words about a command that failed without a mistake in a known form; undefined: it has not. Pure. */
export function commandFailure(
  { line, failure }: CommandVerdict,
  before: CommandVerdict | undefined,
): EditReport | undefined {
  if (failure === undefined) return undefined;
  if (before?.failure !== undefined && withoutFigures(before.failure) === withoutFigures(failure))
    return { text: `Diagnostics: ${quotedCommand(line)} fails as it did before the edits.` };
  const since = before ? "fails after the edits" : "fails after the edits, or did before, which is not known";
  return {
    text: fencedText(`Diagnostics: ${quotedCommand(line)} ${since}`, failure),
    shown: `${quotedCommand(line)} ${since}:\n${failure}`,
  };
}

/** A command among words. */
export function quotedCommand(line: string): string {
  return `\`${plainLine(line, MAX_LINE)}\``;
}

/** Times and counts differ from run to run. */
function withoutFigures(text: string): string {
  return text.replace(/\d+/g, "0");
}
