import { expect, it } from "vitest";
import * as z from "zod";
import { permissionsMethods } from "../methods/permissions.ts";
import { describeIssues, issuesOf } from "./schema-issues.ts";

const said = (schema: z.ZodType, value: unknown): string => {
  const { error } = schema.safeParse(value);
  return error ? describeIssues(issuesOf(error)) : "";
};

it("of several forms each is told with what it lacks", () => {
  const text = said(permissionsMethods["permissions/list"].params, {});
  expect(text).toMatch(/^sessionId: .*expected string.*, or cwd: .*expected string/);
});

it("forms within others are told at their place", () => {
  const schema = z.object({ a: z.union([z.object({ b: z.string() }), z.number()]) });
  expect(said(schema, { a: { b: 1 } })).toMatch(/^a: b: .*expected string.*, or .*expected number/);
});
