import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { HintRecord } from "./hint-record.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hints-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("a hint is due once, for every process", () => {
  const [one, other] = [new HintRecord({ root }), new HintRecord({ root })];
  expect([one.take("undo"), one.take("undo"), other.take("undo")]).toEqual([true, false, false]);
  expect(JSON.parse(readFileSync(join(root, "hints.json"), "utf8"))).toEqual({ seen: ["undo"] });
});

it.each(["", "{", "[]", '{"seen":1}'])("a file that cannot be read (%j) shows it once more", (text) => {
  writeFileSync(join(root, "hints.json"), text);
  const hints = new HintRecord({ root });
  expect([hints.take("undo"), hints.take("undo")]).toEqual([true, false]);
});

it("keeps the hints of a newer version", () => {
  writeFileSync(join(root, "hints.json"), '{"seen":["later"]}');
  expect(new HintRecord({ root }).take("undo")).toBe(true);
  expect(JSON.parse(readFileSync(join(root, "hints.json"), "utf8"))).toEqual({ seen: ["later", "undo"] });
});
