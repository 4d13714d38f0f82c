import { expect, it } from "vitest";
import type { SourceEntry } from "../sources/source.ts";
import { changesText } from "./source-changes.ts";

const entry = (name: string, more: Partial<SourceEntry> = {}): SourceEntry => ({
  kind: "tool",
  name,
  path: `/s/tools/${name}`,
  source: { folder: "/s", owner: "person", layout: "harness" },
  isExecutable: true,
  stamp: "1",
  ...more,
});
const between = (before: SourceEntry[], now: SourceEntry[]) => changesText({ entries: before }, { entries: now });

it("what has changed in the sources is one line, with a few names and the number of the rest", () => {
  const hook = entry("20-log", { kind: "hook", stage: "send" });
  expect(between([entry("a"), entry("b"), hook], [entry("a"), entry("b", { stamp: "2" }), entry("c")])).toBe(
    "Extensions: new: tool c; changed: tool b; removed: hook send/20-log.",
  );
  expect(
    between(
      [],
      ["a", "b", "c", "d", "e", "f"].map((name) => entry(name)),
    ),
  ).toMatch(/^Extensions: new: tool a, .*tool d, 2 more\.$/);
});

it("what has changed in the sources says what waits for trust, and nothing of a file that is only looked at again", () => {
  const theirs = entry("t", { problem: "not trusted", needsTrust: true });
  expect(between([], [theirs])).toBe("Extensions: 1 file needs your trust (/trust).");
  expect(between([theirs], [entry("t")])).toBe("Extensions: new: tool t.");
  expect(between([entry("a", { stamp: "1 unsettled 4" })], [entry("a", { stamp: "1 unsettled 5" })])).toBeUndefined();
  expect(between([entry("a")], [entry("a", { problem: "no run bit" })])).toBe("Extensions: removed: tool a.");
});

it("what has changed in the sources does not name the person's own settings: harness itself saves what they choose", () => {
  const settings = entry("settings.json", { kind: "settings" });
  expect(between([settings], [{ ...settings, stamp: "2" }])).toBeUndefined();
  const theirs = { ...settings, source: { folder: "/p", owner: "project", layout: "harness" } } as const;
  expect(between([theirs], [{ ...theirs, stamp: "2" }])).toBe("Extensions: changed: settings settings.json.");
});
