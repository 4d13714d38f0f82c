import { builtinTools } from "@harness/tools";
import { describe, expect, it } from "vitest";
import { parsePolicyRule } from "./parse-policy-rule.ts";

const { tools } = builtinTools({ toolTimeoutMs: 1_000 });
const of = (text: string) => parsePolicyRule(text, "allow", tools);

describe("parsing a stored rule", () => {
  it.each([
    ["bash", { tool: "bash" }],
    ["bash(npm  test)", { tool: "bash", argv: ["npm", "test"] }],
    ["write(src/**)", { tool: "write", path: "src/**" }],
    ["edit(a.ts)", { tool: "edit", path: "a.ts" }],
    ["read(docs/)", { tool: "read", path: "docs/" }],
    ["grep(src)", { tool: "grep", path: "src" }],
    ["web_fetch(docs.example.com)", { tool: "web_fetch", host: "docs.example.com" }],
    ["*", { tool: "*" }],
  ])("%s", (text, rule) => {
    expect(of(text)).toEqual({ decision: "allow", ...rule });
  });

  it.each([
    ["bash('npm' test)", "shell syntax"],
    ["bash(a; b)", "shell syntax"],
    ["*(x)", "a pattern needs a tool, as in"],
    ["start_it(x)", "names an unknown tool"],
    ["web_fetch(https://example.com/a)", "names no host"],
  ])("rejects %s with a message", (text, words) => {
    expect(of(text)).toEqual({ problem: expect.stringContaining(words) });
  });
});
