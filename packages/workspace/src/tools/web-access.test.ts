import type { KeptRule } from "@harness/gate";
import { describe, expect, it } from "vitest";
import { privatePlaces } from "./web-access.ts";

const kept = (decision: "allow" | "deny", tool: string, host: string): KeptRule => ({
  ruleId: host,
  rule: { decision, tool, host },
  scope: "user",
  path: "/policies.json",
});

describe("private hosts in rules", () => {
  it("are taken from rules for web_fetch with a host and a port", () => {
    const rules = {
      allow: [
        "web_fetch(localhost:3000)",
        "WEB_FETCH( nas.lan:80 )",
        "web_fetch([::1]:8080)",
        "web_fetch",
        "web_fetch(*)",
        "web_fetch(*:80)",
        "web_fetch(localhost)",
        "bash(localhost:1)",
        "web_fetch(a b:1)",
      ],
      deny: ["web_fetch(router:80)"],
    };
    const policies = {
      rules: [
        kept("allow", "web_fetch", "10.0.0.1:8080"),
        kept("allow", "web_fetch", "example.com"),
        kept("deny", "web_fetch", "printer:631"),
        kept("allow", "other", "x:1"),
      ],
      problems: [],
      everythingAsks: false,
      version: "1",
    };
    expect(privatePlaces(rules, policies)).toEqual(["localhost:3000", "nas.lan:80", "[::1]:8080", "10.0.0.1:8080"]);
  });
});
