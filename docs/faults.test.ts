import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Each line of the table: its number, and the tests that it names as `[file, title]`. */
const rows = [...read("docs/faults.md").matchAll(/^\| (\d+) \|.*\|(.*)\|$/gm)].map(([, number, proof = ""]) => {
  const tests = [...proof.matchAll(/`([^`]+)`((?:,? "[^"]+")+)/g)].flatMap(([, file = "", titles = ""]) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]): [string, string] => [file, title]),
  );
  return { number: Number(number), proof, tests };
});

describe("the page of faults", () => {
  it("has every row of the matrix once, each with a test", () => {
    const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, place) => first + place);
    // Of models, servers and lines; of files, commands and rules; of sessions, places, lines and the window; of agents; of plugins.
    expect(rows.map(({ number }) => number)).toEqual([
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
  });

  it.each(rows)("row $number names tests that exist", ({ proof, tests }) => {
    // Nothing of the cell was left unread.
    expect(proof.replace(/`[^`]+`(,? "[^"]+")+/g, "").replace(/[; ]/g, "")).toBe("");
    const missing = tests.filter(
      ([file, title]) => !['"', "'", "`"].some((mark) => read(file).includes(mark + title + mark)),
    );
    expect(missing).toEqual([]);
  });
});
