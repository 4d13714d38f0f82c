import { modeRefusal } from "@harness/core";
import type { AgentMode, Effect, PermissionMode } from "@harness/protocol";
import { usualGateSettings } from "@harness/testkit";
import { expect, it } from "vitest";
import type { Verdict } from "../src/decide.ts";
import { type Evaluation, evaluateCall } from "../src/evaluate-call.ts";
import type { ToolCategory } from "../src/gate-call.ts";
import type { GateSettings } from "../src/ports/gate-settings.ts";
import { PolicyRule } from "../src/ports/policy.ts";
import type { SandboxView } from "../src/ports/sandbox.ts";
import type { ShellGrammar } from "../src/ports/shell-grammar.ts";
import { parseRule, type Rule, ruleFromText } from "../src/rules/rule.ts";
import { ruleOfPolicy, settingRules } from "../src/rules/rule-set.ts";

/** A call, and the state of the gate that evaluates it. */
export type Case = {
  tool?: string;
  category?: ToolCategory;
  effects?: Effect[];
  mode?: PermissionMode;
  agentMode?: AgentMode;
  allow?: string[];
  ask?: string[];
  deny?: string[];
  /** Stored rules. */
  kept?: unknown[];
  settings?: Partial<GateSettings>;
  sandbox?: Pick<SandboxView, "wanted" | "active" | "why">;
  hook?: string;
  sawSecret?: boolean;
  alone?: boolean;
  links?: Record<string, string>;
  grammar?: ShellGrammar;
};
const usual = { agentId: "main", toolCallId: "a", title: "a call", foundInText: false, preview: async () => undefined };
function fromText(decision: Rule["decision"], texts: readonly string[] = []): Rule[] {
  return texts.map((text) => {
    const rule = parseRule(text);
    if ("problem" in rule) throw new Error(rule.problem);
    return ruleFromText(rule, decision, { scope: "run", where: "a test" });
  });
}

/** The gate's evaluation of the call, in the workspace `/w`. */
export function judge({ tool = "bash", category = "destructive", effects = [], ...rest }: Case): Evaluation {
  const { links = {}, settings, sandbox } = rest;
  const denied = settings?.deniedCommandPrefixes ?? [];
  const kept = (rest.kept ?? [])
    .map((rule) => PolicyRule.parse(rule))
    .map((rule) => ruleOfPolicy(rule, { scope: "project", where: "p", ...(rule.why ? { why: rule.why } : {}) }));
  return evaluateCall(
    { ...usual, tool, category, effects },
    {
      cwd: "/w",
      paths: {
        real: (path) => {
          const link = Object.entries(links).find(([from]) => path === from || path.startsWith(`${from}/`));
          return link ? link[1] + path.slice(link[0].length) : path;
        },
      },
      grammar: rest.grammar,
      sandbox: sandbox && { ...sandbox, ready: async () => undefined },
      settings: { ...usualGateSettings(), ...settings },
      permissionMode: rest.mode ?? "default",
      notOffered: modeRefusal(rest.agentMode ?? "agent", { tool, category }),
      rules: [
        ...kept,
        ...fromText("allow", rest.allow),
        ...fromText("ask", rest.ask),
        ...fromText("deny", rest.deny),
        ...settingRules({ deniedCommandPrefixes: denied }).rules,
      ],
      grants: [],
      everythingAsks: undefined,
      hookDenial: rest.hook,
      sawSecret: rest.sawSecret ?? false,
      canAsk: !rest.alone,
    },
  );
}

export const read = (path: string): Case => ({ tool: "read", category: "readOnly", effects: [{ kind: "read", path }] });
export const write = (path: string): Case => ({ tool: "write", effects: [{ kind: "write", path }] });
export const run = (command: string, more: Partial<Effect & { kind: "run" }> = {}): Case => ({
  effects: [{ kind: "run", command, cwd: "/w", ...more }],
});
export const fetch = (url: string): Case => ({
  tool: "fetch",
  category: "readOnly",
  effects: [{ kind: "reach", url }],
});
export const signal: Case = { tool: "signal", category: "signal" };

type Row = [name: string, of: Case, decision: Verdict["decision"], by?: Verdict["by"]];
/** One test per row: the gate's decision, and which part of it decides. */
export function check(rows: Row[]): void {
  it.each(rows)("%s", (_name, of, decision, by) => {
    expect(judge(of).verdict).toMatchObject({ decision, ...(by ? { by } : {}) });
  });
}

export const ALL = "allow-all" as const;
export const [y, n, q] = ["allow", "deny", "ask"] as const;
