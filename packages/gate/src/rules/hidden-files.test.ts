import { describe, expect, it } from "vitest";
import { guardingRule, hiddenFiles, hidingRule } from "./hidden-files.ts";
import { parseRule, type Rule, ruleFromText } from "./rule.ts";

const rule = (text: string, decision: Rule["decision"] = "deny", base?: string): Rule => {
  const read = parseRule(text);
  if ("problem" in read) throw new Error(read.problem);
  return { ...ruleFromText(read, decision, { scope: "run", where: "a test" }), ...(base ? { base } : {}) };
};

describe("a rule that may prevent reading in a folder", () => {
  it.each([
    ["read(secrets/**)", "/w"],
    ["read(secrets/**)", "/w/secrets"],
    ["read(secrets/**)", "/w/secrets/deep"],
    ["read(private.txt)", "/w/src"],
    ["read(src/*/x.ts)", "/w/src/a"],
    ["read(/w/a/b)", "/w/a"],
    ["*(private.txt)", "/w"],
    ["read(**)", "/w/x"],
    ["read(Secrets/x)", "/w/secrets"],
  ])("applies: %s in %s", (text, folder) => {
    expect(hidingRule([rule(text)], [folder], ["/w"])?.text).toBe(text);
  });

  it.each([
    ["read(secrets/**)", "/w/src"],
    ["read(.env)", "/w"],
    ["read(conf/*.pem)", "/w/conf"],
    ["write(src/**)", "/w/src"],
    ["bash(cat)", "/w"],
    ["read(/srv/**)", "/w"],
  ])("does not apply: %s in %s", (text, folder) => {
    expect(hidingRule([rule(text)], [folder], ["/w"])).toBeUndefined();
  });

  it("starts from its own folder", () => {
    expect(hidingRule([rule("read(a/**)", "ask", "/top")], ["/top/a"], ["/top/w"])).toBeDefined();
    expect(hidingRule([rule("read(a/**)", "allow")], ["/w/a"], ["/w"])).toBeUndefined();
  });
});

describe("a rule that may prevent writing in a folder", () => {
  it.each([
    ["write(secrets/**)", "/w", true],
    ["write(secrets/**)", "/w/secrets/a", true],
    ["edit(secrets/**)", "/", true],
    ["*(notes.txt)", "/w/src", true],
    ["write(secrets/**)", "/w/src", false],
    ["read(secrets/**)", "/w", false],
    ["bash(rm)", "/w", false],
  ])("applies: %s in %s: %s", (text, folder, expected) => {
    expect(guardingRule([rule(text)], [folder], ["/w"]) !== undefined).toBe(expected);
  });
  it("is never an allow rule", () => {
    expect(guardingRule([rule("write(a/**)", "allow")], ["/w/a"], ["/w"])).toBeUndefined();
    expect(guardingRule([rule("write(a/**)", "ask")], ["/w/a"], ["/w"])).toBeDefined();
    expect(guardingRule([rule("write(a/**)")], [], ["/w"])).toBeUndefined();
  });
});

describe("the files that a search skips", () => {
  it("are those that a rule denies or asks about", () => {
    const hides = hiddenFiles([rule("read(secrets/**)"), rule("read(x.txt)", "ask"), rule("read(y)", "allow")], ["/w"]);
    const paths = ["/w/secrets/a", "/w/sub/X.TXT", "/w/y", "/w/a.ts", "/other/secrets/a"];
    expect(paths.filter((path) => hides?.(path))).toEqual(["/w/secrets/a", "/w/sub/X.TXT"]);
    expect(hiddenFiles([rule("read(y)", "allow"), rule("bash(ls)")], ["/w"])).toBeUndefined();
  });
});
