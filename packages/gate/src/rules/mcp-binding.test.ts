// Which configurations of an MCP server rules and answers apply to.
import type { Effect } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { grantCovers, grantsFor } from "../answers/grant.ts";
import { denyingRules, lastingRules } from "../answers/lasting-rule.ts";
import { decide, type Verdict } from "../decide.ts";
import { parseRule, type Rule, type RuleOrigin, ruleFromText } from "./rule.ts";
import { ruleOfPolicy } from "./rule-set.ts";

type McpEffect = Extract<Effect, { kind: "mcp" }>;
const call = (more: Partial<McpEffect>): McpEffect => ({ kind: "mcp", server: "evil", tool: "get", ...more });
const own = call({ configuration: "own" });
const projects = call({ configuration: "other", project: true });
const replacing = call({ configuration: "other", project: true, replaces: true });

function byHand(text: string, scope: RuleOrigin["scope"], decision: Rule["decision"] = "allow"): Rule {
  const rule = parseRule(text, []);
  if ("problem" in rule) throw new Error(rule.problem);
  return ruleFromText(rule, decision, { scope, where: "a test" });
}

function verdict(effect: McpEffect, rules: readonly Rule[]): Verdict {
  return decide({
    tool: "mcp__evil__get",
    category: "destructive",
    effects: [{ effect }],
    roots: ["/w"],
    strict: false,
    acceptsReaders: true,
    sawSecret: false,
    permissionMode: "default",
    rules,
    isStaged: false,
    grants: [],
    everythingAsks: undefined,
    notOffered: undefined,
    hookDenial: undefined,
    sandbox: { wanted: "off", active: false },
    canAsk: true,
    foundInText: false,
    movedRoots: [],
  });
}

describe("an allow rule by hand that names a server", () => {
  const texts = ["mcp(evil/*)", "mcp(evil/get)", "mcp(e*/get)", "mcp__evil__*", "mcp__evil__get", "mcp__evil"];
  it.each(texts)("is for the person's own server: %s", (text) => {
    const decisions = (scope: RuleOrigin["scope"]) =>
      [own, projects, replacing].map((effect) => verdict(effect, [byHand(text, scope)]).decision);
    expect(decisions("user")).toEqual(["allow", "ask", "ask"]);
    expect(decisions("project")).toEqual(["allow", "allow", "ask"]);
    expect(decisions("run")).toEqual(["allow", "allow", "ask"]);
    expect(decisions("turn")).toEqual(["allow", "allow", "ask"]);
    expect(decisions("repository")).toEqual(["allow", "allow", "allow"]);
  });

  it.each(["mcp", "*", "mcp(*)", "mcp(*/get)"])("is for any server where it names none: %s", (text) => {
    expect(verdict(replacing, [byHand(text, "user")]).decision).toBe("allow");
  });

  it("is named in the question about another configuration", () => {
    expect(verdict(replacing, [byHand("mcp(evil/*)", "user")]).reason).toBe(
      "calls get of the MCP server evil; your rule `mcp(evil/*)` is for another configuration of it",
    );
    expect(verdict(replacing, [byHand("mcp(evil/other)", "user")]).reason).toBe("calls get of the MCP server evil");
  });

  it.each([own, projects, replacing])("denies any configuration where it denies", (effect) => {
    expect(verdict(effect, [byHand("mcp(evil/*)", "user", "deny")]).decision).toBe("deny");
    expect(verdict(effect, [byHand("mcp(evil/*)", "user", "ask"), byHand("mcp", "run")]).decision).toBe("ask");
  });
});

describe("an answer about a call", () => {
  const lasting = lastingRules("mcp__evil__get", [{ effect: own }], "/w").flat();
  const origin: RuleOrigin = { scope: "project", where: "p" };

  it("is for the configuration that the person saw", () => {
    expect(lasting).toEqual([{ decision: "allow", tool: "mcp", mcp: "evil/get", configuration: "own" }]);
    const rules = lasting.map((rule) => ruleOfPolicy(rule, origin));
    expect(verdict(own, rules).decision).toBe("allow");
    expect(verdict(call({ configuration: "changed" }), rules).decision).toBe("ask");
    expect(verdict(replacing, rules).reason).toContain("is for another configuration");
  });

  it("denies every configuration", () => {
    const rules = denyingRules(lasting).map((rule) => ruleOfPolicy(rule, origin));
    expect([own, replacing].map((effect) => verdict(effect, rules).decision)).toEqual(["deny", "deny"]);
  });

  it("for the session is for that configuration as well", () => {
    const [grant] = grantsFor("mcp__evil__get", [{ effect: own }], "/w");
    if (!grant) throw new Error("no grant");
    expect(grantCovers(grant, "mcp__evil__get", { effect: own })).toBe(true);
    expect(grantCovers(grant, "mcp__evil__get", { effect: replacing })).toBe(false);
  });
});
