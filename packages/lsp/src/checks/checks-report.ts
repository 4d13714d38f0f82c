import type { EditReport } from "@harness/core";
import { fencedText } from "@harness/host";
import { type Finding, findingLine, pathFrom, uniqueFindings } from "../findings/finding.ts";

/** The answer of one server about one file. `isAll`: what was there before is not known, so it may be among them. */
export type FileReport = {
  readonly server: string;
  readonly path: string;
  readonly result: { readonly findings: readonly Finding[]; readonly isAll: boolean } | { readonly why: string };
};

/** `isLate`: other calls have run since the edits. */
export type ReportOptions = { readonly cwd: string; readonly level: "errors" | "all"; readonly isLate?: boolean };

const MAX_FINDINGS = 10;
const MAX_NAMED = 3;
const ranks = { error: 0, warning: 1, information: 2, hint: 3 } as const;

/** The verdict for the model and for people; undefined if there is nothing to say. Pure. */
export function checksReport(
  reports: readonly FileReport[],
  { cwd, level, isLate = false }: ReportOptions,
): EditReport | undefined {
  if (reports.length === 0) return undefined;
  const checked = reports.flatMap(({ result, ...from }) => ("findings" in result ? [{ ...from, ...result }] : []));
  const found = checked.flatMap(({ findings }) => findings.filter((each) => isShown(each, level)));
  const sorted = uniqueFindings(found).sort((a, b) => ranks[a.severity] - ranks[b.severity]);
  const lines = sorted.slice(0, MAX_FINDINGS).map((finding) => findingLine(finding, cwd));
  const rest = sorted.slice(MAX_FINDINGS);
  const more = rest.length > 0 ? [`… and ${countWords(rest)} more`] : [];
  const late = lateWords(reports, cwd);
  const servers = namesOf(checked);
  const edits = isLate ? "the last edits" : "these edits";
  if (sorted.length === 0) {
    const what = level === "all" ? "No new diagnostics" : "No new errors";
    const clean = checked.length > 0 ? [`${what} (${servers}).`] : [];
    return { text: [`Diagnostics after ${edits}:`, ...clean, ...late].join(" ") };
  }
  const isAll = checked.some((each) => each.isAll && each.findings.length > 0);
  const title = `${countWords(sorted)} after ${edits}${isAll ? " or before, which is not known" : ""}`;
  const fenced = fencedText(`Diagnostics of ${servers}: ${title}`, [...lines, ...more].join("\n"));
  return { text: [fenced, ...late].join("\n"), shown: [`${title}:`, ...lines, ...more, ...late].join("\n") };
}

function isShown({ severity }: Finding, level: ReportOptions["level"]): boolean {
  return severity === "error" || (level === "all" && severity !== "hint");
}

/** `1 new error and 2 new warnings`. */
function countWords(findings: readonly Finding[]): string {
  const counts = (Object.keys(ranks) as (keyof typeof ranks)[]).flatMap((severity) => {
    const count = findings.filter((each) => each.severity === severity).length;
    if (count === 0) return [];
    return [severity === "information" ? `${count} new remarks` : `${count} new ${severity}${count > 1 ? "s" : ""}`];
  });
  return counts.join(", ");
}

function lateWords(reports: readonly FileReport[], cwd: string): string[] {
  const byWords = new Map<string, string[]>();
  for (const { server, path, result } of reports) {
    if ("findings" in result) continue;
    const words = `${server} ${result.why}`;
    byWords.set(words, [...(byWords.get(words) ?? []), pathFrom(path, cwd)]);
  }
  return [...byWords].map(([words, paths]) => {
    const named = paths.slice(0, MAX_NAMED).join(", ");
    const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : "";
    return `Not checked: ${named}${more} (${words}).`;
  });
}

function namesOf(reports: readonly { server: string }[]): string {
  return [...new Set(reports.map(({ server }) => server))].join(", ");
}
