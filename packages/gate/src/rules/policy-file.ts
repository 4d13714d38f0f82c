import type { Effect } from "@harness/protocol";
import { viewCommand } from "../command/command-view.ts";
import { patternIssue } from "../places/path-pattern.ts";
import { resolvePath } from "../places/path-place.ts";
import { hostIssue } from "../places/url-host.ts";
import { PolicyRule, policySubjects, policyText } from "../ports/policy.ts";
import type { ResolvedEffect } from "../resolved-effect.ts";
import { MCP, mcpIssue } from "./mcp-pattern.ts";
import { type Rule, ruleAllows, ruleToolOf, ruleTouches, toolIssue } from "./rule.ts";
import { ruleOfPolicy } from "./rule-set.ts";
import type { RuleTool } from "./rule-tool.ts";

/** `rules`: those in force. `everythingAsks`: something that may deny was not understood. */
export type PolicyReading = { rules: PolicyRule[]; problems: string[]; everythingAsks: boolean };

const MAX_RULES = 10_000;
/** Relative examples are resolved in a workspace of this name. */
const SAMPLE_ROOT = "/workspace";

/**
 * Reads a `policies.json`. An allow rule that is not understood, or fails one of its examples, is not in force; if a
 * rule that denies or asks is not understood, harness asks about everything. Pure; never throws.
 */
export function readPolicyFile(text: string, tools?: readonly RuleTool[]): PolicyReading {
  const broken = (problem: string): PolicyReading => ({ rules: [], problems: [problem], everythingAsks: true });
  let file: unknown;
  try {
    file = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return broken("It is not JSON. Fix it or remove it; until then harness asks about everything.");
  }
  if (!isRecord(file) || file.version !== 1 || !Array.isArray(file.rules)) {
    return broken(
      'It is not of the form { "version": 1, "rules": [ … ] }; until it is, harness asks about everything.',
    );
  }
  if (file.rules.length > MAX_RULES)
    return broken(`It has more than ${MAX_RULES} rules; harness asks about everything.`);
  const reading: PolicyReading = { rules: [], problems: [], everythingAsks: false };
  const unknown = Object.keys(file).filter((key) => key !== "version" && key !== "rules");
  if (unknown.length > 0) {
    reading.problems.push(
      `It has unknown keys (${unknown.join(", ")}); until they are gone, harness asks about everything.`,
    );
    reading.everythingAsks = true;
  }
  file.rules.forEach((row: unknown, index) => {
    readRow(row, index, reading, tools);
  });
  return reading;
}

function readRow(row: unknown, index: number, reading: PolicyReading, tools?: readonly RuleTool[]): void {
  const parsed = PolicyRule.safeParse(row);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue && issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
    reading.problems.push(
      `Rule ${index + 1} is not valid${where}: ${issue?.message ?? "invalid format"}. Until it is fixed, harness asks about everything.`,
    );
    reading.everythingAsks = true;
    return;
  }
  const rule = parsed.data;
  const issue = issueOf(rule, tools);
  if (issue === undefined) {
    reading.rules.push(rule);
    return;
  }
  const isAllow = rule.decision === "allow";
  const outcome = isAllow ? "It is not in force." : "Until it is fixed, harness asks about everything.";
  reading.problems.push(`Rule ${index + 1}, \`${policyText(rule)}\`, ${issue}. ${outcome}`);
  if (!isAllow) reading.everythingAsks = true;
}

/** The problem of a well-formed rule, as the end of a sentence. */
function issueOf(policy: PolicyRule, tools: readonly RuleTool[] | undefined): string | undefined {
  const issue = toolIssue(policy.tool, tools) ?? subjectIssue(policy, ruleToolOf(policy.tool, tools)?.subject);
  if (issue) return issue;
  const rule = ruleOfPolicy(policy, { scope: "user", where: "" });
  const missed = policy.match?.find((example) => !covers(rule, policy, example));
  if (missed !== undefined) return `should cover \`${missed}\` but does not`;
  const hit = policy.not_match?.find((example) => covers(rule, policy, example));
  return hit === undefined ? undefined : `should not cover \`${hit}\` but does`;
}

const subjectWords = {
  argv: "commands: write `argv`",
  path: "paths: write `path`",
  host: "hosts: write `host`",
  mcp: "tools of MCP servers: write `mcp`",
} as const;

/** Why nothing can ever match the rule. `known`: the kind of subject that calls of its tool have; absent: unknown. */
function subjectIssue(policy: PolicyRule, known: RuleTool["subject"]): string | undefined {
  const { argv, path, host, mcp, tool } = policy;
  const name = policySubjects.find((each) => policy[each] !== undefined);
  const subjectName = name === "line" ? "argv" : name;
  const subject = tool === MCP ? "mcp" : known;
  if (subjectName && subject && subjectName !== subject) {
    const how =
      subjectName === "path" && subject === "argv" ? ", or say `read` or `write`, which count for commands too" : "";
    return `has \`${subjectName}\`, and calls of \`${tool}\` are about ${subjectWords[subject]}${how}`;
  }
  if (argv && /\s/.test(argv[0] ?? "")) return "has a blank in the first word of `argv`: write each word by itself";
  if (path !== undefined) return patternIssue(path);
  if (mcp !== undefined) return tool === MCP ? mcpIssue(mcp) : "has `mcp`, which only the tool `mcp` is about";
  return host === undefined ? undefined : hostIssue(host);
}

/**
 * True if the rule covers an example, read narrowly or widely as its decision requires. A rule without a subject covers
 * everything.
 */
function covers(rule: Rule, policy: PolicyRule, example: string): boolean {
  if (!rule.subject) return true;
  const tool = policy.tool === "*" ? "any" : policy.tool;
  return samples(policy, example).some((resolved) =>
    rule.decision === "allow"
      ? ruleAllows(rule, tool, resolved, SAMPLE_ROOT)
      : ruleTouches(rule, tool, [resolved], [SAMPLE_ROOT]),
  );
}

function samples({ argv, line, path, mcp, configuration }: PolicyRule, example: string): ResolvedEffect[] {
  if (argv ?? line) {
    const effect: Effect = { kind: "run", command: example, cwd: SAMPLE_ROOT };
    return [{ effect, command: viewCommand(effect, { roots: [SAMPLE_ROOT], prefixes: null, real: (each) => each }) }];
  }
  if (path !== undefined) {
    const place = resolvePath(SAMPLE_ROOT, example);
    return [{ effect: { kind: "read", path: place } }, { effect: { kind: "write", path: place } }];
  }
  if (mcp !== undefined) {
    const [server = "", ...tool] = example.split("/");
    return [{ effect: { kind: "mcp", server, tool: tool.join("/"), configuration } }];
  }
  return [{ effect: { kind: "reach", url: example.includes("://") ? example : `https://${example}/` } }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
