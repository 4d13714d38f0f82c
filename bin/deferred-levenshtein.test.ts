import { compileFunction } from "node:vm";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { commonOptions, root } from "./build-options.mjs";

describe("fastest-levenshtein in the bundle", () => {
  it("makes its table at the first question, and gives its answers", async () => {
    const contents = 'import { distance } from "fastest-levenshtein"; export { distance };';
    const stdin = { contents, resolveDir: root };
    const { outputFiles } = await build({ ...commonOptions, write: false, inject: [], stdin, format: "cjs" });
    const tables: number[] = [];
    class Table extends Uint32Array {
      constructor(length: number) {
        super(length);
        tables.push(length);
      }
    }
    const module = { exports: {} as { distance: (a: string, b: string) => number } };
    compileFunction(outputFiles?.[0]?.text ?? "", ["module", "Uint32Array"])(module, Table);
    expect(tables).toEqual([]);
    const names = [
      ["sesion", "session"],
      ["same", "same"],
      ["", "abc"],
    ] as const;
    expect(names.map(([a, b]) => module.exports.distance(a, b))).toEqual([1, 0, 3]);
    expect(tables).toEqual([65_536]);
  });
});
