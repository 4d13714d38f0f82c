// What a schema says about a value that does not fit it, for the wire and for people.
import type { z } from "zod";
import type { ParamsIssue } from "../vocabulary/errors.ts";

/** More than these help nobody, and a long array may have one for each item. */
const maxIssues = 16;

export function issuesOf({ issues }: { issues: readonly z.core.$ZodIssue[] }): ParamsIssue[] {
  return issues
    .slice(0, maxIssues)
    .map((issue) => ({ path: issue.path.map(String).join("."), message: messageOf(issue) }));
}

/** Of several forms that a value may have, what is missing for each. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return issue.message;
  return issue.errors.map((form) => describeIssues(issuesOf({ issues: form }))).join(", or ");
}

/** The issues in one line: `prompt.0.text: Invalid input: expected string, received number`. */
export function describeIssues(issues: readonly ParamsIssue[]): string {
  return issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
}
