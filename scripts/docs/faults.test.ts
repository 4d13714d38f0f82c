import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The numbers of the page, in its order. */
const numbers = [...read("docs/faults.md").matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number));
/** The tests that cover each row: titles by file. */
const shown: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = JSON.parse(
  read("scripts/docs/faults.json"),
);
const rows = numbers.map((number) => ({ number, tests: Object.entries(shown[number] ?? {}) }));

describe("the page of faults", () => {
  it("has every row of the matrix once, each with a test", () => {
    const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, place) => first + place);
    // Faults of models, servers and lines; of files, commands and rules; of sessions, places, lines and the window; of
    // agents; of plugins.
    expect(numbers).toEqual([
      ...from(1, 16),
      98,
      ...from(17, 29),
      ...from(52, 66),
      ...from(75, 86),
      96,
      97,
      ...from(30, 32),
      ...from(87, 89),
      95,
      ...from(90, 94),
    ]);
    expect(rows.filter(({ tests }) => tests.length === 0).map(({ number }) => number)).toEqual([]);
    expect(Object.keys(shown).map(Number)).toEqual([...numbers].sort((one, other) => one - other));
  });

  it.each(rows)("row $number names tests that exist", ({ tests }) => {
    const missing = tests.flatMap(([file, titles]) =>
      titles.filter((title) => !['"', "'", "`"].some((mark) => read(file).includes(mark + title + mark))),
    );
    expect(missing).toEqual([]);
  });
});
