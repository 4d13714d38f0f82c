import { describe, expect, it } from "vitest";
import { doubleNames } from "./exported-names.ts";
import { readSourceFile } from "./source-files.ts";

const a = (text: string) => readSourceFile("packages/a/src/a.ts", text);
const b = (text: string, path = "packages/b/src/b.ts") => readSourceFile(path, text);

describe("the rule for double names", () => {
  it("finds types, interfaces and classes of one name in two files", () => {
    expect(doubleNames([a("export type Turn = string;"), b("export class Turn {}")])).toEqual([
      "Turn is declared in packages/a/src/a.ts and packages/b/src/b.ts: exported names are unique",
    ]);
    expect(doubleNames([a("export interface Turn {}"), b("type Turn = string; export type { Turn };")])).toHaveLength(
      1,
    );
  });

  it.each([
    ["functions", "export function row() {}", "export async function row() {}"],
    ["constants", "export const row = 1;", "export const row = {};"],
    ["a function and a constant", "export function row() {}", "export const row = 1;"],
    ["arrow functions", "export const row = () => 1;", "const row = () => 1; export { row };"],
    ["a component and a type", "export function Row() {}", "export type Row = string;"],
  ])("finds %s of one name", (_, one, other) => {
    expect(doubleNames([a(one), b(other)])).toHaveLength(1);
  });

  it("allows what a file keeps to itself, re-exports, tests, and a schema with its type", () => {
    const turn = a("export const Turn = z.string(); export type Turn = z.infer<typeof Turn>;");
    expect(doubleNames([turn, b("type Turn = string; function row() {} const Turn = 1;")])).toEqual([]);
    expect(doubleNames([turn, b('export type { Turn } from "@harness/a"; export * from "@harness/a";')])).toEqual([]);
    expect(doubleNames([turn, b('export { Turn } from "@harness/a";')])).toEqual([]);
    expect(doubleNames([turn, b("export type Turn = string;", "packages/b/src/b.test.ts")])).toEqual([]);
  });
});
