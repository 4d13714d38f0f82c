import { isRecord, jsonValue } from "@harness/host";

const MAX_ISSUES = 3;
const MAX_DEPTH = 5;

/** An error's message for people, without the JSON list of issues that validators include. */
export function plainError(error: unknown): string {
  return withoutDump(error instanceof Error ? error.message : String(error));
}

function withoutDump(text: string): string {
  const begin = text.search(/\[\s*\{/);
  const end = text.lastIndexOf("]");
  if (begin < 0 || end < begin) return text;
  const issues = jsonValue(text.slice(begin, end + 1));
  if (!Array.isArray(issues) || issues.length === 0 || !issues.every(isIssue)) return text;
  const sentences = issues.slice(0, MAX_ISSUES).map((issue) => sentenceOf(issue, [], 0));
  const more = issues.length > MAX_ISSUES ? `, and ${issues.length - MAX_ISSUES} more` : "";
  return `${text.slice(0, begin)}${sentences.join("; ")}${more}${text.slice(end + 1)}`;
}

type Issue = Readonly<Record<string, unknown>> & { message: string };

function isIssue(value: unknown): value is Issue {
  return isRecord(value) && typeof value.message === "string" && ("path" in value || "code" in value);
}

/** For a union without a match, the message of the first variant that comes close. */
function sentenceOf(issue: Issue, above: readonly unknown[], depth: number): string {
  const path = [...above, ...(Array.isArray(issue.path) ? issue.path : [])];
  const forms = Array.isArray(issue.errors) ? issue.errors.filter(Array.isArray) : [];
  const inner = forms.flat().find((each) => isIssue(each) && Array.isArray(each.path) && each.path.length > 1);
  if (depth < MAX_DEPTH && isIssue(inner)) return sentenceOf(inner, path, depth + 1);
  const sentence = issue.message.replace(/[.\s]+$/, "");
  return path.length === 0 ? sentence : `${sentence} (at ${path.map(String).join(".")})`;
}
