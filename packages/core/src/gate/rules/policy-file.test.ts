import { describe, expect, it } from "vitest";
import { readPolicyFile } from "./policy-file.ts";

const file = (...rules: unknown[]) => JSON.stringify({ version: 1, rules });
const read = (...rules: unknown[]) => readPolicyFile(file(...rules));
const npm = { decision: "allow", tool: "bash", argv: ["npm", "test"] };

describe("a file of policies", () => {
  it("gives its rules", () => {
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
  ])("%s: everything is asked", (_name, text) => {
    expect(readPolicyFile(text)).toEqual({ rules: [], problems: [expect.any(String)], everythingAsks: true });
  });

  it("with keys that nobody knows has everything asked, and keeps its rules", () => {
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
    ["a word that is no text", { ...npm, argv: [1] }],
    ["no rule at all", 5],
  ])("a rule with %s has everything asked, and the others stand", (_name, rule) => {
    const deny = { decision: "deny", tool: "write" };
    expect(read(rule, deny)).toEqual({
      rules: [deny],
      problems: [expect.stringContaining("Rule 1 is not understood")],
      everythingAsks: true,
    });
  });
});

describe("examples", () => {
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
  ])("put an allow rule out of force that fails one: %s %j", (words, rule) => {
    const reading = read(rule, npm);
    expect(reading).toMatchObject({ rules: [npm], everythingAsks: false });
    expect(reading.problems).toEqual([expect.stringContaining(words)]);
    expect(reading.problems[0]).toMatch(/It is not in force\.$/);
  });

  it.each([
    { decision: "deny", tool: "bash", argv: ["git", "push"], match: ["git pull"] },
    { decision: "ask", tool: "bash", argv: ["git", "push"], not_match: ["ls; git push"] },
    { decision: "deny", tool: "read", path: "../x" },
  ])("have everything asked where a rule fails that denies or asks: %j", (rule) => {
    expect(read(rule)).toMatchObject({ rules: [], everythingAsks: true, problems: [expect.any(String)] });
  });
});

describe("names of tools", () => {
  it("are known ones where they are told", () => {
    const text = file(
      { decision: "allow", tool: "shell" },
      { decision: "allow", tool: "Bash" },
      { decision: "deny", tool: "*" },
    );
    expect(readPolicyFile(text, ["bash"])).toMatchObject({
      rules: [{ tool: "Bash" }, { tool: "*" }],
      problems: [expect.stringContaining("there is no `shell`")],
      everythingAsks: false,
    });
    expect(readPolicyFile(file({ decision: "deny", tool: "shell" }), ["bash"]).everythingAsks).toBe(true);
  });
});
