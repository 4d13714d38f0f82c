import { expect, it } from "vitest";
import type { Measurement } from "../../../bench/rivals/measurement.ts";
import { withRivals } from "./rivals-section.ts";

const begin = "<!-- Made by `npm run docs` from bench/rivals.json. Do not edit. -->\n";
const end = "<!-- The end of what is made. -->";
const page = `before\n${begin}outdated\n${end}\nafter\n`;

const measured = (rows: Measurement["rows"], absent: Measurement["absent"] = {}): Measurement => ({
  startedAt: "2026-11-23T07:25:00.000Z",
  load: [1, 2.5],
  machine: "2 cores",
  versions: { harness: "abc", codex: "0.1", pi: "1.0" },
  absent,
  rows,
});

const rowOf = (measurements: Measurement[], name: string): string | undefined =>
  withRivals(page, measurements)
    .split("\n")
    .find((line) => line.startsWith(`| ${name}`));

it("a row has the newest medians, and what each measurement reached of its aim", () => {
  const slow = measured({ oneShotWall: { harness: [80, 90, 100], codex: [100, 100, 100], pi: [300] } });
  const quick = measured({ oneShotWall: { harness: [50, 60, 70], codex: [100, 100, 100] } });
  expect(rowOf([slow, quick], "one-shot")).toBe(
    "| one-shot, no tools: wall | 60.0 ms (50.0–70.0) | 100 ms | 300 ms | ≤ 0.7 × codex: 0.90 ✗, 0.60 ✓ |",
  );
});

it("an aim in units is held against the figure, one against the best rival against the least of theirs", () => {
  const one = measured({
    firstRequestBytes: { harness: [9_500], pi: [4_000] },
    echoIdle: { harness: [2], codex: [20], pi: [4] },
    versionWall: { harness: [60], codex: [10], "node -e 0": [50] },
  });
  expect(rowOf([one], "– size of its first request")).toContain("| 9.50 kB | – | 4.00 kB | ≤ 9 kB: 9.50 ✗ |");
  expect(rowOf([one], "window: echo of a key, idle")).toContain("≤ 1 × the best rival: 0.50 ✓");
  expect(rowOf([one], "`--version`")).toContain("≤ 1.3 × node -e 0: 1.20 ✓");
});

it("who is missing is said with the reason, and what stands around stays", () => {
  const without = measured({ oneShotWall: { harness: [80] } }, { codex: "could not be installed: no network\nmore" });
  const text = withRivals(page, [without]);
  expect(text).toContain("\n- codex: could not be installed: no network\n");
  expect(text).toContain("| ≤ 0.7 × codex: – |");
  expect([text.startsWith("before\n"), text.endsWith(`${end}\nafter\n`), text.includes("outdated")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(() => withRivals("a page without the place", [])).toThrow("no place for the rivals");
});
