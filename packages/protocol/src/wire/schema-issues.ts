// The issues of a value that does not fit its schema, for the wire and for people.
import type { z } from "zod";
import type { ParamsIssue } from "../vocabulary/errors.ts";

/** More issues do not help, and a long array may have one for each item. */
const maxIssues = 16;

export function issuesOf({ issues }: { issues: readonly z.core.$ZodIssue[] }): ParamsIssue[] {
  return issues
    .slice(0, maxIssues)
    .map((issue) => ({ path: issue.path.map(String).join("."), message: messageOf(issue) }));
}

/** For a union the issues of each of its forms. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return issue.message;
  return issue.errors.map((form) => describeIssues(issuesOf({ issues: form }))).join(", or ");
}

/** The issues in one line: `prompt.0.text: Invalid input: expected string, received number`. */
export function describeIssues(issues: readonly ParamsIssue[]): string {
  return issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
}
