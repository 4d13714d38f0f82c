import * as z from "zod";

/** The fields that say what calls a rule is about; a rule has one of them at most. */
export const policySubjects = ["argv", "line", "path", "host", "mcp"] as const;

/**
 * A rule as `policies.json` holds it: a tool, and of a command the words it begins with, or a path pattern, or a host,
 * or `server/tool` of an MCP server. `line`: a whole command line, exactly as it is written, in the folder of the rules.
 * `rest`: what may follow the words; absent = any. `match` and `not_match` are commands, paths or URLs that the rule must
 * and must not cover: they are tried out when the file is loaded, and a rule that fails one is not in force.
 * `configuration`: the only configuration of the MCP server that the rule is about, as a hash.
 */
export const PolicyRule = z
  .strictObject({
    decision: z.enum(["allow", "ask", "deny"]),
    tool: z.string().min(1),
    argv: z.array(z.string().min(1)).min(1).optional(),
    rest: z.enum(["any", "none"]).optional(),
    line: z.string().min(1).optional(),
    path: z.string().min(1).optional(),
    host: z.string().min(1).optional(),
    mcp: z.string().min(1).optional(),
    configuration: z.string().min(1).optional(),
    source: z.string().optional(),
    created: z.string().optional(),
    why: z.string().optional(),
    match: z.array(z.string()).optional(),
    not_match: z.array(z.string()).optional(),
  })
  .refine((rule) => policySubjects.filter((each) => rule[each] !== undefined).length <= 1, {
    message: "has more than one of argv, line, path, host and mcp",
  })
  .refine(({ argv, rest }) => rest === undefined || argv !== undefined, { message: "has rest without argv" })
  .refine(({ mcp, configuration }) => configuration === undefined || mcp !== undefined, {
    message: "has configuration without mcp",
  });
export type PolicyRule = z.infer<typeof PolicyRule>;

export const PolicyFile = z.strictObject({ version: z.literal(1), rules: z.array(PolicyRule).max(10_000) });
export type PolicyFile = z.infer<typeof PolicyFile>;

/** Whether a field says what the rule covers, or is a note about the rule. The compiler asks for each new field. */
const fieldUses: Readonly<Record<keyof PolicyRule, "covers" | "note">> = {
  decision: "covers",
  tool: "covers",
  argv: "covers",
  rest: "covers",
  line: "covers",
  path: "covers",
  host: "covers",
  mcp: "covers",
  configuration: "covers",
  source: "note",
  created: "note",
  why: "note",
  match: "note",
  not_match: "note",
};
const fields = Object.keys(fieldUses).sort() as (keyof PolicyRule)[];

/** Equal texts only for rules that are equal in every field, to tell apart the rules of a file. */
export function policyIdentity(rule: PolicyRule): string {
  return JSON.stringify(fields.map((field) => rule[field] ?? null));
}

/** Equal texts only for rules that decide the same about the same calls, whatever their notes say. */
export function policyMeaning(rule: PolicyRule): string {
  const meant: PolicyRule = rule.argv ? { ...rule, rest: rule.rest ?? "any" } : rule;
  return JSON.stringify(fields.filter((field) => fieldUses[field] === "covers").map((field) => meant[field] ?? null));
}

/** The rule as people would write it: `bash(npm test)`. */
export function policyText({ tool, argv, line, path, host, mcp }: PolicyRule): string {
  const whole = line === undefined ? undefined : `exactly ${line}`;
  const subject = argv?.map(quoteWord).join(" ") ?? whole ?? path ?? host ?? mcp;
  return subject === undefined ? tool : `${tool}(${subject})`;
}

function quoteWord(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,~^-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
