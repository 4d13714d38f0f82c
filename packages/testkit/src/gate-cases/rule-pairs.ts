import type { PolicyRule } from "@harness/gate";

const bash: PolicyRule = { decision: "allow", tool: "bash", argv: ["npm", "test"] };
const mcp: PolicyRule = { decision: "deny", tool: "mcp", mcp: "evil/get" };

/** For each field of a rule, two rules that differ only in it. The compiler requires a pair for each new field. */
export const rulePairs: Readonly<Record<keyof PolicyRule, readonly [PolicyRule, PolicyRule]>> = {
  decision: [mcp, { ...mcp, decision: "ask" }],
  tool: [
    { decision: "allow", tool: "read" },
    { decision: "allow", tool: "write" },
  ],
  argv: [bash, { ...bash, argv: ["npm", "run"] }],
  rest: [bash, { ...bash, rest: "none" }],
  line: [
    { decision: "allow", tool: "bash", line: "cc a.c && ./a.out" },
    { decision: "allow", tool: "bash", line: "cc b.c && ./a.out" },
  ],
  path: [
    { decision: "ask", tool: "write", path: "src/**" },
    { decision: "ask", tool: "write", path: "lib/**" },
  ],
  host: [
    { decision: "allow", tool: "web_fetch", host: "a.example" },
    { decision: "allow", tool: "web_fetch", host: "b.example" },
  ],
  mcp: [mcp, { ...mcp, mcp: "db/drop" }],
  configuration: [
    { ...mcp, configuration: "1" },
    { ...mcp, configuration: "2" },
  ],
  source: [
    { ...bash, source: "user" },
    { ...bash, source: "answer" },
  ],
  created: [
    { ...bash, created: "2026-01-01T00:00:00.000Z" },
    { ...bash, created: "2026-01-02T00:00:00.000Z" },
  ],
  why: [bash, { ...bash, why: "a reason" }],
  match: [bash, { ...bash, match: ["npm test -- a"] }],
  not_match: [bash, { ...bash, not_match: ["npm run"] }],
};

/** Fields that only annotate a rule: a file needs no second rule that differs in these. */
export const noteFields: readonly string[] = ["source", "created", "why", "match", "not_match"];
