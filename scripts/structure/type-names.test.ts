import { describe, expect, it } from "vitest";
import { readGlossary } from "./glossary.ts";
import { readSourceFile } from "./source-files.ts";
import { misnamedErrors, vagueTypes } from "./type-names.ts";

const a = (text: string) => readSourceFile("packages/a/src/a.ts", text);

describe("the rule for vague type names", () => {
  const vague = (text: string) => vagueTypes([a(text)], readGlossary()).map((finding) => finding.split(" ")[1]);

  it("finds bare participles, and endings that say nothing", () => {
    expect(vague("export type Known = string; export class Asked {} export interface Running {}")).toEqual([
      "Known",
      "Asked",
      "Running",
    ]);
    expect(vague("export type LogParts = string; export class KeyNames {} export type RulePlace = string;")).toEqual([
      "LogParts",
      "KeyNames",
      "RulePlace",
    ]);
  });

  it("finds those that a file, a function or a test keeps to itself", () => {
    expect(vague("type Known = string; function run() { type Asked = string; } class LogParts {}")).toEqual([
      "Known",
      "Asked",
      "LogParts",
    ]);
    const test = readSourceFile("packages/a/src/a.test.ts", "type Given = string;");
    expect(vagueTypes([test], readGlossary())).toHaveLength(1);
  });

  it("allows nouns, also those that begin with a participle", () => {
    expect(vague("export type KnownModel = string; export type Reading = string; type KnownKey = string;")).toEqual([]);
    expect(vague("type List<Known> = Known[]; const Known = 1; // type Asked")).toEqual([]);
  });
});

describe("the rule for errors", () => {
  it("finds classes that extend an error and are called something else", () => {
    expect(misnamedErrors([a("class TooLong extends Error {} export class Lost extends DiskError {}")])).toEqual([
      "packages/a/src/a.ts: the class TooLong is an error",
      "packages/a/src/a.ts: the class Lost is an error",
    ]);
    expect(misnamedErrors([a("class TooLongError extends Error {} class Box extends Base {}")])).toEqual([]);
  });
});
