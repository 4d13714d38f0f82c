import type { Finding } from "./finding.ts";

/**
 * The findings that were not there before. Lines move with every edit, so two are the same if they say the same about
 * the same line of text; and if they say the same about another line, as long as there were as many before.
 */
export function newFindings(before: readonly Finding[], now: readonly Finding[]): Finding[] {
  const exact = counted(before, exactly);
  const rest = now.filter((finding) => !take(exact, exactly(finding)));
  const left = [...exact].flatMap(([key, count]) => Array.from({ length: count }, () => roughKey(key)));
  const rough = countedKeys(left);
  return rest.filter((finding) => !take(rough, roughly(finding)));
}

function roughly({ severity, code, message, path }: Finding): string {
  return JSON.stringify([path, severity, code, message]);
}

function exactly(finding: Finding): string {
  return `${roughly(finding)}\n${finding.lineText}`;
}

function roughKey(exact: string): string {
  return exact.slice(0, exact.indexOf("\n"));
}

function counted(findings: readonly Finding[], keyOf: (finding: Finding) => string): Map<string, number> {
  return countedKeys(findings.map(keyOf));
}

function countedKeys(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  if (count > 0) counts.set(key, count - 1);
  return count > 0;
}
