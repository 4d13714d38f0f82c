import { describe, expect, it } from "vitest";
import { optionalParts, wideBags } from "./bags.ts";
import { moduleState } from "./module-state.ts";
import { positionalBooleans } from "./positional-booleans.ts";
import { readSourceFile } from "./source-files.ts";

const file = (text: string, path = "packages/a/src/x.ts") => readSourceFile(path, text);
const names = (findings: readonly string[]) => findings.map((text) => text.replace(/^packages\/\w+\/src\/x\.ts: /, ""));
const fields = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `f${from + at}: string;`).join(" ");

describe("the rule for bags", () => {
  const found = (text: string) => names(wideBags([file(text)]));

  it("allows seven required fields, whatever is optional", () => {
    expect(found(`export type LogDeps = { ${fields(1, 7)} more?: string };`)).toEqual([]);
    expect(found(`export type LogDeps = { ${fields(1, 7)} lock: Lock | undefined };`)).toEqual([]);
    expect(found(`export type LogDeps = { ${fields(1, 8)} };`)).toEqual([
      "LogDeps has 8 required fields, group them by noun",
    ]);
  });

  it("counts the fields of the types that a bag is made of, also from other files", () => {
    const base = file(`export type Base = { ${fields(1, 5)} };`, "packages/a/src/base.ts");
    const bag = file(`type RunOrder = Readonly<Base> & Pick<Base, "f1"> & { ${fields(6, 8)} };`);
    expect(names(wideBags([base, bag]))).toEqual(["RunOrder has 8 required fields, group them by noun"]);
    expect(found(`type Base = { ${fields(1, 5)} };\ntype RunOrder = Omit<Base, "f1"> & { ${fields(6, 8)} };`)).toEqual(
      [],
    );
    expect(found(`type Base = { ${fields(1, 5)} };\ntype RunOrder = Partial<Base> & { ${fields(6, 8)} };`)).toEqual([]);
  });

  it("sees what constructors take, and literals at parameters", () => {
    const taken = `type Needs = { ${fields(1, 8)} };\n`;
    expect(found(`${taken}class Log { constructor(needs: Needs) {} }`)).toEqual([
      "Needs has 8 required fields, group them by noun",
    ]);
    expect(found(`const run = ({ f1 }: { ${fields(1, 9)} }) => f1;`)).toEqual([
      "a parameter has 9 required fields, group them by noun",
    ]);
  });

  it("leaves records and the support of tests alone", () => {
    const record = `export type Report = { ${fields(1, 12)} };\nexport function show(report: Report) {}`;
    expect(found(record)).toEqual([]);
    const bag = `export type LogDeps = { ${fields(1, 8)} };`;
    expect(wideBags([file(bag, "packages/testkit/src/x.ts"), file(bag, "packages/a/test/x.ts")])).toEqual([]);
  });
});

describe("the rule for optional parts", () => {
  it("finds them in what a composition fills in, and nowhere else", () => {
    const found = (text: string) => names(optionalParts([file(text)]));
    expect(found("type LogDeps = Base & { lock?: Lock; clock: Clock; report?(): void };")).toEqual([
      "lock of LogDeps can be forgotten, make it `| undefined`",
      "report of LogDeps can be forgotten, make it `| undefined`",
    ]);
    expect(found("type LogDeps = { lock: Lock | undefined };\ntype RunOptions = { limit?: number };")).toEqual([]);
  });
});

describe("the rule for booleans", () => {
  const found = (text: string) => names(positionalBooleans([file(text)])).map((text) => text.split(" ")[0]);

  it("finds them beside other parameters of exported functions, methods and constructors", () => {
    expect(found("export function cut(text: string, isHard: boolean) {}")).toEqual(["cut"]);
    expect(found("export const cut = (text: string, isHard = false) => text;")).toEqual(["cut"]);
    expect(found("export function cut(text: string, isHard: boolean | undefined) {}")).toEqual(["cut"]);
    expect(
      found(
        "export class Box { constructor(a: string, b: boolean) {} open(a: string, b?: boolean) {} #shut(a: string, b: boolean) {} }",
      ),
    ).toEqual(["Box.constructor", "Box.open"]);
  });

  it("allows a boolean alone, one with a name, and those inside a file", () => {
    expect(found("export function mark(isOpen: boolean) {}")).toEqual([]);
    expect(found("export function cut(text: string, { isHard }: { isHard: boolean }) {}")).toEqual([]);
    expect(found("function cut(text: string, isHard: boolean) {}")).toEqual([]);
  });
});

describe("the rule for state of modules", () => {
  const found = (text: string) => names(moduleState([file(text)])).map((text) => text.split(" ")[0]);

  it("finds variables and collections that functions change", () => {
    expect(found("let last = 0;\nexport const next = () => ++last;")).toEqual(["last"]);
    expect(found("let last: string | undefined;\nfunction keep(text: string) { last ??= text; }")).toEqual(["last"]);
    expect(found("const known = new Map();\nfunction keep(text: string) { known.set(text, 1); }")).toEqual(["known"]);
    expect(found("export const all: string[] = [];\nclass Box { put() { all.push('x'); } }")).toEqual(["all"]);
    expect(found("const by: Record<string, number> = {};\nconst put = () => { by.x = 1; };")).toEqual(["by"]);
  });

  it("allows tables that are made while the module is loaded, and reading them", () => {
    expect(
      found("const known = new Map();\nfor (const x of [1]) known.set(x, x);\nconst of = () => known.get(1);"),
    ).toEqual([]);
    expect(found("let at = 0;\nfor (; at < 3; at++) {}")).toEqual([]);
  });

  it("allows a memo and what the process owns, where a comment right above says why", () => {
    const state = "const known = new Map();\nfunction keep(text: string) { known.set(text, 1); }";
    expect(found(`/** Memo of a pure function: at most one for each tool. */\n${state}`)).toEqual([]);
    expect(found(`// Of the process: its exit clears it.\n${state}`)).toEqual([]);
    expect(found(`/**\n * Memo of a pure function: at most one for\n * each tool.\n */\n${state}`)).toEqual([]);
    expect(found(`/** Memo of a pure function: */\n${state}`)).toEqual(["known"]);
    expect(found(`/** Memo of a pure function: why. */\nconst other = 1;\n${state}`)).toEqual(["known"]);
  });
});
