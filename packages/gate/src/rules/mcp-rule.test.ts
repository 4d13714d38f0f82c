// Rules about tools of MCP servers, as users write them and as policies store them.
import type { Effect } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { grantCovers, grantsFor } from "../answers/grant.ts";
import { lastingRules } from "../answers/lasting-rule.ts";
import { decide, type Verdict } from "../decide.ts";
import type { GateQuery } from "../gate-query.ts";
import { policyText } from "../ports/policy.ts";
import { mcpToolsNamed } from "./mcp-pattern.ts";
import { readPolicyFile } from "./policy-file.ts";
import { parseRule, type Rule, ruleFromText } from "./rule.ts";

function rule(text: string, decision: Rule["decision"]): Rule {
  const parsed = parseRule(text, [{ name: "bash", subject: "argv" }]);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return ruleFromText(parsed, decision, { scope: "run", where: "a test" });
}

const call = (server: string, tool: string, destructive?: true): Effect => ({
  kind: "mcp",
  server,
  tool,
  ...(destructive ? { destructive } : {}),
});

/** The verdict on `create_issue` of the server `git.hub` with these rules. */
function verdict(query: Partial<GateQuery>): Verdict {
  return decide({
    tool: "mcp__git_hub__create_issue",
    category: "destructive",
    effects: [{ effect: call("git.hub", "create_issue") }],
    roots: ["/w"],
    strict: false,
    acceptsReaders: true,
    sawSecret: false,
    permissionMode: "default",
    rules: [],
    isStaged: false,
    grants: [],
    everythingAsks: undefined,
    notOffered: undefined,
    hookDenial: undefined,
    sandbox: { wanted: "off", active: false },
    canAsk: true,
    foundInText: false,
    movedRoots: [],
    ...query,
  });
}

describe("a call of an MCP tool", () => {
  it("is asked about as a medium risk, also when its server says that it only reads", () => {
    expect(verdict({})).toMatchObject({
      decision: "ask",
      risk: "medium",
      reason: "calls create_issue of the MCP server git.hub",
    });
    expect(verdict({ category: "readOnly" })).toMatchObject({ decision: "ask", risk: "medium" });
  });

  it("is a high risk when its server says that it destroys something", () => {
    const effects = [{ effect: call("a", "drop", true) }];
    expect(verdict({ effects })).toMatchObject({ decision: "ask", risk: "high" });
  });

  it("is asked about in every mode and whatever the rules say when its server describes it in other words", () => {
    const effects = [{ effect: { ...call("a", "b"), changed: true } as Effect }];
    const auto = verdict({ effects, permissionMode: "allow-all", rules: [rule("mcp", "allow")] });
    expect(auto).toMatchObject({ decision: "ask", risk: "high", always: true });
  });

  it("is asked about each time after a secret was read, because it may carry it away", () => {
    const allowing = verdict({ sawSecret: true, rules: [rule("mcp", "allow")] });
    expect(allowing).toMatchObject({ decision: "ask", risk: "high", always: true });
  });

  it("is allowed by the permission mode allow-all, and refused by deny", () => {
    expect(verdict({ permissionMode: "allow-all" }).decision).toBe("allow");
    expect(verdict({ permissionMode: "accept-edits" }).decision).toBe("ask");
    expect(verdict({ permissionMode: "deny" }).decision).toBe("deny");
  });

  it.each([
    ["mcp", true],
    ["*", true],
    ["mcp(git.hub)", true],
    ["mcp(git.hub/*)", true],
    ["mcp(git.hub/create_issue)", true],
    ["mcp(git.hub/create_*)", true],
    ["mcp(*/create_issue)", true],
    ["mcp__git_hub", true],
    ["mcp__git_hub__*", true],
    ["mcp__git_hub__create_issue", true],
    ["mcp__git_hub__create", false],
    ["mcp__git", false],
    ["mcp(git)", false],
    ["mcp(git.hub/create)", false],
    ["mcp(git.hub/*_pull)", false],
    ["mcp(git.hub/create_issue*issue)", false],
    ["bash(create_issue)", false],
  ])("is allowed and denied by the rule %s: %s", (text, isMatch) => {
    expect(verdict({ rules: [rule(text, "allow")] }).decision).toBe(isMatch ? "allow" : "ask");
    expect(verdict({ rules: [rule(text, "deny")] }).decision).toBe(isMatch ? "deny" : "ask");
  });

  it("is denied by a rule in other letters, which does not allow it", () => {
    expect(verdict({ rules: [rule("mcp(Git.Hub/CREATE_issue)", "deny")] }).decision).toBe("deny");
    expect(verdict({ rules: [rule("mcp(Git.Hub/CREATE_issue)", "allow")] }).decision).toBe("ask");
  });

  it("is matched by its server's own names also where the tool has another name, such as the one that reads resources", () => {
    const reading = { tool: "read_mcp_resource", effects: [{ effect: call("git.hub", "resources/read") }] };
    expect(verdict({ ...reading, rules: [rule("mcp(git.hub/*)", "allow")] }).decision).toBe("allow");
    expect(verdict({ ...reading, rules: [rule("mcp", "deny")] }).decision).toBe("deny");
  });

  it.each([
    ["mcp(/x)", "names no tool of an MCP server"],
    ["mcp(a/)", "names no tool of an MCP server"],
    ["mcp(a b/c)", "names no tool of an MCP server"],
    ["mcp__a__b(x)", "name the tool, as in"],
    ["mcp__*", "`*`"],
  ])("has rules that are refused with a sentence: %s", (text, words) => {
    expect(parseRule(text, [])).toEqual({ problem: expect.stringContaining(words) });
  });
});

