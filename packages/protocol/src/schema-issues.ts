// What a schema says about a value that does not fit it, for the wire and for people.
import type { z } from "zod";
import type { ParamsIssue } from "./errors.ts";

/** More than these help nobody, and a long array may have one for each item. */
const maxIssues = 16;

export function issuesOf(error: z.ZodError): ParamsIssue[] {
  return error.issues.slice(0, maxIssues).map(({ path, message }) => ({ path: path.map(String).join("."), message }));
}

/** The issues in one line: `prompt.0.text: Invalid input: expected string, received number`. */
export function describeIssues(issues: readonly ParamsIssue[]): string {
  return issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
}
