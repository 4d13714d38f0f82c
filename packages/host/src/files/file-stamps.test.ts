import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FileStamps } from "./file-stamps.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stamps-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("a stamp changes with the content, the mode and the place that a link leads to, and stays the same for a moment", async () => {
  const stamps = new FileStamps();
  const [file, link] = [join(folder, "a"), join(folder, "link")];
  expect(stamps.of(file)).toBe("");
  writeFileSync(file, "one");
  expect(stamps.of(file)).toBe("");
  const seen = [stamps.of(link)];
  const changes = [
    () => symlinkSync("a", link),
    () => writeFileSync(file, "other"),
    () => chmodSync(file, 0o755),
    () => {
      rmSync(link);
      writeFileSync(join(folder, "b"), "other");
      symlinkSync("b", link);
    },
    () => rmSync(join(folder, "b")),
  ];
  for (const change of changes) {
    change();
    await setImmediate();
    seen.push(stamps.of(link));
    expect(stamps.areSame([link, join(folder, "none")], [stamps.of(link), ""])).toBe(true);
  }
  expect(new Set(seen).size).toBe(changes.length + 1);
  expect(seen.at(-1)).toBe("dangling");
  writeFileSync(link.replace("link", "b"), "back");
  stamps.forgetMoment();
  expect(stamps.areSame([link], ["dangling"])).toBe(false);
});