describe("a name in a list of tools", () => {
  const tool = { name: "mcp__git_hub__create_issue", mcp: { server: "git.hub", tool: "create_issue" } };
  it.each([
    ["mcp__git_hub__create_issue", true],
    ["mcp__git_hub__*", true],
    ["mcp__git_hub__create_*", true],
    ["MCP__Git_Hub__*", true],
    ["mcp__git_hub", true],
    ["mcp__*", true],
    ["mcp", true],
    ["mcp(*)", true],
    ["mcp(git.hub/*)", true],
    ["mcp(git.hub)", true],
    ["mcp( git.hub/create_* )", true],
    ["mcp(git/*)", false],
    ["mcp(git_hub/*)", false],
    ["mcp__git", false],
    ["mcp__git__*", false],
    ["mcp__git_hub__create", false],
    ["mcp__git_hub__get_*", false],
  ])("stands for tools of MCP servers: %s: %s", (name, isMatch) => {
    expect(mcpToolsNamed(name)?.(tool)).toBe(isMatch);
    expect(mcpToolsNamed(name)?.({ name: "read" })).toBe(false);
  });

  it.each(["read", "*", "Bash(git add:*)", "mcpx", "mcp_x"])("stands for one tool, or none: %s", (name) => {
    expect(mcpToolsNamed(name)).toBeUndefined();
  });
});

describe("an answer about an MCP tool", () => {
  it("covers this very tool for the session, and as a lasting rule", () => {
    const effects = [{ effect: call("git.hub", "create_issue") }];
    const [grant] = grantsFor("mcp__git_hub__create_issue", effects, "/w");
    if (!grant) throw new Error("no grant");
    expect(grantCovers(grant, grant.tool, { effect: call("git.hub", "create_issue") })).toBe(true);
    expect(grantCovers(grant, grant.tool, { effect: call("git.hub", "other") })).toBe(false);
    expect(lastingRules("mcp__git_hub__create_issue", effects, "/w").flat().map(policyText)).toEqual([
      "mcp(git.hub/create_issue)",
    ]);
  });

  it.each(["*", "a*b", "two words", "evil\u202e"])("is never kept for a name that could be a pattern: %j", (name) => {
    expect(lastingRules("mcp__a__x", [{ effect: call("a", name) }], "/w")).toEqual([]);
    expect(lastingRules("mcp__a__x", [{ effect: call(name, "a") }], "/w")).toEqual([]);
  });

  it("is read from a policy file with its examples", () => {
    const file = (rules: unknown[]) => JSON.stringify({ version: 1, rules });
    const sound = {
      decision: "allow",
      tool: "mcp",
      mcp: "a/read_*",
      match: ["a/read_x"],
      not_match: ["a/write_x", "b/read_x"],
    };
    expect(readPolicyFile(file([sound]))).toMatchObject({ problems: [], rules: [sound] });
    expect(readPolicyFile(file([{ ...sound, match: ["a/x"] }])).problems[0]).toContain("should cover `a/x`");
    expect(readPolicyFile(file([{ decision: "allow", tool: "bash", mcp: "a/b" }])).problems[0]).toContain("`mcp`");
    expect(readPolicyFile(file([{ decision: "allow", tool: "mcp", host: "a.example" }])).problems[0]).toContain(
      "`mcp`",
    );
  });
});
