import { describe, expect, it } from "vitest";
import type { Grant } from "../answers/grant.ts";
import type { PolicyRule } from "../ports/policy.ts";
import { grantedText, ruledText } from "./offer-text.ts";

const places = { root: "/w/app", base: "/w" };

describe("what an answer would cover, in words", () => {
  it.each<[Grant[], string]>([
    [[{ tool: "bash", kind: "run", command: "npm test", cwd: "/w/app" }], "this exact command"],
    [[{ tool: "edit", kind: "write", folder: "/w/app/src" }], "`edit` under src/"],
    [[{ tool: "write", kind: "write", file: "/w/app/b.txt" }], "`write` of b.txt"],
    [[{ tool: "read", kind: "read", folder: "/srv/data" }], "`read` under /srv/data/"],
    [[{ tool: "web_fetch", kind: "reach", host: "a.example" }], "`web_fetch` requests to a.example"],
    [[{ tool: "x", kind: "mcp", server: "db", name: "query" }], "all calls of query on the MCP server db"],
  ])("of the session: %j is %s", (grants, text) => {
    expect(grantedText(grants, places)).toBe(text);
  });

  it.each<[Omit<PolicyRule, "decision" | "tool">[], string]>([
    [[{ argv: ["npm", "test"] }], "commands starting with `npm test`"],
    [[{ argv: ["make"], rest: "none" }], "exactly `make`"],
    [[{ argv: ["a"] }, { argv: ["b", "c"] }, { argv: ["d"] }], "commands starting with `a`, `b c` and `d`"],
    [[{ path: "app/src/**" }], "`bash` under app/src/"],
    [[{ path: "/w/app/b.txt" }], "`bash` of app/b.txt"],
    [[{ path: "/srv/data/**" }], "`bash` under /srv/data/"],
    [[{ host: "a.example" }], "`bash` requests to a.example"],
    [[{ mcp: "db/query" }], "calls of db/query"],
  ])("for good: %j is %s", (rules, text) => {
    const kept = rules.map((rule) => ({ decision: "allow" as const, tool: "bash", ...rule }));
    expect(ruledText(kept, places)).toBe(text);
  });
});
