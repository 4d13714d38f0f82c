import { describe, expect, it } from "vitest";
import { readPolicyFile } from "./policy-file.ts";
import type { RuleTool } from "./rule-tool.ts";

const file = (...rules: unknown[]) => JSON.stringify({ version: 1, rules });
const read = (...rules: unknown[]) => readPolicyFile(file(...rules));
const npm = { decision: "allow", tool: "bash", argv: ["npm", "test"] };

describe("a policy file", () => {
  it("contains rules", () => {
    const rules = [
      {
        ...npm,
        rest: "any",
        source: "user",
        created: "2026-01-01",
        why: "tests",
        match: ["npm test -- --run"],
        not_match: ["npm testing", "npm test; rm x"],
      },
      {
        decision: "deny",
        tool: "bash",
        argv: ["git", "push"],
        match: ["git -C x push", "ls && git push"],
        not_match: ["git status"],
      },
      { decision: "ask", tool: "write", path: "src/**", match: ["src/a"], not_match: ["lib/a"] },
      {
        decision: "allow",
        tool: "web_fetch",
        host: "*.example.com",
        match: ["docs.example.com", "https://a.example.com/x"],
        not_match: ["example.org"],
      },
      { decision: "deny", tool: "*" },
    ];
    expect(read(...rules)).toEqual({ rules, problems: [], everythingAsks: false });
    expect(readPolicyFile(`\ufeff${file()}`)).toEqual({ rules: [], problems: [], everythingAsks: false });
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["a list", "[]"],
    ["null", "null"],
    ["another version", '{"version":2,"rules":[]}'],
    ["no rules", '{"version":1}'],
    ["rules of another form", '{"version":1,"rules":{}}'],
    ["too many rules", JSON.stringify({ version: 1, rules: Array(10_001).fill(npm) })],
  ])("makes every call ask with %s", (_name, text) => {
    expect(readPolicyFile(text)).toEqual({ rules: [], problems: [expect.any(String)], everythingAsks: true });
  });

  it("makes every call ask with unknown keys, and keeps its rules", () => {
    const reading = readPolicyFile(JSON.stringify({ version: 1, rules: [npm], defaults: "deny" }));
    expect(reading).toEqual({ rules: [npm], problems: [expect.stringContaining("defaults")], everythingAsks: true });
  });

  it.each([
    ["an unknown key", { ...npm, unless: "x" }],
    ["no decision", { tool: "bash" }],
    ["an unknown decision", { ...npm, decision: "maybe" }],
    ["two subjects", { ...npm, path: "x" }],
    ["rest without words", { decision: "allow", tool: "bash", rest: "none" }],
    ["no words", { ...npm, argv: [] }],
    ["a word that is not text", { ...npm, argv: [1] }],
    ["no rule at all", 5],
  ])("makes every call ask with %s in a rule, and the other rules apply", (_name, rule) => {
    const deny = { decision: "deny", tool: "write" };
    expect(read(rule, deny)).toEqual({
      rules: [deny],
      problems: [expect.stringContaining("Rule 1 is not valid")],
      everythingAsks: true,
    });
  });
});

describe("the examples of a rule", () => {
  it.each([
    ["should cover", { ...npm, match: ["npm run test"] }],
    ["should cover", { ...npm, match: ["npm test > x"] }],
    ["should not cover", { ...npm, not_match: ["npm test --all"] }],
    ["should cover", { ...npm, rest: "none", match: ["npm test x"] }],
    ["should cover", { decision: "allow", tool: "write", path: "src/*", match: ["src/deep/a"] }],
    ["should not cover", { decision: "allow", tool: "write", path: "a.ts", not_match: ["deep/a.ts"] }],
    ["should cover", { decision: "allow", tool: "fetch", host: "example.com", match: ["docs.example.com"] }],
    ["should not cover", { decision: "allow", tool: "bash", not_match: ["rm x"] }],
    ["write the path out", { decision: "allow", tool: "read", path: "~/x" }],
  ])("disable an allow rule that fails one: %s %j", (words, rule) => {
    const reading = read(rule, npm);
    expect(reading).toMatchObject({ rules: [npm], everythingAsks: false });
    expect(reading.problems).toEqual([expect.stringContaining(words)]);
    expect(reading.problems[0]).toMatch(/It is not in force\.$/);
  });

  it.each([
    { decision: "deny", tool: "bash", argv: ["git", "push"], match: ["git pull"] },
    { decision: "ask", tool: "bash", argv: ["git", "push"], not_match: ["ls; git push"] },
    { decision: "deny", tool: "read", path: "../x" },
  ])("make every call ask when a deny or ask rule fails one: %j", (rule) => {
    expect(read(rule)).toMatchObject({ rules: [], everythingAsks: true, problems: [expect.any(String)] });
  });
});

describe("the tool names in rules", () => {
  it("must be known when the tools are known", () => {
    const text = file(
      { decision: "allow", tool: "shell" },
      { decision: "allow", tool: "Bash" },
      { decision: "deny", tool: "*" },
    );
    expect(readPolicyFile(text, [{ name: "bash" }])).toMatchObject({
      rules: [{ tool: "Bash" }, { tool: "*" }],
      problems: [expect.stringContaining("there is no `shell`")],
      everythingAsks: false,
    });
    expect(readPolicyFile(file({ decision: "deny", tool: "shell" }), [{ name: "bash" }]).everythingAsks).toBe(true);
  });
});

describe("the object of a rule", () => {
  const tools: RuleTool[] = [
    { name: "bash", subject: "argv" },
    { name: "write", subject: "path" },
    { name: "web_fetch", subject: "host" },
    { name: "odd" },
  ];
  const lookAt = (rule: object) => readPolicyFile(file(rule), tools);

  it.each([
    ["a path of commands", { tool: "bash", path: "a" }, "or say `read` or `write`"],
    ["a host of commands", { tool: "bash", host: "example.com" }, "about commands: write `argv`"],
    ["words of a path", { tool: "Write", argv: ["touch"] }, "about paths: write `path`"],
    ["a path of hosts", { tool: "web_fetch", path: "example.com" }, "about hosts: write `host`"],
    ["all words in one", { tool: "bash", argv: ["npm test"] }, "each word by itself"],
    ["an address", { tool: "web_fetch", host: "https://example.com" }, "names no host"],
    ["a place of a host", { tool: "web_fetch", host: "example.com/docs" }, "names no host"],
    ["any port", { tool: "*", host: "localhost:*" }, "names no host"],
  ])("must suit its tool: %s", (_name, rule, words) => {
    expect(lookAt({ ...rule, decision: "allow" })).toEqual({
      rules: [],
      problems: [expect.stringContaining(words)],
      everythingAsks: false,
    });
    for (const decision of ["deny", "ask"])
      expect(lookAt({ ...rule, decision })).toMatchObject({ rules: [], everythingAsks: true });
  });

  it.each([
    { tool: "odd", argv: ["x"] },
    { tool: "*", path: "secret/**" },
    { tool: "web_fetch", host: "*.example.com:8443" },
    { tool: "web_fetch", host: "münchen.de" },
    { tool: "web_fetch", host: "[::1]:3000" },
    { tool: "bash", argv: ["git", "commit -m"] },
  ])("may be %j", (rule) => {
    expect(lookAt({ ...rule, decision: "deny" })).toMatchObject({ problems: [], everythingAsks: false });
  });
});
