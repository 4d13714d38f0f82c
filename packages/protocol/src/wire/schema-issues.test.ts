import { expect, it } from "vitest";
import * as z from "zod";
import { permissionsMethods } from "../methods/permissions.ts";
import { describeIssues, issuesOf } from "./schema-issues.ts";

const said = (schema: z.ZodType, value: unknown): string => {
  const { error } = schema.safeParse(value);
  return error ? describeIssues(issuesOf(error)) : "";
};

it("the issues of a union name those of each form", () => {
  const text = said(permissionsMethods["permissions/list"].params, {});
  expect(text).toMatch(/^sessionId: .*expected string.*, or cwd: .*expected string/);
});

it("the issues of a nested union have their path", () => {
  const schema = z.object({ a: z.union([z.object({ b: z.string() }), z.number()]) });
  expect(said(schema, { a: { b: 1 } })).toMatch(/^a: b: .*expected string.*, or .*expected number/);
});
