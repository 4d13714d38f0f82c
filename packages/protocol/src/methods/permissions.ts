import * as z from "zod";
import { RuleView } from "../vocabulary/permission.ts";
import { request } from "./table.ts";

/** Rules that outlive a question. */
export const permissionsMethods = {
  "permissions/list": request({
    doc: "The rules that apply in a session, or would apply in a folder: policies, settings, answers given.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.union([z.object({ sessionId: z.string() }), z.object({ cwd: z.string() })]),
    result: z.object({
      rules: z.array(RuleView),
      /** Problems in the files, as sentences. */
      problems: z.array(z.string()),
      /** A policy file cannot be used, so harness asks about everything. */
      everythingAsks: z.boolean(),
      /** Where lasting rules are stored. */
      userPath: z.string(),
      projectPath: z.string(),
    }),
  }),
  "permissions/add": request({
    doc: "Stores a lasting rule, such as `bash(npm test)`, for one project or for all.",
    lane: "global",
    idempotent: false,
    access: "control",
    params: z.object({
      cwd: z.string(),
      scope: z.enum(["user", "project"]),
      decision: z.enum(["allow", "ask", "deny"]),
      rule: z.string(),
      why: z.string().optional(),
    }),
    result: z.object({ rule: RuleView }),
  }),
  "permissions/revoke": request({
    doc: "Revokes a rule or an answer from the next call on. No rule in the result means that there was none.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.union([
      z.object({ sessionId: z.string(), ruleId: z.string() }),
      z.object({ cwd: z.string(), ruleId: z.string() }),
    ]),
    result: z.object({ rule: RuleView.optional() }),
  }),
};
